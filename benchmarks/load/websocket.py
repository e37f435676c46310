"""A WebSocket client that does as little as possible, so that the generator is never what is measured."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable

CONTINUE, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


class Client(asyncio.Protocol):
    """One connection. Text messages go to `on_text`, the end of the connection to `on_close`."""

    def __init__(
        self, host: str, path: str, on_text: Callable[[Client, bytes], None], on_close: Callable[[], None]
    ) -> None:
        self.on_text = on_text
        self.on_close = on_close
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        self._buffer = b""
        self._parts: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the connection was closed before it was open"))
        self.on_close()

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, separator, rest = self._buffer.partition(b"\r\n\r\n")
            if not separator:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                self.close()
                return
            self._buffer = rest
            self.opened.set_result(None)
        self._read_frames()

    def _read_frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            first, size, start = buffer[at], buffer[at + 1] & 127, at + 2
            if size == 126:
                if len(buffer) < start + 2:
                    break
                size, start = struct.unpack_from("!H", buffer, start)[0], start + 2
            elif size == 127:
                if len(buffer) < start + 8:
                    break
                size, start = struct.unpack_from("!Q", buffer, start)[0], start + 8
            if len(buffer) < start + size:
                break
            at = start + size
            self._frame(first, buffer[start:at])
        self._buffer = buffer[at:]

    def _frame(self, first: int, payload: bytes) -> None:
        code = first & 15
        if code in (TEXT, CONTINUE):
            if first & 128 and not self._parts:
                self.on_text(self, payload)
                return
            self._parts.append(payload)
            if first & 128:
                whole, self._parts = b"".join(self._parts), []
                self.on_text(self, whole)
        elif code == PING:
            self._send(PONG, payload)
        elif code == CLOSE:
            self.close()

    def send(self, text: bytes) -> None:
        """Send a text message."""
        self._send(TEXT, text)

    def _send(self, code: int, payload: bytes) -> None:
        """Send a frame. Its mask is zero, which is allowed and leaves the payload as it is."""
        if self._transport is None:
            return
        size = len(payload)
        short = size < 126
        head = bytes((128 | code, 128 | size)) if short else struct.pack("!BBH", 128 | code, 128 | 126, size)
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def connect(
    host: str,
    port: int,
    path: str,
    on_text: Callable[[Client, bytes], None],
    on_close: Callable[[], None] = lambda: None,
    source: str = "127.0.0.1",
) -> Client:
    """An open connection, from an address of this machine."""
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(
        lambda: Client(f"{host}:{port}", path, on_text, on_close), host, port, local_addr=(source, 0)
    )
    await client.opened
    return client
