"""Our server under load: tables where every seat has a line of its own and moves as soon as it is asked."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path

import msgspec

from .measure import Figures, count, free_port, memory
from .websocket import Client, connect

ROOT = Path(__file__).resolve().parent.parent.parent
SEATS = {"recess": 3, "bagarre": 2, "cour": 2}
LONG = {"recess": {"turns": 300}}


class Seen(msgspec.Struct):
    """The little of a message that a scripted client looks at."""

    type: str
    number: int = 0
    legal: list[str] = []
    to_act: list[int] = []
    n: int = 0


_decode = msgspec.json.Decoder(Seen).decode


NO_LIMITS = {
    "requests_per_second": 0,
    "tables_per_minute": 0,
    "tables_kept_per_address": 0,
    "guesses_per_minute": 0,
    "messages_per_second": 0,
    "connections_per_address": 0,
    "sockets_per_address": 0,
}
"""For load that all comes from one address."""


class Process:
    """A server process on one core, of this checkout or of another one that is set up."""

    def __init__(self, core: int | None, limits: dict[str, int], root: Path = ROOT) -> None:
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="preau-load-")
        settings = {
            "port": self.port,
            "database": f"sqlite:///{self.folder.name}/preau.db",
            "bot_workers": 1,
            "log_level": "warning",
            "silence_ms": 600_000,
            "limits": limits,
        }
        program = (
            "import sys, msgspec; from preau.server.config import Config; from preau.server.runner import run; "
            "run(msgspec.json.decode(sys.argv[1], type=Config))"
        )
        environment = {**os.environ, "PYTHONPATH": str(root / "src")}
        python = sys.executable if root == ROOT else str(root / ".venv" / "bin" / "python")
        self._process = subprocess.Popen([python, "-c", program, json.dumps(settings)], env=environment)
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.pid = self._process.pid
        self._wait()

    def _wait(self) -> None:
        for _ in range(400):
            try:
                self.call("GET", "/health")
                return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the server does not answer")

    def call(
        self, method: str, path: str, body: object = None, token: str = "", source: str = "127.0.0.1"
    ) -> dict[str, object]:
        """An answer over HTTP; `source` is the address of whoever asks."""
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        line = HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(source, 0))
        line.request(method, f"/api{path}", None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        found: dict[str, object] = json.loads(answer.read())
        if answer.status >= 400:
            raise OSError(f"{method} {path}: {found}")
        return found

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        self.folder.cleanup()


class Table:
    """One table: all its seats, driven together."""

    def __init__(self, process: Process, game: str, figures: Figures, pause: float, source: str = "127.0.0.1") -> None:
        self.process = process
        self.source = source
        """The address of those who play here."""
        self.game = game
        self.figures = figures
        self.pause = pause
        self.clients: list[Client] = []
        self.number = 0
        self.waiting = 0
        self.sent = 0.0
        self.turn = 0
        self.on = False
        self.legal: dict[int, list[str]] = {}
        self.to_act: list[int] = []
        self.greeted = 0
        self.renewing = False

    @property
    def still(self) -> bool:
        """Whether nothing is under way at it."""
        return self.waiting <= 0 and not self.renewing and self.greeted == SEATS[self.game]

    async def call(self, method: str, path: str, body: object = None, token: str = "") -> dict[str, object]:
        """An answer over HTTP, while the others play on."""
        return await asyncio.to_thread(self.process.call, method, path, body, token, self.source)

    async def open(self) -> None:
        """Make the table."""
        seats = SEATS[self.game]
        wish = {
            "game": self.game,
            "seats": [{"kind": "me"}] * seats,
            "options": LONG.get(self.game, {}),
            "start": True,
        }
        made = await self.call("POST", "/tables", wish)
        self.tokens, self.id = [str(made["token"])] * seats, str(made["table"]["id"])  # type: ignore[index]
        await self.connect()

    async def connect(self) -> None:
        """A line for each seat."""
        self.greeted = 0
        for seat in range(SEATS[self.game]):
            client = await connect(
                "127.0.0.1",
                self.process.port,
                f"/api/tables/{self.id}/socket",
                lambda one, data, seat=seat: self.hear(seat, one, data),  # type: ignore[misc]
                source=self.source,
            )
            client.send(json.dumps({"type": "join", "token": self.tokens[seat], "seat": seat}).encode())
            self.clients.append(client)

    def hear(self, seat: int, client: Client, data: bytes) -> None:
        """A message to one seat."""
        message = _decode(data)
        if message.type == "step":
            self.legal[seat] = message.legal
            self.waiting -= 1
            if self.waiting == 0:
                self.figures.seen(time.perf_counter() - self.sent)
                self.number, self.to_act = message.number, message.to_act
                self.move()
        elif message.type == "ping":
            client.send(b'{"type":"pong","n":%d}' % message.n)
        elif message.type == "hello":
            self.legal[seat] = message.legal
            self.number, self.to_act = message.number, message.to_act
            self.greeted += 1
            if self.greeted == SEATS[self.game] and self.on:
                self.move()
        elif message.type in ("refused", "bye"):
            raise AssertionError(data)

    def go(self) -> None:
        """Begin to move."""
        self.on = True
        if self.pause:
            asyncio.get_running_loop().call_later(random.random() * self.pause, self.send)
        else:
            self.send()

    def move(self) -> None:
        """Somebody is asked: answer, at once or after a pause."""
        if not self.on:
            return
        if self.pause:
            asyncio.get_running_loop().call_later(self.pause * (0.5 + random.random()), self.send)
        else:
            self.send()

    def send(self) -> None:
        if not self.to_act:
            asyncio.get_running_loop().create_task(self._again())
            return
        seat = self.to_act[0]
        self.turn += 1
        self.waiting = len(self.clients)
        wish = {"type": "act", "id": f"m{self.turn}", "at": self.number, "action": random.choice(self.legal[seat])}
        self.sent = time.perf_counter()
        self.clients[seat].send(msgspec.json.encode(wish))

    async def _again(self) -> None:
        self.renewing = True
        made = await self.call("POST", f"/tables/{self.id}/rematch", token=self.tokens[0])
        self.id = str(made["id"])
        for client in self.clients:
            client.close()
        self.clients.clear()
        await self.connect()
        self.renewing = False


async def seat_all(process: Process, game: str, tables: int, figures: Figures, pause: float) -> list[Table]:
    """Tables with a line for each seat, and nobody moving yet."""
    empty, first = 0, min(50, tables // 2)
    found: list[Table] = []
    for number in range(tables):
        if number == first:
            empty = memory(process.pid)
        table = Table(process, game, figures, pause)
        await table.open()
        found.append(table)
    while any(table.greeted < SEATS[game] for table in found):
        await asyncio.sleep(0.05)
    figures.tables, figures.sockets = tables, tables * SEATS[game]
    figures.idle_bytes = (memory(process.pid) - empty) / max(1, tables - first)
    return found


async def drive(game: str, tables: int, seconds: float, pause: float, core: int | None) -> Figures:
    """One run."""
    process = Process(core, NO_LIMITS)
    kind = f"every {pause:g} s" if pause else "flat out"
    figures = Figures(f"preau {game}, {kind}")
    try:
        await count(figures, process.pid, await seat_all(process, game, tables, figures, pause), seconds)
    finally:
        process.stop()
    return figures
