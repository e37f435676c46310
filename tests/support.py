"""What the tests of several games share."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

import preau
from preau._build import PlainFinder
from preau.core import Game, registry
from preau.core.texts import closing_brace, split_cases
from setup import plain_wanted, why_plain

TWIN = "preau_plain"
PATIENCE = 120.0
"""How many seconds anything may take, on a machine that is busy with other things: what takes longer hangs."""


def by_day(values: Iterable[Any], *usual: Any) -> list[Any]:
    """What a test is to be run with: always with what is usual, with everything else at night."""
    found = list(values)
    assert set(usual) <= set(found)
    late = pytest.mark.nightly
    return [
        one if one in usual else pytest.param(*(one if type(one) is tuple else (one,)), marks=late) for one in found
    ]


def plain_twin() -> ModuleType:
    """The package once more, as `preau_plain`, all of it plain Python: the compiled rules can be held against it.

    Both are loaded side by side in one process and share no class, table or text.
    """
    if TWIN not in sys.modules:
        folder = Path(preau.__file__).parent
        sys.meta_path.insert(0, PlainFinder(TWIN))
        spec = importlib.util.spec_from_file_location(
            TWIN, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[TWIN] = module
        spec.loader.exec_module(module)
    return sys.modules[TWIN]


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Make a game known by its id for the time of a test."""
    registry.register(game)
    try:
        yield
    finally:
        registry.unregister(game.id)


def twins_differ(game: str) -> None:
    """Where the rules can be compiled they are, so that a game played on both compares two different things."""
    twin = plain_twin()
    assert not twin.compiled
    assert twin.State is not preau.State
    assert twin.game(game) is not preau.game(game)
    if not preau.compiled and not plain_wanted():
        reason = why_plain()
        if reason is not None:
            pytest.skip(f"{reason}: the rules run as plain Python on both sides")
        pytest.fail("the rules are not compiled; make build does that")


def same_position(one: Any, two: Any) -> None:
    """Compiled and plain, a position is the same: all of it, and what every seat and nature may do."""
    assert one.to_json() == two.to_json()
    assert one.to_act == two.to_act
    assert one.racers() == two.racers()
    assert one.progress() == two.progress()
    for actor in (*range(one.seats), preau.NATURE):
        assert [action.text for action in one.legal(actor)] == [action.text for action in two.legal(actor)]
        assert [action.number for action in one.legal(actor)] == [action.number for action in two.legal(actor)]
    assert [chance for _, chance in one.outcomes()] == [chance for _, chance in two.outcomes()]
    assert one.result().to_json() == two.result().to_json()


def refusal(state: Any, text: str) -> object:
    """What a wrong action of whoever is to act is answered with; None if it is legal."""
    try:
        state.check(state.to_act[0], text)
    except ValueError as error:
        return error.to_json()  # type: ignore[attr-defined]
    return None


def is_sentence(text: str) -> bool:
    """Whether a message reads like one: some words, nothing left unfilled, no name of a Python thing."""
    words = text.split()
    broken = ("{", "}", "NoneType", "object at", "Traceback", "<class", "  ", "..")
    return len(words) >= 3 and text[-1] in ".!?" and not any(part in text for part in broken)


def says_what_to_do(error: Any) -> bool:
    """Whether a refusal is for people: a sentence, and the rule or the field it is about."""
    return is_sentence(str(error)) and bool(error.rule or error.field)


def parameters(message: str) -> set[str]:
    """The names a message wants filled in, those in its branches too."""
    found: set[str] = set()
    at = message.find("{")
    while at >= 0:
        end = closing_brace(message, at)
        name, _, rest = message[at + 1 : end].partition(",")
        kind, _, branches = rest.strip().partition(",")
        found.add(name.strip())
        if kind.strip() in ("plural", "select", "person"):
            found.update(*(parameters(branch) for branch in split_cases(branches).values()))
        at = message.find("{", end)
    return found


def wanted(key: str, message: str) -> set[str]:
    """The parameters of a game's message that both languages must use: whose choice it is, a hint always says (`seat`),
    and French asks for it where English need not, "avance" or "avancer".
    """
    return parameters(message) - ({"seat"} if key.startswith(("do.", "because.")) else set())


def lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs: what it costs, the same on a slow machine as on a quick one.

    Lines of compiled modules are not seen.
    """
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
