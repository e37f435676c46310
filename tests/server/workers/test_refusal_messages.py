"""Refusals between processes: each class of error arrives as what it was, also one that is added later."""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import preau
from preau.core.errors import IllegalAction, PreauError
from preau.host.queries import BookQuery
from preau.host.refusals import retry_after, status_of
from preau.server.workers.lookups import Found, answer
from preau.server.workers.refusal_messages import RefusalMessage, error_classes

PARTS = ("message", "rule", "field", "hint", "key", "params")
SOURCES = Path(preau.__file__).parent


def modules_with_errors() -> list[str]:
    """Return the modules that define a subclass of `PreauError`, found in their source."""
    classes = [
        (path, definition.name, {base.id for base in definition.bases if isinstance(base, ast.Name)})
        for path in sorted(SOURCES.rglob("*.py"))
        for definition in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(definition, ast.ClassDef)
    ]
    errors = {"PreauError"}
    while more := {name for _, name, bases in classes if bases & errors} - errors:
        errors |= more
    paths = {path.relative_to(SOURCES.parent) for path, name, _ in classes if name in errors}
    return sorted(".".join(path.with_suffix("").parts) for path in paths)


def own_classes() -> list[type[PreauError]]:
    """Return all error classes of Préau; the modules that define them are imported first."""
    for module in modules_with_errors():
        importlib.import_module(module)
    found = {kind for kind in error_classes() if kind.__module__.startswith("preau.")}
    return sorted(found, key=lambda kind: kind.__name__)


def sent(error: PreauError) -> PreauError:
    data = msgspec.msgpack.encode(RefusalMessage.of(error))
    return msgspec.msgpack.decode(data, type=RefusalMessage).error()


@pytest.mark.parametrize("kind", own_classes(), ids=lambda kind: kind.__name__)
def test_every_refusal_survives_the_trip(kind):
    error = kind(
        "it is so.", rule="R1", field="seats", hint="Do that.", key="much", params={"seconds": 7, "names": ["a"]}
    )
    there = sent(error)
    assert type(there) is kind
    assert [getattr(there, part) for part in PARTS] == [getattr(error, part) for part in PARTS]
    assert (status_of(there), retry_after(there), str(there)) == (status_of(error), retry_after(error), str(error))
    assert there.to_json() == error.to_json()


def test_the_name_of_a_refusal_says_which_it_is():
    """Clients are told the name alone."""
    assert {"SetupError", "TooMuch", "BotFailure", "BotError"} <= {kind.__name__ for kind in own_classes()}
    assert [name for name, count in Counter(kind.__name__ for kind in own_classes()).items() if count > 1] == []


def test_a_class_that_a_process_does_not_know_arrives_as_its_nearest_base():
    class Tired(IllegalAction):
        """An error of a game's package."""

    message = RefusalMessage.of(Tired("too tired", key="tired"))
    assert type(message.error()) is Tired
    [tired, *bases] = message.kinds
    elsewhere = msgspec.structs.replace(message, kinds=[tired + "!", *bases]).error()
    assert (type(elsewhere), elsewhere.key, status_of(elsewhere)) == (IllegalAction, "tired", 409)


def test_the_lookups_process_answers_in_messages():
    found = msgspec.msgpack.decode(answer(msgspec.json.encode(BookQuery("nothing"))), type=Found | RefusalMessage)
    assert isinstance(found, RefusalMessage)
    assert type(found.error()).__name__ == "UnknownGame"
