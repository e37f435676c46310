"""A whole server in the test's own process and event loop, on a real port.

Tests send bytes over raw connections and look into the server at the same time. No limit on time ends within a test,
so the test decides when time has passed.
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
import pytest

from preau.server.config import Config, Limits
from preau.server.runner import Server, prepare, uvicorn_config
from preau.server.services import Services
from preau.server.transport.http_protocol import HttpProtocol
from preau.server.transport.websocket_protocol import WebSocketProtocol
from preau.server.websocket.connection import Connection
from tests.server.processes import free_port
from tests.server.server_driver import guarded_app
from tests.support import PATIENCE

Json = dict[str, Any]


class InProcessServer:
    """The server, its port and its parts."""

    def __init__(self, folder: Path, limits: Limits, settings: Json) -> None:
        usual: Json = {"sweep_ms": 3_600_000, "request_ms": 3_600_000, "body_ms": 3_600_000, "join_ms": 3_600_000}
        self.raws: list[RawConnection] = []
        self.port = free_port()
        self.config = Config(
            port=self.port,
            database=f"sqlite:///{folder}/preau.db",
            bot_workers=1,
            limits=limits,
            **{**usual, **settings},
        )
        self.services = Services(self.config, neighbours=prepare(self.config))
        self.settings = uvicorn_config(self.config, guarded_app(self.services))
        self.uvicorn = Server(self.settings, lambda: None)

    @property
    def crowd(self) -> Any:
        return self.settings.crowd

    async def call(self, method: str, path: str, body: Any = None, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            return await client.request(method, f"http://127.0.0.1:{self.port}/api{path}", json=body, headers=headers)

    async def create_table(self, seats: int = 3, **more: Any) -> Json:
        """Create a table at which one person has all seats."""
        wish = {"game": "recess", "seats": [{"kind": "me"}] * seats, "options": {"first": 0}, **more}
        made: Json = (await self.call("POST", "/tables", wish)).json()
        return made

    async def connect(self, data: bytes = b"") -> RawConnection:
        """Open a TCP connection and send bytes over it."""
        raw = RawConnection(*await asyncio.open_connection("127.0.0.1", self.port))
        self.raws.append(raw)
        raw.write(data)
        return raw

    async def open_websocket(self, table: str, *, join: bool = True, headers: str = "", **wish: Any) -> RawConnection:
        """Open a WebSocket to a table, and join unless told otherwise."""
        raw = await self.connect(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 101 " in await raw.read_head()
        if join:
            raw.post(type="join", **wish)
            await raw.until("hello", "bye")
        return raw

    def sockets(self) -> list[Connection]:
        return list(self.services.connections.open)

    def websockets(self) -> list[WebSocketProtocol]:
        """The server's ends of all open WebSockets."""
        return [one.transport for one in self.sockets() if isinstance(one.transport, WebSocketProtocol)]


class RawConnection:
    """The client's end of a TCP connection, without a library for HTTP or WebSockets."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.closed: tuple[int, str] | None = None
        """Code and reason of the server's close frame."""

    @property
    def socket(self) -> Any:
        """The socket, to set its options."""
        return self._writer.get_extra_info("socket")

    @property
    def port(self) -> int:
        """The port of this end."""
        return int(self._writer.get_extra_info("sockname")[1])

    def pause_reading(self) -> None:
        """Leave everything that comes in the system's buffers."""
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def drain(self) -> None:
        await self._writer.drain()

    def post(self, **message: Any) -> None:
        self.write(frame(json.dumps(message).encode()))

    async def read_head(self) -> bytes:
        return await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), PATIENCE)

    async def read_answer(self) -> tuple[int, Json]:
        """Read an HTTP answer. Return its status and its body."""
        head = (await self.read_head()).lower()
        size = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
        return int(head.split()[1]), json.loads(await self._reader.readexactly(size))

    async def read_to_end(self) -> bytes:
        """Read until the server closes the connection."""
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(self._reader.read(), PATIENCE)
        return b""

    async def read_frame(self) -> tuple[int, bytes]:
        """Read the next frame. Return its first byte, 0 if the connection has ended, and its payload."""
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

    async def read_message(self) -> Json | None:
        """Read the next message. Return None if the connection has ended."""
        while True:
            first, payload = await self.read_frame()
            if first == 0x81:
                found: Json = json.loads(payload)
                return found
            if first in (0, 0x88):
                return None

    async def until(self, *kinds: str) -> Json:
        while (message := await self.read_message()) is not None:
            if message["type"] in kinds:
                return message
        raise AssertionError(f"closed with {self.closed} before {kinds}")

    def abort(self) -> None:
        self._writer.transport.abort()


def frame(payload: bytes, *, first: int = 0x81, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """Return a client's frame, by default one with a whole text message."""
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


async def until(check: Callable[[], object]) -> None:
    """Let the server work until `check` returns something true."""
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def opened(folder: Path, limits: Limits, settings: Json) -> AsyncIterator[InProcessServer]:
    server = InProcessServer(folder, limits, settings)
    serving = asyncio.create_task(server.uvicorn._serve())
    await until(lambda: server.uvicorn.started or serving.done())
    try:
        yield server
    finally:
        for raw in server.raws:
            raw.abort()
        for one in list(server.crowd):  # some stay open for a while
            one.transport.abort()
        server.uvicorn.should_exit = True
        await serving


def run_with_server(
    folder: Path, story: Callable[[InProcessServer], Awaitable[None]], *, limits: Json | None = None, **settings: Any
) -> None:
    """Run `story(server)` with a new server, by default with default limits and timeouts of an hour."""
    chosen = msgspec.structs.replace(Limits(), **(limits or {}))

    async def whole() -> None:
        async with opened(folder, chosen, settings) as server:
            await story(server)

    factory = None
    if sys.platform != "win32":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(whole())


class ReceivedBytes:
    """Counts the bytes that all connections of a protocol have received."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, protocol: type[HttpProtocol] | type[WebSocketProtocol]) -> None:
        self.count = 0
        receive = protocol.data_received

        def counted(one: Any, data: bytes) -> None:
            receive(one, data)
            self.count += len(data)

        monkeypatch.setattr(protocol, "data_received", counted)
