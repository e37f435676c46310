"""The first page of a game's rule book: pictures of positions with a few words each, as data in `book.json` of its
folder.

    {"figures": [
      {"name": "pin", "rules": ["R18", "R22"], "seat": 0,
       "position": {"seats": 3, "children": {"0b1": "f6", "1b1": "f5", "2b1": "g6"}},
       "way": ["b1 f5"],
       "at": [1],
       "happens": [{"event": "fight", "seat": 0}],
       "open": ["b1 e6"],
       "refused": {"b1 g6": "R18"},
       "picture": {"crop": ["d4", "h9"]}}]}

`position` is one that `game.load` reads, `seat` whose eyes see it. `way` is what is done from there on, by that seat or
by whoever stands before it: `"1: place F5"`, `"nature: turn car"`. `at` are the moments that are drawn: 0 the position
itself, 1 what one action has made of it. What the words claim is checked against the rules: all of `happens` is among
what the seat sees happen (a thing as in lessons), all of `open` may be done in the position, and what is `refused`
there is refused by the rule that is named. `picture` is the game's own: whatever its page needs to know to draw it, of
the shape `Picture` in its `shapes.py`. `rules` are those that it belongs to, the one that it explains best first.

Texts are the game's: `book.intro`, and for each figure `book.<name>.title`, `.text` and `.alt`, which says what is to
be seen to those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .errors import DataError
from .named_lists import read_listed
from .state import NATURE

FILE = "book.json"
INTRO = "book.intro"
WORDS = ("title", "text", "alt")
"""The texts that every figure has."""

_FIELDS = ("name", "rules", "seat", "position", "way", "at", "happens", "open", "refused", "picture")


class Done(NamedTuple):
    """What is done on the way: by whom, and the action as text."""

    actor: int
    action: str


class Figure(NamedTuple):
    """A picture in the rule book; see above."""

    name: str
    rules: tuple[str, ...]
    seat: int
    position: Mapping[str, Any]
    way: tuple[Done, ...]
    at: tuple[int, ...]
    happens: tuple[Mapping[str, Any], ...]
    open: tuple[str, ...]
    refused: Mapping[str, str]
    picture: Mapping[str, Any]


def read_book(folder: Path) -> tuple[Figure, ...]:
    """The figures in a game's folder, none if it has no such file; raises `DataError` for what is wrong with them."""
    return read_listed(folder / FILE, "figure", read_figure)


def read_figure(data: Any, field: str) -> Figure:
    """One figure, checked as far as that goes without playing it."""
    if not isinstance(data, dict) or set(data) - set(_FIELDS):
        raise _wrong(f"it has only the fields {', '.join(_FIELDS)}", field)
    name, seat, position, picture = (data.get(one) for one in ("name", "seat", "position", "picture"))
    if not isinstance(name, str) or not name.isidentifier() or not name.islower():
        raise _wrong("it is a word in small letters", f"{field}.name")
    seat = 0 if seat is None else seat
    if isinstance(seat, bool) or not isinstance(seat, int) or seat < 0:
        raise _wrong("it is the number of the seat whose eyes see it", f"{field}.seat")
    if not isinstance(position, dict):
        raise _wrong("it is a position as JSON", f"{field}.position")
    if not isinstance(picture, dict):
        raise _wrong("it is an object that says how the game draws it", f"{field}.picture")
    rules = _texts(data.get("rules"), f"{field}.rules", "a list of ids of rules")
    if not rules:
        raise _wrong("it belongs to at least one rule", f"{field}.rules")
    way = _texts(data.get("way", []), f"{field}.way", "a list of actions in their text form")
    refused = data.get("refused", {})
    if not isinstance(refused, dict) or not all(isinstance(rule, str) for rule in refused.values()):
        raise _wrong("it says of actions which rule refuses them", f"{field}.refused")
    happens = data.get("happens", [])
    if not isinstance(happens, list) or not all(isinstance(one, dict) and "event" in one for one in happens):
        raise _wrong("it is a list of events with fields of them", f"{field}.happens")
    return Figure(
        name,
        rules,
        seat,
        position,
        tuple(_done(one, seat, f"{field}.way[{at}]") for at, one in enumerate(way)),
        _moments(data.get("at", [0]), len(way), f"{field}.at"),
        tuple(happens),
        _texts(data.get("open", []), f"{field}.open", "a list of actions in their text form"),
        refused,
        picture,
    )


def _done(text: str, seat: int, field: str) -> Done:
    """An action and who does it.

    >>> _done("keep car", 2, ""), _done("1: place F5", 0, ""), _done("nature: turn car", 0, "").actor == NATURE
    (Done(actor=2, action='keep car'), Done(actor=1, action='place F5'), True)
    """
    who, colon, action = text.partition(": ")
    if not colon:
        return Done(seat, text)
    if who != "nature" and not who.isdecimal():
        raise _wrong(f"{who!r} is neither a seat nor nature", field)
    return Done(NATURE if who == "nature" else int(who), action)


def _moments(data: Any, last: int, field: str) -> tuple[int, ...]:
    if not isinstance(data, list) or not data or not all(type(one) is int and 0 <= one <= last for one in data):
        raise _wrong(f"it is a list of moments from 0 to {last}", field)
    return tuple(data)


def _texts(data: Any, field: str, what: str) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(one, str) for one in data):
        raise _wrong(f"it is {what}", field)
    return tuple(data)


def _wrong(message: str, field: str = "") -> DataError:
    return DataError(message, field=f"{FILE}: {field}" if field else FILE)
