"""uvicorn's end of an HTTP connection, with bounds: how large the head of a request may be, and how long anything may
take. What goes beyond them gets a refusal like any other, and loses the connection.
"""

from __future__ import annotations

import asyncio
import time
from enum import Enum
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from ...host.refusals import TooLarge, busy, retry_after, status_of, too_many
from ...table import protocol
from ...table.refusals import Refusal
from .asgi_types import ABORT, REFUSED
from .connection_limits import hang_up

if TYPE_CHECKING:
    from .uvicorn_settings import UvicornSettings

IGNORED_BYTES = 1_000_000
"""Bytes of a body beyond its limit that are still read and dropped, so that the client reads the refusal."""


class RequestPart(Enum):
    """What of a request is being read."""

    HEAD = "head"
    BODY = "body"
    NOTHING = "nothing"


class Slow(Refusal):
    """A request that takes too long to arrive."""


class HttpProtocol(HttpToolsProtocol):
    """One connection."""

    config: UvicornSettings

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._crowd = config.crowd
        self._limits = config.limits
        self._part = RequestPart.HEAD
        self._since = time.monotonic()
        self._bytes = 0
        """Of the part that is being read."""
        self._head = 0
        """Of the whole headers of this request."""
        self._status = 400
        self._why: Refusal | None = None
        self._deaf = False
        self._answering: Any = None
        self._stuck = (0, self._since)
        """What could not be sent yet, and since when it has been as much."""

    # Coming and going.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is here."""
        super().connection_made(transport)
        refusal = self._crowd.enter(self)
        if refusal is not None:
            self._deaf = True
            transport.write(self._answer(status_of(refusal), refusal))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._crowd.leave(self)
        self._give_up_answers()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """It becomes a line."""
        if any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers):
            self._refuse(400, Refusal("a request for a socket has no body", field="Content-Length", key="malformed"))
            return
        super().handle_websocket_upgrade()
        self._crowd.becomes(self, self.transport.get_protocol())

    def send_away(self) -> None:
        """Others need the place."""
        self._deaf = True
        self.transport.write(self._answer(503, busy("the server is full")))
        self.transport.close()

    # What is being read.

    def data_received(self, data: bytes) -> None:
        """Take in some of a request."""
        if self._deaf:
            return
        super().data_received(data)
        if self._deaf or self.parser is None:
            return
        self._bytes += len(data)
        if self._part is RequestPart.HEAD and self._bytes > self._limits.head_bytes:
            self._refuse(431, _too_large("the head of the request", self._limits.head_bytes))
        elif self._part is RequestPart.BODY and self._bytes > self._limits.body_bytes + IGNORED_BYTES:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._turn(RequestPart.HEAD)
        self._head = 0

    def on_url(self, url: bytes) -> None:
        """Some of its address."""
        super().on_url(url)
        if len(self.url) > self._limits.url_bytes:
            self._stop(414, _too_large("the address", self._limits.url_bytes))

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header."""
        super().on_header(name, value)
        size = len(name) + len(value)
        self._head += size
        if size > self._limits.header_bytes:
            self._stop(431, _too_large("a header", self._limits.header_bytes))
        if self._head > self._limits.head_bytes:
            self._stop(431, _too_large("the head of the request", self._limits.head_bytes))
        if len(self.headers) > self._limits.headers:
            self._stop(431, TooLarge("too many headers", key="size", hint=f"At most {self._limits.headers}."))

    def on_headers_complete(self) -> None:
        """The head is there: it can be dealt with."""
        if len(self.pipeline) >= self._limits.pipelined_requests:
            self._stop(429, too_many("requests", 1, of="at once on this connection"))
        self._turn(RequestPart.BODY)
        self._crowd.asks(self)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._turn(RequestPart.NOTHING)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """It has been answered."""
        if self._part is RequestPart.NOTHING and not self.pipeline:
            self._turn(RequestPart.HEAD)
            self._crowd.rests(self)
        super().on_response_complete()

    def _turn(self, part: RequestPart) -> None:
        self._part, self._since, self._bytes = part, time.monotonic(), 0

    # Refusing.

    def _stop(self, status: int, refusal: Refusal) -> None:
        """Refuse from within the parser, which is left by an error of its own."""
        self._status, self._why = status, refusal
        raise refusal

    def send_400_response(self, msg: str) -> None:
        """The parser has stopped: for a reason of ours, or because this is no HTTP."""
        self._refuse(self._status, self._why or Refusal("this is no HTTP request", key="malformed"))

    def _refuse(self, status: int, refusal: Refusal) -> None:
        """Answer with a refusal, unless another answer has begun, and hang up."""
        self._deaf = True
        cycle = self._answering
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(self._answer(status, refusal))
            self.config.metrics.requests.labels(str(status)).inc()
            if cycle is not None and not cycle.response_complete:
                cycle.scope.setdefault("extensions", {})[REFUSED] = True
        self._give_up_answers()
        hang_up(self.transport, self.loop)

    def _give_up_answers(self) -> None:
        """Nobody takes an answer any more: neither that which is being written nor those to be."""
        waiting = [cycle for cycle, _ in self.pipeline]
        self.pipeline.clear()
        for cycle in (self._answering, *waiting):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        cycle.scope.setdefault("extensions", {})[ABORT] = self.transport.abort
        super()._start_asgi_task(cycle, app)

    def _answer(self, status: int, refusal: Refusal) -> bytes:
        body = protocol.encode(refusal.to_json())
        head = [
            *self.config.answer_headers,
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        seconds = retry_after(refusal)
        if seconds is not None:
            head.append((b"retry-after", str(seconds).encode()))
        return STATUS_LINE[status] + b"".join(b"%b: %b\r\n" % pair for pair in head) + b"\r\n" + body

    # Time.

    def check_time(self, now: float) -> None:
        """End it if nothing comes, too little comes, or nothing is taken."""
        if self._deaf:
            return
        waits = self.transport.get_write_buffer_size()
        if waits != self._stuck[0]:
            self._stuck = waits, now
        if waits:
            if now - self._stuck[1] > self.config.request_seconds:
                self.transport.abort()
        elif self._part is RequestPart.HEAD and now - self._since > self.config.request_seconds:
            self._refuse(408, Slow("no whole request has come", key="slow", hint="Ask again."))
        elif self._part is RequestPart.BODY and now - self._since > self.config.body_seconds:
            self._refuse(408, Slow("the body of the request has not come", key="slow", hint="Send it again."))


def _too_large(what: str, most: int) -> TooLarge:
    return TooLarge(f"{what} is too large", key="size", hint=f"At most {most} bytes.")
