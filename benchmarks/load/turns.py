"""Two servers of ours, this checkout's and another one's, take turns on one core under the same generator.

What the machine is busy with besides meets both, so the ratio of two windows side by side says which of them does more
for the same time. The other checkout has to be set up (`make build` there).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from . import ours
from .measure import Figures

WINDOW = 1.0
"""Seconds that one of them plays before it is the other's turn."""
HEAD = (
    f"{'beside the other checkout':<34} {'windows':>8} {'moves/cpu s':>12} {'other':>8} {'ratio':>6} {'kB/table':>9} "
    f"{'other':>8}"
)


@dataclass
class Turns:
    """The figures of both."""

    game: str
    mine: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    """Moves for a second of the server's CPU time, a window each."""
    bytes: tuple[float, float] = (0.0, 0.0)

    @property
    def ratio(self) -> float:
        """How many moves this one makes for one of the other: the median over the pairs of windows."""
        return median(one / other for one, other in zip(self.mine, self.others, strict=True))

    def row(self) -> str:
        """One line of the table."""
        return (
            f"{f'preau {self.game}, in turns':<34} {len(self.mine):>8} {median(self.mine):>12.0f} "
            f"{median(self.others):>8.0f} {self.ratio:>6.2f} {self.bytes[0] / 1024:>9.1f} {self.bytes[1] / 1024:>8.1f}"
        )


async def drive(game: str, tables: int, seconds: float, core: int | None, other: Path) -> Turns:
    """One game: so many seconds for each of the two."""
    found = Turns(game)
    both = [ours.Process(core, ours.NO_LIMITS, root) for root in (ours.ROOT, other)]
    try:
        figures = [Figures(""), Figures("")]
        halls = [
            await ours.seat_all(process, game, tables, one, 0.0) for process, one in zip(both, figures, strict=True)
        ]
        found.bytes = (figures[0].idle_bytes, figures[1].idle_bytes)
        for at in (0, 1):  # the first moves warm up
            await _window(both[at], halls[at], figures[at])
        for turn in range(max(2, round(seconds / WINDOW))):
            for at in (0, 1) if turn % 2 else (1, 0):
                (found.mine, found.others)[at].append(await _window(both[at], halls[at], figures[at]))
    finally:
        for process in both:
            process.stop()
    return found


async def _window(process: ours.Process, tables: list[ours.Table], figures: Figures) -> float:
    """Let the tables of one server move for a while; how many moves that made for a second of its time."""
    figures.begin(process.pid)
    for table in tables:
        table.go()
    await asyncio.sleep(WINDOW)
    for table in tables:
        table.on = False
    while not all(table.still for table in tables):
        await asyncio.sleep(0.01)
    figures.end(process.pid)
    return figures.moves / figures.cpu
