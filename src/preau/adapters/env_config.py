"""What all environments share: a game with its seats and options, its numbers and actions, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol, TypeGuard, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError
from numpy.typing import NDArray

from ..core.errors import IllegalAction, SetupError, said
from ..core.game import Game
from ..core.match import Match
from ..core.options import read_options
from ..core.record import Record
from ..core.registry import find_game
from ..core.slate import MOST, Slate
from ..core.state import Action, Event, Result, State
from .stepping import Stepper, play_nature, see, see_and_mark, take

Numbers = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.int8]
Seen = Floats | dict[str, Floats]
"""A seat's observation: one flat array, or its pieces by name."""

T = TypeVar("T")

LOST = -1.0
"""What an illegal action costs, where it ends the game."""


class Standing(Protocol):
    """How a game stands: a position, or a match that has worked it out already."""

    @property
    def seats(self) -> int:
        """How many play."""

    def scores(self) -> tuple[int, ...]:
        """The score of every seat."""

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from best to worst, ties together."""


class EnvConfig:
    """A game as it is to be played in an environment. Wrong seats, options or words are refused here."""

    def __init__(
        self, game: str | Game, seats: int | None, options: Mapping[str, Any] | None, *, reward: str, limit: int | None
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self.given = dict(options or {})
        self.first = self.game.start(seats, self.given, seed=0)
        self.seats = self.first.seats
        read = read_options(self.game.options, self.given, self.game.id)
        self.drawn = any(value == "random" != self.first.options[name] for name, value in read.items())
        """Whether something about the start is drawn by lot, so that every game begins with a position of its own."""
        self.layout = self.game.layout(self.first)
        self.actions: list[Action] = list(self.game.actions(self.first.options))
        self.units: Floats = np.array(self.layout.units(), dtype=np.float32)
        self.scale: Floats = (1 / self.units).astype(np.float32)
        """What a number is multiplied with to be of the order of 1."""
        scaled = np.flatnonzero(self.units != 1).tolist()
        self.scaled = slice(scaled[0], scaled[-1] + 1) if scaled else slice(0, 0)
        """Where the numbers lie that have another unit than 1: most of a row has none."""
        self._part_scale = self.scale[self.scaled]
        self._alone = scaled[0] if len(scaled) == 1 else -1
        """Where that number lies, if there is but one."""
        self.worth = _one_of("reward", reward, WORTHS)
        self.limit = 0 if limit is None else limit
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or (limit is not None and limit < 1):
            raise SetupError(f"{said(limit)} is no number of decisions", field="limit", hint="It takes 1 or more.")

    def match(self, seed: int | None) -> QuietMatch:
        """A new match, of which nobody is told but the record. The seed gives the deal that it gives everywhere."""
        if self.drawn:
            return QuietMatch.new(self.game, self.seats, self.given, seed)
        rng = Random(seed)
        rng.getrandbits(62)  # with which what is drawn about the start would be drawn
        state = self.first.copy()
        return QuietMatch(self.game, state, rng, Record.begin(state))

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
        if self._alone >= 0 and out.ndim == 1:
            out[self._alone] *= self._part_scale[0]  # a number takes a fifth of the time of an array of one
            return out
        part = out[self.scaled] if out.ndim == 1 else out[..., self.scaled]
        part *= self._part_scale
        return out

    def by_name(self, flat: NDArray[Any]) -> dict[str, Any]:
        """The pieces of a flat observation (or of many, one a row) by name, as views into it."""
        return {
            piece.name: flat[..., piece.start : piece.end].reshape(*flat.shape[:-1], *piece.shape)
            for piece in self.layout.pieces
        }

    # What a game is worth.

    def rewards(self, end: Standing) -> list[float]:
        """What the end of a game is worth to every seat."""
        return self.worth(end)


class QuietMatch(Match):
    """A match that makes no events. What takes time waits until somebody asks: the record, and how it ended, which in
    some games takes as long as ten steps to work out.
    """

    def __init__(self, game: Game, state: State, rng: Random, record: Record) -> None:
        self._taken: list[tuple[int, Action]] = []
        """What is not in the record yet."""
        self._end: Result | None = None
        self.changes = 0
        """How often the position has changed."""
        super().__init__(game, state, rng, record)

    @property
    def record(self) -> Record:
        """What has happened so far."""
        for actor, action in self._taken:
            self._record.add(actor, action.text)
        self._taken.clear()
        if self.state.over and self._record.result is None:
            self._record.close(self.result())
        return self._record

    @record.setter
    def record(self, record: Record) -> None:
        self._record = record

    @property
    def seats(self) -> int:
        """How many play."""
        return self.state.seats

    def apply(self, actor: int, action: Action | str) -> list[Event]:
        """Carry out an action, then whatever nature does next."""
        self.take(actor, self.state.check(actor, action))
        return []

    def take(self, actor: int, action: Action) -> tuple[int, ...]:
        """The same with an action that is known to be legal; who is to act next."""
        self.changes += 1
        return take(self.state, actor, action, self._rng, self._taken)

    def _nature(self) -> list[Event]:
        play_nature(self.state, self._rng, self._taken)
        return []

    def undo(self, actions: int = 1) -> None:
        """Take back decisions, and how it ended."""
        super().undo(actions)
        self._end = None
        self.changes += 1

    def result(self) -> Result:
        """How it ended, or how it stands."""
        if not self.state.over:
            return super().result()
        if self._end is None:
            self._end = super().result()
        return self._end

    def scores(self) -> tuple[int, ...]:
        """The score of every seat."""
        return self.result().scores

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from best to worst, ties together."""
        return self.result().ranking


