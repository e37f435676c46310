"""Limits on downloads of the page's files: requests of an address in a time, and bytes on their way to it.

A download beyond a limit waits for its turn. It is refused only if it would have to wait for long.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from ..hosting.refusals import too_many
from .asgi import Scope
from .config import Limits
from .rate_limits import Buckets

PIECE = 65_536
"""Bytes of a file that are sent at once. A smaller body is not counted among the bytes on their way."""
HELD = 3 * PIECE
"""Bytes that a client can hold up by not reading: a piece to be sent, one that is being written, and the connection's
write buffer.
"""
FRONT_PAGE = 10
"""A front page counts as so many files: it may be looked up in the database and compressed."""
LONGEST_WAIT = 10.0
"""Seconds. A request that would have to wait longer is refused."""
AT_ONCE = 8
"""Downloads of one address that begin in one turn of the event loop, so that other clients have theirs in between."""


def download_cost(scope: Scope) -> int:
    """Return what a request for the page or a file of it counts; 0 for any other request."""
    path = scope["path"]
    if scope["method"] not in ("GET", "HEAD") or path in ("/api", "/metrics") or path.startswith("/api/"):
        return 0
    return 1 if path.startswith("/static/") or "." in path else FRONT_PAGE


class Downloads:
    """The downloads of all addresses."""

    def __init__(self, limits: Limits) -> None:
        self._rates = Buckets(limits.downloads_per_second, limits.downloads_burst)
        self._most, self._most_each = limits.download_bytes, limits.download_bytes_per_address
        self._beginning: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._total = 0
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    # Requests.

    async def begin(self, address: str, cost: float) -> None:
        """Wait until an address may begin a download; refuse it if that would take too long."""
        bucket = self._rates.of(address)
        seconds = bucket.wait(cost)
        if seconds > LONGEST_WAIT:
            raise too_many("downloads", seconds)
        if bucket.borrow(cost):
            await asyncio.sleep(seconds)
        before = self._beginning[address]
        self._beginning[address] += 1
        try:
            for _ in range(before // AT_ONCE):
                await asyncio.sleep(0)
        finally:
            asyncio.get_running_loop().call_soon(self._begun, address)

    def _begun(self, address: str) -> None:
        self._beginning[address] -= 1
        if not self._beginning[address]:
            del self._beginning[address]

    # Bytes.

    @asynccontextmanager
    async def place(self, address: str, gone: asyncio.Future[Any]) -> AsyncGenerator[None, None]:
        """Wait until a large body may be sent to an address, or until the client is `gone`; count it until its end."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        try:
            self._let_in()
            if not place.done():
                await asyncio.wait({place, gone}, return_when=asyncio.FIRST_COMPLETED)
            yield
        finally:
            self._leave(address, place)

    def _leave(self, address: str, place: asyncio.Future[None]) -> None:
        if not place.done():
            self._waiting[address].remove(place)
            if not self._waiting[address]:
                del self._waiting[address]
            return
        self._total -= HELD
        self._held[address] -= HELD
        if not self._held[address]:
            del self._held[address]
        self._let_in()

    def _let_in(self) -> None:
        """Give free places to those who wait: one to each address in turn, to its oldest download first."""
        while addresses := [address for address in self._waiting if self._fits(address)]:
            address = addresses[0]
            places = self._waiting.pop(address)
            places.popleft().set_result(None)
            self._total += HELD
            self._held[address] += HELD
            if places:
                self._waiting[address] = places

    def _fits(self, address: str) -> bool:
        """Whether one more body may be sent to an address. The first one always may, whatever others have taken."""
        held = self._held[address]
        if held and 0 < self._most_each < held + HELD:
            return False
        return not held or not self._most or self._total + HELD <= self._most
