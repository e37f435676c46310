"""The yard of one game as tables: where one can walk, what a nun sees, where a shove can go (R2 to R4, R14, R24, R28).

Cells are numbered in board order, `a1` = 0, `b1` = 1, .. `l12` = 143. The two entrances follow: 144 the boys', 145 the
girls'. Tables are built once per yard and shared by all positions on it.
"""

from __future__ import annotations

from typing import Final

from ...core.mypyc_shims import i64

SIDE: Final = 12
CELLS: Final = 144
BOYS_ENTRANCE: Final = 144
GIRLS_ENTRANCE: Final = 145

CELL_NAMES: Final = [f"{column}{row}" for row in range(1, 13) for column in "abcdefghijkl"]
CELL_NUMBERS: Final = {name: number for number, name in enumerate(CELL_NAMES)}

BOYS_SAFETY: Final = (0, 1, 12, 13)
GIRLS_SAFETY: Final = (130, 131, 142, 143)
SAFETY_NAMES: Final = [CELL_NAMES[cell] for cell in BOYS_SAFETY + GIRLS_SAFETY]

_ROOK: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""To the side, up, back, down: of two ways that are as good, a walk is shown on the one that comes first."""
_QUEEN: Final = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


_MADE: Final = [0]
"""How many yards were made."""


class Yard:
    """All tables of one yard.

    `ground` is a string of 144 letters in board order, `.` for open ground; safety squares are already laid over it.
    """

    def __init__(self, layout: str, ground: str, exits: str, shove: int) -> None:
        _MADE[0] += 1
        self.number = _MADE[0]
        """No other yard has it."""
        self.layout = layout
        self.ground = ground
        self.exits = exits
        self.shove = shove
        is_open = [letter == "." for letter in ground]
        safety = [False] * CELLS
        for cell in BOYS_SAFETY + GIRLS_SAFETY:
            safety[cell] = True
        self.open = is_open
        self.blocked = [cell for cell in range(CELLS) if not is_open[cell]]
        """The cells that equipment stands on."""
        self.safety = safety
        beside: list[list[int]] = []
        around: list[list[int]] = []
        rays: list[list[int]] = []
        sight = bytearray(CELLS * CELLS)
        neighbours = _QUEEN if shove == 8 else _ROOK
        for cell in range(CELLS):
            beside.append([])
            around.append([])
            rays.append([])
            if not is_open[cell]:
                continue
            column = cell % SIDE
            row = cell // SIDE
            sight[cell * CELLS + cell] = 1
            for dx, dy in _ROOK:
                x = column + dx
                y = row + dy
                if 0 <= x < SIDE and 0 <= y < SIDE and is_open[y * SIDE + x]:
                    beside[cell].append(y * SIDE + x)
            for dx, dy in neighbours:
                x = column + dx
                y = row + dy
                if 0 <= x < SIDE and 0 <= y < SIDE and is_open[y * SIDE + x] and not safety[y * SIDE + x]:
                    around[cell].append(y * SIDE + x)
            around[cell].sort()
            for dx, dy in _QUEEN:
                x = column + dx
                y = row + dy
                while 0 <= x < SIDE and 0 <= y < SIDE and is_open[y * SIDE + x]:
                    rays[cell].append(y * SIDE + x)
                    sight[cell * CELLS + y * SIDE + x] = 1
                    x += dx
                    y += dy
            rays[cell].sort()
        beside.append([0] if exits == "corner" else [0, 1, 12])
        beside.append([143] if exits == "corner" else [143, 142, 131])
        self.beside = beside
        """The cells beside each cell; then those that each entrance opens on, its corner first (R4)."""
        self.walk1 = [sorted(cells) for cells in beside]
        """Where exactly one step leads, from every cell and entrance, in board order (R14)."""
        self.walk2 = _one_more_step(self.walk1, beside)
        self.walk3 = _one_more_step(self.walk2, beside)
        self.around = around
        """The cells next to each cell that a shove may use (R28)."""
        self.rays = rays
        """Where a nun can go from each cell (R31)."""
        self.sight = bytes(sight)
        """`sight[144 * nun + cell]` is 1 if a nun on the one sees the other (R24)."""
        self._seen_from: dict[int, str] = {}

    def seen_from(self, nun: i64) -> str:
        """The names of the cells that a nun on a cell sees, in board order."""
        found = self._seen_from.get(nun)
        if found is None:
            sight = self.sight
            found = " ".join([CELL_NAMES[cell] for cell in range(CELLS) if sight[CELLS * nun + cell]])
            self._seen_from[nun] = found
        return found

    def walks(self, steps: int) -> list[list[int]]:
        """The table for a walk of exactly `steps` steps."""
        if steps == 3:
            return self.walk3
        if steps == 2:
            return self.walk2
        return self.walk1

    def ways(self, start: i64, end: i64, steps: i64) -> list[list[int]]:
        """All ways to walk 2 or 3 steps from a cell or entrance to a cell: of each the cells between."""
        beside = self.beside
        if steps == 2:
            return [[cell] for cell in beside[start] if next_to(cell, end)]
        return [[cell, other] for cell in beside[start] for other in beside[cell] if next_to(other, end)]


def next_to(cell: i64, other: i64) -> bool:
    """Whether two cells have a side in common."""
    apart = other - cell
    if apart in (1, -1):
        return cell // SIDE == other // SIDE
    return apart in (SIDE, -SIDE)


def _one_more_step(walks: list[list[int]], beside: list[list[int]]) -> list[list[int]]:
    longer: list[list[int]] = []
    for ends in walks:
        cells: set[int] = set()
        for end in ends:
            cells.update(beside[end])
        longer.append(sorted(cells))
    return longer
