"""Every action of La grande bagarre, its text form and its number.

`draw` · `done` · `forfeit` · `maman no` · `maman yes` · `convert T07` · `lay T07` · `fight T07` · `special echange` ·
`discard T07|F6|echange` · `place F6` · `take T07` · `give T07` · `seat 2` · nature: `deal 2 F6`

The numbering follows that order, cards within it by kind. It depends on the set of cards alone.
"""

from __future__ import annotations

from typing import Final

from ...core.actions import ActionTable
from ...core.errors import MalformedAction
from ...core.state import Action
from .deck import FRIENDS, Deck

MOST_SEATS: Final = 6

DRAW: Final = 0
DONE: Final = 1
FORFEIT: Final = 2
NO: Final = 3
YES: Final = 4
CONVERT: Final = 5
LAY: Final = 6
FIGHT: Final = 7
SPECIAL: Final = 8
DISCARD: Final = 9
PLACE: Final = 10
TAKE: Final = 11
GIVE: Final = 12
SEAT: Final = 13
DEAL: Final = 14

FORMS: Final = (
    "draw, done, forfeit, maman yes, maman no, convert T07, lay T07, fight T07, special echange, discard T07 (or F6, "
    "echange), place F6, take T07, give T07, seat 2"
)


class BagarreAction(Action):
    """An action of La grande bagarre: its `kind`, and the `card` and `seat` it names, or -1."""

    def __init__(self, number: int, text: str, kind: int, card: int, seat: int) -> None:
        super().__init__(number, text)
        self.kind = kind
        self.card = card
        self.seat = seat

    def __reduce__(self) -> tuple[object, ...]:
        return (BagarreAction, (self.number, self.text, self.kind, self.card, self.seat))


class Actions(ActionTable):
    """All actions with one set of cards. Lists by card have an entry for every card; only sensible ones are used."""

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self.deck = deck
        self.draw = self._make("draw", DRAW)
        self.done = self._make("done", DONE)
        self.forfeit = self._make("forfeit", FORFEIT)
        self.no = self._make("maman no", NO)
        self.yes = self._make("maman yes", YES)
        toys = list(deck.toys())
        every = list(range(deck.kinds))
        moves = list(range(deck.first_special, deck.kinds))
        self.convert = self._row("convert", CONVERT, toys)
        self.lay = self._row("lay", LAY, toys)
        self.fight = self._row("fight", FIGHT, toys)
        self.special = self._row("special", SPECIAL, moves)
        self.discard = self._row("discard", DISCARD, every)
        self.place = self._row("place", PLACE, list(range(FRIENDS)))
        self.take = self._row("take", TAKE, toys)
        self.give = self._row("give", GIVE, toys)
        self.seat = [self._make(f"seat {seat}", SEAT, -1, seat) for seat in range(MOST_SEATS)]
        self.deal = [self._row(f"deal {seat}", DEAL, every, seat) for seat in range(MOST_SEATS)]

    def _make(self, text: str, kind: int, card: int = -1, seat: int = -1) -> BagarreAction:
        action = BagarreAction(len(self.all), text, kind, card, seat)
        self.add(action)
        return action

    def _row(self, word: str, kind: int, cards: list[int], seat: int = -1) -> list[BagarreAction]:
        """One action for each of the cards, found by card; the other places hold `draw`, which nobody looks up."""
        row = [self.draw] * self.deck.kinds
        for card in cards:
            row[card] = self._make(f"{word} {self.deck.names[card]}", kind, card, seat)
        return row

    def malformed(self, text: str, words: list[str]) -> MalformedAction:
        """The error for a text that is no action: it names no card of this set, or has no form of an action."""
        what = f"{text!r} is no action of La grande bagarre"
        rule = "B7"
        if len(words) > 1 and words[0] in _NAMING and words[-1] not in self.deck.numbers:
            what = f"{text!r}: {words[-1]!r} is no card of this set"
            rule = "B4"
        return MalformedAction(
            what, rule=rule, field="action", key="malformed", params={"text": text}, hint=f"The forms are: {FORMS}."
        )


_NAMING: Final = ("convert", "lay", "fight", "special", "discard", "place", "take", "give", "deal")
"""The words that are followed by a card."""
