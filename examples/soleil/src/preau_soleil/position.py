"""Where everybody is, who holds which cards, and what follows from that at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from preau.core import NATURE, Game, Result, State
from preau.core.state import rank

from .actions import Actions
from .deck import COUNTS, HAND

if TYPE_CHECKING:
    from .shapes import Detail, Ending, Phase

DEALING: Final = 0
CHOOSING: Final = 1
TURNING: Final = 2
OVER: Final = 3
PHASES: Final[tuple[Phase, ...]] = ("dealing", "choosing", "turning", "over")

NONE: Final = -1
"""No card, no word."""


class Setup:
    """What stays the same for a whole game."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any], actions: Actions) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.actions = actions
        self.wall: int = options["steps"]
        self.rounds: int = options["rounds"]
        self.to_the_line: bool = options["back"] == "line"


class Position(State):
    """One position. `hands[seat][card]` counts cards; a card that is chosen is in no hand."""

    def __init__(
        self,
        setup: Setup,
        *,
        phase: int,
        round: int,
        places: list[int],
        caught: list[int],
        hands: list[list[int]],
        chosen: list[int],
        played: list[int],
        word: int,
    ) -> None:
        super().__init__(setup.game, setup.seats, setup.options)
        self.setup = setup
        self.phase = phase
        self.round = round
        """The rounds begun, from 1 on; 0 before the first."""
        self.places = places
        """Steps from the line."""
        self.caught = caught
        """How often each child was sent back."""
        self.hands = hands
        self.chosen = chosen
        """The cards of this round that lie face down."""
        self.played = played
        """The cards of the round before, and `word` what the caller turned round on."""
        self.word = word

    @property
    def to_act(self) -> tuple[int, ...]:
        """Those who have not chosen yet (S3); nature deals and lets the caller turn round."""
        if self.phase == CHOOSING:
            return tuple(seat for seat, card in enumerate(self.chosen) if card == NONE)
        return () if self.phase == OVER else (NATURE,)

    def key(self) -> tuple[object, ...]:
        """All that makes this position differ from others."""
        return (
            tuple(self.options.values()),
            self.phase,
            self.round,
            tuple(self.places),
            tuple(self.caught),
            tuple(map(tuple, self.hands)),
            tuple(self.chosen),
            tuple(self.played),
            self.word,
        )

    def scores(self) -> tuple[int, ...]:
        """Steps from the line."""
        return tuple(self.places)

    def result(self) -> Result:
        """S9: nearest to the wall, then caught the least, or shared."""
        ranking = rank([(-place, caught) for place, caught in zip(self.places, self.caught, strict=True)])
        best = [seat for seat in range(self.seats) if self.places[seat] == max(self.places)]
        tie_break = "shared" if len(ranking[0]) > 1 else "caught" if len(best) > 1 else ""
        detail: Detail = {"caught": list(self.caught)}
        return Result(self.scores(), ranking, self.reason(), tie_break, detail)

    def reason(self) -> Ending:
        """S8: why the game is over; nothing while it is not."""
        if self.phase != OVER:
            return ""
        return "wall" if self.at_the_wall() else "bell"

    def progress(self) -> float:
        """By rounds; touching the wall ends the game at any time."""
        return 1.0 if self.phase == OVER else max(0, self.round - 1) / self.setup.rounds

    # Plain facts.

    def at_the_wall(self) -> list[int]:
        """The seats that touch the wall."""
        return [seat for seat, place in enumerate(self.places) if place == self.setup.wall]

    def pile(self) -> list[int]:
        """How many of each card nobody has (S2)."""
        held = [sum(hand[card] for hand in self.hands) + self.chosen.count(card) for card in range(len(COUNTS))]
        return [count - gone for count, gone in zip(COUNTS, held, strict=True)]

    def next_to_draw(self) -> int:
        """The first seat that holds fewer than three cards, or NONE."""
        return next((seat for seat, hand in enumerate(self.hands) if sum(hand) < HAND), NONE)

    def back_from(self, place: int) -> int:
        """S5: where a child is sent that was seen at a place."""
        return 0 if self.setup.to_the_line else max(0, place - 3)
