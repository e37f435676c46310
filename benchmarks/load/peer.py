"""boardgame.io's server under the same load, over its own protocol (socket.io on a WebSocket)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .measure import Figures, count, free_port, memory
from .websocket import Client, connect

FOLDER = Path(__file__).parent / "boardgameio"
GAMES = ("tic-tac-toe", "cards", "cards-on-disk")
CELLS = (0, 1, 2, 4, 3, 5, 7, 6)
"""An order of cells in which nobody wins before the eighth move."""


def install() -> None:
    """Fetch boardgame.io once, from whichever registry npm is set up for."""
    if not (FOLDER / "node_modules").is_dir():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("boardgame.io needs npm: install Node.js, or leave tic-tac-toe and cards out")
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--silent"], cwd=FOLDER, check=True)


class Process:
    """boardgame.io's server on one core."""

    def __init__(self, core: int | None, *, on_disk: bool) -> None:
        install()
        self._folder = tempfile.TemporaryDirectory(prefix="preau-load-")
        self.port = free_port()
        command = ["node", "server.js", str(self.port), *([self._folder.name] if on_disk else [])]
        environment = {**os.environ, "NODE_ENV": "production"}
        self._process = subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.DEVNULL, env=environment)
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.pid = self._process.pid
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("boardgame.io does not answer")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


class Table:
    """One match with two players, each on a line of their own."""

    def __init__(self, process: Process, game: str, figures: Figures) -> None:
        self.process = process
        self.game = game
        self.figures = figures
        self.clients: list[Client] = []
        self.on = False
        self.most = len(CELLS) - 1 if game == "tic-tac-toe" else 50

    async def open(self) -> None:
        self.id = f"m{random.getrandbits(60)}"
        self.turn = self.synced = self.seen = 0
        for player in (0, 1):
            client = await connect(
                "127.0.0.1",
                self.process.port,
                "/socket.io/?EIO=4&transport=websocket",
                lambda one, data, player=player: self.hear(player, one, data),  # type: ignore[misc]
            )
            self.clients.append(client)

    def hear(self, player: int, client: Client, data: bytes) -> None:
        if data.startswith(b"0"):
            client.send(f"40/{self.game},".encode())
        elif data.startswith(b"2"):
            client.send(b"3")
        elif data.startswith(b"40"):
            self.say(client, ["sync", self.id, str(player), None, 2])
        elif data.startswith(b"42"):
            kind = json.loads(data[data.index(b",") + 1 :])[0]
            if kind == "sync":
                self.synced += 1
                if self.synced == 2 and self.on:
                    self.move()
            elif kind in ("update", "patch"):
                self.seen += 1
                if self.seen == 2:
                    self.seen = 0
                    self.turn += 1
                    self.figures.seen(time.perf_counter() - self.sent)
                    self.move()

    def say(self, client: Client, what: list[object]) -> None:
        client.send(f"42/{self.game},{json.dumps(what)}".encode())

    def go(self) -> None:
        self.on = True
        self.move()

    def move(self) -> None:
        if not self.on:
            return
        if self.turn >= self.most:
            asyncio.get_running_loop().create_task(self._again())
            return
        player = self.turn % 2
        name, place = ("clickCell", CELLS[self.turn]) if self.game == "tic-tac-toe" else ("play", 0)
        action = {
            "type": "MAKE_MOVE",
            "payload": {"type": name, "args": [place], "playerID": str(player), "credentials": None},
        }
        self.sent = time.perf_counter()
        self.say(self.clients[player], ["update", action, self.turn, self.id, str(player)])

    async def _again(self) -> None:
        for client in self.clients:
            client.close()
        self.clients.clear()
        await self.open()


async def drive(game: str, tables: int, seconds: float, core: int | None) -> Figures:
    """One run, flat out."""
    on_disk = game.endswith("-on-disk")
    process = Process(core, on_disk=on_disk)
    figures = Figures(f"boardgame.io {game}, flat out", tables=tables, sockets=2 * tables)
    try:
        all_tables = []
        empty = memory(process.pid)
        for _ in range(tables):
            table = Table(process, game.removesuffix("-on-disk"), figures)
            await table.open()
            all_tables.append(table)
        while any(table.synced < 2 for table in all_tables):
            await asyncio.sleep(0.05)
        figures.idle_bytes = (memory(process.pid) - empty) / tables
        await count(figures, process.pid, all_tables, seconds)
    finally:
        process.stop()
    return figures
