"""uvicorn's end of a socket, made light: thousands of lines are open at once, and most of them are silent.

- A message that comes in one piece, as nearly all do, is taken in without the library's help; so is whatever can be
  sent at once (`push`). Everything else (pieces, pings, closing, what is compressed or malformed) is the library's.
- Long messages are compressed, each with the help of those before it. The memory for that, some 26 kB a line, is given
  back when a line has been silent for a while; short messages, heart-beats above all, go as they are.
- What only the handshake needed is forgotten after it.
- Every frame, of whatever kind, is counted before anything is done with it: who sends too many is not read any more.
- Whoever listens (`ear`) hears a message when it arrives, and can answer a heart-beat although others wait before it.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from typing import TYPE_CHECKING, Any

import websockets.frames
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import Protocol, State

from ..token_buckets import Bucket
from .asgi_types import TRANSPORT, MessageListener, RateMeter
from .connection_limits import CUT_SECONDS, hang_up

if TYPE_CHECKING:
    from .uvicorn_settings import UvicornSettings

SHORT = 200
"""Messages below this many bytes are not worth compressing."""
IDLE_SECONDS = 30
MOST_UNREAD = 16
"""Messages that may wait to be dealt with before no more are read."""
_WINDOW, _MEMORY = 12, 3
"""A window of 4 kB holds the last step or two; less memory for the search than usual finds no less in them."""
_TEXT, _PACKED = 0x81, 0xC1
"""The first byte of a text message in one frame, as it is or compressed."""
_MASKED = 0x80
_KILOBYTE = 1_024
"""A frame counts as one, and as one more for each of these."""
_unmask = websockets.frames.apply_mask  # type: ignore[attr-defined]


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    __slots__ = ("_cut", "_deaf", "_inbox", "_packer", "_part", "_shaken", "_valve", "ear", "pace")
    """What is ours lies beside the library's attributes: among them it would double the room they take."""

    config: UvicornSettings

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue = self._inbox = MessageQueue()  # type: ignore[assignment]
        self.writable = self._valve = WriteGate()  # type: ignore[assignment]
        if config.ws_per_message_deflate:
            packing = ServerPerMessageDeflateFactory(
                server_max_window_bits=_WINDOW, client_max_window_bits=_WINDOW, client_no_context_takeover=True
            )
            self.conn.available_extensions = [packing]
        self._packer: Compressor | None = None
        self._shaken = False
        self._part = b""
        self.pace: RateMeter = Bucket(config.limits.messages_per_second, config.limits.messages_burst)
        self.ear: MessageListener | None = None
        self._deaf = False
        self._cut: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.config.crowd.leave(self)
        if self._cut is not None:
            self._cut.cancel()
        self.ear = None
        super().connection_lost(exc)

    # The handshake.

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application may have the line itself."""
        super().handle_connect(event)
        if self.response.status_code != 101:
            return
        self.scope["extensions"][TRANSPORT] = self  # type: ignore[assignment]
        for extension in self.conn.extensions:
            if isinstance(extension, PerMessageDeflate) and not extension.local_no_context_takeover:
                self._packer = Compressor(extension.local_max_window_bits)
                extension.encoder = self._packer  # type: ignore[assignment]
        # uvicorn hands over the request alone, so the parser stands before the first frame: one that starts there does
        # not keep the request.
        self.conn.parser = Protocol.parse(self.conn)
        next(self.conn.parser)
        self._shaken = True

    def settle(self) -> None:
        """The handshake is over."""
        del self.request, self.response

    # Coming in.

    def data_received(self, data: bytes) -> None:
        """Take in plain text messages; the library gets all other frames, whole, so that it never stands within one."""
        if self._deaf:
            return
        if not self._shaken:
            super().data_received(data)
            if not self.handshake_initiated:  # the library could not make sense of it, and says nothing
                self.transport.abort()
            return
        if self._part:
            data, self._part = self._part + data, b""
        at = 0
        while at < len(data):
            start, end = _frame(data, at)
            whole = end <= len(data)
            # A piece counts like a frame: a message that comes byte by byte costs as much as many.
            if not self.pace.take(1 + (end - at) // _KILOBYTE if whole else 1):
                self._too_much()
            elif end - start > self.config.ws_max_size:
                super().data_received(data[at:])  # to be refused
                return
            elif not whole:
                self._part = data[at:]
                return
            elif not (data[at] == _TEXT and data[at + 1] & _MASKED and self._take(data, start, end)):
                super().data_received(data[at:end])
            if self._deaf:
                return
            at = end

    def _take(self, data: bytes, start: int, end: int) -> bool:
        """Take in a text; False if that is not as simple as it looks."""
        if self.close_sent or self.conn.state is not State.OPEN or self.conn.current_size is not None:
            return False
        text: bytes = _unmask(data[start:end], data[start - 4 : start])
        if not text.isascii():
            return False
        self._hand_on(text)
        return True

    def send_receive_event_to_app(self) -> None:
        """A whole message from the library."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "text":
            try:
                data.decode()
            except UnicodeDecodeError:
                self.conn.fail(CloseCode.INVALID_DATA, "not UTF-8")
                self.handle_parser_exception()
                return
        self._hand_on(data)

    def handle_ping(self) -> None:
        """The library answers a ping; the answer is left out if earlier ones have not left yet."""
        if self.ear is not None:
            self.ear.alive()
        output = self.conn.data_to_send()
        if self._valve.open:
            self.transport.write(b"".join(output))

    def _hand_on(self, data: bytes) -> None:
        """Let it be heard; what cannot be dealt with at once waits in order, and too much of that stops the reading."""
        item = data if self.ear is None else self.ear.hear(data)
        if item is None:
            return
        if self._inbox.put_nowait(item) >= MOST_UNREAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    @property
    def unread(self) -> int:
        """How many messages wait to be dealt with."""
        return self._inbox.waiting

    # The end.

    def _too_much(self) -> None:
        """Read no more: what still comes fills the system's buffers, and then the sender has to wait."""
        self._deaf, self._part = True, b""
        if not self.read_paused and not self.transport.is_closing():
            self.transport.pause_reading()
        self.read_paused = False  # so that nobody reads on
        if self.ear is not None:
            self.ear.leave("rate", again=True)
        self.end()

    def handle_parser_exception(self) -> None:
        """Frames against the rules: the library has said why, and the line is closed."""
        self._deaf, self._part = True, b""
        close = self.conn.close_sent
        if close is not None:
            self._inbox.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = hang_up(self.transport, self.loop)  # uvicorn does not close what has one

    def end(self) -> None:
        """The last message is on its way: it gets a moment, then the line is cut."""
        if self._packer is not None:
            self._packer.put_away()
        if self._cut is None:
            self._cut = self.loop.call_later(CUT_SECONDS, self.transport.abort)

    def send_away(self) -> None:
        """Never: lines are of use as long as they are open."""

    def check_time(self, now: float) -> None:
        """Whether it has been silent for too long is for those to say who know what silence means (`sockets`)."""

    # Going out.

    def push(self, data: bytes) -> bool:
        """Send a text message at once; False if it has to wait, or cannot be sent any more."""
        if not self._valve.open or self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if self._packer is None or len(data) < SHORT:
            self.transport.write(_head(_TEXT, len(data)) + data)
        else:
            packed = self._packer.pack(data)
            self.transport.write(_head(_PACKED, len(packed)) + packed)
        return True

    @property
    def unsent(self) -> int:
        """How many bytes have been sent by us, but have not left yet."""
        return self.transport.get_write_buffer_size()

    def rest(self) -> None:
        """Give memory back if nothing long was sent for a while."""
        if self._packer is not None:
            self._packer.rest()


