"""Positions as numbers, for learning: named pieces in one flat row of small whole numbers, seen from one seat."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast

from .slate import Slate

Block = tuple[str, tuple[int, ...]] | tuple[str, tuple[int, ...], int]
"""A piece as it is declared: its name, its shape, and its unit where that is not 1."""

SHARE = 255
"""The unit of a piece that is written as a share (`Slate.share`)."""


class Piece:
    """One named block of an observation: where it starts, its shape, and its unit.

    What is written is a whole number, how often the unit fits; divided by the unit it is of the order of 1.
    """

    def __init__(self, name: str, shape: tuple[int, ...], start: int, unit: int = 1) -> None:
        self.name = name
        self.shape = shape
        self.start = start
        self.unit = unit
        self.size = 1
        for side in shape:
            self.size *= side

    @property
    def end(self) -> int:
        """Where the next piece starts."""
        return self.start + self.size

    def __repr__(self) -> str:
        unit = f", unit={self.unit}" if self.unit != 1 else ""
        return f"Piece({self.name!r}, {self.shape}, start={self.start}{unit})"


class Layout:
    """The pieces of a game's observations, one after another in one flat row, and the number of its actions.

    >>> layout = Layout([("coins", (3,), 10), ("board", (2, 4))])
    >>> layout.size, layout["board"].start, layout["coins"].unit
    (11, 3, 10)
    """

    def __init__(self, pieces: Sequence[Block], actions: int = 0) -> None:
        self.pieces: list[Piece] = []
        start = 0
        for name, shape, *unit in pieces:
            piece = Piece(name, shape, start, *unit)
            self.pieces.append(piece)
            start += piece.size
        self.size = start
        self.actions = actions
        self._by_name = {piece.name: piece for piece in self.pieces}

    def __getitem__(self, name: str) -> Piece:
        return self._by_name[name]

    def units(self) -> list[int]:
        """The unit of every number of the row."""
        return [piece.unit for piece in self.pieces for _ in range(piece.size)]


class Observation:
    """What one seat can know, as numbers: a flat array, and a mask over the game's action numbering.

    `values` is one `array('f')`; `piece(name)` is a view into it, not a copy. `mask[i]` is 1 where the action with
    number i is legal for this seat now.
    """

    def __init__(self, layout: Layout, actions: int) -> None:
        self.layout = layout
        self.values = array("f", bytes(4 * layout.size))
        self.mask = bytearray(actions)

    @classmethod
    def read(cls, layout: Layout, slate: Slate) -> Observation:
        """What is written on the first row of a slate, every number divided by its unit."""
        seen = cls(layout, layout.actions)
        for at, unit in enumerate(layout.units()):
            number = slate.read(0, at)
            if number:
                seen.values[at] = number / unit
        return seen

    def piece(self, name: str) -> memoryview[float]:
        """A writable view of the piece, flat."""
        piece = self.layout[name]
        floats = cast("memoryview[float]", memoryview(self.values))
        return floats[piece.start : piece.end]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self.values == other.values and self.mask == other.mask

    __hash__ = None  # type: ignore[assignment]
