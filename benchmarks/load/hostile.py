"""Honest tables flat out, alone and beside an attack, in turns: what an attacker can take from them.

Everybody has an address of their own on this machine's loopback, all limits are as they come, and each seat is another
person's. The attacker's program runs where the honest clients run, and steps back behind them: only what it does to
the server is measured. The server, with all its processes, has the other core.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import ours
from .attacks import LASTING
from .measure import Figures, hang_up, memory

ROUNDS = 3
"""Times that peace and attack take turns."""
FEWEST = 250
"""Tables. With fewer of them a seat would send more messages a second than its rate limit allows."""
WARM = 1.0
"""Seconds before anything is counted."""
HEAD = (
    f"{'beside the attack':<20} {'p99 ms':>8} {'alone':>8} {'ratio':>6} {'moves/s':>8} {'alone':>8} {'MB more':>8}"
    "  answers to the attacker"
)


class Table(ours.Table):
    """A table of strangers."""

    async def open(self) -> None:
        """Make the table, let the others come, begin."""
        seats = ours.SEATS[self.game]
        wish = {
            "game": self.game,
            "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)],
            "options": ours.LONG.get(self.game, {}),
        }
        made: Any = await self.call("POST", "/tables", wish)
        self.id = made["table"]["id"]
        joined: list[Any] = [await self.call("POST", f"/tables/{self.id}/join", {}) for _ in range(seats - 1)]
        self.tokens = [one["token"] for one in (made, *joined)]
        await self.call("POST", f"/tables/{self.id}/start", token=self.tokens[0])
        await self.connect()


class Attacker:
    """The program that attacks."""

    def __init__(self, name: str, port: int) -> None:
        command = [sys.executable, "-m", "benchmarks.load.attacks", name, str(port)]
        self._process = subprocess.Popen(
            ["nice", "-n", "19", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ours.ROOT
        )

    def say(self, word: str) -> None:
        """`go` or `stop`."""
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()

    async def end(self) -> dict[str, int]:
        """What it was answered."""
        said, _ = await asyncio.to_thread(self._process.communicate)
        answers: dict[str, int] = json.loads(said)
        return answers


@dataclass
class Beside:
    """The figures of one attack."""

    name: str
    alone: Figures = field(default_factory=lambda: Figures("alone"))
    attacked: Figures = field(default_factory=lambda: Figures("attacked"))
    more_bytes: int = 0
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """How much longer the slowest hundredth of the moves took."""
        return self.attacked.percentile(0.99) / self.alone.percentile(0.99)

    def row(self) -> str:
        """One line of the table."""
        said = sorted(self.answers.items(), key=lambda one: -one[1])
        return (
            f"{self.name:<20} {self.attacked.percentile(0.99):>8.1f} {self.alone.percentile(0.99):>8.1f} "
            f"{self.ratio:>6.2f} {self.attacked.rate:>8.0f} {self.alone.rate:>8.0f} {self.more_bytes / 1e6:>8.1f}  "
            + ", ".join(f"{what} {times}" for what, times in said)
        )


async def drive(name: str, tables: int, seconds: float, core: int | None) -> Beside:
    """One attack."""
    process = ours.Process(core, {})
    found = Beside(name)
    try:
        honest = [Table(process, "recess", Figures(""), 0.0, _address(number)) for number in range(tables)]
        for table in honest:
            await table.open()
        while any(table.greeted < ours.SEATS[table.game] for table in honest):
            await asyncio.sleep(0.05)
        attacker = Attacker(name, process.port)
        for table in honest:
            table.go()
        await asyncio.sleep(WARM)
        before = memory(process.pid)
        rounds = 1 if name in LASTING else ROUNDS
        for _ in range(rounds):
            found.alone.add(await _window(process.pid, honest, seconds / rounds))
            attacker.say("go")
            _reviewing(process.pid, signal.SIGCONT)
            await asyncio.sleep(WARM)
            found.attacked.add(await _window(process.pid, honest, seconds / rounds))
            found.more_bytes = max(found.more_bytes, memory(process.pid) - before)
            attacker.say("stop")
            _reviewing(process.pid, signal.SIGSTOP)
            await asyncio.sleep(WARM)
        found.answers = await attacker.end()
        hang_up(honest)
    finally:
        process.stop()
    return found


def _address(number: int) -> str:
    return f"127.1.{number // 250}.{number % 250 + 1}"


def _reviewing(pid: int, what: signal.Signals) -> None:
    """Let the process that works out reviews rest or go on: what is asked for while it works is not done by then."""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            if os.sched_getscheduler(child) == os.SCHED_IDLE:
                os.kill(child, what)


async def _window(pid: int, honest: list[Table], seconds: float) -> Figures:
    """What is counted in so many seconds."""
    figures, turns = Figures(""), [table.turn for table in honest]
    for table in honest:
        table.figures = figures
    figures.begin(pid)
    await asyncio.sleep(seconds)
    figures.end(pid)
    for table in honest:
        table.figures = Figures("")
    still = sum(table.turn == turn for table, turn in zip(honest, turns, strict=True))
    if still:
        raise AssertionError(f"{still} of the honest tables stand still")
    return figures
