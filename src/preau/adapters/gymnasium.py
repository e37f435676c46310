"""Every game for Gymnasium: one learner, and stated bots in the other seats.

    import gymnasium
    import preau.adapters.gymnasium  # which registers them

    env = gymnasium.make("preau/Recess-v0", seats=4, bots="greedy")
    observation, info = env.reset(seed=7)
    while True:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break

The names follow from the ids of all games there are, those of installed packages too. `gymnasium.make_vec` gives the
many games of `vector.py`. `docs/environments.md` says the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from ..bots import Bot, BotMatch, make_bot
from ..core.errors import IllegalAction, SetupError, said
from ..core.game import Game
from ..core.match import Match
from ..core.registry import game_ids
from .env_config import LOST, EnvConfig, Eyes, Mask, Seen, action_of, closed, read_illegal, why_illegal
from .rendering import RENDER_MODES, Shown, read_mode, render
from .stepping import TRIES

NAMESPACE = "preau"
VERSION = 0
"""Changes when observations, action numbers or rewards mean something else than before."""

MakeBot = str | Callable[[], Bot]


class OneLearner(gym.Env[Seen, int], EzPickle):
    """A game seen from one seat, in which bots play the others; `gymnasium.make` makes one by its id.

    >>> import gymnasium
    >>> learner = gymnasium.make("preau/Cour-v0", seats=3, bots="greedy")
    >>> observation, info = learner.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = learner.step(
    ...     learner.action_space.sample(info["action_mask"])
    ... )
    >>> reward, terminated
    (0.0, False)
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012, as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        bots: MakeBot | Sequence[MakeBot] = "random",
        seat: int | None = 0,
        reward: str = "win",
        illegal: str = "lose",
        limit: int | None = None,
        pieces: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """`bots` is one word for all other seats (`greedy`, `hard@200`, ...) or one for each, in the order of seats;
        `seat` is where the learner sits, None to move on by a seat from game to game. The rest is as in PettingZoo.
        """
        EzPickle.__init__(
            self,
            game,
            seats,
            options,
            bots=bots,
            seat=seat,
            reward=reward,
            illegal=illegal,
            limit=limit,
            pieces=pieces,
            render_mode=render_mode,
        )
        self.setting = EnvConfig(game, seats, options, reward=reward, limit=limit)
        self.bots = read_bots(bots, self.setting)
        self.seat = read_seat(seat, self.setting)
        self.illegal = read_illegal(illegal)
        self.render_mode = read_mode(render_mode)
        self.observation_space = self.setting.observation_space(pieces)
        self.action_space = spaces.Discrete(len(self.setting.actions))  # type: ignore[assignment]
        self._eyes = Eyes(self.setting, pieces, len(self.setting.actions))
        self._table: BotMatch | None = None
        self._learner = 0 if self.seat is None else self.seat
        self._games = 0
        self._decisions = 0
        self._over = True
        self._closed = False

    @property
    def table(self) -> BotMatch:
        """The match being played, with its bots; `table.match.record` can be saved and replayed."""
        if self._closed:
            raise closed()
        if self._table is None:
            raise ResetNeeded("no game is on; call reset() first")
        return self._table

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new game; the same seed gives the same luck and the same bots. House rules are given with `make`."""
        super().reset(seed=seed)
        if self._closed:
            raise closed()
        if seed is not None:
            self._games = 0
        for _ in range(TRIES):
            luck = int(self.np_random.integers(2**62)) if seed is None else seed
            seed = None
            self._begin(luck)
            if not self._over:
                return self._observe()
        raise SetupError(
            f"seat {self._learner} was asked nothing in {TRIES} games",
            field="seat",
            hint="Take another, or a longer game.",
        )

    def _begin(self, luck: int) -> None:
        if self._table is not None:
            self._table.close()
        if self.seat is None:
            self._learner = self._games % self.setting.seats
        self._games += 1
        others = [seat for seat in range(self.setting.seats) if seat != self._learner]
        made = {seat: new_bot(bot) for seat, bot in zip(others, self.bots, strict=True)}
        self._table = BotMatch(Match.new(self.setting.game, self.setting.seats, self.setting.given, luck), made, luck)
        self._decisions = 0
        self._go_on()

    def _go_on(self) -> None:
        """Let the bots act until the learner is to, or the game is over."""
        match = self.table.match
        while not match.over and self._learner not in match.to_act:
            self.table.step()
        self._over = match.over

    def _observe(self) -> tuple[Seen, dict[str, Any]]:
        state = self.table.match.state
        mask = self._eyes.mask(state, self._learner)
        info: dict[str, Any] = {"action_mask": mask, "seat": self._learner}
        if state.over:
            info["result"] = state.result().to_json()
        return self._eyes.see(state, self._learner), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as libraries for masked learning ask for it."""
        mask: Mask = self._observe()[1]["action_mask"]
        return mask.astype(np.bool_)

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """The learner takes the action with this number, and the bots go on until it is asked again."""
        table = self.table
        if self._over:
            raise ResetNeeded("the game is over; call reset() for a new one")
        state = table.match.state
        try:
            chosen = action_of(self.setting, action)
        except IllegalAction as error:
            raise InvalidAction(str(error)) from None
        why = why_illegal(state, self._learner, chosen)
        if why is not None:
            if self.illegal == "raise":
                raise InvalidAction(why)
            self._over = True
            seen, info = self._observe()
            return seen, LOST, True, False, {**info, "illegal": why}
        table.apply(self._learner, chosen)
        self._decisions += 1
        self._go_on()
        reward = self.setting.rewards(state)[self._learner] if state.over else 0.0
        truncated = 0 < self.setting.limit <= self._decisions and not state.over
        self._over = self._over or truncated
        if self.render_mode == "human":
            self.render()
        seen, info = self._observe()
        return seen, reward, state.over, truncated, info

    def render(self) -> Shown:
        """The position as the learner sees it: text, given back ("ansi") or printed ("human"), or a picture
        ("rgb_array").
        """
        if self.render_mode is None:
            logger.warn("This environment was made without a render_mode; give it one to see something.")
            return None
        return render(self.table.match, self.render_mode, self._learner)

    def close(self) -> None:
        """Let the bots go."""
        if self._table is not None:
            self._table.close()
        self._table = None
        self._closed = True