class Eyes:
    """What the seats of one game see and may do, as arrays. There may be more action numbers than the game has."""

    def __init__(self, setting: EnvConfig, pieces: bool, actions: int) -> None:
        self._setting = setting
        self._pieces = pieces
        self._looks = make_slate(1, setting.layout.size)
        self._masks = make_slate(1, actions)
        self._numbers = array_on(self._looks)[0]
        self._mask = array_on(self._masks)[0].view(np.int8)
        self._count = len(setting.actions)
        self._marked = memoryview(self._mask)
        """The last mask that was given."""

    def see(self, state: State, seat: int) -> Seen:
        """The observation of a seat: numbers of the order of 1."""
        see(state, seat, self._looks)
        return self._seen()

    def see_and_mask(self, state: State, seat: int) -> dict[str, Seen | Mask]:
        """The observation of a seat, and which action numbers are legal for it."""
        see_and_mark(state, seat, self._looks, self._masks)
        return {"observation": self._seen(), "action_mask": self._mask.copy()}

    def _seen(self) -> Seen:
        flat = self._setting.floats(self._numbers)
        return self._setting.by_name(flat) if self._pieces else flat

    def mask(self, state: State, seat: int) -> Mask:
        """Which action numbers are legal for a seat."""
        self._masks.turn_to(0)
        state.mark(seat, self._masks)
        mask: Mask = self._mask.copy()
        return mask

    def allow(self, number: Any) -> TypeGuard[int]:
        """Whether this is a number that the last mask allows. In doubt it is not: ask `action_of` and `why_illegal`."""
        return type(number) in _PLAIN and 0 <= number < self._count and self._marked[number] != 0


def make_slate(rows: int, width: int) -> Slate:
    """A slate in plain memory where there can be one, else core's own."""
    return _SLATE(rows, width)


def _find_slate() -> Callable[[int, int], Slate]:
    from .. import _build

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
_PLAIN = (int, np.int64)


def action_of(setting: EnvConfig, number: Any) -> Action:
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


def _by_win(end: Standing) -> list[float]:
    """1 for the only winner, and what makes the sum 0 for each of the others; winners share."""
    winners = end.ranking()[0]
    seats = end.seats
    won = (seats / len(winners) - 1) / (seats - 1)
    lost = -1 / (seats - 1)
    return [won if seat in winners else lost for seat in range(seats)]


def _by_rank(end: Standing) -> list[float]:
    """From 1 for the first place down to -1 for the last in even steps; those who share places share the mean."""
    worth = [0.0] * end.seats
    place = 0
    for group in end.ranking():
        for seat in group:
            worth[seat] = 1 - 2 * (place + (len(group) - 1) / 2) / (end.seats - 1)
        place += len(group)
    return worth


def _by_score(end: Standing) -> list[float]:
    """The own score, less the mean of the others'."""
    scores = end.scores()
    return [score - (sum(scores) - score) / (len(scores) - 1) for score in scores]


WORTHS: Mapping[str, Callable[[Standing], list[float]]] = {"win": _by_win, "rank": _by_rank, "score": _by_score}


def read_illegal(word: str) -> str:
    """What is to happen at an illegal action."""
    return _one_of("illegal", word, {"lose": "lose", "raise": "raise"})


def _one_of(field: str, word: str, known: Mapping[str, T]) -> T:
    if not isinstance(word, str) or word not in known:
        raise SetupError(f"{said(word)} is not known", field=field, hint=f"It takes {', '.join(known)}.")
    return known[word]
