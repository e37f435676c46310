"""The message bus between processes: Redis that goes away and comes back, and the messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, get_args
from unittest import mock

import pytest
from redis.exceptions import ConnectionError as RedisGone
from structlog.testing import capture_logs

from preau.server.cluster import bus, messages
from preau.server.services import Services
from preau.server.storage.leases import Change, Lease
from preau.table import protocol
from preau.table.log import Row
from tests.server.running_services import FakeClock, run_with_services

# Redis goes away and comes back.


class Channel:
    """A subscription to Redis. It brings some messages, and then nothing until it breaks."""

    def __init__(self, redis: Gone) -> None:
        self._redis = redis

    async def subscribe(self, *names: str) -> None:
        self._redis.tries += 1
        if self._redis.tries in self._redis.refuses:
            raise RedisGone("nobody there")

    async def listen(self) -> Any:
        for data in self._redis.brings:
            yield {"type": "message", "channel": b"preau:t1", "data": data}
        self._redis.heard.set()
        await self._redis.broken.wait()
        raise RedisGone("gone")

    async def aclose(self) -> None:
        pass


class Gone:
    """A Redis that refuses some tries."""

    def __init__(self, refuses: range, brings: Sequence[bytes] = ()) -> None:
        self.refuses = refuses
        self.brings = brings
        self.tries = 0
        self.heard = asyncio.Event()
        self.broken = asyncio.Event()

    def pubsub(self, **how: Any) -> Channel:
        return Channel(self)

    def pipeline(self, **how: Any) -> Any:
        raise RedisGone("nobody there")

    async def aclose(self) -> None:
        pass


async def ignore(table: str, message: Any, process: str) -> None:
    """Take in a message of another process."""


def with_bus(redis: Gone, story: Any, listener: bus.Listener = ignore) -> None:
    async def whole() -> None:
        with mock.patch("redis.asyncio.from_url", return_value=redis):
            one = bus.RedisBus("redis://127.0.0.1:1")
        await one.open("me", listener, lambda: None)
        try:
            await story(one)
        finally:
            await one.close()

    asyncio.run(whole())


def test_redis_away_is_logged_once_and_its_return_too(monkeypatch):
    redis = Gone(range(1, 51))
    monkeypatch.setattr(bus, "pause", lambda tries: 0.0)

    async def story(one: bus.RedisBus) -> None:
        with capture_logs() as lines:
            await redis.heard.wait()
        assert redis.tries == 51
        assert [line["event"] for line in lines] == ["redis is away", "redis is back"]
        assert lines[1]["seconds"] >= 0
        assert one.up

    with_bus(redis, story)


def test_a_redis_that_says_nothing_is_away(monkeypatch):
    """It is frozen: the line is there, but nothing comes over it, not even one's own beat."""
    redis = Gone(range(0))
    monkeypatch.setattr(bus, "SILENCE_SECONDS", 0.01)

    async def story(one: bus.RedisBus) -> None:
        await redis.heard.wait()
        while redis.tries < 2:
            await asyncio.sleep(0)

    with_bus(redis, story)


def test_redis_is_tried_less_and_less_often_but_never_seldom():
    longest = [max(bus.pause(tries) for _ in range(50)) for tries in range(12)]
    assert longest[0] <= 0.25
    assert all(0.5 * bus.LONGEST_PAUSE <= bus.pause(tries) <= bus.LONGEST_PAUSE for tries in (5, 50, 10_000))
    assert len({bus.pause(9) for _ in range(20)}) > 1, "not all processes at the same moment"


# Messages on the bus.


MESSAGES: list[messages.BusMessage] = [
    messages.StepsCommitted([Row(3, 1, "act", "a b", 1_000, "c1", 120)], Change("over", 5, Lease(1, "p", 2))),
    messages.TableChanged(),
    messages.PresenceChanged([0, 2], 3),
    messages.ChatLineAdded(protocol.ChatLine(id=1, seat=0, name="Zo\u00e9", text="hello", phrase="", time=1)),
    messages.UndoRequestChanged(),
    messages.TapsCounted(2, {0: 7, 3: 11}),
    messages.SharedStepShown(protocol.LedMessage(together="t", step=3, leading=True)),
    messages.LeaderWanted("t"),
    messages.SharedViewersCounted("t", 4),
    messages.TokenMoved("h"),
    messages.HolderLeft("h"),
    messages.HolderRemoved("h", "hash"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: type(one).__name__)
def test_a_bus_message_arrives_as_it_was_sent(message):
    assert messages.decode(messages.encode("p1", message)) == messages.Envelope("p1", message)
    assert json.loads(messages.encode("p1", message)).get("kind") is None, "older versions ignore a dict without a kind"


def test_bus_messages_of_another_version_are_ignored_and_logged_once():
    heard: list[Any] = []

    async def listener(table: str, message: messages.BusMessage, process: str) -> None:
        heard.append((table, message, process))

    unknown = [
        {"kind": "log", "rows": [[1, 0, "act", "a", 1, None, None]], "change": {}, "process": "old"},
        {"kind": "who leads", "together": "t", "process": "old"},
        {"sender": "new", "message": {"type": "SomethingNew", "more": 1}},
        {"sender": "new", "message": {"type": "TokenMoved"}},
        ["no", "message"],
    ]
    brings = [*(json.dumps(one).encode() for one in unknown), b"\xff", messages.encode("p1", MESSAGES[1])]
    redis = Gone(range(0), brings)

    async def story(one: bus.RedisBus) -> None:
        with capture_logs() as lines:
            await redis.heard.wait()
        assert heard == [("t1", messages.TableChanged(), "p1")]
        assert [line["event"] for line in lines] == ["bus message ignored"]

    with_bus(redis, story, listener)


def test_every_bus_message_has_a_handler(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        assert set(services._remote_handlers()) == set(get_args(messages.BusMessage))
        assert {type(message) for message in MESSAGES} == set(get_args(messages.BusMessage))

    run_with_services(tmp_path, story)
