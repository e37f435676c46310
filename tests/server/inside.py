"""A whole server in the test's own process and event loop, on a real port: raw connections at one end, and what the
server knows at the other. Nothing there happens by itself as time goes by, so tests can say what time it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec

from preau.server.config import Config, Limits
from preau.server.hall import Hall
from preau.server.line import Line
from preau.server.run import Server, prepare, uvicorn_config
from preau.server.sockets import Socket
from tests.server.behind import guarded
from tests.server.services import free_port
from tests.support import PATIENCE

Json = dict[str, Any]


class Inside:
    """The server, its port, and what it consists of."""

    def __init__(self, folder: Path, limits: Limits, settings: Json) -> None:
        usual: Json = {"sweep_ms": 3_600_000, "request_ms": 3_600_000, "body_ms": 3_600_000, "join_ms": 3_600_000}
        self.raws: list[Raw] = []
        self.port = free_port()
        self.config = Config(
            port=self.port,
            database=f"sqlite:///{folder}/preau.db",
            bot_workers=1,
            limits=limits,
            **{**usual, **settings},
        )
        self.hall = Hall(self.config, neighbours=prepare(self.config))
        self.settings = uvicorn_config(self.config, guarded(self.hall))
        self.server = Server(self.settings, lambda: None)

    @property
    def crowd(self) -> Any:
        return self.settings.crowd

    async def call(self, method: str, path: str, body: Any = None, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            return await client.request(method, f"http://127.0.0.1:{self.port}/api{path}", json=body, headers=headers)

    async def table(self, seats: int = 3, **more: Any) -> Json:
        """A table of one person with all seats."""
        wish = {"game": "recess", "seats": [{"kind": "me"}] * seats, "options": {"first": 0}, **more}
        made: Json = (await self.call("POST", "/tables", wish)).json()
        return made

    async def dial(self, data: bytes = b"") -> Raw:
        """A bare connection."""
        raw = Raw(*await asyncio.open_connection("127.0.0.1", self.port))
        self.raws.append(raw)
        raw.write(data)
        return raw

    async def line(self, table: str, *, join: bool = True, headers: str = "", **wish: Any) -> Raw:
        """A bare line to a table."""
        raw = await self.dial(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 101 " in await raw.head()
        if join:
            raw.say(type="join", **wish)
            await raw.until("hello", "bye")
        return raw

    def sockets(self) -> list[Socket]:
        return list(self.hall.sockets.open)

    def ends(self) -> list[Line]:
        """The server's ends of all open lines."""
        return [socket._line for socket in self.sockets() if isinstance(socket._line, Line)]


class Raw:
    """The client's end of a connection, with nothing between it and the wire."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.closed: tuple[int, str] | None = None
        """The code and the reason of the server's close frame."""

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def drain(self) -> None:
        await self._writer.drain()

    def say(self, **message: Any) -> None:
        self.write(frame(json.dumps(message).encode()))

    async def head(self) -> bytes:
        return await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), PATIENCE)

    async def answer(self) -> tuple[int, Json]:
        """The status and the body of an HTTP answer."""
        head = (await self.head()).lower()
        size = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
        return int(head.split()[1]), json.loads(await self._reader.readexactly(size))

    async def end(self) -> bytes:
        """All that comes until the server ends it."""
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(self._reader.read(), PATIENCE)
        return b""

    async def frame(self) -> tuple[int, bytes]:
        """The next frame; the first byte is 0 when there will be none."""
        try:
            first, size = await asyncio.wait_for(self._reader.readexactly(2), PATIENCE)
            if size > 125:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            payload = await asyncio.wait_for(self._reader.readexactly(size), PATIENCE)
        except (asyncio.IncompleteReadError, ConnectionError):
            return 0, b""
        if first == 0x88:
            self.closed = int.from_bytes(payload[:2], "big"), payload[2:].decode()
        return first, payload

    async def next(self) -> Json | None:
        """The next message; None when there will be none."""
        while True:
            first, payload = await self.frame()
            if first == 0x81:
                found: Json = json.loads(payload)
                return found
            if first in (0, 0x88):
                return None

    async def until(self, *kinds: str) -> Json:
        while (message := await self.next()) is not None:
            if message["type"] in kinds:
                return message
        raise AssertionError(f"closed with {self.closed} before {kinds}")

    def hang_up(self) -> None:
        self._writer.transport.abort()


def frame(payload: bytes, *, first: int = 0x81, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """A client's frame: by default a whole text message."""
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


async def until(check: Callable[[], object]) -> None:
    """Let the server work until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def opened(folder: Path, limits: Limits, settings: Json) -> AsyncIterator[Inside]:
    inside = Inside(folder, limits, settings)
    serving = asyncio.create_task(inside.server._serve())
    await until(lambda: inside.server.started or serving.done())
    try:
        yield inside
    finally:
        for raw in inside.raws:
            raw.hang_up()
        for one in list(inside.crowd._open):  # some of them linger
            one.transport.abort()
        inside.server.should_exit = True
        await serving


def run_inside(
    folder: Path, story: Callable[[Inside], Awaitable[None]], *, limits: Json | None = None, **settings: Any
) -> None:
    """Run a story with a server of its own: by default with default limits, where time does not pass."""
    chosen = msgspec.structs.replace(Limits(), **(limits or {}))

    async def whole() -> None:
        async with opened(folder, chosen, settings) as inside:
            await story(inside)

    factory = None
    if sys.platform != "win32":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(whole())
