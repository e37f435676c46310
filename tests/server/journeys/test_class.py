"""A class of forty behind one address, at a server with default limits: no request and no message is refused."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from preau.server.http.static_files import STATIC
from tests.server.players import Player, connect_to_table, run
from tests.server.processes import DefaultServer
from tests.support import PATIENCE

PUPILS = 40
ADDRESS = "127.0.0.5"
CONNECTIONS = 6
"""Of one browser, as HTTP/1.1 has them."""
ANSWERS = ["/games", "/games/recess/texts/en", "/games/recess/rules/en", "/calls", "/challenges", "/tables", "/health"]
"""What the page asks the API for when it begins."""


def files() -> list[str]:
    """The addresses of all files of the built page."""
    names = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
    packed = {name for name in names if name.endswith((".br", ".gz")) and name.rpartition(".")[0] in names}
    return [f"/static/{name}" for name in sorted(names - packed)]


class Browser:
    """The HTTP side of one browser: six connections that stay open, and the status of every answer."""

    def __init__(self, port: int, statuses: list[int]) -> None:
        self._port = port
        self._statuses = statuses
        self._writers: list[asyncio.StreamWriter] = []
        self._free: asyncio.LifoQueue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = asyncio.LifoQueue()
        for _ in range(CONNECTIONS):
            self._free.put_nowait(None)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connection = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(ADDRESS, 0), limit=1_000_000)
        self._writers.append(connection[1])
        return connection

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """An answer: data from the API, or bytes."""
        connection = await self._free.get() or await self._connect()
        reader, writer = connection
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        writer.write(head.encode() + b"\r\n" + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        self._statuses.append(int(answer.split()[1]))
        found = await reader.readexactly(int(answer.partition("content-length: ")[2].split("\r\n")[0]))
        self._free.put_nowait(connection)
        assert self._statuses[-1] in (200, 201), (path, answer, found)
        return json.loads(found) if path.startswith("/api/") else found

    async def load(self, paths: list[str]) -> int:
        """The bytes of all these."""
        return sum(len(found) for found in await asyncio.gather(*(self.ask("GET", path) for path in paths)))

    async def close(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


class Pupil(Player):
    """A player whose connection comes from the address of the class."""

    async def open(self, last: int | None = None, *, opening: bool = False) -> Any:
        self.socket = await connect_to_table(self.bases[0], self.table, local_addr=(ADDRESS, 0))
        await self.send({"type": "join", "token": self.token})
        return await self.until("hello")


async def play(player: Player, rng: random.Random, steps: int) -> int:
    """Play until the table has gone so far; how many moves that were."""
    moves = 0
    while player.number < steps and player.result is None:
        if player.legal:
            answer = await player.act(rng.choice(player.legal))
            moves += answer["type"] == "step"
        else:
            await player.next()
    return moves


@pytest.mark.parametrize(
    ("people", "bots", "steps"),
    [
        pytest.param(4, 0, 80, id="ten tables of four pupils"),
        pytest.param(1, 2, 12, id="forty tables of one pupil and two bots"),
    ],
)
def test_forty_browsers_behind_one_address_are_not_refused(tmp_path, people, bots, steps):
    """Each loads the front page and all its files. It makes a table, or joins one by its code, and plays meanwhile."""
    paths = files()
    assert len(paths) > 100, "the page is not built: `make page`"
    server = DefaultServer(tmp_path)
    statuses: list[int] = []
    messages: list[Any] = []
    moves: list[int] = []

    async def pupil(number: int, codes: list[asyncio.Future[str]]) -> None:
        browser = Browser(server.port, statuses)
        table, host = divmod(number, people)
        try:
            assert await browser.ask("GET", "/")
            loading = asyncio.create_task(browser.load(paths))
            await asyncio.gather(*(browser.ask("GET", f"/api{path}") for path in ANSWERS))
            if host == 0:
                seats = [
                    {"kind": "me"},
                    *[{"kind": "open"}] * (people - 1),
                    *[{"kind": "bot", "level": "random"}] * bots,
                ]
                made = await browser.ask("POST", "/api/tables", {"game": "recess", "seats": seats})
                codes[table].set_result(made["table"]["code"])
            else:
                found = await browser.ask("GET", f"/api/codes/{await codes[table]}")
                made = await browser.ask("POST", f"/api/tables/{found['id']}/join", {"name": f"Pupil {number}"})
            player = Pupil(server.url, made["table"]["id"], made["token"])
            await player.open()
            if host == 0:
                if people > 1:
                    await everyone[table].wait()
                await browser.ask("POST", f"/api/tables/{made['table']['id']}/start", token=made["token"])
            else:
                arrived[table] += 1
                if arrived[table] == people - 1:
                    everyone[table].set()
            moves.append(await play(player, random.Random(number), steps))
            messages.extend(player.traffic)
            assert await loading > 1_000_000
            await player.close()
        finally:
            await browser.close()

    arrived = [0] * (PUPILS // people)
    everyone: list[asyncio.Event] = []

    async def story() -> None:
        codes = [asyncio.get_running_loop().create_future() for _ in arrived]
        everyone.extend(asyncio.Event() for _ in arrived)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(pupil(number, codes) for number in range(PUPILS)))

    try:
        run(story())
        metrics = server.ask("GET", "/metrics").text
    finally:
        server.stop()
    assert len(statuses) > PUPILS * (len(paths) + len(ANSWERS))
    assert set(statuses) == {200, 201}
    assert len(moves) == PUPILS
    assert sum(moves) > PUPILS * steps / (people + bots) / 4
    assert not [message for message in messages if message["type"] == "bye" or message.get("key") == "rate"]
    assert 'preau_requests_total{status="429"}' not in metrics