def _frame(data: bytes, at: int) -> tuple[int, int]:
    """Where the payload of the frame at a place starts and ends; beyond the data if that is not known yet."""
    if len(data) < at + 2:
        return at, at + 2
    size, start = data[at + 1] & 0x7F, at + 6
    if not data[at + 1] & _MASKED:
        return at + 2, at + 2  # against the rules, which the library sees by these two bytes
    if size == 126:
        size, start = int.from_bytes(data[at + 2 : at + 4], "big"), start + 2
    elif size == 127:
        size, start = int.from_bytes(data[at + 2 : at + 10], "big"), start + 8
    return start, start + size


def _head(first: int, size: int) -> bytes:
    """The head of a frame to a client."""
    if size < 126:
        return bytes((first, size))
    if size < 65_536:
        return bytes((first, 126, size >> 8, size & 0xFF))
    return bytes((first, 127)) + size.to_bytes(8, "big")


class Compressor:
    """A compressor that can be put away. The next message then begins afresh, which no client notices."""

    __slots__ = ("_used", "_window", "_zlib")

    def __init__(self, window: int) -> None:
        self._window = window
        self._zlib: Any = None
        self._used = 0.0

    def pack(self, data: bytes) -> bytes:
        """A whole message, compressed."""
        return self.compress(data) + self.flush(zlib.Z_SYNC_FLUSH)[:-4]

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
        if self._zlib is not None and time.monotonic() - self._used > IDLE_SECONDS:
            self.put_away()

    def put_away(self) -> None:
        """Give its memory back."""
        self._zlib = None


class MessageQueue:
    """What a line needs of a queue: one reader, no limit (reading stops while too much waits)."""

    __slots__ = ("_items", "_waiter")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._items)

    def put_nowait(self, item: Any) -> int:
        """Add something; how many wait now."""
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        return len(self._items)

    async def get(self) -> Any:
        """The oldest thing in it."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._items.pop(0)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._items


class WriteGate:
    """What a line needs of an event, without the memory of one: whether more can be written."""

    __slots__ = ("_waiter", "open")

    def __init__(self) -> None:
        self.open = True
        self._waiter: asyncio.Future[None] | None = None

    def set(self) -> None:
        """It can."""
        self.open = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def clear(self) -> None:
        """It cannot."""
        self.open = False

    async def wait(self) -> None:
        """Until it can; all who wait do so together."""
        while not self.open:
            if self._waiter is None or self._waiter.done():
                self._waiter = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._waiter)
