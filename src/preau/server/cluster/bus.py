"""Carry messages between the processes that serve the same tables.

The bus only makes updates quick. Every process finds in the database, within a second or two, what the bus has lost. A
bus that is down slows the game between processes and breaks nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
import redis.asyncio as redis
from redis.exceptions import RedisError

from ..logs import log
from .messages import BusMessage, decode, encode

Json = dict[str, Any]
Listener = Callable[[str, BusMessage, str], Awaitable[None]]
"""Takes the table, the message and the id of the process that sent it."""

_PREFIX = "preau:"
BEAT_SECONDS = 5.0
"""How often a process says something if there is nothing to say, so that all hear that Redis is there."""
SILENCE_SECONDS = 15.0
"""A Redis that brings nothing for so long is away."""
LONGEST_PAUSE = 5.0
STEADY_SECONDS = 10.0


def pause(tries: int) -> float:
    """How long to wait after so many tries in vain: longer and longer, and not all processes at the same moment."""
    return min(LONGEST_PAUSE, 0.25 * 2.0 ** min(tries, 10)) * random.uniform(0.5, 1.0)


class Bus(Protocol):
    """Carries messages about tables to the other processes."""

    shared: bool
    """Whether there may be other processes."""
    up: bool | None
    """Whether it works just now; None for a bus that cannot fail."""

    async def open(self, process: str, listener: Listener, caught_up: Callable[[], None]) -> None:
        """Begin to listen. `caught_up` is called whenever messages may have been missed."""

    async def close(self) -> None:
        """Stop."""

    def detect(self) -> bool:
        """Detect whether there are other processes; return whether that has changed."""

    def publish(self, table: str, message: BusMessage) -> None:
        """Send a message to the other processes, if there may be any; never waits."""

    def follow(self, table: str) -> None:
        """Listen to a table."""

    def unfollow(self, table: str) -> None:
        """Listen to it no longer."""


class LocalBus:
    """The bus without Redis: it sends nothing. Other processes, if there are any, find changes in the database."""

    up: bool | None = None

    def __init__(self, *, shared: bool, has_peers: Callable[[], bool] | None = None) -> None:
        """`has_peers` tells whether another process uses the database now; without it `shared` never changes."""
        self.shared = shared
        self._has_peers = has_peers

    async def open(self, process: str, listener: Listener, caught_up: Callable[[], None]) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    def detect(self) -> bool:
        """Ask whether another process uses the database; return whether the answer has changed."""
        before = self.shared
        if self._has_peers is not None:
            self.shared = self._has_peers()
        return self.shared != before

    def publish(self, table: str, message: BusMessage) -> None:
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
        self._away_since: float | None = None
        self._undecodable = False

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

    def detect(self) -> bool:
        """Nothing to do: other processes may use the same Redis at any time."""
        return False

    def publish(self, table: str, message: BusMessage) -> None:
        """Queue a message. While Redis is away, the oldest queued messages are dropped."""
        self._out.append((_PREFIX + table, encode(self._process, message)))
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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            if self._pubsub is not known:
                known, subscribed = self._pubsub, set()
            if known is None:
                continue  # the listener sets `_wake` when Redis is back
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    subscribed = await self._subscribe(known, subscribed)
                    await self._send()
            except (RedisError, OSError):
                known = None
                await asyncio.sleep(pause(1))

    async def _subscribe(self, pubsub: Any, subscribed: set[str]) -> set[str]:
        """Follow what is to be followed, and no more."""
        fresh, old = self._followed - subscribed, subscribed - self._followed
        if fresh:
            await pubsub.subscribe(*(_PREFIX + table for table in fresh))
        if old:
            await pubsub.unsubscribe(*(_PREFIX + table for table in old))
        return (subscribed | fresh) - old

    async def _send(self) -> None:
        pipe = self._client.pipeline(transaction=False)
        if not self._out:
            pipe.publish(_PREFIX, b"")
        while self._out:
            pipe.publish(*self._out.popleft())
        await pipe.execute()

    async def _listen(self, listener: Listener, caught_up: Callable[[], None]) -> None:
        tries = 0
        while True:
            pubsub = self._client.pubsub(ignore_subscribe_messages=True)
            began = time.monotonic()
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    await pubsub.subscribe(_PREFIX, *(_PREFIX + table for table in self._followed))
                self._is_here(pubsub)
                caught_up()
                await self._hear_on(pubsub, listener)
            except (RedisError, OSError) as error:
                self._is_away(error)
            finally:
                self.up, self._pubsub = False, None
                with contextlib.suppress(RedisError, OSError):
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
            tries = 0 if time.monotonic() - began > STEADY_SECONDS + SILENCE_SECONDS else tries + 1
            await asyncio.sleep(pause(tries))

    def _is_here(self, pubsub: Any) -> None:
        self._pubsub, self.up = pubsub, True
        self._wake.set()
        if self._away_since is not None:
            log.warning("redis is back", seconds=round(time.monotonic() - self._away_since, 1))
            self._away_since = None

    def _is_away(self, error: Exception) -> None:
        """Say so once, however often it is tried in vain."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            log.warning("redis is away", error=type(error).__name__)

    async def _hear_on(self, pubsub: Any, listener: Listener) -> None:
        """Hear what comes; raises an `OSError` when nothing has come for too long."""
        messages = pubsub.listen()
        while True:
            async with asyncio.timeout(SILENCE_SECONDS):
                message = await anext(messages)
            await self._hear(message, listener)

    async def _hear(self, message: Json, listener: Listener) -> None:
        channel = message["channel"].decode()
        if message["type"] != "message" or channel == _PREFIX:
            return
        try:
            envelope = decode(message["data"])
        except msgspec.MsgspecError as error:
            self._ignore(error)
            return
        if envelope.sender != self._process:
            await listener(channel.removeprefix(_PREFIX), envelope.message, envelope.sender)

    def _ignore(self, error: Exception) -> None:
        """Log once that another process sends what this version does not understand; the sweep catches up."""
        if not self._undecodable:
            self._undecodable = True
            log.warning("bus message ignored", error=str(error)[:200])
