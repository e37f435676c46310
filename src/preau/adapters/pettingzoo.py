"""Every game for PettingZoo: seats one after another (`env`), or all at once (`parallel_env`).

    from preau.adapters import pettingzoo

    env = pettingzoo.env("recess", seats=4, options={"layout": "random"})
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

`docs/environments.md` says what is in an observation, what a game is worth, and what happens at an illegal action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..core.errors import IllegalAction
from ..core.game import Game
from ..core.state import Action
from .env_config import LOST, EnvConfig, Eyes, Mask, QuietMatch, Seen, action_of, closed, read_illegal, why_illegal
from .rendering import RENDER_MODES, Shown, read_mode, render

Observed = dict[str, Seen | Mask]


def env(game: str | Game, **settings: Any) -> AECEnv[str, Observed, int]:
    """A game in which seats are asked one after another; also where they choose at once, none seeing the others.

    `seats`, `options` (house rules), `reward` ("win", "rank", "score"), `illegal` ("lose", "raise"), `limit` (decisions
    after which a game is broken off), `pieces` (observations as named pieces), `render_mode`, `render_seat`.

    >>> table = env("recess", seats=4)
    >>> table.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = table.last()
    >>> table.agent_selection, observation["observation"].shape, int(observation["action_mask"].sum())
    ('player_0', (3798,), 37)
    >>> table.step(table.action_space("player_0").sample(observation["action_mask"]))
    """
    return raw_env(game, **settings)


def parallel_env(game: str | Game, **settings: Any) -> ParallelEnv[str, Observed, int]:
    """A game in which all seats that owe a decision take it at once; all others wait. Settings as those of `env`.

    >>> table = parallel_env("bagarre", seats=3)
    >>> observations, infos = table.reset(seed=7)
    >>> chosen = {
    ...     agent: table.action_space(agent).sample(seen["action_mask"]) for agent, seen in observations.items()
    ... }
    >>> observations, rewards, terminated, truncated, infos = table.step(chosen)
    >>> sorted(rewards)
    ['player_0', 'player_1', 'player_2']
    """
    return ParallelGame(game, **settings)


class _Table(EzPickle):
    """One game with an agent in every seat."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        reward: str = "win",
        illegal: str = "lose",
        limit: int | None = None,
        pieces: bool = False,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        EzPickle.__init__(
            self,
            game,
            seats,
            options,
            reward=reward,
            illegal=illegal,
            limit=limit,
            pieces=pieces,
            render_mode=render_mode,
            render_seat=render_seat,
        )
        self.setting = EnvConfig(game, seats, options, reward=reward, limit=limit)
        self.illegal = read_illegal(illegal)
        self.render_mode = read_mode(render_mode)
        self.render_seat = render_seat
        self.metadata = {
            "name": f"preau_{self.setting.game.id}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": True,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.setting.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = self._action_count()
        self._eyes = Eyes(self.setting, pieces, self._actions)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self.setting.observation_space(pieces),
                    "action_mask": spaces.Box(0, 1, (self._actions,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self._match: QuietMatch | None = None
        self._closed = False
        self._decisions = 0

    def _action_count(self) -> int:
        return len(self.setting.actions)

    @property
    def match(self) -> QuietMatch:
        """The match being played; its `record` can be saved and replayed."""
        if self._closed:
            raise closed()
        if self._match is None:
            raise ResetNeeded("no game is on; call reset() first")
        return self._match

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of all actions of the game; the mask says which are legal."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if self._closed:
            raise closed()
        self._match = self.setting.match(seed)
        self.agents = self.possible_agents[:]
        self._decisions = 0

    def _broken_off(self) -> bool:
        return 0 < self.setting.limit <= self._decisions and not self.match.over

    def _chosen(self, seat: int, number: Any) -> Action | str:
        """The action with this number, or why it is not legal now; what is no action number is always refused."""
        action = action_of(self.setting, number)
        why = why_illegal(self.match.state, seat, action)
        if why is not None and self.illegal == "raise":
            raise IllegalAction(why)
        return action if why is None else why

    def _end_info(self) -> dict[str, Any]:
        return {"result": self.match.result().to_json()} if self.match.over else {}

    def render(self) -> Shown:
        """The position as text, given back ("ansi") or printed ("human"), or as a picture ("rgb_array")."""
        if self.render_mode is None:
            logger.warn("This environment was made without a render_mode; give it one to see something.")
            return None
        return render(self.match, self.render_mode, self.render_seat)

    def close(self) -> None:
        """The game is over and done with."""
        self._closed = True
        self._match = None


class _AfterReset:
    """What is not there before `reset`, which is said as PettingZoo's wrapper for the order of calls says it. (A method
    `__getattr__` would say it, too, and make every look at anything else slower.)
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None:
            return self
        raise AttributeError(f"{self._name} cannot be accessed before reset")


class raw_env(_Table, AECEnv[str, Observed, int]):  # type: ignore[misc]
    """One seat after another. It watches over the order of calls by itself, so it needs no wrapper."""

    _over = False
    """Whether all agents are done."""
    _marked = -1
    """Of which position of the match the last mask was given: what it allows need not be looked up again."""

    agent_selection: Any = _AfterReset()
    rewards: Any = _AfterReset()
    terminations: Any = _AfterReset()
    truncations: Any = _AfterReset()
    infos: Any = _AfterReset()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents in the order in which they act."""
        _ = self.match
        return self._each(max_iter)

    def _each(self, left: int) -> Iterator[str]:
        while self.agents and left > 0:
            left -= 1
            yield self.agent_selection

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the same seed gives the same luck. House rules are given when the environment is made."""
        self._begin(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._over = False
        self._marked = -1
        self.agent_selection = self.possible_agents[self.match.to_act[0]]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observed:
        """What the agent sees now. Only the mask of the agent that is to act says anything."""
        match = self._match or self.match
        seat = self._seat[agent]
        if agent != self.agent_selection or self._over:
            mask = np.zeros(self._actions, dtype=np.int8)
            return {"observation": self._eyes.see(match.state, seat), "action_mask": mask}
        self._marked = match.changes
        return self._eyes.see_and_mask(match.state, seat)

    def step(self, action: int | None) -> None:
        """The agent that is to act takes the action with this number."""
        match = self._match or self.match
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if self._over:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        seat = self._seat[agent]
        if self._marked == match.changes and self._eyes.allow(action):
            chosen: Action | str = self.setting.actions[action]
        else:
            chosen = self._chosen(seat, action)
        if isinstance(chosen, str):
            EnvLogger.warn_on_illegal_move()
            self.infos[agent] = {"illegal": chosen}
            self.rewards[agent] = LOST
            self._end(self.terminations)
        else:
            actors = match.take(seat, chosen)
            self._decisions += 1
            if not actors:
                self.rewards = dict(zip(self.possible_agents, self.setting.rewards(match), strict=True))
                self.infos = dict.fromkeys(self.agents, self._end_info())
                self._end(self.terminations)
            elif self.setting.limit and self._broken_off():
                self._end(self.truncations)
            else:
                self.agent_selection = self.possible_agents[actors[0]]
        if self.render_mode == "human":
            self.render()

    def _end(self, how: dict[str, bool]) -> None:
        """All agents are done. Until then all rewards are 0."""
        how.update(dict.fromkeys(self.agents, True))
        self._over = True
        self._accumulate_rewards()
        self._deads_step_first()


class ParallelGame(_Table, ParallelEnv[str, Observed, int]):  # type: ignore[misc]
    """All seats at once. One action number more than the game has, the last one, is for those that only wait."""

    def _action_count(self) -> int:
        return len(self.setting.actions) + 1

    @property
    def wait(self) -> int:
        """The number of the action of seats that owe no decision."""
        return len(self.setting.actions)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """A new game; the same seed gives the same luck. House rules are given when the environment is made."""
        self._begin(seed)
        if self.render_mode == "human":
            self.render()
        return self._observe_all(), {agent: {} for agent in self.agents}

    def _observe_all(self) -> dict[str, Observed]:
        state = self.match.state
        return {
            agent: {"observation": self._eyes.see(state, seat), "action_mask": self._mask(seat)}
            for seat, agent in enumerate(self.agents)
        }

    def _mask(self, seat: int) -> Mask:
        mask = self._eyes.mask(self.match.state, seat)
        if seat not in self.match.to_act:
            mask[self.wait] = 1
        return mask

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Every seat that owes a decision takes it; what the others send is passed over."""
        match = self.match
        agents = self.agents
        if not agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        chosen: dict[str, Action | str] = {}
        for seat in match.to_act:
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise IllegalAction(f"{agent} owes a decision and sent none", field="actions")
            number = actions[agent]
            if self.illegal == "lose" and np.ndim(number) == 0 and number == self.wait:
                chosen[agent] = f"action {number} (wait): {agent} owes a decision."
            else:
                chosen[agent] = self._chosen(seat, number)
        rewards = dict.fromkeys(agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        terminated = truncated = False
        wrong = {agent: why for agent, why in chosen.items() if isinstance(why, str)}
        for agent, why in wrong.items():
            EnvLogger.warn_on_illegal_move()
            infos[agent] = {"illegal": why}
            rewards[agent] = LOST
            terminated = True
        if not wrong:
            for agent, action in chosen.items():
                assert isinstance(action, Action)
                match.apply(self._seat[agent], action)
                self._decisions += 1
            terminated, truncated = match.over, self._broken_off()
        if match.over:
            rewards = dict(zip(agents, self.setting.rewards(match), strict=True))
            infos = dict.fromkeys(agents, self._end_info())
        seen = self._observe_all()
        if terminated or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, terminated), dict.fromkeys(agents, truncated), infos
