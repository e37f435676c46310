"""The connection of one client: messages in, messages out, and noticing when it is dead."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Literal, cast

import msgspec

from ...host.refusals import too_many, whole_seconds
from ...table import protocol
from ...table.refusals import Forbidden
from ..config import Limits
from ..tables import lag
from ..token_buckets import Bucket
from ..transport.asgi_types import Receive, Send, WebSocketTransport
from .rate_limits import AddressQuota, MessageRate, Quota

PING_SECONDS = 12.0
"""The server pings a client this often, also one that says nothing: its answer shows that it is still there."""


CLOSE_CODES = {"rate": 1008}
"""WebSocket close codes by reason; the others are 1000."""


class Disconnected(Exception):
    """The client has gone."""


class MalformedMessage:
    """What a client sent that is no message."""

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why = why


class ClientLimits:
    """What all connections of a process share: limits, the clock and the count of messages."""

    def __init__(self, limits: Limits, now: Callable[[], int]) -> None:
        self.limits = limits
        self.now = now
        self.messages_heard = 0
        """Messages that are not among the metrics yet."""

    def unknown(self) -> Bucket:
        """Return the message rate of a client whose holder is not known yet."""
        return Bucket(self.limits.messages_per_second, self.limits.messages_burst)


class Connection:
    """The connection of one client. Its queue of messages is bounded; it is closed if the client does not read."""

    __slots__ = (
        "transport",
        "_pinged",
        "_queue",
        "_raw_send",
        "_receive",
        "_sender",
        "_clients",
        "_spoken",
        "_waiting",
        "busy",
        "bye",
        "viewpoint",
        "heard",
        "holder",
        "address_quota",
        "meter",
        "pace",
        "person",
    )

    def __init__(
        self,
        clients: ClientLimits,
        receive: Receive,
        send: Send,
        address_quota: AddressQuota,
        transport: WebSocketTransport | None = None,
    ) -> None:
        self.holder: str | None = None
        self.viewpoint: int | None = None
        self.meter = lag.LagMeter()
        self.heard = time.monotonic()
        self.busy = False
        """Whether a message of the client is being handled: then it waits for the server."""
        self.address_quota = address_quota
        self.person: Quota | None = None
        own = transport.pace if transport is not None else clients.unknown()
        self.pace = MessageRate(clients.limits, own, address_quota.allowance.messages)
        self._clients = clients
        self._spoken = False
        self._pinged = 0.0
        self._receive: Callable[[], Awaitable[object]] = receive
        self._raw_send = send
        self.transport = transport
        self._queue: list[bytes] = []
        self._waiting = 0
        self._sender: asyncio.Task[None] | None = None
        self.bye: str | None = None
        if transport is not None:
            transport.pace, transport.ear = self.pace, self

    def belongs_to(self, person: Quota) -> None:
        """The holder is known now: the messages of all connections of this holder count together."""
        self.person = person
        self.pace = MessageRate(self._clients.limits, person.messages, self.address_quota.allowance.messages)
        if self.transport is not None:
            self.transport.pace = self.pace

    def spend(self, kind: Literal["chat", "undo", "hints"]) -> None:
        """Count one of these; refuse it if the holder or the address has none left."""
        if self.person is None:
            raise Forbidden("spectators cannot do that", key="seat_needed", hint="Take a seat.")
        mine: Bucket = getattr(self.person, kind)
        ours: Bucket = getattr(self.address_quota.allowance, kind)
        if not mine.take():
            raise too_many(kind, mine.wait(), of="")
        if not ours.take():
            mine.give_back()
            raise too_many(kind, ours.wait())

    # Going out.

    def push(self, data: bytes) -> None:
        """Send without waiting."""
        if self.bye is not None:
            return
        if self.transport is not None and self._sender is None and self.transport.push(data):
            return
        if self._too_slow(len(data)):
            self.leave("slow", again=True)
            return
        self._wait(data)

    def _too_slow(self, more: int) -> bool:
        """Whether so many bytes more would be too much for a client that does not read."""
        limits = self._clients.limits
        unsent = self.transport.unsent if self.transport is not None else 0
        return (
            len(self._queue) >= limits.queue_messages
            or unsent + self._waiting + more > limits.queue_bytes
            or self.address_quota.waiting + more > limits.queue_bytes_per_address
        )

    def _wait(self, data: bytes) -> None:
        self._queue.append(data)
        self._weigh(len(data))
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send())

    def _weigh(self, more: int) -> None:
        self._waiting += more
        self.address_quota.waiting += more

    def leave(self, reason: str, *, again: bool, seconds: float | None = None) -> None:
        """Send `bye`, then close; queued messages are dropped."""
        if self.bye is None:
            self.bye = reason
            self._forget()
            if reason == "rate":
                seconds = self.pace.wait()
            bye: dict[str, object] = {"type": "bye", "reason": reason, "again": again}
            if seconds is not None:
                bye["seconds"] = whole_seconds(seconds)
            self._wait(protocol.encode(bye))
            if self.transport is not None:
                self.transport.end()

    def _forget(self) -> None:
        self._queue.clear()
        self._weigh(-self._waiting)

    async def _send(self) -> None:
        send = self._raw_send
        try:
            while self._queue:
                data = self._queue.pop(0)
                self._weigh(-len(data))
                await send({"type": "websocket.send", "bytes": None, "text": data.decode()})
            if self.bye is not None:
                code = CLOSE_CODES.get(self.bye, 1000)
                await send({"type": "websocket.close", "code": code, "reason": self.bye})
        except (RuntimeError, OSError):
            self._forget()
            self.bye = self.bye or "gone"
        finally:
            self._sender = None

    # Coming in.

    async def accept(self) -> None:
        """The handshake."""
        await self._receive()
        await self._raw_send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        if self.transport is not None:
            self.transport.settle()

    def hear(self, data: str | bytes) -> protocol.ClientMessage | MalformedMessage | None:
        """Take in a message when it arrives.

        A ping is answered at once, also while a message before it waits for the database. All other messages are
        returned, to be handled in order. The first one says as what the client joins.
        """
        self.heard = time.monotonic()
        self._clients.messages_heard += 1
        try:
            message = protocol.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return MalformedMessage(str(error)[:200])
        if not self._spoken:
            self._spoken = True
            return message
        if self.heard - self._pinged > PING_SECONDS:
            self.ping()
        if isinstance(message, protocol.Ping):
            self.push(protocol.encode(protocol.PongMessage(n=message.n, now=self._clients.now())))
        elif isinstance(message, protocol.Pong):
            self.meter.pong(message.n, self._clients.now())
        else:
            return message
        return None

    def ping(self) -> None:
        """Ping the client; its answer shows that it is there and how long a round trip takes."""
        self._pinged = time.monotonic()
        self.push(protocol.encode(protocol.PingMessage(n=self.meter.ping(self._clients.now()))))

    async def next(self) -> protocol.ClientMessage | MalformedMessage:
        """Return the next message that is no ping or pong; raise `Disconnected` when there will be none."""
        while True:
            found = await self._receive()
            if not isinstance(found, dict):  # heard when it arrived
                return cast("protocol.ClientMessage | MalformedMessage", found)
            if found["type"] != "websocket.receive":
                self.bye = self.bye or "gone"
                raise Disconnected
            if not self.pace.take():
                self.leave("rate", again=True)
                raise Disconnected
            message = self.hear(found.get("text") or found.get("bytes") or b"")
            if self.bye is not None:
                raise Disconnected  # `bye` was sent
            if message is not None:
                return message

    @property
    def more(self) -> bool:
        """Whether another message waits already."""
        return self.transport is not None and self.transport.unread > 0

    def silent_since(self, now: float) -> float:
        """Return for how many seconds the client has sent nothing, not counting while it waits for the server."""
        if self.busy:
            self.heard = now
        return now - self.heard

    def alive(self) -> None:
        """Count a ping of the WebSocket protocol as a message, once the client has joined."""
        if self._spoken:
            self.heard = time.monotonic()

    def wants_ping(self, now: float, silent: float, seconds: float) -> bool:
        """Whether it is time to ping a client that sends nothing by itself."""
        return now - self._pinged > seconds and silent > seconds / 2

    @property
    def unanswered(self) -> bool:
        """Whether the client has sent nothing since it was pinged."""
        return self._pinged >= self.heard

    @property
    def joining(self) -> bool:
        """Whether the client has not sent its first message yet."""
        return not self._spoken

    def rest(self) -> None:
        """Free memory that a silent connection does not need."""
        if self.transport is not None:
            self.transport.rest()

    async def finish(self) -> None:
        """Give the last messages a moment to be sent."""
        sender = self._sender
        if sender is not None:
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(sender, 2)
        self._forget()
