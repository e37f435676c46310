"""Positions as numbers, for learning: named pieces in one flat array, seen from one seat."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast


class Piece:
    """One named block of an observation: where it starts and its shape."""

    def __init__(self, name: str, shape: tuple[int, ...], start: int) -> None:
        self.name = name
        self.shape = shape
        self.start = start
        self.size = 1
        for side in shape:
            self.size *= side

    def __repr__(self) -> str:
        return f"Piece({self.name!r}, {self.shape}, start={self.start})"


class Layout:
    """The pieces of a game's observations, one after another in one flat array of floats.

    >>> layout = Layout([("coins", (3,)), ("board", (2, 4))])
    >>> layout.size, layout["board"].start
    (11, 3)
    """

    def __init__(self, pieces: Sequence[tuple[str, tuple[int, ...]]]) -> None:
        self.pieces: list[Piece] = []
        start = 0
        for name, shape in pieces:
            piece = Piece(name, shape, start)
            self.pieces.append(piece)
            start += piece.size
        self.size = start
        self._by_name = {piece.name: piece for piece in self.pieces}

    def __getitem__(self, name: str) -> Piece:
        return self._by_name[name]


class Observation:
    """What one seat can know, as numbers: a flat array, and a mask over the game's action numbering.

    `values` is one `array('f')`; `piece(name)` is a view into it, not a copy. `mask[i]` is 1 where the action with
    number i is legal for this seat now.
    """

    def __init__(self, layout: Layout, actions: int) -> None:
        self.layout = layout
        self.values = array("f", bytes(4 * layout.size))
        self.mask = bytearray(actions)

    def piece(self, name: str) -> memoryview[float]:
        """A writable view of the piece, flat."""
        piece = self.layout[name]
        floats = cast("memoryview[float]", memoryview(self.values))
        return floats[piece.start : piece.start + piece.size]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self.values == other.values and self.mask == other.mask

    __hash__ = None  # type: ignore[assignment]
