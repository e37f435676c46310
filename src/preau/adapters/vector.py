"""Many games at once: one call takes a decision in each of them and writes what comes of it into the same arrays.

    from preau.adapters.vector import Games

    games = Games("recess", 256, seats=4, processes=2)
    games.reset(seed=1)
    while learning:
        actions = choose(games.observations, games.masks)  # a number for every game
        games.step(actions)
        learn(games.turns, games.rewards, games.terminated)

`Games` is for whoever plays all seats; `LearnerGames` is the same as a vector environment of Gymnasium, with one
learner and bots in the other seats. `docs/environments.md` says the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ..core.errors import SetupError, said
from ..core.game import Game
from .env_block import Ended, EnvBlock, Plan
from .env_config import EnvConfig, Floats, Numbers, closed, read_illegal
from .gymnasium import MakeBot, read_bots, read_seat
from .process_pool import ProcessPool

MOST_GAMES = 1 << 20
MOST_PROCESSES = 256


class Games:
    """`count` games, side by side. In every row:

    - `observations`: what the seat that is to act sees, in whole numbers from 0 to 255 (`floats()` divides by units)
    - `masks`: which actions it may take, by their numbers
    - `turns`: which seat that is
    - `rewards`: what the game that ended with the last step was worth to each seat; 0 while a game goes on
    - `terminated`, `truncated`: whether a game ended with the last step, by its rules or broken off after `limit`
    - `lengths`: how many decisions it had, where one ended

    A row in which a game ended shows the next one at once. All are the same arrays from step to step: copy what is to
    last. What is seen cannot be written on.

    >>> games = Games("recess", 4, seats=3)
    >>> games.reset(seed=1)
    >>> games.masks.shape == (4, len(games.setting.actions))
    True
    >>> games.step(games.masks.argmax(axis=1))  # the first legal action in every row
    >>> games.turns.tolist(), games.rewards.shape
    ([1, 1, 1, 1], (4, 3))
    >>> games.close()
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        limit: int | None = None,
        processes: int = 1,
    ) -> None:
        plan = Plan(game, seats, dict(options or {}), reward=reward, limit=limit)
        self._rows = _Rows(plan, count, processes)
        self.setting = self._rows.setting
        self.layout = self.setting.layout
        self.scale = self.setting.scale
        self.observations: Numbers = self._rows.observations
        self.masks: NDArray[np.bool_] = self._rows.masks
        self.turns: Numbers = self._rows.turns
        seated = self.setting.seats
        self.rewards: Floats = np.zeros((count, seated), dtype=np.float32)
        self.terminated: NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        self.lengths: NDArray[np.int64] = np.zeros(count, dtype=np.int64)

    def __len__(self) -> int:
        return self._rows.count

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin all games anew, with one seed, from which the rows count on, or one for each, or as chance has it."""
        self._rows.reset(seed)
        self._clear()

    def _clear(self) -> None:
        self.rewards.fill(0)
        self.terminated.fill(False)
        self.truncated.fill(False)
        self.lengths.fill(0)

    def step(self, actions: ArrayLike) -> None:
        """Take the action with this number in every row. If one of them is not legal, nothing is done at all."""
        numbers = self._rows.checked(actions)
        for row in self._rows.illegal(numbers):
            raise InvalidAction(self._rows.why(row, int(numbers[row])))
        ends = self._rows.step(numbers)
        self._clear()
        for end in ends:
            self.rewards[end.row] = end.rewards
            self.terminated[end.row] = not end.truncated
            self.truncated[end.row] = end.truncated
            self.lengths[end.row] = end.decisions

    def floats(self, out: Floats | None = None) -> Floats:
        """The observations divided by their units, so that most lie between 0 and 1."""
        return self.setting.floats(self.observations, out)

    def pieces(self) -> dict[str, Numbers]:
        """The observations by the names of their pieces: views, the rows first."""
        return self.setting.by_name(self.observations)

    def close(self) -> None:
        """Let go of everything; nothing can be done with it any more."""
        self._rows.close()

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LearnerGames(VectorEnv[Any, Any, Any]):
    """`num_envs` games, each with one learner, and bots in the other seats: what `gymnasium.make_vec` gives.

    A game that ends is followed by the next one in the same step (`AutoresetMode.SAME_STEP`); `infos` has the last
    observation as `final_obs`. `numbers` gives observations as whole numbers from 0 to 255 instead of floats.

    >>> learners = LearnerGames("recess", 4, seats=3, bots="greedy")
    >>> observations, infos = learners.reset(seed=1)
    >>> observations, rewards, terminated, truncated, infos = learners.step(infos["action_mask"].argmax(axis=1))
    >>> rewards.shape
    (4,)
    >>> learners.close()
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        bots: MakeBot | Sequence[MakeBot] = "random",
        seat: int | None = 0,
        reward: str = "win",
        illegal: str = "lose",
        limit: int | None = None,
        processes: int = 1,
        numbers: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise SetupError("many games at once are not shown", field="render_mode", hint="Look at one with make().")
        plan = Plan(game, seats, dict(options or {}), reward=reward, limit=limit)
        setting = plan.setting()
        plan.bots = read_bots(bots, setting)
        plan.seat = read_seat(seat, setting)
        plan.learner = True
        self.illegal = read_illegal(illegal)
        self.numbers = numbers
        self._rows = _Rows(plan, num_envs, processes)
        self.setting = self._rows.setting
        self.num_envs = num_envs
        box = self.setting.observation_space(False)
        self.single_observation_space = spaces.Box(0, 255, box.shape, dtype=np.uint8) if numbers else box
        self.single_action_space = spaces.Discrete(len(self.setting.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games anew; seeds as for `Games.reset`."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._rows.reset(seed)
        return self._seen(self._rows.observations), self._infos()

    def _seen(self, numbers: Numbers) -> NDArray[Any]:
        return numbers.copy() if self.numbers else self.setting.floats(numbers)

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, dtype=np.bool_)
        return {
            "action_mask": self._rows.masks.astype(np.int8),
            "_action_mask": every,
            "seat": self._rows.turns.astype(np.int64),
            "_seat": every.copy(),
        }

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """The learner of every row takes the action with this number; what is not legal there loses its game."""
        numbers = self._rows.checked(actions)
        why = {row: self._rows.why(row, int(numbers[row])) for row in self._rows.illegal(numbers)}
        if why:
            if self.illegal == "raise":
                raise InvalidAction(next(iter(why.values())))
            numbers[list(why)] = -1
        ends = self._rows.step(numbers)
        rewards = np.zeros(self.num_envs)
        terminated = np.zeros(self.num_envs, dtype=np.bool_)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        infos = self._infos()
        for end in ends:
            rewards[end.row] = end.rewards[end.learner]
            terminated[end.row] = not end.truncated
            truncated[end.row] = end.truncated
            final: dict[str, Any] = {"length": end.decisions, "seat": end.learner}
            if end.row in why:
                final["illegal"] = why[end.row]
            last = np.frombuffer(end.look, dtype=np.uint8)
            infos = self._add_info(infos, {"final_obs": self._seen(last), "final_info": final}, end.row)
        return self._seen(self._rows.observations), rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Let the games and bots go."""
        self._rows.close()


class _Rows:
    """Rows of games, in this process or shared out among several."""

    def __init__(self, plan: Plan, count: int, processes: int) -> None:
        self.count = _number("games", count, MOST_GAMES)
        crew = min(_number("processes", processes, MOST_PROCESSES), count)
        self._block: EnvBlock | ProcessPool | None = (
            EnvBlock(plan, 0, count) if crew == 1 else ProcessPool(plan, count, crew)
        )
        self.setting: EnvConfig = self._block.setting
        self.observations: Numbers = self._block.observations
        self.masks: NDArray[np.bool_] = self._block.masks
        self.turns: Numbers = self._block.turns
        self._begun = False

    @property
    def block(self) -> EnvBlock | ProcessPool:
        """Who plays them."""
        if self._block is None:
            raise closed()
        return self._block

    def reset(self, seed: int | Sequence[int] | None) -> None:
        """Begin all anew."""
        block = self.block
        if seed is None and self._begun:
            block.reset([None] * self.count)
            return
        if seed is None:
            seed = np.random.SeedSequence().generate_state(1, np.uint64).tolist()[0] >> 2
        seeds = [seed + row for row in range(self.count)] if isinstance(seed, int | np.integer) else list(seed)
        if len(seeds) != self.count:
            raise SetupError(
                f"{len(seeds)} seeds for {self.count} games", field="seed", hint="Give one, or one for each."
            )
        block.reset([int(one) for one in seeds])
        self._begun = True

    def checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The numbers of actions, one for each row; an array of our own."""
        self.block  # noqa: B018, it says so if it is closed
        if not self._begun:
            raise ResetNeeded("no game is on; call reset() first")
        numbers = np.array(actions)
        if numbers.shape != (self.count,) or numbers.dtype.kind not in "iu":
            raise InvalidAction(
                f"actions: an array of shape {numbers.shape} and type {numbers.dtype} was given; "
                f"it takes whole numbers of shape ({self.count},)."
            )
        return numbers.astype(np.int64, copy=False)

    def illegal(self, numbers: NDArray[np.int64]) -> list[int]:
        """The rows whose action is not legal; what is no number of an action is refused."""
        if self.block.legal(numbers):
            return []
        most = len(self.setting.actions) - 1
        for row in np.flatnonzero((numbers < 0) | (numbers > most)):
            raise InvalidAction(f"row {row}: {numbers[row]} is no action number; it takes 0 to {most}.")
        found: list[int] = np.flatnonzero(~self.masks[np.arange(self.count), numbers]).tolist()
        return found

    def step(self, numbers: NDArray[np.int64]) -> list[Ended]:
        """One decision in every row."""
        return self.block.step(numbers)

    def why(self, row: int, number: int) -> str:
        """Why an action is not legal in a row."""
        return f"row {row}: {self.block.why(row, number)}"

    def close(self) -> None:
        """Let go of it all."""
        if self._block is not None:
            self._block.close()
        self._block = None


def _number(field: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise SetupError(
            f"{said(value)} is too few, too many or no number", field=field, hint=f"It takes 1 to {most:,}."
        )
    return value


__all__ = ["Games", "LearnerGames"]
