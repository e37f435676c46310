"""Every game for OpenSpiel, its algorithms and evaluators; and OpenSpiel's bots as ours.

    import pyspiel
    import preau.adapters.openspiel  # registers preau_recess, preau_bagarre, preau_cour and those of packages

    game = pyspiel.load_game("preau_recess(players=3,options=turns:6)")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

Seats that choose at once and in secret are asked one after another, and none sees what the others chose. Chance is
explicit: every outcome with its probability. `docs/environments.md` says what the parameters are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel

from ..bots.base import Bot, Seen
from ..core.errors import PositionError, SetupError, said
from ..core.game import Game
from ..core.registry import find_game, game_ids
from ..core.state import NATURE, Action, Event, Json, State
from .env_config import EnvConfig, Eyes

PREFIX = "preau_"
LONGEST = 10_000
"""More decisions and draws than any game has: OpenSpiel wants to know of a most."""
BOUNDS = {"win": 1.0, "rank": 1.0, "score": 1_000.0}
"""What a game is worth at most, and at least with a minus before it, by the kind of reward."""
PARAMETERS: Mapping[str, Any] = {
    "players": 0,
    "options": "",
    "reward": "win",
    "position": "",
    "eyes": -1,
    "worlds": 8,
    "seed": 0,
}
MOST_WORLDS = 100_000


def game(name: str | Game, seats: int | None = None, options: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """A game as OpenSpiel's: also one that is not registered there. `reward` ("win", "rank", "score"), `position` (JSON
    data to begin with, or the path of a file with it), `eyes`, `worlds` and `seed` are the parameters of its registered
    form: with `eyes`, chance first draws one of so many positions that look like this one to that seat.

    >>> spiel = game("recess", seats=3)
    >>> state = spiel.new_initial_state()
    >>> state.current_player(), state.action_to_string(0, state.legal_actions()[0])
    (0, 'pass')
    """
    found = find_game(name) if isinstance(name, str) else name
    return _class_of(found)({"players": seats or 0, **more}, options)


def read_options(text: str) -> dict[str, str]:
    """The options in a parameter: `turns:6;first:0`."""
    found = {}
    for word in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, value = word.partition(":")
        if not colon:
            raise SetupError(f"{said(word)} is no option", field="options", hint="It takes name:value;name:value.")
        found[name.strip()] = value.strip()
    return found


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours with its seats and options, as OpenSpiel's."""

    ours: Game
    """Which one; said by the class made for it."""

    def __init__(self, params: Mapping[str, Any] | None = None, options: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        unknown = sorted(set(given) - set(PARAMETERS))
        if unknown:
            raise SetupError(
                f"{said(unknown[0])} is no parameter", field=unknown[0], hint=f"There are {', '.join(PARAMETERS)}."
            )
        position = _position(given["position"])
        seats = given["players"] or None
        options = {**read_options(given["options"]), **(options or {})}
        if position is None:
            self.setting = EnvConfig(self.ours, seats, options, reward=given["reward"], limit=None)
            self.first = self.ours.start(seats, options, seed=given["seed"])
        else:
            self.first = self._from(position, seats, options)
            fixed = dict(self.first.options)
            self.setting = EnvConfig(self.ours, self.first.seats, fixed, reward=given["reward"], limit=None)
        self.worlds = [World(state) for state in self._drawn(given["eyes"], given["worlds"], given["seed"])]
        self._made_of = (self.ours.id, params, options)
        self.look = Eyes(self.setting, pieces=False, actions=len(self.setting.actions))
        actions = len(self.setting.actions)
        info = pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=max(actions, len(self.worlds)),
            num_players=self.first.seats,
            min_utility=-BOUNDS[given["reward"]],
            max_utility=BOUNDS[given["reward"]],
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        words = {name: value for name, value in given.items() if isinstance(value, str | int)}  # it keeps no others
        super().__init__(type_of(self.ours), info, {k: v for k, v in words.items() if v != PARAMETERS[k]})

    def _from(self, position: Json, seats: int | None, options: Mapping[str, str]) -> State:
        if options:
            raise SetupError("a position has its options", field="options", hint="Leave them out, or the position.")
        state = self.ours.load(position)
        if seats not in (None, state.seats):
            raise SetupError(
                f"the position is one of {state.seats} seats", field="players", hint="Leave it out, or say as many."
            )
        return state

    def _drawn(self, eyes: int, worlds: int, seed: int) -> list[State]:
        """The positions to begin with: one, or several that look the same to a seat."""
        if eyes < 0:
            return [self.first]
        if eyes >= self.first.seats:
            raise SetupError(f"there is no seat {eyes}", field="eyes", hint=f"It takes 0 to {self.first.seats - 1}.")
        if not 1 <= worlds <= MOST_WORLDS:
            raise SetupError(f"{worlds} are no worlds", field="worlds", hint=f"It takes 1 to {MOST_WORLDS}.")
        sampler = self.ours.sampler(self.first.view(eyes))
        rng = Random(seed)
        return [sampler.draw(rng) for _ in range(worlds)]

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, self._made_of)

    def new_initial_state(self) -> SpielState:
        """The first position."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Who turns positions into arrays and texts."""
        return Observer(self, iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position, with all that every seat has seen happen."""

    def __init__(self, of: SpielGame) -> None:
        super().__init__(of)
        self._game = Shared(of)
        self._open = len(of.worlds) > 1
        """Whether it is still to be drawn with which position it begins."""
        self._take(of.worlds[0])

    def stand(self, position: State) -> None:
        """Go on from another position, of which every seat knows what it sees there."""
        self._open = False
        self._take(World(position))

    def _take(self, world: World) -> None:
        self._state = world.state.copy()
        self._told = deepcopy(world.told)

    @property
    def position(self) -> State:
        """The position itself, of which a player must know nothing but its view."""
        return self._state

    def current_player(self) -> int:
        """The seat that is asked next."""
        if self._open:
            return int(pyspiel.PlayerId.CHANCE)
        to_act = self._state.to_act
        if not to_act:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if to_act[0] == NATURE else to_act[0]

    def _legal_actions(self, player: int) -> list[int]:
        if self._open:
            return list(range(len(self._game.of.worlds))) if player == int(pyspiel.PlayerId.CHANCE) else []
        actor = NATURE if player == int(pyspiel.PlayerId.CHANCE) else player
        return sorted(action.number for action in self._state.legal(actor))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What nature may do, and how likely each is."""
        if self._open:
            worlds = len(self._game.of.worlds)
            return [(number, 1 / worlds) for number in range(worlds)]
        return [(action.number, chance) for action, chance in self._state.outcomes()]

    def _apply_action(self, number: int) -> None:
        if self._open:
            self._open = False
            self._take(self._game.of.worlds[number])
            return
        actor = self._state.to_act[0]
        action = self._game.of.setting.actions[number]
        events = self._state.apply(actor, action)
        self._told.note(actor, action, events)

    def _action_to_string(self, player: int, number: int) -> str:
        return f"world {number}" if self._open else self._game.of.setting.actions[number].text

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.over and not self._open

    def returns(self) -> list[float]:
        """What it is worth to every seat; nothing before the end."""
        if not self._state.over:
            return [0.0] * self._state.seats
        return self._game.of.setting.rewards(self._state)

    def rewards(self) -> list[float]:
        """What the last action brought: all of it comes at the end."""
        return self.returns()

    def __str__(self) -> str:
        return self._state.diagram(None)

    def seen_by(self, player: int) -> str:
        """All that a seat has seen happen and did itself: what it could know with a perfect memory."""
        return "\n".join(self._told.of(player))

    def resample(self, player: int, rng: Random | Callable[[], float]) -> SpielState:
        """Another position that looks the same to a seat, drawn with the right probability: what others hold, and what
        they have seen of their own, is as it might be. OpenSpiel's information set search wants it:
        `bot.set_resampler(lambda state, player: state.resample(player, rng))`.
        """
        chance = rng if isinstance(rng, Random) else Random(rng())
        drawn = self._game.of.ours.sampler(self._state.view(player)).draw(chance)
        other: SpielState = self.clone()
        other._state = drawn
        for seat in range(drawn.seats):
            if seat != player:
                other._told.forget(seat, _text(drawn.view(seat)))
        return other

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> SpielState:
        """The same, as OpenSpiel asks for it in Python."""
        return self.resample(player, probability_sampler)


class World:
    """A position to begin with, and what every seat knows there."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.told = Told([[_text(state.view(seat))] for seat in range(state.seats)])


class Shared:
    """What copies of a position share with it."""

    def __init__(self, of: SpielGame) -> None:
        self.of = of

    def __deepcopy__(self, memo: object) -> Shared:
        return self


class Told:
    """What every seat was told since the beginning, in texts; copies have lists of their own."""

    def __init__(self, seats: list[list[str]]) -> None:
        self._seats = seats

    def note(self, actor: int, action: Action, events: list[Event]) -> None:
        """An action was carried out: who did it knows it, and all know what they see happen."""
        for seat, told in enumerate(self._seats):
            if seat == actor:
                told.append(f"> {action.text}")
            told.extend(_text(event.seen_by(seat)) for event in events)

    def of(self, seat: int) -> list[str]:
        """All that a seat was told."""
        return self._seats[seat]

    def forget(self, seat: int, known: str) -> None:
        """A seat is to know this and no more."""
        self._seats[seat] = [known]

    def __deepcopy__(self, memo: object) -> Told:
        return Told([list(told) for told in self._seats])


class Observer:
    """Turns positions into an array with named pieces, and into texts."""

    def __init__(self, of: SpielGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"this observer takes no parameters, so not {sorted(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("nobody sees what all seats know; ask for one seat's knowledge, or for what is public")
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        self._eyes = of.look
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._own and not self._recall:
            self.tensor = np.zeros(of.setting.layout.size, np.float32)
            self.dict = of.setting.by_name(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = self._eyes.see(state.position, player)

    def string_from(self, state: SpielState, player: int) -> str | None:
        """What a seat sees, or all it has seen, as a text; or what everybody sees."""
        if self._recall and self._own:
            return state.seen_by(player)
        return _text(state.position.view(player if self._own else None))


def type_of(ours: Game) -> Any:
    """What OpenSpiel wants to know of a game as a whole."""
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=PREFIX + ours.id,
        long_name=ours.titles["en"],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if ours.secrets else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(ours.seats),
        min_num_players=min(ours.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


def _again(name: str, params: Mapping[str, Any] | None, options: Mapping[str, Any]) -> SpielGame:
    """A game out of another process."""
    return _class_of(find_game(name))(params, options)


@lru_cache
def _class_of(ours: Game) -> type[SpielGame]:
    return type(f"Spiel_{ours.id}", (SpielGame,), {"ours": ours})


def _position(given: Any) -> Json | None:
    """The position to begin with: none, JSON data, or what a file holds."""
    if isinstance(given, Mapping):
        return dict(given)
    if not given:
        return None
    try:
        data = json.loads(Path(given).read_text(encoding="utf-8"))
    except OSError as error:
        raise PositionError(f"{said(given)} cannot be read: {error.strerror}", field="position") from None
    except ValueError as error:
        raise PositionError(f"{said(given)} is no JSON: {error}", field="position") from None
    if not isinstance(data, dict):
        raise PositionError(
            f"{said(given)} is no position", field="position", hint="It is an object, see State.to_json."
        )
    return data


def _text(data: Json) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class SpielBot(Bot):
    """One of OpenSpiel's bots in a seat of ours.

    `make` gets OpenSpiel's game and the seat and gives the bot. At each decision the bot is handed a position drawn
    from what its seat knows, never the true one: whatever it reads there, it cannot cheat.

    >>> import preau
    >>> bot = SpielBot(lambda game, seat: pyspiel.make_uniform_random_bot(seat, 1))
    >>> preau.play("recess", bots=[bot, "random", "random"], seed=1).over
    True
    """

    wants_events = False

    def __init__(self, make: Callable[[Any, int], Any]) -> None:
        self._make = make
        self._bot: Any = None
        self._of: SpielGame | None = None

    def choose(self, seen: Seen) -> Action:
        """What the bot does at a position that looks like this one."""
        assert seen.view is not None
        drawn = seen.game.sampler(seen.view).draw(seen.rng)
        if self._of is None:
            self._of = _class_of(seen.game)({"position": drawn.to_json()})
            self._bot = self._make(self._of, seen.seat)
        state = self._of.new_initial_state()
        state.stand(drawn)
        number = self._bot.step(state)
        for action in seen.legal:
            if action.number == number:
                return action
        raise ValueError(f"the bot of OpenSpiel chose {number}, which is not legal now")


def _register() -> None:
    known = set(pyspiel.registered_names())
    for name in game_ids():
        ours = find_game(name)
        if PREFIX + name not in known:
            pyspiel.register_game(type_of(ours), _class_of(ours))


_register()
