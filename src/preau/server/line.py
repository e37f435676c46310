"""uvicorn's end of a socket, made light: thousands of lines are open at once, and most of them are silent.

- A message that can leave at once does (`push`); no task waits for it.
- Long messages are compressed, each with the help of those before it. The memory for that, some 26 kB a line, is given
  back when a line has been silent for a while; short messages, heart-beats above all, go as they are.
- What only the handshake needed is forgotten after it.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

LINE = "preau.line"
"""The name of the line among the scope's extensions."""
SHORT = 200
"""Messages below this many bytes are not worth compressing."""
REST_SECONDS = 30
_WINDOW, _MEMORY = 12, 3
"""A window of 4 kB holds the last step or two; less memory for the search than usual finds no less in them."""


class Line(WebSocketsSansIOProtocol):
    """One connection."""

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue = Inbox()  # type: ignore[assignment]
        if config.ws_per_message_deflate:
            packing = ServerPerMessageDeflateFactory(
                server_max_window_bits=_WINDOW, client_max_window_bits=_WINDOW, client_no_context_takeover=True
            )
            self.conn.available_extensions = [packing]
        self._packer: Packer | None = None

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application may have the line itself."""
        super().handle_connect(event)
        if self.response.status_code != 101:
            return
        self.scope["extensions"][LINE] = self  # type: ignore[assignment]
        for extension in self.conn.extensions:
            if isinstance(extension, PerMessageDeflate) and not extension.local_no_context_takeover:
                self._packer = Packer(extension.local_max_window_bits)
                extension.encoder = self._packer  # type: ignore[assignment]

    def settle(self) -> None:
        """The handshake is over."""
        del self.request, self.response

    def push(self, data: bytes) -> bool:
        """Send a text message at once; False if it has to wait, or cannot be sent any more."""
        if not self.writable.is_set() or self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if len(data) < SHORT:
            self.transport.write(Frame(Opcode.TEXT, data).serialize(mask=False))
        else:
            self.conn.send_text(data)
            self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def rest(self) -> None:
        """Give memory back if nothing long was sent for a while."""
        if self._packer is not None:
            self._packer.rest()


class Packer:
    """A compressor that can be put away. The next message then begins afresh, which no client notices."""

    __slots__ = ("_used", "_window", "_zlib")

    def __init__(self, window: int) -> None:
        self._window = window
        self._zlib: Any = None
        self._used = 0.0

    def compress(self, data: bytes) -> bytes:
        """A part of the compressed message."""
        if self._zlib is None:
            self._zlib = zlib.compressobj(wbits=-self._window, memLevel=_MEMORY)
        self._used = time.monotonic()
        packed: bytes = self._zlib.compress(data)
        return packed

    def flush(self, mode: int) -> bytes:
        """The rest of it."""
        packed: bytes = self._zlib.flush(mode)
        return packed

    def rest(self) -> None:
        """Put it away if it was not used for a while."""
        if self._zlib is not None and time.monotonic() - self._used > REST_SECONDS:
            self._zlib = None


class Inbox:
    """What a line needs of a queue: one reader, no limit (uvicorn stops reading while something waits)."""

    __slots__ = ("_items", "_waiter")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, item: Any) -> None:
        """Add something."""
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> Any:
        """The oldest thing in it."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._items.pop(0)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._items
