"""Positions of random games, and comparisons of JSON data, for the checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import NATURE, Action, Event, State

Check = Callable[[Game, int], None]

FEW = 6
"""Decisions of one kind that are looked at closely."""


def some_games(game: Game, seats: int, games: int = 2) -> Iterator[tuple[State, int | None, Action | None]]:
    """Yield the positions of random games, each with the next actor and its action; None and None at the end."""
    for seed in range(games):
        rng = Random(seed)
        state = game.start(seats, seed=seed)
        while not state.over:
            actor = state.to_act[int(rng.random() * len(state.to_act))]
            action = state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
            yield state, actor, action
            state.apply(actor, action)
        yield state, None, None


def decisions(game: Game, seats: int, games: int = 1) -> Iterator[tuple[State, int, Action]]:
    """Yield the same positions without the ends."""
    for state, actor, action in some_games(game, seats, games):
        if actor is not None and action is not None:
            yield state, actor, action


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
