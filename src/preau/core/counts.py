"""What a game has counted in the lab, beyond what all games have: declared in `lab.py` of its folder.

A table has things (cards, cells of a board, deeds) and columns, which say what is counted of each: how often it
happened or was had, by seat. Everything is counted by a `Watch` of one game, from what happens and how it stands in the
end. What the things and columns are called stands in `texts/lab/<language>.json` of the folder: `<table>` and
`<table>.about` for the table, `column.<name>` for a column, and `ending.<reason>` for how games end; things are called
`<words>.<thing>` there or in the game's own texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .state import Event, State


class Column(NamedTuple):
    """One thing that is counted. It is told by game, or by how often something else was counted, that of column `per`:
    fights won by fights fought.
    """

    name: str
    per: str = ""
    part: bool = False
    """Whether it is a part of what `per` counts, and so never more: it is told in per cent."""


class Table(NamedTuple):
    """What is counted of some things of one kind."""

    name: str
    things: Sequence[str]
    columns: Sequence[Column]
    words: str = ""
    """What stands before the name of a thing in the key of its text; nothing where names speak for themselves."""
    width: int = 0
    """Where the things are the cells of a board, row by row from the bottom: how many there are in a row. A table
    of this kind is drawn as a map for each column.
    """
    blank: Sequence[str] = ()
    """Cells that there is nothing to be counted on."""
    brings: bool = True
    """Whether to say how seats fared that had something in the first column."""


class Watch:
    """Counts in one game. A game says in a subclass what."""

    def __init__(self, state: State) -> None:
        self.counts: Counter[tuple[str, str, str, int]] = Counter()

    def add(self, table: str, column: str, thing: str, seat: int, times: int = 1) -> None:
        """Count something that a seat did, had or got."""
        self.counts[table, column, thing, seat] += times

    def see(self, event: Event) -> None:
        """Something happened."""

    def end(self, state: State) -> None:
        """The game is over."""

    def rows(self) -> Iterator[list[str | int]]:
        """What was counted, in an order of its own: table, column, thing, seat, how often."""
        for (table, column, thing, seat), times in sorted(self.counts.items()):
            if times:
                yield [table, column, thing, seat, times]
