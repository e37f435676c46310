"""What all environments share: a game with its seats and options, its numbers and actions, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError
from numpy.typing import NDArray

from ..core.errors import IllegalAction, SetupError, said
from ..core.game import Game
from ..core.match import Match
from ..core.options import read_options
from ..core.registry import find_game
from ..core.slate import MOST, Slate
from ..core.state import NATURE, Action, Event, Result, State

Numbers = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.int8]
Seen = Floats | dict[str, Floats]
"""A seat's observation: one flat array, or its pieces by name."""

T = TypeVar("T")

ONLY_NATURE = (NATURE,)

LOST = -1.0
"""What an illegal action costs, where it ends the game."""


class Setting:
    """A game as it is to be played in an environment. Wrong seats, options or words are refused here."""

    def __init__(
        self, game: str | Game, seats: int | None, options: Mapping[str, Any] | None, *, reward: str, limit: int | None
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self.given = dict(options or {})
        self.first = self.game.start(seats, self.given, seed=0)
        self.seats = self.first.seats
        self.layout = self.game.layout(self.first)
        self.actions: list[Action] = list(self.game.actions(self.first.options))
        self.units: Floats = np.array(self.layout.units(), dtype=np.float32)
        self.scale: Floats = (1 / self.units).astype(np.float32)
        """What a number is multiplied with to be of the order of 1."""
        scaled = np.flatnonzero(self.units != 1).tolist()
        self.scaled = slice(scaled[0], scaled[-1] + 1) if scaled else slice(0, 0)
        """Where the numbers lie that have another unit than 1: most of a row has none."""
        self._part_scale = self.scale[self.scaled]
        self.worth = _one_of("reward", reward, WORTHS)
        self.limit = 0 if limit is None else limit
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or (limit is not None and limit < 1):
            raise SetupError(f"{said(limit)} is no number of decisions", field="limit", hint="It takes 1 or more.")

    @property
    def drawn(self) -> bool:
        """Whether something about the start is drawn by lot, so that every game begins with a position of its own."""
        given = read_options(self.game.options, self.given, self.game.id)
        return any(value == "random" != self.first.options[name] for name, value in given.items())

    def match(self, seed: int | None) -> QuietMatch:
        """A new match, of which nobody is told but the record."""
        return QuietMatch.new(self.game, self.seats, self.given, seed)

    # Numbers.

    def observation_space(self, pieces: bool) -> spaces.Space[Any]:
        """One flat box, or one for each piece, by its name."""
        if not pieces:
            return spaces.Box(0.0, MOST * self.scale, dtype=np.float32)
        return spaces.Dict(
            {
                piece.name: spaces.Box(0.0, np.float32(MOST / piece.unit), piece.shape, dtype=np.float32)
                for piece in self.layout.pieces
            }
        )

    def floats(self, numbers: Numbers, out: Floats | None = None) -> Floats:
        """Whole numbers of a row, or of many, divided by their units."""
        if out is None:
            out = numbers.astype(np.float32)
        else:
            np.copyto(out, numbers)
        part = out[..., self.scaled]
        part *= self._part_scale
        return out

    def by_name(self, flat: NDArray[Any]) -> dict[str, Any]:
        """The pieces of a flat observation (or of many, one a row) by name, as views into it."""
        return {
            piece.name: flat[..., piece.start : piece.end].reshape(*flat.shape[:-1], *piece.shape)
            for piece in self.layout.pieces
        }

    # What a game is worth.

    def rewards(self, state: State) -> list[float]:
        """What the end of a game is worth to every seat."""
        return self.worth(state)


class QuietMatch(Match):
    """A match that makes no events. How it ended is worked out once: in some games that takes as long as ten steps."""

    _end: Result

    def apply(self, actor: int, action: Action | str) -> list[Event]:
        """Carry out an action, then whatever nature does next."""
        return self.take(actor, self.state.check(actor, action))

    def take(self, actor: int, action: Action) -> list[Event]:
        """The same with an action that is known to be legal."""
        self.state.advance(actor, action)
        self.record.add(actor, action.text)
        return self._nature()

    def _nature(self) -> list[Event]:
        state = self.state
        while state.to_act == ONLY_NATURE:
            action = self.chance()
            state.advance(NATURE, action)
            self.record.add(NATURE, action.text)
        if state.over:
            self._end = state.result()
            self.record.close(self._end)
        return []

    def result(self) -> Result:
        """How it ended, or how it stands."""
        return self._end if self.state.over else super().result()


class Eyes:
    """What the seats of one game see and may do, as arrays. There may be more action numbers than the game has."""

    def __init__(self, setting: Setting, pieces: bool, actions: int) -> None:
        self._setting = setting
        self._pieces = pieces
        self._looks = make_slate(1, setting.layout.size)
        self._masks = make_slate(1, actions)
        self._numbers = array_on(self._looks)[0]
        self._mask = array_on(self._masks)[0].view(np.int8)
        self._write = setting.game.writer

    def see(self, state: State, seat: int) -> Seen:
        """The observation of a seat: numbers of the order of 1."""
        self._looks.turn_to(0)
        self._write(state, seat, self._looks)
        flat = self._setting.floats(self._numbers)
        return self._setting.by_name(flat) if self._pieces else flat

    def mask(self, state: State, seat: int) -> Mask:
        """Which action numbers are legal for a seat."""
        self._masks.turn_to(0)
        state.mark(seat, self._masks)
        mask: Mask = self._mask.copy()
        return mask


def make_slate(rows: int, width: int) -> Slate:
    """A slate in plain memory where there can be one, else core's own."""
    return _SLATE(rows, width)


def _find_slate() -> Callable[[int, int], Slate]:
    from .. import _build
    from .stepping import Stepper

    if _build.is_compiled(Stepper):
        try:
            from .fast_slate import FastSlate
        except (ImportError, ValueError):  # no librt, or one that does not fit
            return Slate
        return FastSlate
    return Slate


_SLATE = _find_slate()


def array_on(slate: Slate) -> Numbers:
    """The rows of a slate as an array that shows whatever is written on it."""
    numbers: Numbers = np.frombuffer(slate.memory(), dtype=np.uint8)  # type: ignore[call-overload]
    return numbers.reshape(slate.rows, slate.width)


def closed() -> ClosedEnvironmentError:
    """The error for whoever goes on with an environment that is closed."""
    return ClosedEnvironmentError("this environment is closed; make a new one")


_ARRAYS = (np.ndarray, np.generic)


def action_of(setting: Setting, number: Any) -> Action:
    """The action with a number; what is no number of an action is refused."""
    index = number
    if isinstance(number, _ARRAYS):
        index = number.item() if number.size == 1 else None
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(setting.actions):
        raise IllegalAction(
            f"{said(index) if isinstance(index, int | float | str) else 'this'} is no action number",
            field="action",
            hint=f"It takes a whole number from 0 to {len(setting.actions) - 1}; the action mask says which are legal.",
        )
    return setting.actions[index]


def why_illegal(state: State, seat: int, action: Action) -> str | None:
    """Why a seat may not do this now, with the rule; None if it may."""
    if state.allows(seat, action):
        return None
    try:
        state.check(seat, action)
    except IllegalAction as error:
        return f"action {action.number} ({action.text}): {error}"
    return None


def _by_win(state: State) -> list[float]:
    """1 for the only winner, and what makes the sum 0 for each of the others; winners share."""
    winners = state.ranking()[0]
    seats = state.seats
    return [(seats / len(winners) * (seat in winners) - 1) / (seats - 1) for seat in range(seats)]


def _by_rank(state: State) -> list[float]:
    """From 1 for the first place down to -1 for the last in even steps; those who share places share the mean."""
    worth = [0.0] * state.seats
    place = 0
    for group in state.ranking():
        for seat in group:
            worth[seat] = 1 - 2 * (place + (len(group) - 1) / 2) / (state.seats - 1)
        place += len(group)
    return worth


def _by_score(state: State) -> list[float]:
    """The own score, less the mean of the others'."""
    scores = state.scores()
    return [score - (sum(scores) - score) / (len(scores) - 1) for score in scores]


WORTHS: Mapping[str, Callable[[State], list[float]]] = {"win": _by_win, "rank": _by_rank, "score": _by_score}


def read_illegal(word: str) -> str:
    """What is to happen at an illegal action."""
    return _one_of("illegal", word, {"lose": "lose", "raise": "raise"})


def _one_of(field: str, word: str, known: Mapping[str, T]) -> T:
    if not isinstance(word, str) or word not in known:
        raise SetupError(f"{said(word)} is not known", field=field, hint=f"It takes {', '.join(known)}.")
    return known[word]
