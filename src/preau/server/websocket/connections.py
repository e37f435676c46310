"""The socket of one viewer: messages in, messages out, and knowing when the line is dead."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Literal, cast

import msgspec

from ...core.errors import PreauError, RecordError
from ...host.refusals import Busy, retry_after, too_many, whole_seconds
from ...table import protocol
from ...table.chat import said
from ...table.messages import refused
from ...table.permissions import first_viewpoint, must_own, other_viewpoint
from ...table.refusals import Forbidden, Refusal
from ..client_address import client_address
from ..tables import chat, lag
from ..tables.credentials import Credentials
from ..tables.entry import TableEntry
from ..tables.hello import send_hello
from ..tables.hints import Hints
from ..tables.moves import Moves
from ..tables.presence import announce_presence, broadcast_presence
from ..tables.repository import TableRepository
from ..tables.seats import Seats
from ..tables.shared_replay import SharedReplays
from ..tables.tie_break import TieBreaks
from ..tables.undo import Undos
from ..token_buckets import Bucket
from ..transport.asgi_types import TRANSPORT, Receive, Scope, Send, WebSocketTransport
from .rate_limits import HEAVY_MESSAGES, AddressQuota, MessageRate, Quota, Quotas

PING_SECONDS = 12.0
"""The server pings a client this often, also one that says nothing: its answer shows that it is still there."""


CLOSE_CODES = {"rate": 1008}
"""Of lines that are closed because of what came over them; the others end in peace."""
HINT_TASK = "hint"
"""The name of tasks that work out a hint."""


class Disconnected(Exception):
    """The other side has gone."""


class MalformedMessage:
    """Something that is no message."""

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why = why


class Connection:
    """One connection. What it is sent waits in a bounded queue; who does not read is dropped."""

    __slots__ = (
        "_line",
        "_pinged",
        "_queue",
        "_raw_send",
        "_receive",
        "_sender",
        "_connections",
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
        sockets: Connections,
        receive: Receive,
        send: Send,
        address_quota: AddressQuota,
        line: WebSocketTransport | None = None,
    ) -> None:
        self.holder: str | None = None
        self.viewpoint: int | None = None
        self.meter = lag.LagMeter()
        self.heard = time.monotonic()
        self.busy = False
        """Whether it waits for us: a message of its is being dealt with."""
        self.address_quota = address_quota
        self.person: Quota | None = None
        own = line.pace if line is not None else sockets.messages()
        self.pace = MessageRate(sockets.limits, own, address_quota.allowance.messages)
        self._connections = sockets
        self._spoken = False
        self._pinged = 0.0
        self._receive: Callable[[], Awaitable[object]] = receive
        self._raw_send = send
        self._line = line
        self._queue: list[bytes] = []
        self._waiting = 0
        self._sender: asyncio.Task[None] | None = None
        self.bye: str | None = None
        if line is not None:
            line.pace, line.ear = self.pace, self

    def belongs_to(self, person: Quota) -> None:
        """It is known now whose line this is: what they send is counted together, over whichever line it comes."""
        self.person = person
        self.pace = MessageRate(self._connections.limits, person.messages, self.address_quota.allowance.messages)
        if self._line is not None:
            self._line.pace = self.pace

    def spend(self, kind: Literal["chat", "undo", "hints"]) -> None:
        """Count one of these; refuse it if its person or its address has none left."""
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
        if self._line is not None and self._sender is None and self._line.push(data):
            return
        if self._too_slow(len(data)):
            self.leave("slow", again=True)
            return
        self._wait(data)

    def _too_slow(self, more: int) -> bool:
        """Whether so many bytes more would be too much for a line that takes none."""
        limits = self._connections.limits
        unsent = self._line.unsent if self._line is not None else 0
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
        """Say bye, then close; what was still waiting is dropped."""
        if self.bye is None:
            self.bye = reason
            self._forget()
            if reason == "rate":
                seconds = self.pace.wait()
            bye: dict[str, object] = {"type": "bye", "reason": reason, "again": again}
            if seconds is not None:
                bye["seconds"] = whole_seconds(seconds)
            self._wait(protocol.encode(bye))
            if self._line is not None:
                self._line.end()

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
        if self._line is not None:
            self._line.settle()

    def hear(self, data: str | bytes) -> protocol.ClientMessage | MalformedMessage | None:
        """Take in a message at the moment it arrives.

        A heart-beat is answered at once, also while a message before it waits for the database; all others are
        returned, to be dealt with in order. The first of all is what the client wants to come in as.
        """
        self.heard = time.monotonic()
        sockets = self._connections
        sockets.messages_heard += 1
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
            self.push(protocol.encode(protocol.PongMessage(n=message.n, now=sockets.now())))
        elif isinstance(message, protocol.Pong):
            self.meter.pong(message.n, sockets.now())
        else:
            return message
        return None

    def ping(self) -> None:
        """Ask for a sign of life, and measure the line by it."""
        self._pinged = time.monotonic()
        self.push(protocol.encode(protocol.PingMessage(n=self.meter.ping(self._connections.now()))))

    async def next(self) -> protocol.ClientMessage | MalformedMessage:
        """The next message but heart-beats; raises `Disconnected` when there will be none."""
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
                raise Disconnected  # it was told to go, and talks on
            if message is not None:
                return message

    @property
    def more(self) -> bool:
        """Whether another message waits already."""
        return self._line is not None and self._line.unread > 0

    def silent_since(self, now: float) -> float:
        """How long it has said nothing, in seconds; while it waits for us, that is no silence."""
        if self.busy:
            self.heard = now
        return now - self.heard

    def alive(self) -> None:
        """Take a ping of the WebSocket protocol for a sign of life, once the client has joined."""
        if self._spoken:
            self.heard = time.monotonic()

    def wants_ping(self, now: float, silent: float, seconds: float) -> bool:
        """Whether it is time to ping a client that says nothing by itself."""
        return now - self._pinged > seconds and silent > seconds / 2

    @property
    def unanswered(self) -> bool:
        """Whether the client has said nothing since it was pinged."""
        return self._pinged >= self.heard

    @property
    def joining(self) -> bool:
        """Whether it has not said yet what it wants."""
        return not self._spoken

    def rest(self) -> None:
        """Give memory back that a silent line does not need."""
        if self._line is not None:
            self._line.rest()

    async def finish(self) -> None:
        """Give the last messages a moment to leave."""
        sender = self._sender
        if sender is not None:
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(sender, 2)
        self._forget()


class Connections:
    """All sockets of this process."""

    def __init__(
        self,
        tables: TableRepository,
        people: Credentials,
        seating: Seats,
        play: Moves,
        undoing: Undos,
        wrestling: TieBreaks,
        hints: Hints,
        together: SharedReplays,
    ) -> None:
        self._tables = tables
        self._credentials = people
        self._seats = seating
        self._moves = play
        self._undos = undoing
        self._tie_breaks = wrestling
        self._hints = hints
        self._shared_replays = together
        self._hinting: set[asyncio.Task[None]] = set()
        self._config = tables.config
        self.limits = tables.config.limits
        self._allowances = Quotas(self.limits)
        self.now = tables.now
        self._ping_seconds = min(PING_SECONDS, self._config.silence_ms / 3_000)
        self.messages_heard = 0
        """Those that are not among the metrics yet."""
        self.open: set[Connection] = set()

    def make(self, receive: Receive, send: Send, where: str, line: WebSocketTransport | None = None) -> Connection:
        """A socket of this address."""
        return Connection(self, receive, send, self._allowances.houses.of(where), line)

    def messages(self) -> Bucket:
        """What somebody nobody knows yet may send."""
        return Bucket(self.limits.messages_per_second, self.limits.messages_burst)

    async def serve(self, scope: Scope, receive: Receive, send: Send, table_id: str) -> None:
        """Look after one connection until it ends."""
        where = client_address(scope)
        socket = self.make(receive, send, where, scope.get("extensions", {}).get(TRANSPORT))
        address_quota = socket.address_quota
        address_quota.lines += 1
        self.open.add(socket)
        entry: TableEntry | None = None
        try:
            await socket.accept()
            scope.clear()  # it has been looked at, and would be kept as long as the line is open
            if address_quota.lines > self.limits.sockets_per_address > 0:
                socket.leave("full", again=True, seconds=self._config.silence_ms / 1000)
            elif (wish := await self._first_message(socket)) is not None:
                socket.busy = True
                entry = await self._tables.get(table_id)
                await self._enter(socket, entry, wish)
                entry.came(socket.holder, where)
                socket.busy = False
                await self._listen(socket, entry)
        except (Disconnected, OSError):
            pass
        except PreauError as error:
            reason, again = _why_not(error)
            socket.leave(reason, again=again, seconds=retry_after(error))
        finally:
            address_quota.lines -= 1
            self.open.discard(socket)
            if entry is not None and socket in entry.audience.viewers:
                entry.audience.leave(socket)
                if entry.audience.together is not None:
                    self._shared_replays.left(entry, socket)
                self._presence_changed(entry)
            if socket.bye not in (None, "gone"):
                self._tables.metrics.dropped.labels(socket.bye).inc()
            await socket.finish()

    def sweep(self) -> None:
        """Close the connections that have been silent for too long, and ping the others in time, so that a client that
        answers pings is never silent. A new connection has less time: it must say what it wants when it comes.
        """
        self._tables.metrics.messages.inc(self.messages_heard)
        self.messages_heard = 0
        now = time.monotonic()
        for socket in list(self.open):
            most = self._config.join_ms if socket.joining else self._config.silence_ms
            silent = socket.silent_since(now)
            if silent > most / 1000 and (socket.joining or socket.unanswered):
                socket.leave("silent", again=True)
                continue
            if not socket.joining and socket.wants_ping(now, silent, self._ping_seconds):
                socket.ping()
            socket.rest()

    def say_bye(self) -> None:
        """The server is going to stop."""
        for task in list(self._hinting):
            task.cancel()
        for socket in list(self.open):
            socket.leave("restart", again=True)

    async def _first_message(self, socket: Connection) -> protocol.Join | None:
        """What the client wants to come in as."""
        wish = await socket.next()
        if isinstance(wish, protocol.Join):
            return wish
        socket.leave("protocol", again=False)
        return None

    async def _enter(self, socket: Connection, entry: TableEntry, wish: protocol.Join) -> None:
        """Let somebody in; whoever has a seat that a bot looks after gets it back."""
        socket.holder = await self._credentials.holder(entry, wish.token)
        if socket.holder is not None:
            socket.belongs_to(self._allowances.people.of(socket.holder))
        if self._crowded(entry, socket.holder):
            socket.leave("full", again=True, seconds=self._config.silence_ms / 1000)
            return
        socket.viewpoint = first_viewpoint(entry.table, socket.holder, wish.seat)
        for seat in entry.table.seats_of(socket.holder):
            if entry.table.seats[seat].stand_in:
                await self._seats.stand_in(entry, seat, None)
        await send_hello(self._tables, entry, socket, wish.last, opening=wish.opening)
        socket.meter = entry.audience.races.meter(socket.holder)
        socket.ping()
        self._presence_changed(entry)

    def _crowded(self, entry: TableEntry, holder: str | None) -> bool:
        """Spectators share the room's places; somebody at the table always gets in, with a few devices."""
        same = sum(viewer.holder == holder for viewer in entry.audience.viewers)
        return same >= (self.limits.sockets_per_user if holder is not None else self.limits.spectators_per_table)

    def _presence_changed(self, entry: TableEntry) -> None:
        broadcast_presence(self._tables, entry)
        announce_presence(self._tables, entry)

    async def _listen(self, socket: Connection, entry: TableEntry) -> None:
        broken = 0
        while socket.bye is None:
            message = await socket.next()
            if socket.bye is not None:
                break
            if isinstance(message, MalformedMessage):
                broken += 1
                if broken > self.limits.malformed_messages:
                    socket.leave("protocol", again=False)
                    return
                socket.push(
                    protocol.encode(protocol.RefusedMessage(error="Malformed", message=message.why, key="malformed"))
                )
            else:
                socket.busy = True
                await self._do(socket, entry, message)
                socket.busy = False
            if socket.more:
                await asyncio.sleep(0)  # the others' turn

    async def _do(self, socket: Connection, entry: TableEntry, message: protocol.ClientMessage) -> None:
        try:
            match message:
                case protocol.Act():
                    await self._act(socket, entry, message)
                case protocol.Undo():
                    seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
                    socket.spend("undo")
                    await self._undos.undo(entry, seat, message.at)
                case protocol.Agree():
                    seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
                    if message.yes:
                        await self._undos.agree(entry, seat, message.at)
                    else:
                        await self._undos.decline(entry, message.at)
                case protocol.Wrestle():
                    seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
                    await self._tie_breaks.answer(entry, seat, yes=message.yes)
                case protocol.Pull():
                    seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
                    self._tie_breaks.pull(entry, seat, message, socket.meter.trip)
                case protocol.AskHint():
                    self._ask_hint(socket, entry, message)
                case protocol.Look():
                    self._weigh_hello(socket)
                    await self._switch_viewpoint(socket, entry, message.seat)
                case protocol.Resync():
                    self._weigh_hello(socket)
                    await send_hello(self._tables, entry, socket, message.last)
                case protocol.Say():
                    await self._say(socket, entry, message)
                case protocol.Follow():
                    await self._tables.check_over(entry)
                    self._shared_replays.follow(entry, socket, message.together)
                case protocol.Lead():
                    await self._tables.check_over(entry)
                    self._shared_replays.lead(entry, socket, message)
                case protocol.Join():
                    raise Refusal("you are in already", key="protocol")
        except PreauError as error:
            self._refuse(socket, entry, message, error)

    def _refuse(
        self, socket: Connection, entry: TableEntry, message: protocol.ClientMessage, error: PreauError
    ) -> None:
        self._tables.metrics.refused.labels(error.key or type(error).__name__).inc()
        socket.push(protocol.encode(refused(error, message, entry.live)))

    def _weigh_hello(self, socket: Connection) -> None:
        """A `hello` is the dearest answer there is; the message that asks for it has been counted as one."""
        if not socket.pace.take(HEAVY_MESSAGES - 1):
            raise too_many("messages", socket.pace.wait(HEAVY_MESSAGES - 1), of="")

    async def _act(self, socket: Connection, entry: TableEntry, message: protocol.Act) -> None:
        seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
        live = entry.live
        tap = None
        if live is not None and live.state.racers():
            tap = entry.audience.races.tap(live, seat, socket.meter, message.delay, self.now())
        delay = tap.delay if tap is not None else None
        number, new = await self._moves.act(entry, seat, message.action, at=message.at, client=message.id, delay=delay)
        if new and tap is not None:
            socket.meter.spend(tap)
        if not new or socket.viewpoint != seat:
            socket.push(protocol.encode(protocol.AckMessage(id=message.id, number=number)))

    def _ask_hint(self, socket: Connection, entry: TableEntry, message: protocol.AskHint) -> None:
        """Have a hint worked out. Whoever waits for one may act meanwhile."""
        seat = must_own(entry.table, socket.holder, message.seat, socket.viewpoint)
        socket.spend("hints")
        task = asyncio.create_task(self._hint(socket, entry, seat, message), name=HINT_TASK)
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _hint(self, socket: Connection, entry: TableEntry, seat: int, message: protocol.AskHint) -> None:
        try:
            socket.push(protocol.encode(await self._hints.ask(entry, seat, message.at, message.rank)))
        except PreauError as error:
            self._refuse(socket, entry, message, error)

    async def _switch_viewpoint(self, socket: Connection, entry: TableEntry, seat: int | None) -> None:
        socket.viewpoint = other_viewpoint(entry.table, socket.holder, seat)
        await send_hello(self._tables, entry, socket)

    async def _say(self, socket: Connection, entry: TableEntry, message: protocol.Say) -> None:
        line = said(entry.table, socket.holder, socket.viewpoint, message, self._tables.now())
        socket.spend("chat")
        await chat.say(self._tables, entry, line)


def _why_not(error: PreauError) -> tuple[str, bool]:
    """What a client that could not be let in is told, and whether trying again makes sense."""
    if isinstance(error, Busy):
        return "busy", True
    if isinstance(error, Forbidden):
        return "removed" if error.key == "removed" else "token", False
    return ("rules" if isinstance(error, RecordError) else "unknown"), False
