"""Some rows of games in one process: what `vector.py` steps, here or in the processes of a crew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bots import SeatedBot
from ..bots.seated import listens
from ..core.errors import SetupError
from ..core.game import Game
from ..core.state import Action, State
from .env_config import LOST, EnvConfig, Numbers, array_on, make_slate, why_illegal
from .gymnasium import MakeBot, new_bot
from .stepping import End, Stepper


class Plan:
    """What all rows have in common, as it can be sent to another process."""

    def __init__(
        self, game: str | Game, seats: int | None, options: dict[str, Any], *, reward: str, limit: int | None
    ) -> None:
        self.game = game if isinstance(game, str) else game.id
        self._own = None if isinstance(game, str) else game
        self.seats = seats
        self.options = options
        self.reward = reward
        self.limit = limit
        self.learner = False
        """Whether one seat of each game learns, and bots play the others."""
        self.bots: list[MakeBot] = []
        self.seat: int | None = None

    def setting(self) -> EnvConfig:
        """The game with its seats and options."""
        return EnvConfig(self._own or self.game, self.seats, self.options, reward=self.reward, limit=self.limit)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_own": None}


class Ended(NamedTuple):
    """A game that ended, in plain data."""

    row: int
    rewards: list[float]
    learner: int
    decisions: int
    truncated: bool
    look: bytes
    """The last position as the learner sees it; nothing where all learn."""


class EnvBlock:
    """The rows from `first` on."""

    def __init__(self, plan: Plan, first: int, rows: int) -> None:
        self.plan = plan
        self.first = first
        self.setting = setting = plan.setting()
        self._looks = make_slate(rows, setting.layout.size)
        self._masks = make_slate(rows, len(setting.actions))
        self._turns = make_slate(1, rows)
        self._last = make_slate(1, setting.layout.size)
        self.observations: Numbers = array_on(self._looks)
        self.masks: NDArray[np.bool_] = array_on(self._masks).view(np.bool_)
        self.turns: Numbers = array_on(self._turns).reshape(rows)
        self.stepper = Stepper(
            setting.first,
            self._fresh if setting.drawn else None,
            setting.actions,
            self._looks,
            self._masks,
            self._turns,
            setting.limit,
        )
        self.stepper.rotate = plan.learner and plan.seat is None
        if plan.learner and any(bot != "random" for bot in plan.bots):
            self.stepper.others = _Others(self.stepper, plan.bots)

    def _fresh(self, number: int) -> State:
        """A first position in which something is drawn by lot."""
        return self.setting.game.start(self.setting.seats, self.setting.given, seed=number)

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Begin all rows anew."""
        for row, seed in enumerate(seeds):
            learner = -1
            if self.plan.learner:
                learner = (self.first + row) % self.setting.seats if self.plan.seat is None else self.plan.seat
            self.stepper.reset(row, seed, learner)

    def legal(self, numbers: NDArray[np.int64]) -> bool:
        """Whether all these are numbers of actions that are legal in their rows."""
        return self.stepper.legal(numbers.tolist())

    def step(self, numbers: NDArray[np.int64]) -> list[Ended]:
        """One decision in every row; the games that ended."""
        return [self._ended(end) for end in self.stepper.step(numbers.tolist())]

    def _ended(self, end: End) -> Ended:
        rewards = [0.0] * self.setting.seats
        if end.lost:
            rewards[max(0, end.learner)] = LOST
        elif not end.truncated:
            rewards = self.setting.rewards(end.state)
        look = b""
        if end.learner >= 0:
            self._last.turn_to(0)
            end.state.write(end.learner, self._last)
            look = bytes(array_on(self._last)[0])
        return Ended(self.first + end.row, rewards, end.learner, end.decisions, end.truncated, look)

    def why(self, row: int, number: int) -> str:
        """Why an action is not legal in a row."""
        here = row - self.first
        said = why_illegal(self.stepper.states[here], self.stepper.seats[here], self.setting.actions[number])
        return said or f"action {number} is not legal"

    def close(self) -> None:
        """Let the bots go."""
        if isinstance(self.stepper.others, _Others):
            self.stepper.others.close()


class _Others:
    """The bots in the other seats: new ones for every game."""

    def __init__(self, stepper: Stepper, bots: Sequence[MakeBot]) -> None:
        self._stepper = stepper
        self._bots = bots
        self._games: dict[int, State] = {}
        self._seated: dict[int, dict[int, SeatedBot]] = {}
        for bot in bots:
            made = new_bot(bot)
            if listens(made):
                raise SetupError(
                    "this bot wants to be told all that happens, which many games at once do not do",
                    field="bots",
                    hint='Use gymnasium.make_vec(..., vectorization_mode="sync").',
                )
            made.close()

    def __call__(self, row: int, state: State, seat: int) -> Action:
        """What the bot in a seat does."""
        if self._games.get(row) is not state:
            self._games[row] = state
            self._let_go(row)
            luck = self._stepper.choices[row].getrandbits(62)
            learner = self._stepper.learners[row]
            others = [one for one in range(state.seats) if one != learner]
            self._seated[row] = {
                one: SeatedBot(new_bot(bot), one, luck) for one, bot in zip(others, self._bots, strict=True)
            }
        return self._seated[row][seat].choose(state)

    def _let_go(self, row: int) -> None:
        for seated in self._seated.pop(row, {}).values():
            seated.bot.close()

    def close(self) -> None:
        """Let all of them go."""
        for row in list(self._seated):
            self._let_go(row)
