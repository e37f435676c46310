"""Everything in the box, for the rule book (R2 to R7): who plays, what stands around, and what is in the yard."""

from __future__ import annotations

from ...core.gallery import Box, Gallery, Thing
from . import data
from .actions import CHILDREN
from .game import OPTIONS
from .position import COINS, NUN_0, NUN_1
from .yard import BOYS_SAFETY, GIRLS_SAFETY

_OURS = {"section": "reconstructed"}
"""The sheets know of equipment, but not which there is nor where it stands (R2)."""


def gallery() -> Gallery:
    """There is one box."""
    return Gallery((Box("standard", (*_people(), *_around(), *_equipment())),))


def _people() -> list[Thing]:
    boys = sum(child.startswith("b") for child in CHILDREN)
    return [
        Thing("boy", "people", boys, "R5", "thing.boy", "about.boy", each=True),
        Thing("girl", "people", len(CHILDREN) - boys, "R5", "thing.girl", "about.girl", each=True),
        Thing("nun", "people", NUN_1 - NUN_0 + 1, "R24", "thing.nun", "about.nun"),
    ]


def _around() -> list[Thing]:
    turns = {"turns": next(option.default for option in OPTIONS if option.name == "turns")}
    squares = len((BOYS_SAFETY, GIRLS_SAFETY))
    return [
        Thing("coin", "around", COINS, "R18", "thing.coin", "about.coin", each=True),
        Thing("boys", "around", 1, "R4", "thing.boys", "about.boys"),
        Thing("girls", "around", 1, "R4", "thing.girls", "about.girls"),
        Thing("safety", "around", squares, "R17", "thing.safety", "about.safety"),
        Thing("clock", "around", 1, "R7", "thing.clock", "about.clock", turns),
    ]


def _equipment() -> list[Thing]:
    return [
        Thing(
            name.replace(" ", "-"),
            "equipment",
            sum(pieces(rows, letter) for _, rows in data.standard_sections()),
            "R2",
            f"page.equipment.{letter}",
            "about.equipment",
            sources=_OURS,
        )
        for letter, name in data.EQUIPMENT.items()
    ]


def pieces(rows: tuple[str, ...], letter: str) -> int:
    """How many pieces of one kind stand in a section: two neighbouring cells are one of them.

    >>> pieces(("SS.", "..S"), "S")
    2
    """
    columns = tuple("".join(column) for column in zip(*rows, strict=True))
    long = sum(line.count(2 * letter) for line in (*rows, *columns))
    return sum(row.count(letter) for row in rows) - long
