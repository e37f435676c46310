"""Whether all open cells can be reached, however four sections lie (R2): all 6,144 layouts at once.

Two sections meet along six cells, and two halves of the yard along twelve. So of a section only this matters: into
how many pieces its open cells fall, and where each of them touches the sides inside the yard. From that follow the
pieces of an upper half, for each pair of sections in their turns, and from two halves the yard. A lower half is an
upper one seen from across the table: the safety squares (R3) too change places then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

Turned = Sequence[Sequence[str]]
"""The rows of a section, top row first, in each of its four turns."""
Piece = tuple[int, int]
"""Open cells that hang together, as masks: where they touch the section beside theirs, and where the other half."""
Half = tuple[int, ...]
"""The pieces of a half: for each a mask of the twelve cells where it touches the other half."""
Halves = dict[tuple[str, ...], list[Half]]
"""Halves by the letters of their left and right section, then by the turns of these."""

WIDE = 6
LAST = WIDE - 1
TURNS = tuple(product(range(4), range(4)))
"""The turns of the two sections of a half, in order."""
LEFT = sum(1 << WIDE * row for row in range(WIDE))
"""The first column of a section, as a mask of its cells row by row from the top."""
RIGHT = LEFT << LAST
SAFETY = sum(1 << WIDE * row + column for row in (0, 1) for column in (LAST - 1, LAST))
"""The girls' safety square, which covers what is under it: the outer corner of the section at the top right."""


def cut_off(sections: Mapping[str, Turned]) -> str:
    """The first layout that cuts some open cells off, or an empty string if there is none.

    Layouts come by the order of the letters, then by the turns, of which the last changes first.
    """
    upper, lower = _halves(sections)
    for order in permutations(sections):
        for above, one in enumerate(upper[order[:2]]):
            for below, other in enumerate(lower[order[2:]]):
                if not _hang_together(one, other):
                    turns = (*TURNS[above], *TURNS[below])
                    return " ".join(f"{letter}{turn}" for letter, turn in zip(order, turns, strict=True))
    return ""


def _halves(
    sections: Mapping[str, Turned],
) -> tuple[dict[tuple[str, ...], list[Half]], dict[tuple[str, ...], list[Half]]]:
    """The upper and the lower halves."""
    at_left = {letter: [_at_left(rows) for rows in turned] for letter, turned in sections.items()}
    at_right = {letter: [_at_right(rows) for rows in turned] for letter, turned in sections.items()}
    upper: Halves = {}
    lower: Halves = {}
    for left, right in permutations(sections, 2):
        halves = [
            tuple(mask for _, mask in _joined([*at_left[left][one], *at_right[right][other]])) for one, other in TURNS
        ]
        across = [halves[TURNS.index(((one + 2) % 4, (other + 2) % 4))] for other, one in TURNS]
        upper[left, right] = halves
        lower[right, left] = [tuple(MIRROR[mask] for mask in half) for half in across]
    return upper, lower


def _hang_together(one: Half, other: Half) -> bool:
    """Whether two halves make one piece; each has an open cell, in its safety square."""
    if len(other) == 1:
        one, other = other, one
    if len(one) > 1:
        return len(_joined([(piece, 0) for piece in (*one, *other)])) == 1
    whole = one[0]
    for piece in other:  # noqa: SIM110, asked 6,144 times, and `all` takes twice as long
        if not piece & whole:
            return False
    return True


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with those made one that meet where their first masks say."""
    groups: list[Piece] = []
    for piece in pieces:
        joint, rest = piece
        apart = []
        for group in groups:
            if group[0] & joint:
                joint |= group[0]
                rest |= group[1]
            else:
                apart.append(group)
        groups = [*apart, (joint, rest)]
    return groups


def _at_left(rows: Sequence[str]) -> list[Piece]:
    """The pieces of a section at the top left."""
    return [(_column(piece, LAST), piece >> WIDE * LAST) for piece in _pieces(_open_cells(rows))]


def _at_right(rows: Sequence[str]) -> list[Piece]:
    """The pieces of a section at the top right."""
    return [(_column(piece, 0), piece >> WIDE * LAST << WIDE) for piece in _pieces(_open_cells(rows) | SAFETY)]


def _open_cells(rows: Sequence[str]) -> int:
    return sum(1 << cell for cell, letter in enumerate("".join(rows)) if letter == ".")


def _pieces(cells: int) -> Iterator[int]:
    """The cells that hang together by orthogonal steps, group by group."""
    while cells:
        piece = 0
        wider = cells & -cells
        while wider != piece:
            piece = wider
            wider |= piece << WIDE | piece >> WIDE | (piece & ~RIGHT) << 1 | (piece & ~LEFT) >> 1
            wider &= cells
        yield piece
        cells &= ~piece


def _column(piece: int, column: int) -> int:
    """Which rows of a column belong to a piece."""
    return sum(1 << row for row in range(WIDE) if piece >> WIDE * row + column & 1)


MIRROR = [int(f"{mask:012b}"[::-1], 2) for mask in range(1 << 2 * WIDE)]
"""Masks of twelve cells, read from the other end."""
