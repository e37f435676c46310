"""Every action of Dans la cour d'école, its text form and its number.

`keep marble` · `give brick 2` · `glue yes` · `glue no` · `point 3` · `point none` · `challenge 2` · `throw rock` ·
`trade yes` · `trade no` · `steal 3` · `friend 2` · `take car`; of nature: `turn brick` · `fastest 2` · `fastest none` ·
`win 2` · `lose marble` · `character 1 architect`

The numbering depends on the card set alone: it runs through the forms in this order, through the cards in the order of
the deck and through eight seats, however many are at the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...core.actions import ActionTable
from ...core.errors import MalformedAction
from ...core.state import Action
from .deck import CHARACTERS, Deck

if TYPE_CHECKING:
    from .shapes import Throw

KEEP: Final = 0
GIVE: Final = 1
GLUE: Final = 2
POINT: Final = 3
CHALLENGE: Final = 4
THROW: Final = 5
TRADE: Final = 6
STEAL: Final = 7
FRIEND: Final = 8
TAKE: Final = 9
TURN: Final = 10
FASTEST: Final = 11
WIN: Final = 12
LOSE: Final = 13
CHARACTER: Final = 14

VERBS: Final = (
    "keep", "give", "glue", "point", "challenge", "throw", "trade", "steal", "friend", "take",
    "turn", "fastest", "win", "lose", "character",
)  # fmt: skip
"""The first word of each kind of action."""
RULES: Final = (
    "C6", "C6", "C13", "C8", "C9", "C9", "C10", "C10", "C12", "C8",
    "C5", "C8", "C9", "C10", "C3",
)  # fmt: skip
"""The rule that each kind of action belongs to."""
FIRST_OF_NATURE: Final = TURN
"""Kinds from here on are nature's."""

SEATS: Final = 8
"""The most seats at a table (C3)."""
NONE: Final = SEATS
"""In the place of a seat: nobody."""
THROWS: Final[tuple[Throw, ...]] = ("rock", "paper", "scissors")
ANSWERS: Final = ("yes", "no")
YES: Final = 0
NO: Final = 1


class CourAction(Action):
    """An action: its `kind`, and the `card` (or answer, throw, character) and `seat` it names, else -1."""

    def __init__(self, number: int, text: str, kind: int, card: int, seat: int, deck: Deck) -> None:
        super().__init__(number, text)
        self.kind = kind
        self.card = card
        self.seat = seat
        self.deck = deck

    def __reduce__(self) -> tuple[object, ...]:
        from .data import revive

        return (revive, (self.deck.source, self.text))


class Actions(ActionTable):
    """All actions of one card set, in their numbering and by what they name."""

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self.deck = deck
        ordinary = range(deck.ordinary)
        hand = range(deck.in_hand)
        seats = range(SEATS)
        self.keep = [self._make(KEEP, card, -1) for card in ordinary]
        self.give = [[self._make(GIVE, card, seat) for seat in seats] for card in ordinary]
        self.glue = [self._make(GLUE, answer, -1) for answer in (YES, NO)]
        self.point = [self._make(POINT, -1, seat) for seat in range(SEATS + 1)]
        self.challenge = [self._make(CHALLENGE, -1, seat) for seat in seats]
        self.throw = [self._make(THROW, throw, -1) for throw in range(3)]
        self.trade = [self._make(TRADE, answer, -1) for answer in (YES, NO)]
        self.steal = [self._make(STEAL, -1, seat) for seat in seats]
        self.friend = [self._make(FRIEND, -1, seat) for seat in seats]
        self.take = [self._make(TAKE, card, -1) for card in hand]
        self.turn = [self._make(TURN, card, -1) for card in range(deck.size)]
        self.fastest = [self._make(FASTEST, -1, seat) for seat in range(SEATS + 1)]
        self.win = [self._make(WIN, -1, seat) for seat in seats]
        self.lose = [self._make(LOSE, card, -1) for card in hand]
        self.character = [
            [self._make(CHARACTER, character, seat) for character in range(len(CHARACTERS))] for seat in seats
        ]

    def _make(self, kind: int, card: int, seat: int) -> CourAction:
        words = [VERBS[kind]]
        if kind == CHARACTER:
            words += [str(seat), CHARACTERS[card]]
        else:
            if kind == THROW:
                words.append(THROWS[card])
            elif kind in (GLUE, TRADE):
                words.append(ANSWERS[card])
            elif card >= 0:
                words.append(self.deck.kinds[card])
            if seat >= 0:
                words.append("none" if seat == NONE else str(seat))
        action = CourAction(len(self.all), " ".join(words), kind, card, seat, self.deck)
        self.add(action)
        return action

    def malformed(self, text: str, words: list[str]) -> MalformedAction:
        """The error for a text that is no action: how actions begin, or the forms of the one meant."""
        if not words or words[0] not in VERBS:
            hint = f"An action begins with {', '.join(VERBS[:FIRST_OF_NATURE])}; nature's with "
            hint += f"{', '.join(VERBS[FIRST_OF_NATURE:])}."
            rule = "C5"
        else:
            forms = [action.text for action in self.all if action.text.split()[0] == words[0]]
            shown = ", ".join(forms[:12]) + (f" and {len(forms) - 12} more" if len(forms) > 12 else "")
            hint = f"The forms are: {shown}."
            rule = RULES[VERBS.index(words[0])]
        return MalformedAction(
            f"{text!r} is no action of this game",
            rule=rule,
            field="action",
            key="malformed",
            params={"text": text},
            hint=hint,
        )
