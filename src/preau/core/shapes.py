"""Whether data has the shape it was declared with.

What leaves a game is declared in its `shapes.py`, as TypedDicts: `View`, `Options` and `Detail` (of the score), and by
key `EVENTS`, `PROMPTS` and `REASONS` (parameters of refusals); `HINTS` if it says why actions are good, and `Picture`
if its rule book has figures. Making such data costs nothing more than making any dictionary: mypy checks the code that
makes it, and the tests check with `faults` what is made, no key more or less.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .errors import PreauError

if TYPE_CHECKING:
    from .game import Game
    from .state import Event, State


def faults(data: object, shape: Any, where: str = "data") -> list[str]:
    """What is wrong with `data`, a sentence each; nothing if it is of this shape.

    >>> faults({"seat": 1, "cards": ["F6", 7]}, dict[str, int | list[str]])
    ["data.cards is ['F6', 7], not int | list[str]"]
    """
    if shape is Any or shape is object:
        return []
    if is_typeddict(shape):
        return _fields(data, shape, where)
    origin, inside = get_origin(shape), get_args(shape)
    if origin in (Union, types.UnionType):
        return [] if any(not faults(data, one, where) for one in inside) else [_not(data, shape, where)]
    if origin is Literal:
        return [] if any(type(data) is type(one) and data == one for one in inside) else [_not(data, shape, where)]
    if origin in (list, Sequence):
        if not isinstance(data, (list, tuple)):
            return [_not(data, shape, where)]
        return [fault for at, one in enumerate(data) for fault in faults(one, inside[0], f"{where}[{at}]")]
    if origin is tuple:
        if not isinstance(data, (list, tuple)) or len(data) != len(inside):
            return [_not(data, shape, where)]
        return [fault for at, one in enumerate(data) for fault in faults(one, inside[at], f"{where}[{at}]")]
    if origin in (dict, Mapping):
        if not isinstance(data, Mapping):
            return [_not(data, shape, where)]
        wrong = [f"{where}: the key {key!r} is no {inside[0]}" for key in data if faults(key, inside[0])]
        return wrong + [fault for key, one in data.items() for fault in faults(one, inside[1], f"{where}.{key}")]
    kind = type(None) if shape is None else shape
    fits = isinstance(data, kind) and (kind is bool or not isinstance(data, bool))
    return [] if fits or (kind is float and type(data) is int) else [_not(data, shape, where)]


def fields(shape: Any) -> dict[str, tuple[Any, bool]]:
    """The fields of a TypedDict: for each its shape, and whether it is always there."""
    return dict(_declared(shape))


def reached(shapes: Iterable[Any]) -> list[Any]:
    """These TypedDicts and those inside them, each once, the inner ones first."""
    found: list[Any] = []

    def visit(kind: Any) -> None:
        if is_typeddict(kind):
            if kind not in found:
                for inner, _ in fields(kind).values():
                    visit(inner)
                found.append(kind)
        else:
            for inner in get_args(kind):
                visit(inner)

    for shape in shapes:
        visit(shape)
    return found


def about(shape: Any) -> str:
    """What a TypedDict says of itself; one that says nothing has the docstring of `dict`."""
    return "" if shape.__doc__ == dict.__doc__ else inspect.getdoc(shape) or ""


@cache
def _declared(shape: Any) -> tuple[tuple[str, tuple[Any, bool]], ...]:
    found = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        origin = get_origin(hint)
        always = origin is Required or (origin is not NotRequired and name not in shape.__optional_keys__)
        found.append((name, (get_args(hint)[0] if origin in (Required, NotRequired) else hint, always)))
    return tuple(found)


def _fields(data: object, shape: Any, where: str) -> list[str]:
    if not isinstance(data, Mapping):
        return [_not(data, shape.__name__, where)]
    declared = dict(_declared(shape))
    wrong = [f"{where} has a field {name!r} that {shape.__name__} does not declare" for name in data.keys() - declared]
    for name, (inner, always) in declared.items():
        if name in data:
            wrong += faults(data[name], inner, f"{where}.{name}")
        elif always:
            wrong.append(f"{where} has no field {name!r}, which {shape.__name__} declares")
    return wrong


def _not(data: object, shape: Any, where: str) -> str:
    return f"{where} is {data!r}, not {getattr(shape, '__name__', shape) if isinstance(shape, type) else shape}"


def position_faults(state: State) -> list[str]:
    """What of a position leaves its game in another shape than declared: views and prompts of all eyes, the result."""
    shapes = state.game.part("shapes")
    wrong = faults(dict(state.options), shapes.Options, "options")
    for eyes in (None, *range(state.seats)):
        view, prompt = state.view(eyes), state.prompt(eyes)
        wrong += faults(view, shapes.View, f"view({eyes})")
        wrong += _keyed(prompt, shapes.PROMPTS, f"prompt({eyes})")
        wrong += [] if view["prompt"] == prompt else [f"view({eyes}) has another prompt"]
    result = state.result()
    return wrong + faults(result.detail, shapes.Detail, "detail")


def event_faults(state: State, events: Sequence[Event]) -> list[str]:
    """The same of events of this game, as all eyes see them."""
    shapes = state.game.part("shapes")
    wrong = []
    for event in events:
        for eyes in (None, *range(state.seats)):
            seen = event.seen_by(eyes)
            wrong += faults(seen.pop("rule"), str, f"rule of {event.key}")
            wrong += _keyed(seen, shapes.EVENTS, f"event({eyes})")
    return wrong


def refusal_faults(state: State, error: PreauError) -> list[str]:
    """The same of the parameters of a refusal of this game's rules."""
    if error.key in _OF_CORE:
        return faults(error.params, _OF_CORE[error.key], f"reason {error.key}")
    return _keyed({"key": error.key, **error.params}, state.game.part("shapes").REASONS, "reason")


def hint_faults(game: Game, said: Mapping[str, object]) -> list[str]:
    """The same of something that a hint for this game says."""
    return _keyed(said, game.part("shapes").HINTS, "hint")


def _keyed(data: Mapping[str, object], shapes: Mapping[str, Any], where: str) -> list[str]:
    """Faults of data whose shape goes by its `key`."""
    key = str(data["key"])
    if key not in shapes:
        return [f"{where}: the key {key!r} is not declared"]
    return faults({name: value for name, value in data.items() if name != "key"}, shapes[key], f"{where} {key}")


class _Over(TypedDict):
    """The game is over."""


class _NotNow(TypedDict):
    """Somebody else is to act."""

    seat: int
    waiting: list[int]


class _Malformed(TypedDict):
    """A text that is no action."""

    text: str


_OF_CORE: Mapping[str, Any] = {"over": _Over, "not_now": _NotNow, "malformed": _Malformed}
"""The parameters of refusals that all games share."""
