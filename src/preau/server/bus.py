"""News between the processes that serve the same tables.

The bus only makes things quick. Whatever it loses, every process finds in the database within a second or two, so a
bus that is down slows the game between processes and breaks nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
import redis.asyncio as redis
from redis.exceptions import RedisError

from .logs import log

Json = dict[str, Any]
Listener = Callable[[str, Json], Awaitable[None]]

_PREFIX = "preau:"


class Bus(Protocol):
    """Carries news about tables to the other processes."""

    shared: bool
    """Whether there may be other processes at all."""
    up: bool | None
    """Whether it works just now; None for a bus that cannot fail."""

    async def open(self, process: str, listener: Listener, caught_up: Callable[[], None]) -> None:
        """Begin to listen. `caught_up` is called whenever news may have been missed."""

    async def close(self) -> None:
        """Stop."""

    def publish(self, table: str, news: Json) -> None:
        """Tell the others; never waits."""

    def follow(self, table: str) -> None:
        """Listen to a table."""

    def unfollow(self, table: str) -> None:
        """Listen to it no longer."""


class LocalBus:
    """For one process: there is nobody to tell."""

    up: bool | None = None

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared

    async def open(self, process: str, listener: Listener, caught_up: Callable[[], None]) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    def publish(self, table: str, news: Json) -> None:
        """Nothing to do."""

    def follow(self, table: str) -> None:
        """Nothing to do."""

    def unfollow(self, table: str) -> None:
        """Nothing to do."""


class RedisBus:
    """Redis channels, one a table."""

    shared = True

    def __init__(self, url: str) -> None:
        self.up: bool | None = False
        self._client = redis.from_url(url, socket_connect_timeout=2, socket_keepalive=True)
        self._followed: set[str] = set()
        self._out: deque[tuple[str, bytes]] = deque(maxlen=20_000)
        self._wake = asyncio.Event()
        self._pubsub: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._process = ""

    async def open(self, process: str, listener: Listener, caught_up: Callable[[], None]) -> None:
        """Begin to listen and to tell."""
        self._process = process
        self._tasks = [
            asyncio.create_task(self._listen(listener, caught_up), name="bus in"),
            asyncio.create_task(self._tell(), name="bus out"),
        ]

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(RedisError, OSError):
            await self._client.aclose()

    def publish(self, table: str, news: Json) -> None:
        """Queue it; of what waits while Redis is away, the oldest is dropped."""
        self._out.append((_PREFIX + table, msgspec.json.encode({**news, "process": self._process})))
        self._wake.set()

    def follow(self, table: str) -> None:
        """Listen to a table."""
        self._followed.add(table)
        self._wake.set()

    def unfollow(self, table: str) -> None:
        """Listen to it no longer."""
        self._followed.discard(table)
        self._wake.set()

    async def _tell(self) -> None:
        subscribed: set[str] = set()
        known: Any = None
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                if self._pubsub is not known:
                    known, subscribed = self._pubsub, set()
                if known is not None and subscribed != self._followed:
                    fresh, old = self._followed - subscribed, subscribed - self._followed
                    if fresh:
                        await known.subscribe(*(_PREFIX + table for table in fresh))
                    if old:
                        await known.unsubscribe(*(_PREFIX + table for table in old))
                    subscribed = (subscribed | fresh) - old
                if self._out:
                    pipe = self._client.pipeline(transaction=False)
                    while self._out:
                        pipe.publish(*self._out.popleft())
                    await pipe.execute()
            except (RedisError, OSError):
                known = None
                await asyncio.sleep(0.2)

    async def _listen(self, listener: Listener, caught_up: Callable[[], None]) -> None:
        while True:
            pubsub = self._client.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.subscribe(_PREFIX, *(_PREFIX + table for table in self._followed))
                self._pubsub, self.up = pubsub, True
                self._wake.set()
                caught_up()
                async for message in pubsub.listen():
                    await self._hear(message, listener)
            except (RedisError, OSError) as error:
                log.warning("redis is away", error=type(error).__name__)
            finally:
                self.up, self._pubsub = False, None
                with contextlib.suppress(RedisError, OSError):
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
            await asyncio.sleep(0.3)

    async def _hear(self, message: Json, listener: Listener) -> None:
        channel = message["channel"].decode()
        if message["type"] != "message" or channel == _PREFIX:
            return
        try:
            news = msgspec.json.decode(message["data"])
        except msgspec.DecodeError:
            return
        if isinstance(news, dict) and news.pop("process", None) != self._process:
            await listener(channel.removeprefix(_PREFIX), news)
