"""Every action of La grande bagarre, its text form and its number.

`draw` · `done` · `forfeit` · `maman no` · `maman yes` · `convert T07` · `lay T07` · `fight T07` · `special echange` ·
`discard T07|F6|echange` · `place F6` · `take T07` · `give T07` · `seat 2` · nature: `deal 2 F6`

The numbering follows that order, cards within it by kind. It depends on the set of cards alone.
"""

from __future__ import annotations

from typing import Final

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
    """An action of La grande bagarre: its `sort`, and the `card` (by kind) and `seat` it names, or -1."""

    def __init__(self, number: int, text: str, sort: int, card: int, seat: int) -> None:
        super().__init__(number, text)
        self.sort = sort
        self.card = card
        self.seat = seat

    def __reduce__(self) -> tuple[object, ...]:
        return (BagarreAction, (self.number, self.text, self.sort, self.card, self.seat))


class Actions:
    """All actions with one set of cards. Lists by card have an entry for every kind; only sensible ones are used."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.all: list[BagarreAction] = []
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
        self.by_text = {action.text.lower(): action for action in self.all}

    def _make(self, text: str, sort: int, card: int = -1, seat: int = -1) -> BagarreAction:
        action = BagarreAction(len(self.all), text, sort, card, seat)
        self.all.append(action)
        return action

    def _row(self, word: str, sort: int, kinds: list[int], seat: int = -1) -> list[BagarreAction]:
        """One action for each of the kinds, found by kind; the other places hold `draw`, which nobody looks up."""
        row = [self.draw] * self.deck.kinds
        for kind in kinds:
            row[kind] = self._make(f"{word} {self.deck.names[kind]}", sort, kind, seat)
        return row

    def parse(self, text: str) -> BagarreAction:
        """The action with this text form; case and spacing do not matter."""
        plain = " ".join(text.lower().split())
        found = self.by_text.get(plain)
        if found is not None:
            return found
        words = plain.split()
        what = f"{text!r} is no action of La grande bagarre"
        rule = "B7"
        if len(words) > 1 and words[0] in _NAMING and words[-1] not in self.deck.numbers:
            what = f"{text!r}: {words[-1]!r} is no card of this set"
            rule = "B4"
        raise MalformedAction(
            what, rule=rule, field="action", key="malformed", params={"text": text}, hint=f"The forms are: {FORMS}."
        )


_NAMING: Final = ("convert", "lay", "fight", "special", "discard", "place", "take", "give", "deal")
"""The words that are followed by a card."""
