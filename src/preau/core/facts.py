"""What a game says about itself to whoever offers it: data in `facts.json` of its folder, never rules.

    {"order": 1,
     "usual": {"seats": 3, "level": "normal", "options": {}},
     "chapters": [["setup", "R1"], ["turn", "R7"]],
     "settle_ties": "R36",
     "races": false}

`order` is its place among the games. `usual` is the table that "play now" makes. `chapters` are those of the rule book,
each with the rule it begins with; their names are `chapter.<name>` in the game's texts. `settle_ties` names
the rule by which those who share the first place may arm wrestle for it at the table, `races` says that seats may have
to be quick: then it is said how long bots take. What is left out stands as below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .errors import DataError
from .json_file import read_json

FILE = "facts.json"
PICTURE = "picture.svg"
"""The picture of a game that the page has no art for."""
TURN = "turn"
"""The key of the event with which a turn begins, in every game that has turns."""


class Usual(NamedTuple):
    """The table that needs no questions: how many seats, how well the bots play, which options."""

    seats: int
    level: str = "normal"
    options: Mapping[str, Any] = {}


class Facts(NamedTuple):
    """What `facts.json` says, checked."""

    usual: Usual
    order: int = 1_000
    chapters: tuple[tuple[str, str], ...] = ()
    settle_ties: str = ""
    races: bool = False


def read_facts(folder: Path, seats: Sequence[int]) -> Facts:
    """The facts in a game's folder; raises `DataError` for what is wrong with them."""
    plain = Facts(Usual(4 if 4 in seats else seats[0]))
    path = folder / FILE
    if not path.is_file():
        return plain
    try:
        data = read_json(path)
    except ValueError as error:
        raise _wrong(f"it is no JSON: {error}") from None
    if not isinstance(data, dict) or set(data) - set(Facts._fields):
        raise _wrong(f"it has only the fields {', '.join(Facts._fields)}")
    usual = data.get("usual", {})
    if not isinstance(usual, dict) or set(usual) - set(Usual._fields):
        raise _wrong(f"it has only the fields {', '.join(Usual._fields)}", "usual")
    found = plain.usual._replace(**usual)
    if found.seats not in seats:
        raise _wrong(f"{found.seats} is no number of seats of this game", "usual.seats")
    if not isinstance(found.level, str) or not isinstance(found.options, dict):
        raise _wrong("level is the name of a bot, options are an object", "usual")
    chapters = data.get("chapters", [])
    if not isinstance(chapters, list) or not all(
        isinstance(row, list) and len(row) == 2 and all(isinstance(word, str) for word in row) for row in chapters
    ):
        raise _wrong("it is a list of [name, first rule]", "chapters")
    order, settle_ties, races = data.get("order", plain.order), data.get("settle_ties", ""), data.get("races", False)
    if isinstance(order, bool) or not isinstance(order, int):
        raise _wrong("order is a whole number")
    if not isinstance(settle_ties, str):
        raise _wrong("it is the id of a rule", "settle_ties")
    if not isinstance(races, bool):
        raise _wrong("it is true or false", "races")
    return Facts(found, order, tuple((name, first) for name, first in chapters), settle_ties, races)


def _wrong(message: str, field: str = "") -> DataError:
    return DataError(message, field=f"{FILE}: {field}" if field else FILE)
