"""Positions of random games, and comparisons of JSON data, for the checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from random import Random
from typing import Any, Final, Generic, TypeVar

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import NATURE, Action, Event, State

Check = Callable[[Game, int], None]
One = TypeVar("One")

FEW = 6
"""Decisions of one kind that are looked at closely."""


def some_games(
    game: Game, seats: int, games: int = 2, *, varied: bool = False
) -> Iterator[tuple[State, int | None, Action | None]]:
    """Yield the positions of random games, each with the next actor and its action; None and None at the end.

    `varied` plays every second game with random values of its options.
    """
    for seed in range(games):
        rng = Random(seed)
        options = some_options(game, seats, Random(seed)) if varied and seed % 2 else None
        state = game.start(seats, options, seed=seed)
        while not state.over:
            actor = state.to_act[int(rng.random() * len(state.to_act))]
            action = state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
            yield state, actor, action
            state.apply(actor, action)
        yield state, None, None


def some_options(game: Game, seats: int, rng: Random) -> dict[str, Any]:
    """Choose random values for about half of the options; none, if the game refuses all that are tried together.

    A number is at most twice its default, since games may last as long as it says.
    """
    for _ in range(FEW):
        chosen: dict[str, Any] = {}
        for option in game.options:
            values: Sequence[Any] = option.choices or option.named
            if option.type == "number" and option.low is not None:
                most = max(2 * option.default, option.low + 1)
                values = range(option.low, min(most, most if option.high is None else option.high) + 1)
            if values and rng.random() < 0.5:
                chosen[option.name] = rng.choice(values)
        try:
            game.start(seats, chosen, seed=0)
        except PreauError:
            continue
        return chosen
    return {}


def decisions(game: Game, seats: int, games: int = 1, *, varied: bool = False) -> Iterator[tuple[State, int, Action]]:
    """Yield the same positions without the ends."""
    for state, actor, action in some_games(game, seats, games, varied=varied):
        if actor is not None and action is not None:
            yield state, actor, action


class Sample(Generic[One]):
    """Keeps at most so many things of each kind; all that are met have the same chance to be kept.

    >>> sample = Sample[int](2, Random(1))
    >>> for number in range(100):
    ...     if sample.takes(number % 2):
    ...         sample.put(number % 2, number)
    >>> [number % 2 for number in sample.all()]
    [0, 0, 1, 1]
    """

    def __init__(self, most: int, rng: Random) -> None:
        self._most, self._rng = most, rng
        self._met = Counter[object]()
        self._kept: dict[object, list[One]] = {}
        self._at = 0

    def takes(self, kind: object) -> bool:
        """Whether the next thing of this kind is kept; then `put` it."""
        met = self._met[kind]
        self._at = met if met < self._most else self._rng.randrange(met + 1)
        self._met[kind] += 1
        return self._at < self._most

    def put(self, kind: object, one: One) -> None:
        """Keep a thing, in the place of another where there are too many."""
        self._kept.setdefault(kind, [])[self._at : self._at + 1] = [one]

    def all(self) -> list[One]:
        """Return all things, kind by kind."""
        return [one for kept in self._kept.values() for one in kept]

    def mixed(self) -> list[One]:
        """Return one thing of each kind, then another of each, in random order of the kinds."""
        kinds = list(self._kept.values())
        for kept in kinds:
            self._rng.shuffle(kept)
        self._rng.shuffle(kinds)
        return [one for row in zip_longest(*kinds) for one in row if one is not None]


def sample_of_decisions(
    game: Game, seats: int, count: int, rng: Random, games: int = 2
) -> list[tuple[State, int, Action]]:
    """Draw so many decisions from all parts of random games with random options."""
    kept = Sample[tuple[State, int, Action]](count, rng)
    for state, actor, action in decisions(game, seats, games, varied=True):
        if kept.takes(None):
            kept.put(None, (state.copy(), actor, action))
    return kept.all()


def some_of_each_kind(game: Game, seats: int) -> Iterator[tuple[State, int, Action]]:
    """Yield decisions of seats in random games, a few for each first word of an action."""
    known = Counter[str]()
    for state, actor, action in decisions(game, seats, games=6):
        kind = action.text.split()[0]
        if actor != NATURE and known[kind] < FEW:
            known[kind] += 1
            yield state, actor, action


def plain(data: Any) -> Any:
    """Copy JSON data as a client receives it."""
    return json.loads(json.dumps(data))


def seen_by(events: list[Event], seat: int | None) -> list[dict[str, Any]]:
    """Return events as a seat sees them (None: a spectator)."""
    return [event.seen_by(seat) for event in events]


Place = tuple[str | int, ...]
"""Where something stands in JSON data: keys and indexes, from the outside in."""

_ABSENT: Final = "(absent)"


def differences(one: Any, two: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the places where two pieces of JSON data differ.

    >>> list(differences({"bids": [1, None], "round": 2}, {"bids": [3, None], "round": 2}))
    [('bids', 0)]
    """
    if isinstance(one, dict) and isinstance(two, dict):
        for name in [*one, *(name for name in two if name not in one)]:
            yield from differences(one.get(name, _ABSENT), two.get(name, _ABSENT), (*place, name))
    elif isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)) and len(one) == len(two):
        for at, pair in enumerate(zip(one, two, strict=True)):
            yield from differences(*pair, (*place, at))
    elif one != two:
        yield place


def value_at(data: Any, place: Place) -> Any:
    """Return what stands at a place of JSON data."""
    for step in place:
        try:
            data = data[step]
        except (LookupError, TypeError):
            return _ABSENT
    return data


def written(place: Place) -> str:
    """Write a place as people read it.

    >>> written(("view", "bids", 0))
    'view.bids[0]'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return text.removeprefix(".")


def difference(one: Any, two: Any) -> str:
    """Describe the first difference between two pieces of JSON data; nothing if they are equal.

    >>> difference({"view": {"bids": [1, None]}}, {"view": {"bids": [3, None]}})
    'view.bids[0] is 1 or 3'
    """
    for place in differences(one, two):
        return f"{written(place)} is {value_at(one, place)!r} or {value_at(two, place)!r}"
    return ""


@contextmanager
def refused_with(kind: type[PreauError]) -> Iterator[list[PreauError]]:
    """Require that the block raises this error; the list then holds it."""
    found: list[PreauError] = []
    try:
        yield found
    except kind as error:
        found.append(error)
        return
    raise AssertionError(f"no {kind.__name__} was raised")
