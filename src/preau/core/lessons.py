"""The lesson of a game: small exercises on the real table, as data in `lessons.json` of its folder.

    {"exercises": [
      {"name": "pin", "seat": 0,
       "position": {"seats": 3, "children": {"0b1": "f4", "1b1": "f6"}},
       "others": {"1": ["pass"], "nature": []},
       "way": ["b1 f6"],
       "done": [{"event": "fight", "seat": 0}],
       "wrong": [{"said": "missed", "when": {"action": "b1 *"}, "tries": ["b1 f5"]}],
       "most": 2}]}

`position` is one that `game.load` reads, `seat` the learner's. `others` says what the other seats and nature do, in
order; where it is silent, or what it says is not legal, a seat does what an absent one does (`State.zombie`) and nature
the first thing on its list. `way` is a way to do it, which can be shown. The exercise is `done` once all these things
have happened. `wrong` are tries that lead elsewhere: what is said, when, and actions that bring it about. After `most`
decisions (as many as the way has, unless it says more) an exercise that is not done has gone astray.

A thing that happens is an event as the learner sees it (`event` and fields of it), or what the learner did (`action`,
where `*` stands for anything). A list stands for any one of its values.

Texts are the game's: `lesson.<name>.title`, `.task`, `.done`, and one for everything that is `said`. They may name the
seats: `{seat1, seat}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from .errors import DataError
from .named_lists import read_listed
from .state import NATURE

FILE = "lessons.json"
ALWAYS = ("title", "task", "done")
"""The texts that every exercise has."""
SEATS = {f"seat{seat}": seat for seat in range(8)}
"""The parameters of all texts of a lesson."""
MOST = 12
"""Decisions in an exercise, at most: one idea, not a game."""

_Thing = Mapping[str, Any]
_FIELDS = ("name", "seat", "position", "others", "way", "done", "wrong", "most")


class Wrong(NamedTuple):
    """A try that leads elsewhere: what is `said` of it, `when`, and actions that bring it about."""

    said: str
    when: _Thing
    tries: tuple[str, ...]


class Exercise(NamedTuple):
    """Something to do from a position on; see above."""

    name: str
    seat: int
    position: Mapping[str, Any]
    others: Mapping[int, tuple[str, ...]]
    way: tuple[str, ...]
    done: tuple[_Thing, ...]
    wrong: tuple[Wrong, ...]
    most: int


def happens(thing: _Thing, action: str, events: list[dict[str, Any]]) -> bool:
    """Whether a thing is among what the learner did and what came of it.

    >>> happens({"action": "b1 *"}, "b1 f6", []), happens({"action": "b1 *"}, "g1 f6", [])
    (True, False)
    >>> happens({"event": "walk", "to": ["f6", "f7"]}, "", [{"key": "walk", "seat": 0, "to": "f7"}])
    True
    """
    if "action" in thing:
        wanted = thing["action"] if isinstance(thing["action"], list) else [thing["action"]]
        return any(fnmatchcase(action, one) for one in wanted)
    fields = {("key" if name == "event" else name): value for name, value in thing.items()}
    return any(all(_fits(event.get(name), value) for name, value in fields.items()) for event in events)


def _fits(found: Any, wanted: Any) -> bool:
    return bool(found == wanted) or (isinstance(wanted, list) and found in wanted)


def read_lessons(folder: Path) -> tuple[Exercise, ...]:
    """The exercises in a game's folder, none if it has no such file; raises `DataError` for what is wrong with them."""
    return read_listed(folder / FILE, "exercise", read_exercise)


def read_exercise(data: Any, field: str) -> Exercise:
    """One exercise, checked as far as that goes without playing it."""
    if not isinstance(data, dict) or set(data) - set(_FIELDS):
        raise _wrong(f"it has only the fields {', '.join(_FIELDS)}", field)
    name, seat, position, most = data.get("name"), data.get("seat", 0), data.get("position"), data.get("most")
    if not isinstance(name, str) or not name.isidentifier() or not name.islower():
        raise _wrong("it is a word in small letters", f"{field}.name")
    if isinstance(seat, bool) or not isinstance(seat, int) or seat < 0:
        raise _wrong("it is the number of the learner's seat", f"{field}.seat")
    if not isinstance(position, dict):
        raise _wrong("it is a position as JSON", f"{field}.position")
    way = _texts(data.get("way"), f"{field}.way")
    most = len(way) if most is None else most
    if isinstance(most, bool) or not isinstance(most, int) or not len(way) <= most <= MOST:
        raise _wrong(f"it is a number of decisions, enough for the way and {MOST} at most", f"{field}.most")
    wrong = data.get("wrong", [])
    if not isinstance(wrong, list):
        raise _wrong("it is a list of tries", f"{field}.wrong")
    done = data.get("done")
    if not isinstance(done, list) or not done:
        raise _wrong("it is a list of things that have to happen", f"{field}.done")
    return Exercise(
        name,
        seat,
        position,
        _others(data.get("others", {}), f"{field}.others"),
        way,
        tuple(_thing(one, f"{field}.done[{at}]") for at, one in enumerate(done)),
        tuple(_try(one, f"{field}.wrong[{at}]") for at, one in enumerate(wrong)),
        most,
    )


def _try(data: Any, field: str) -> Wrong:
    if not isinstance(data, dict) or set(data) != set(Wrong._fields):
        raise _wrong(f"it has the fields {', '.join(Wrong._fields)}", field)
    said = data["said"]
    if not isinstance(said, str) or not said.isidentifier() or said in ALWAYS:
        raise _wrong(f"it is a word of its own, none of {', '.join(ALWAYS)}", f"{field}.said")
    return Wrong(said, _thing(data["when"], f"{field}.when"), _texts(data["tries"], f"{field}.tries"))


def _thing(data: Any, field: str) -> _Thing:
    if not isinstance(data, dict) or ("event" in data) == ("action" in data) or ("action" in data and len(data) > 1):
        raise _wrong("it is an event with fields of it, or an action", field)
    return data


def _others(data: Any, field: str) -> dict[int, tuple[str, ...]]:
    if not isinstance(data, dict):
        raise _wrong("it says for seats, and for nature, what they do", field)
    found = {}
    for who, actions in data.items():
        if who != "nature" and not who.isdecimal():
            raise _wrong(f"{who!r} is neither a seat nor nature", field)
        found[NATURE if who == "nature" else int(who)] = _texts(actions, f"{field}.{who}")
    return found


def _texts(data: Any, field: str) -> tuple[str, ...]:
    if not isinstance(data, list) or not data or not all(isinstance(one, str) for one in data):
        raise _wrong("it is a list of actions in their text form", field)
    return tuple(data)


def _wrong(message: str, field: str = "") -> DataError:
    return DataError(message, field=f"{FILE}: {field}" if field else FILE)
