"""The socket of one viewer: messages in, messages out, and knowing when the line is dead."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec

from ..core.errors import PreauError, RecordError
from ..table import wire
from ..table.acting import first_eyes, must_own, other_eyes
from ..table.chat import said
from ..table.refusals import Forbidden, Refusal
from ..table.showing import refused
from . import chat, speed
from .asgi import LINE, Line, Message, Receive, Scope, Send
from .clocks import announce, show_presence
from .greeting import greet
from .loaded import Loaded
from .people import People
from .play import Play
from .refusals import Busy, TooMuch
from .seating import Seating
from .security import Bucket, address
from .tables import Tables
from .undoing import Undoing

PING_SECONDS = 12
LINES_EACH = 12
"""Open lines of one person at one table: seats times devices."""
PATIENCE = 60
"""Broken messages of one socket before it is closed."""


class HungUp(Exception):
    """The other side has gone."""


class Socket:
    """One connection. What it is sent waits in a bounded queue; who does not read is dropped."""

    __slots__ = (
        "_line",
        "_most",
        "_queue",
        "_raw_send",
        "_receive",
        "_sender",
        "bye",
        "eyes",
        "heard",
        "holder",
        "meter",
        "shown",
    )

    def __init__(self, receive: Receive, send: Send, most: int, line: Line | None = None) -> None:
        self.holder: str | None = None
        self.eyes: int | None = None
        self.shown = 0
        self.meter = speed.LineMeter()
        self.heard = time.monotonic()
        self._receive: Callable[[], Awaitable[Message | bytes]] = receive
        self._raw_send = send
        self._line = line
        self._most = most
        self._queue: list[bytes] = []
        self._sender: asyncio.Task[None] | None = None
        self.bye: str | None = None

    def push(self, data: bytes) -> None:
        """Send without waiting."""
        if self.bye is not None:
            return
        if self._line is not None and self._sender is None and self._line.push(data):
            return
        if len(self._queue) >= self._most:
            self.leave("slow", again=True)
            return
        self._queue.append(data)
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send())

    def leave(self, reason: str, *, again: bool) -> None:
        """Say bye, then close; what was still waiting is dropped."""
        if self.bye is None:
            self.bye = reason
            self._queue.clear()
            self._queue.append(wire.encode({"type": "bye", "reason": reason, "again": again}))
            if self._sender is None:
                self._sender = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        send = self._raw_send
        try:
            while self._queue:
                await send({"type": "websocket.send", "bytes": None, "text": self._queue.pop(0).decode()})
            if self.bye is not None:
                await send({"type": "websocket.close", "code": 1000, "reason": self.bye})
        except (RuntimeError, OSError):
            self._queue.clear()
            self.bye = self.bye or "gone"
        finally:
            self._sender = None

    async def receive(self) -> str | bytes:
        """The next message; raises `HungUp` when there will be none."""
        message = await self._receive()
        self.heard = time.monotonic()
        if isinstance(message, bytes):  # straight from the line
            return message
        if message["type"] == "websocket.connect":
            await self._raw_send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            if self._line is not None:
                self._line.settle()
            return b""
        if message["type"] != "websocket.receive":
            self.bye = self.bye or "gone"
            raise HungUp
        return message.get("text") or message.get("bytes") or b""

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


class Sockets:
    """All sockets of this process."""

    def __init__(self, tables: Tables, people: People, seating: Seating, play: Play, undoing: Undoing) -> None:
        self._tables = tables
        self._people = people
        self._seating = seating
        self._play = play
        self._undoing = undoing
        self._config = tables.config
        self._limits = tables.config.limits
        self._addresses: Counter[str] = Counter()
        self.open: set[Socket] = set()

    async def serve(self, scope: Scope, receive: Receive, send: Send, table_id: str) -> None:
        """Look after one connection until it ends."""
        socket = Socket(receive, send, self._limits.queue_messages, scope.get("extensions", {}).get(LINE))
        where = address(scope)
        self._addresses[where] += 1
        self.open.add(socket)
        loaded: Loaded | None = None
        try:
            await socket.receive()  # the handshake
            scope.clear()  # it has been looked at, and would be kept as long as the line is open
            if self._addresses[where] > self._limits.sockets_per_address > 0:
                socket.leave("full", again=True)
            elif (wish := await self._first_message(socket)) is not None:
                loaded = await self._tables.get(table_id)
                await self._enter(socket, loaded, wish)
                await self._listen(socket, loaded)
        except (HungUp, OSError):
            pass
        except PreauError as error:
            reason, again = _why_not(error)
            socket.leave(reason, again=again)
        finally:
            self._addresses[where] -= 1
            if not self._addresses[where]:
                del self._addresses[where]
            self.open.discard(socket)
            if loaded is not None and socket in loaded.room.viewers:
                loaded.room.leave(socket)
                self._presence_changed(loaded)
            if socket.bye not in (None, "gone"):
                self._tables.metrics.dropped.labels(socket.bye).inc()
            await socket.finish()

    def look_after(self) -> None:
        """Close the lines that have said nothing for too long (a client pings every few seconds), and let the others
        rest.
        """
        limit = time.monotonic() - self._config.silence_ms / 1000
        for socket in list(self.open):
            if socket.heard < limit:
                socket.leave("silent", again=True)
            else:
                socket.rest()

    def say_bye(self) -> None:
        """The server is going to stop."""
        for socket in list(self.open):
            socket.leave("restart", again=True)

    async def _first_message(self, socket: Socket) -> wire.Join | None:
        """What the client wants to come in as."""
        try:
            wish = wire.decode(await socket.receive())
        except (msgspec.MsgspecError, UnicodeDecodeError):
            wish = None
        if isinstance(wish, wire.Join):
            return wish
        socket.leave("protocol", again=False)
        return None

    async def _enter(self, socket: Socket, loaded: Loaded, wish: wire.Join) -> None:
        """Let somebody in; whoever has a seat that a bot looks after gets it back."""
        socket.holder = await self._people.holder(loaded, wish.token)
        if self._crowded(loaded, socket.holder):
            socket.leave("full", again=True)
            return
        socket.eyes = first_eyes(loaded.table, socket.holder, wish.seat)
        for seat in loaded.table.seats_of(socket.holder):
            if loaded.table.seats[seat].stand_in:
                await self._seating.stand_in(loaded, seat, None)
        await greet(self._tables, loaded, socket, wish.last)
        socket.push(wire.encode(wire.PingMessage(n=socket.meter.ping(self._tables.now()))))
        self._presence_changed(loaded)

    def _crowded(self, loaded: Loaded, holder: str | None) -> bool:
        """Spectators share the room's places; somebody at the table always gets in, with a few devices."""
        same = sum(viewer.holder == holder for viewer in loaded.room.viewers)
        return same >= (LINES_EACH if holder is not None else self._limits.spectators_per_table)

    def _presence_changed(self, loaded: Loaded) -> None:
        show_presence(loaded)
        announce(self._tables, loaded)

    async def _listen(self, socket: Socket, loaded: Loaded) -> None:
        limits = self._limits
        rate = Bucket(limits.messages_per_second, limits.messages_burst)
        talk = Bucket(limits.chat_per_minute / 60, limits.chat_burst)
        undo = Bucket(limits.undo_per_minute / 60, limits.undo_burst)
        broken, pinged = 0, self._tables.now()
        count = self._tables.metrics.messages.inc
        while socket.bye is None:
            data = await socket.receive()
            count()
            if socket.bye is not None:
                break
            if not rate.take():
                socket.leave("rate", again=True)
                return
            try:
                await self._do(socket, loaded, wire.decode(data), talk, undo)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                broken += 1
                if broken > PATIENCE:
                    socket.leave("protocol", again=False)
                    return
                socket.push(
                    wire.encode(wire.RefusedMessage(error="Malformed", message=str(error)[:200], key="malformed"))
                )
            now = self._tables.now()
            if now - pinged > PING_SECONDS * 1000:
                pinged = now
                socket.push(wire.encode(wire.PingMessage(n=socket.meter.ping(now))))

    async def _do(
        self, socket: Socket, loaded: Loaded, message: wire.ClientMessage, talk: Bucket, undo: Bucket
    ) -> None:
        try:
            match message:
                case wire.Act():
                    await self._act(socket, loaded, message)
                case wire.Ping():
                    socket.push(wire.encode(wire.PongMessage(n=message.n, now=self._tables.now())))
                case wire.Pong():
                    socket.meter.pong(message.n, self._tables.now())
                case wire.Undo():
                    seat = must_own(loaded.table, socket.holder, message.seat, socket.eyes)
                    if not undo.take():
                        raise TooMuch("too many steps back", key="rate", hint="Wait a little.")
                    await self._undoing.undo(loaded, seat, message.at)
                case wire.Agree():
                    seat = must_own(loaded.table, socket.holder, message.seat, socket.eyes)
                    if message.yes:
                        await self._undoing.agree(loaded, seat, message.at)
                    else:
                        await self._undoing.decline(loaded, message.at)
                case wire.Look():
                    await self._look(socket, loaded, message.seat)
                case wire.Resync():
                    await greet(self._tables, loaded, socket, message.last)
                case wire.Say():
                    await self._say(socket, loaded, message, talk)
                case wire.Join():
                    raise Refusal("you are in already", key="protocol")
        except PreauError as error:
            self._tables.metrics.refused.labels(error.key or type(error).__name__).inc()
            socket.push(wire.encode(refused(error, message, loaded.live)))

    async def _act(self, socket: Socket, loaded: Loaded, message: wire.Act) -> None:
        seat = must_own(loaded.table, socket.holder, message.seat, socket.eyes)
        delay = None
        if loaded.live is not None and seat in loaded.live.state.racers():
            delay = socket.meter.bound(message.delay, self._tables.now() - socket.shown)
        number, new = await self._play.act(loaded, seat, message.action, at=message.at, client=message.id, delay=delay)
        if not new or socket.eyes != seat:
            socket.push(wire.encode(wire.AckMessage(id=message.id, number=number)))

    async def _look(self, socket: Socket, loaded: Loaded, seat: int | None) -> None:
        socket.eyes = other_eyes(loaded.table, socket.holder, seat)
        await greet(self._tables, loaded, socket)

    async def _say(self, socket: Socket, loaded: Loaded, message: wire.Say, bucket: Bucket) -> None:
        line = said(loaded.table, socket.holder, socket.eyes, message, self._tables.now())
        if not bucket.take():
            raise TooMuch("you are talking too fast", key="rate", hint="Wait a little.")
        await chat.say(self._tables, loaded, line)


def _why_not(error: PreauError) -> tuple[str, bool]:
    """What a client that could not be let in is told, and whether trying again makes sense."""
    if isinstance(error, Busy):
        return "busy", True
    if isinstance(error, Forbidden):
        return "token", False
    return ("rules" if isinstance(error, RecordError) else "unknown"), False
