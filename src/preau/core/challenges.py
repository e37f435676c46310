"""The challenge of the day of a game: the table it is played at, as data in `challenge.json` of its folder.

    {"seat": 0, "bots": ["normal", "normal"], "options": {"first": "random"}}

`seat` is the person's, `bots` are the levels in the other seats, in their order. Options that are `random` are drawn
from the day. What counts is the score of the person's seat at the end, in a game where more is better; its texts say
what that is (`challenge.about`, a sentence or two) and count it (`points`, with `n`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .errors import DataError
from .json_file import read_json

FILE = "challenge.json"


class Plan(NamedTuple):
    """The table of a challenge."""

    seat: int
    bots: tuple[str, ...]
    options: Mapping[str, Any] = {}

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.bots) + 1

    @property
    def levels(self) -> tuple[str, ...]:
        """The bot's level for every seat; nothing for the person's own.

        >>> Plan(1, ("easy", "hard")).levels
        ('easy', '', 'hard')
        """
        return (*self.bots[: self.seat], "", *self.bots[self.seat :])


def read_plan(folder: Path, seats: Sequence[int]) -> Plan | None:
    """The challenge in a game's folder, None if it has none; raises `DataError` for what is wrong with it."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        data = read_json(path)
    except ValueError as error:
        raise _wrong(f"it is no JSON: {error}") from None
    if not isinstance(data, dict) or set(data) - set(Plan._fields):
        raise _wrong(f"it has only the fields {', '.join(Plan._fields)}")
    seat, bots, options = data.get("seat", 0), data.get("bots"), data.get("options", {})
    if not isinstance(bots, list) or not all(isinstance(level, str) for level in bots):
        raise _wrong("it is a list of levels", "bots")
    if len(bots) + 1 not in seats:
        raise _wrong(f"{len(bots) + 1} is no number of seats of this game", "bots")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat <= len(bots):
        raise _wrong("it is the number of the person's seat", "seat")
    if not isinstance(options, dict):
        raise _wrong("options are an object", "options")
    return Plan(seat, tuple(bots), options)


def _wrong(message: str, field: str = "") -> DataError:
    return DataError(message, field=f"{FILE}: {field}" if field else FILE)
