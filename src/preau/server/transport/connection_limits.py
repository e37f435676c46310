"""Everybody who is connected, counted from the first moment: how many in all, how many of one address, and who only
stands in the way.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from ...host.refusals import busy, too_many
from ...table.refusals import Refusal
from ..client_address import TrustedProxies, client_address
from ..config import Config

LINGER_SECONDS = 2.0
"""How long the last words to somebody may take to arrive before the connection is cut."""
CUT_SECONDS = 5.0
"""How long a connection may take to close before it is cut: who does not read never takes the last words."""
RESERVED_FILES = 128
"""Files the server keeps for itself: databases, pipes to bots, logs."""


class TrackedConnection(Protocol):
    """A connection, as the crowd knows it."""

    transport: asyncio.Transport

    def send_away(self) -> None:
        """Close it at once: others need its place."""

    def check_time(self, now: float) -> None:
        """End it if it has taken too long."""


class ConnectionRegistry:
    """The open connections of this process."""

    def __init__(self, config: Config, files: int) -> None:
        """`files` is how many the system allows."""
        limits = config.limits
        self.most = limits.connections or max(1, files - RESERVED_FILES)
        self._most_each = limits.connections_per_address
        self._idle_seconds = config.request_ms / 1000
        """A connection that asks nothing is closed after this time, so others have room then."""
        self._proxies = TrustedProxies(config.proxies)
        self._open: dict[TrackedConnection, str | None] = {}
        self._idle: dict[TrackedConnection, None] = {}
        self._addresses: Counter[str] = Counter()
        self._closing: dict[TrackedConnection, float] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._open)

    def __iter__(self) -> Iterator[TrackedConnection]:
        """Those that are open, also such that are being closed."""
        return iter(self._open)

    def enter(self, caller: TrackedConnection) -> Refusal | None:
        """A new connection; why not, if it cannot stay.

        When all places are taken, whoever has stood there longest without asking anything has to go. So the silent
        cannot keep out those who speak.
        """
        peer = caller.transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        where = None if host in self._proxies else client_address({"client": (host, 0)})
        if where is not None and self._addresses[where] >= self._most_each > 0:
            return too_many("connections", self._idle_seconds)
        if len(self._open) >= self.most:
            if not self._idle:
                return busy("the server is full")
            self.leave(longest := next(iter(self._idle)))
            longest.send_away()
        self._open[caller] = where
        self._idle[caller] = None
        if where is not None:
            self._addresses[where] += 1
        return None

    def leave(self, caller: TrackedConnection) -> None:
        """A connection has gone; that of somebody who was not let in may go too."""
        self._idle.pop(caller, None)
        self._closing.pop(caller, None)
        where = self._open.pop(caller, None)
        if where is not None:
            self._addresses[where] -= 1
            if not self._addresses[where]:
                del self._addresses[where]

    def asks(self, caller: TrackedConnection) -> None:
        """A connection is of use now."""
        self._idle.pop(caller, None)

    def rests(self, caller: TrackedConnection) -> None:
        """A connection has got its answer, and asks nothing more yet."""
        if caller in self._open:
            self._idle[caller] = None

    def becomes(self, caller: TrackedConnection, other: TrackedConnection) -> None:
        """The same connection goes on as another kind."""
        if caller in self._open:
            self._idle.pop(caller, None)
            self._open[other] = self._open.pop(caller)

    def sweep(self, now: float | None = None) -> None:
        """End what takes too long, and cut what does not take its end."""
        now = time.monotonic() if now is None else now
        for caller in list(self):
            if not caller.transport.is_closing():
                caller.check_time(now)
            elif now - self._closing.setdefault(caller, now) > CUT_SECONDS:
                caller.transport.abort()


def hang_up(transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> asyncio.TimerHandle | None:
    """Send what is written, and nothing more; what still comes is not read.

    It is cut a moment later only: cut at once, with something unread, the last words would be thrown away on their way.
    """
    if transport.is_closing():
        return None
    transport.pause_reading()
    transport.write_eof()
    return loop.call_later(LINGER_SECONDS, transport.abort)
