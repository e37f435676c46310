"""Limits on downloads of the page's files: requests of an address in a time, and bytes on their way to it.

A download beyond a limit waits for its turn. It is refused if it would have to wait for long.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from ...host.refusals import too_many
from ..config import Limits
from ..token_buckets import Buckets
from ..transport.asgi_types import Scope

CHUNK_BYTES = 65_536
"""Bytes of a file that are sent at once. A smaller body is not counted among the bytes on their way."""
BUFFERED_BYTES = 3 * CHUNK_BYTES
"""Bytes that a client can hold up by not reading: a piece to be sent, one that is being written, and the connection's
write buffer.
"""
FRONT_PAGE = 10
"""A front page counts as so many files: it may be looked up in the database and compressed."""
AT_ONCE = 8
"""Downloads of one address that begin in one turn of the event loop, so that other clients have theirs in between."""
CHECK_SECONDS = 1.0
"""How often a download that waits checks whether another one of its address is too slow."""


def file_name(path: str) -> str | None:
    """Return the name of the page's file that a path leads to; None if it leads to no file.

    Files have their place under /static/. Browsers look for some of them at the root, such as favicon.ico.

    >>> file_name("/static/assets/main.js"), file_name("/favicon.ico"), file_name("/t/abc")
    ('assets/main.js', 'favicon.ico', None)
    """
    if path.startswith("/static/"):
        return path.removeprefix("/static/")
    return path.removeprefix("/") if "." in path else None


def download_cost(scope: Scope) -> int:
    """Return what a request for the page or a file of it counts; 0 for any other request."""
    path = scope["path"]
    if scope["method"] not in ("GET", "HEAD") or path in ("/api", "/metrics") or path.startswith("/api/"):
        return 0
    return FRONT_PAGE if file_name(path) is None else 1


class DownloadSlot:
    """The place of one download: it counts among the bytes of its address while it is `taken`."""

    __slots__ = ("_clock", "_open", "_timeout", "taken")

    def __init__(
        self, open_places: OrderedDict[DownloadSlot, float], timeout: asyncio.Timeout, clock: Callable[[], float]
    ) -> None:
        self._open = open_places
        self._clock = clock
        self._timeout = timeout
        self.taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def sending(self) -> None:
        """Note that the next piece is being sent."""
        self._open[self] = self._clock()
        self._open.move_to_end(self)

    def end(self) -> None:
        """End the download: the task that sends it gets a `TimeoutError`."""
        self._open.pop(self, None)
        self._timeout.reschedule(asyncio.get_running_loop().time())


class DownloadLimits:
    """The downloads of all addresses."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rates = Buckets(limits.downloads_per_second, limits.downloads_burst)
        self._most, self._most_each = limits.download_bytes, limits.download_bytes_per_address
        self._beginning: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self.total_bytes = 0
        """Bytes on their way to all addresses."""
        self._waiting: dict[str, deque[DownloadSlot]] = {}
        self._open: dict[str, OrderedDict[DownloadSlot, float]] = {}
        """Downloads that have their place, by address, and since when each sends its piece: the oldest first."""
        self._longest_wait = limits.downloads_wait_ms / 1_000
        self._longest_place_wait = limits.download_bytes_wait_ms / 1_000
        self._longest_piece = limits.download_piece_ms / 1_000

    @property
    def addresses(self) -> int:
        """How many addresses have downloads that begin, wait or are sent. Nothing is kept of any other."""
        return len({*self._beginning, *self._held, *self._waiting, *self._open})

    # Requests.

    async def begin(self, address: str, cost: float) -> None:
        """Wait until an address may begin a download; refuse it if that would take too long."""
        bucket = self._rates.of(address)
        seconds = bucket.wait(cost)
        if seconds > self._longest_wait:
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
    async def place(self, address: str, gone: asyncio.Future[Any]) -> AsyncGenerator[DownloadSlot, None]:
        """Wait until a large body may be sent to an address, or until the client is `gone`; count it until its end.

        A download that waits for too long is refused. While it waits, another one gets a `TimeoutError` if its client
        takes too long for a piece: see `_in_the_way`.
        """
        async with asyncio.timeout(None) as timeout:
            place = DownloadSlot(self._open.setdefault(address, OrderedDict()), timeout, self._clock)
            self._waiting.setdefault(address, deque()).append(place)
            try:
                self._let_in()
                await self._wait(address, place, gone)
                yield place
            finally:
                self._leave(address, place)

    async def _wait(self, address: str, place: DownloadSlot, gone: asyncio.Future[Any]) -> None:
        end = self._clock() + self._longest_place_wait
        while not place.taken.done() and not gone.done():
            now = self._clock()
            if now >= end:
                raise too_many("downloads", self._longest_piece)
            slowest = self._in_the_way(address, now - self._longest_piece)
            if slowest is not None:
                slowest.end()
            wait = min(CHECK_SECONDS, end - now)
            await asyncio.wait({place.taken, gone}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)

    def _in_the_way(self, address: str, since: float) -> DownloadSlot | None:
        """Return the slowest download that keeps one of an address waiting, if it has sent its piece `since` or longer.

        If the address holds all that it may, it is one of its own. Else all places are taken, and it is one of the
        address that holds most.
        """
        held = self._held[address]
        if self._each_is_full(held):
            others = [address]
        else:
            others = [other for other, theirs in self._held.items() if theirs >= held]
        late = [other for other in others if self._open[other] and next(iter(self._open[other].values())) < since]
        return next(iter(self._open[max(late, key=self._held.__getitem__)])) if late else None

    def _leave(self, address: str, place: DownloadSlot) -> None:
        if not place.taken.done():
            self._waiting[address].remove(place)
            if not self._waiting[address]:
                del self._waiting[address]
        else:
            self._open[address].pop(place, None)
            self.total_bytes -= BUFFERED_BYTES
            self._held[address] -= BUFFERED_BYTES
            if not self._held[address]:
                del self._held[address]
            self._let_in()
        if address not in self._held and address not in self._waiting:
            del self._open[address]

    def _let_in(self) -> None:
        """Give free places to those who wait: one to each address in turn, to its oldest download first."""
        while addresses := [address for address in self._waiting if self._fits(address)]:
            address = addresses[0]
            places = self._waiting.pop(address)
            place = places.popleft()
            place.taken.set_result(None)
            place.sending()
            self.total_bytes += BUFFERED_BYTES
            self._held[address] += BUFFERED_BYTES
            if places:
                self._waiting[address] = places

    def _fits(self, address: str) -> bool:
        """Whether one more body may be sent to an address. The first one always may, whatever others have taken."""
        held = self._held[address]
        if held and self._each_is_full(held):
            return False
        return not held or not self._most or self.total_bytes + BUFFERED_BYTES <= self._most

    def _each_is_full(self, held: int) -> bool:
        """Whether an address that holds so much may hold no more."""
        return 0 < self._most_each < held + BUFFERED_BYTES
