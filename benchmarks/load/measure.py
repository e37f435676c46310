"""What both drivers share: the figures of one run, and how it is timed."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from .websocket import Client

_CPU_CLOCK = 2
"""Which of a process's clocks counts what the scheduler gave to it (Linux)."""


def cpu_seconds(pid: int) -> float:
    """CPU time a process and its threads have used, to the nanosecond: on a busy machine a turn of a second brings a
    server a few ticks of 10 ms only.
    """
    return time.clock_gettime(~pid << 3 | _CPU_CLOCK)


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


@dataclass
class Figures:
    """The figures of one run."""

    name: str
    tables: int = 0
    sockets: int = 0
    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    idle_bytes: float = 0.0
    waits: list[float] = field(default_factory=list)
    _begun: tuple[float, float] = (0.0, 0.0)

    def begin(self, pid: int) -> None:
        """Start to count."""
        self.moves, self.waits = 0, []
        self._begun = (time.perf_counter(), cpu_seconds(pid))

    def end(self, pid: int) -> None:
        """Stop counting."""
        self.seconds = time.perf_counter() - self._begun[0]
        self.cpu = cpu_seconds(pid) - self._begun[1]

    def seen(self, wait: float) -> None:
        """Everybody has seen a move, this long after it was sent."""
        self.moves += 1
        self.waits.append(wait)

    def add(self, other: Figures) -> None:
        """Count what was counted at another time, too."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.cpu += other.cpu
        self.waits += other.waits

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds if self.seconds else 0.0

    def percentile(self, share: float) -> float:
        """Milliseconds within which this share of the moves was seen by everybody."""
        waits = sorted(self.waits)
        return waits[min(len(waits) - 1, int(share * len(waits)))] * 1000 if waits else 0.0

    def row(self) -> str:
        """One line of the table."""
        per_cpu = self.moves / self.cpu if self.cpu else 0.0
        return (
            f"{self.name:<34} {self.tables:>6} {self.sockets:>7} {self.rate:>9.0f} {per_cpu:>11.0f} "
            f"{self.percentile(0.5):>8.1f} {self.percentile(0.99):>8.1f} {self.idle_bytes / 1024:>9.1f}"
        )


HEAD = (
    f"{'':<34} {'tables':>6} {'sockets':>7} {'moves/s':>9} {'moves/cpu s':>11} {'p50 ms':>8} {'p99 ms':>8} "
    f"{'kB/table':>9}"
)


class Table(Protocol):
    """A table, as both drivers know it."""

    on: bool
    clients: list[Client]

    def go(self) -> None:
        """Begin to move."""


async def count(figures: Figures, pid: int, tables: Sequence[Table], seconds: float) -> None:
    """Let all tables move, count for so many seconds once they are warm, then hang up."""
    for table in tables:
        table.go()
    await asyncio.sleep(min(3.0, seconds / 2))
    figures.begin(pid)
    await asyncio.sleep(seconds)
    figures.end(pid)
    hang_up(tables)


def hang_up(tables: Sequence[Table]) -> None:
    """Let nobody move any more."""
    for table in tables:
        table.on = False
        for client in table.clients:
            client.close()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
