"""Sections and layouts: reading them, refusing broken ones, and putting a yard together (R2, R3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from ...core.errors import DataError, SetupError, said, short
from .reach import cut_off
from .yard import BOYS_SAFETY, GIRLS_SAFETY, SIDE, Yard

FOLDER = Path(__file__).parent
FORMAT = "preau-sections/1"
EQUIPMENT = {
    "S": "slide",
    "M": "merry-go-round",
    "T": "seesaw",
    "W": "swings",
    "B": "sandbox",
    "C": "climbing frame",
}
QUARTERS = ("top left", "top right", "bottom left", "bottom right")
HALF = SIDE // 2
MOST_LETTERS = 1_000
"""The most letters of a name or of where a set comes from."""

Sections = tuple[tuple[str, tuple[str, ...]], ...]
"""Section letters with their six rows, top row first, in the order of the file."""


@lru_cache(maxsize=1)
def standard_sections() -> Sections:
    """The four sections that ship."""
    data = json.loads((FOLDER / "data" / "sections.json").read_text(encoding="utf-8"))
    return tuple((letter, tuple(rows)) for letter, rows in data["sections"].items())


def read_sections(data: Any) -> Sections:
    """A set of sections from JSON data of the schema of `data/sections.json`; a broken one is refused whole."""

    def refuse(message: str, field: str, hint: str = "") -> DataError:
        return DataError(message, field=field, rule="R2", hint=hint)

    if not isinstance(data, Mapping):
        raise refuse("a section file holds a JSON object", "sections")
    for name in data:
        if name not in ("format", "name", "provenance", "sections"):
            raise refuse("there is no such field", short(str(name)), "There are format, name, provenance and sections.")
    if data.get("format") != FORMAT:
        raise refuse(f"unknown format {said(data.get('format'))}", "format", f"It must be {FORMAT!r}.")
    for name in ("name", "provenance"):
        if not isinstance(data.get(name), str) or not data[name].strip():
            raise refuse("missing or empty", name, "Say what the set is called and where it comes from.")
        if len(data[name]) > MOST_LETTERS:
            raise refuse("too long", name, f"At most {MOST_LETTERS} letters.")
    found = data.get("sections")
    if not isinstance(found, Mapping) or len(found) != 4:
        count = len(found) if isinstance(found, Mapping) else 0
        raise refuse(f"there are {count} sections, not four", "sections")
    sections = []
    for letter, rows in found.items():
        field = short(f"sections.{letter}")
        if not (isinstance(letter, str) and len(letter) == 1 and letter.isascii() and letter.isupper()):
            raise refuse("a section is named by one capital letter", field)
        if not isinstance(rows, list) or len(rows) != HALF:
            raise refuse("a section has six rows", field, "Top row first.")
        for number, row in enumerate(rows, 1):
            if not isinstance(row, str) or len(row) != HALF:
                raise refuse(f"row {number} does not have six cells", field)
            for cell in row:
                if cell != "." and cell not in EQUIPMENT:
                    known = ", ".join(f"{key} {name}" for key, name in EQUIPMENT.items())
                    raise refuse(f"row {number} has {cell!r}", field, f"Use . for open ground, or {known}.")
        _check_equipment(rows, refuse, field)
        sections.append((letter, tuple(rows)))
    whole = tuple(sections)
    apart = disconnected_layout(whole)
    if apart:
        raise refuse(
            f"with the layout {apart!r} some open cells cannot be reached",
            "sections",
            "Every arrangement must leave the open cells connected.",
        )
    return whole


def _check_equipment(rows: list[str], refuse: Any, field: str) -> None:
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter == ".":
                continue
            same = sum(
                0 <= x + dx < HALF and 0 <= y + dy < HALF and rows[y + dy][x + dx] == letter
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            )
            if same > 1:
                raise refuse(f"a {EQUIPMENT[letter]} covers more than two cells", field, "Equipment covers one or two.")


def turned(rows: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    """The rows of a section turned clockwise.

    >>> turned(("ab", "cd"), 1)
    ('ca', 'db')
    """
    for _ in range(quarters):
        rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return rows


def ground(sections: Sections, layout: str) -> str:
    """The yard of a layout as 144 letters in board order, with the safety squares laid over it."""
    by_letter = dict(sections)
    quarters = [turned(by_letter[part[0]], int(part[1])) for part in layout.split()]
    top = [left + right for left, right in zip(quarters[0], quarters[1], strict=True)]
    bottom = [left + right for left, right in zip(quarters[2], quarters[3], strict=True)]
    letters = list("".join(reversed(top + bottom)))
    for cell in BOYS_SAFETY + GIRLS_SAFETY:
        letters[cell] = "."
    return "".join(letters)


def read_layout(layout: object, sections: Sections) -> str:
    """An explicit layout string in its stored form: `B1 A0 D2 C3`."""
    letters = [letter for letter, _ in sections]
    hint = f"Write each of {' '.join(letters)} once with its quarter turns, such as {letters[1]}1 {letters[0]}0 "
    hint += f"{letters[3]}2 {letters[2]}3: {', '.join(QUARTERS)}."

    def refuse(message: str) -> SetupError:
        return SetupError(message, field="option layout", rule="R2", hint=hint)

    if not isinstance(layout, str):
        raise refuse(f"{said(layout)} is not a layout")
    parts = layout.upper().split()
    if len(parts) != 4:
        raise refuse(f"{said(layout)} names {len(parts)} sections, not four")
    for part in parts:
        if len(part) != 2 or part[0] not in letters:
            raise refuse(f"{said(part)} is not a section with its turns")
        if part[1] not in "0123":
            raise refuse(f"{part!r} is turned by {part[1]!r} quarters, not 0 to 3")
    if len({part[0] for part in parts}) != 4:
        raise refuse(f"{layout!r} uses a section twice")
    return " ".join(parts)


def standard_layout(sections: Sections) -> str:
    """The four sections by their letters, none turned: a JSON object has no order of its own."""
    return " ".join(f"{letter}0" for letter in sorted(letter for letter, _ in sections))


def random_layout(sections: Sections, rng: Random) -> str:
    """One of the 6,144 layouts, all alike in probability."""
    letters = [letter for letter, _ in sections]
    rng.shuffle(letters)
    return " ".join(f"{letter}{rng.randrange(4)}" for letter in letters)


@lru_cache(maxsize=256)
def disconnected_layout(sections: Sections) -> str:
    """A layout that cuts some open cells off, or an empty string if there is none; looked for once."""
    return cut_off({letter: [turned(rows, quarters) for quarters in range(4)] for letter, rows in sections})


@lru_cache(maxsize=256)
def yard(sections: Sections, layout: str, exits: str, shove: int) -> Yard:
    """The tables of a yard, built once."""
    return Yard(layout, ground(sections, layout), exits, shove)