def new_bot(bot: MakeBot) -> Bot:
    """A bot for one game."""
    return make_bot(bot) if isinstance(bot, str) else bot()


def read_bots(bots: MakeBot | Sequence[MakeBot], setting: EnvConfig) -> list[MakeBot]:
    """Who plays the other seats; each is made once here, so that a wrong word is refused at once."""
    wanted = setting.seats - 1
    found = [bots] * wanted if isinstance(bots, str) or callable(bots) else list(bots)
    if len(found) != wanted:
        raise SetupError(
            f"{len(found)} bots cannot take {wanted} seats", field="bots", hint="Name one, or one for each."
        )
    for bot in found:
        new_bot(bot).close()
    return found


def read_seat(seat: int | None, setting: EnvConfig) -> int | None:
    """Where the learner sits."""
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < setting.seats):
        raise SetupError(
            f"there is no seat {said(seat)}",
            field="seat",
            hint=f"It takes 0 to {setting.seats - 1}, or None to change from game to game.",
        )
    return seat


def env_id(game: str) -> str:
    """What a game is called at Gymnasium.

    >>> env_id("recess"), env_id("my_game")
    ('preau/Recess-v0', 'preau/MyGame-v0')
    """
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.split('_'))}-v{VERSION}"


def register_games() -> None:
    """Make all games known to Gymnasium; games that appear later are added when this is called again."""
    for game in game_ids():
        if env_id(game) not in gym.registry:
            gym.register(
                env_id(game),
                entry_point=f"{__name__}:OneLearner",
                vector_entry_point=f"{__package__}.vector:LearnerGames",
                kwargs={"game": game},
            )


register_games()
