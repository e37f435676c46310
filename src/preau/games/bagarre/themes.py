"""What a position of La grande bagarre can ask of a seat.

What can be done for sure with one's own cards is searched: as soon as somebody else or chance has a say, nothing is
sure. What wins most often can only be estimated, for hands are hidden and the pile is large.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ...core.state import Json, State
from ...core.themes import Chance, Goal, Table, Theme
from .deck import CLOCHE, FRIENDS
from .position import ACTION, ANSWER, ATTACK, TURN, WINDOW
from .rules import BagarreState

MOST_AT_ONCE = 4
"""What the front of a seat can gain in a turn, at most: the most valuable toy."""


class Sure(Goal):
    """Something to be done for sure in one's own turn, after the draw."""

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """Asked when the action of the turn is to be chosen, but not with the bell at hand: it brings unknown cards."""
        assert isinstance(state, BagarreState)
        effects = [state.deck.effect[card] for card in state.hands[seat] if card >= state.deck.first_special]
        if state.phase == ACTION and CLOCHE not in effects:
            yield from self.asked(state, seat)

    def asked(self, state: BagarreState, seat: int) -> Iterator[Json]:
        """What the position may ask."""
        yield {}

    def reached(self, start: State, state: State, seat: int, task: Json) -> bool:
        """Whether it is done."""
        assert isinstance(start, BagarreState)
        assert isinstance(state, BagarreState)
        return self.done(start, state, seat, task)

    @abstractmethod
    def done(self, start: BagarreState, state: BagarreState, seat: int, task: Json) -> bool:
        """Whether it is done."""


def about_to_win(state: BagarreState, seat: int) -> bool:
    """Whether a seat has enough in front of it to win by swapping toys for marbles (B8, B14)."""
    return state.marbles[seat] + state.worth(seat) >= state.setup.goal


def threats(state: BagarreState, seat: int) -> list[int]:
    """The other seats that are about to win."""
    return [other for other in range(state.seats) if other != seat and about_to_win(state, other)]


def best_toy(state: BagarreState, seat: int) -> int:
    """The value of the best toy in a hand."""
    toys = (card for card in state.hands[seat] if FRIENDS <= card < state.deck.first_special)
    return max((state.deck.value[card] for card in toys), default=0)


class Win(Sure):
    """Win in this turn (B14)."""

    name = "win"
    at_once = True

    def asked(self, state: BagarreState, seat: int) -> Iterator[Json]:
        """Where Marie-Edwige gives enough for a toy."""
        most = max((state.deck.second[toy] for toy in state.front[seat]), default=0)
        if state.marbles[seat] + most >= state.setup.goal:
            yield {}

    def done(self, start: BagarreState, state: BagarreState, seat: int, task: Json) -> bool:
        """The game is won."""
        return state.over and seat in state.result().winners


class Stop(Sure):
    """Keep another seat from winning by what it has in front of it."""

    name = "stop"

    def asked(self, state: BagarreState, seat: int) -> Iterator[Json]:
        """Where exactly one other seat is about to win."""
        others = threats(state, seat)
        if len(others) == 1:
            yield {"owner": others[0]}

    def done(self, start: BagarreState, state: BagarreState, seat: int, task: Json) -> bool:
        """Nobody else is about to win."""
        return not threats(state, seat)


class Front(Sure):
    """Have toys of a certain worth in front at the end of the turn."""

    name = "front"

    def asked(self, state: BagarreState, seat: int) -> Iterator[Json]:
        """From what nobody could reach down to one more than by just laying the best toy."""
        now = state.worth(seat)
        for more in range(MOST_AT_ONCE, best_toy(state, seat), -1):
            yield {"worth": now + more}

    def done(self, start: BagarreState, state: BagarreState, seat: int, task: Json) -> bool:
        """They lie there."""
        wanted: int = task["worth"]
        return state.worth(seat) >= wanted


class Lead(Sure):
    """End the turn with the most valuable front of all."""

    name = "lead"

    def asked(self, state: BagarreState, seat: int) -> Iterator[Json]:
        """Where somebody else has as much or more in front, also once the best toy is laid."""
        if _most_of_others(state, seat) >= state.worth(seat) + best_toy(state, seat):
            yield {}

    def done(self, start: BagarreState, state: BagarreState, seat: int, task: Json) -> bool:
        """Nobody has as much."""
        return state.worth(seat) > _most_of_others(state, seat)


def _most_of_others(state: BagarreState, seat: int) -> int:
    return max(state.worth(other) for other in range(state.seats) if other != seat)


class Best(Chance):
    """What wins most often, asked in some phases of the game."""

    phases: tuple[int, ...]

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """In those phases, where the position is of this kind."""
        assert isinstance(state, BagarreState)
        if state.phase in self.phases and self.fits(state, seat):
            yield {}

    def fits(self, state: BagarreState, seat: int) -> bool:
        """Whether the position is of this kind."""
        return True


class Place(Best):
    """Which friend to place in a fight."""

    name = "place"
    phases = (ATTACK, ANSWER)


class Maman(Best):
    """Whether to call Maman."""

    name = "maman"
    phases = (WINDOW,)


class Convert(Best):
    """Swap toys for marbles, or draw?"""

    name = "convert"
    phases = (TURN,)


class Danger(Best):
    """Somebody is about to win: what now?"""

    name = "danger"
    phases = (ACTION,)

    def fits(self, state: BagarreState, seat: int) -> bool:
        """Another seat has enough in front of it."""
        return bool(threats(state, seat))


class Plan(Best):
    """Lay, fight, play a special move or discard?"""

    name = "plan"
    phases = (ACTION,)

    def fits(self, state: BagarreState, seat: int) -> bool:
        """Nobody is about to win."""
        return not threats(state, seat)


THEMES: tuple[Theme, ...] = (
    Win(),
    Stop(),
    Lead(),
    Front(),
    Maman(),
    Place(),
    Convert(),
    Danger(),
    Plan(),
)
TABLES = (Table(4), Table(3), Table(2))
