"""News between processes: what came late, got lost or was never sent is made up for."""

from __future__ import annotations

import asyncio
import json
from typing import Any, get_args
from unittest import mock

import pytest
import sqlalchemy as sa
from redis.exceptions import ConnectionError as RedisGone
from structlog.testing import capture_logs

from preau.host.refusals import Busy
from preau.server.app import lookup_table
from preau.server.cluster import bus, messages
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.storage.leases import Change, Lease
from preau.server.tables.presence import connected_everywhere
from preau.table import protocol
from preau.table.log import Row
from preau.table.refusals import TooLate, Unknown
from tests.server.fake_viewers import FakeViewer
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_bagarre_table, create_table, play_to_end, read_log

ME, OPEN = protocol.SeatWish(kind="me"), protocol.SeatWish(kind="open")


async def waiting(services: Services, *seats: protocol.SeatWish) -> Any:
    table, _, _ = await services.creation.create(protocol.NewTable(game="bagarre", seats=list(seats)))
    return table


def kinds(viewer: FakeViewer) -> list[str]:
    return [json.loads(data)["type"] for data in viewer.got]


def test_what_was_read_first_and_came_last_is_not_believed(tmp_path, monkeypatch):
    """Somebody sits down while the seats are being read: the reading from before must not take the seat away again."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await waiting(services, ME, OPEN)
        read = services.store.read
        done, go_on = asyncio.Event(), asyncio.Event()

        async def late(work: Any) -> Any:
            found = await read(work)
            done.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(services.store, "read", late)
        slow = asyncio.create_task(services.tables.refresh(table))
        await done.wait()
        monkeypatch.setattr(services.store, "read", read)
        await services.seats.join(table, protocol.TakeSeat(name="Ana"), None)
        go_on.set()
        await slow
        assert table.table.seats[1].name == "Ana"

    run_with_services(tmp_path, story)


def test_a_game_begun_in_another_process_is_shown_although_the_news_got_lost(tmp_path):
    """These two have no bus at all: the sweep finds it out, and everybody who saw the table wait is greeted, once."""

    async def story(here: Services, clock: FakeClock) -> None:
        there = Services(here.config, clock)
        await there.open()
        try:
            table = await waiting(here, ME, ME)
            viewer = FakeViewer(None, None)
            await there.broadcaster.send_hello(await there.tables.get(table.id), viewer)
            await here.game_start.start(table)
            viewer.got.clear()
            for _ in range(2):
                await there.broadcaster.sweep()
            assert kinds(viewer) == ["table", "hello"]
            assert json.loads(viewer.got[-1])["view"]
        finally:
            await there.close()

    run_with_services(tmp_path, story)


def test_a_game_that_another_process_ended_is_over_for_whoever_asks_although_the_news_got_lost(tmp_path):
    """Its record, its review and a link to look at it together are there at once, and not before."""

    async def story(here: Services, clock: FakeClock) -> None:
        there = Services(here.config, clock)
        await there.open()
        try:
            table = await create_bagarre_table(here, start=True)
            other = await there.tables.get(table.id)
            for late in (there.tables.record, there.shared_replays.make):
                with pytest.raises(TooLate) as refused:
                    await late(other)
                assert refused.value.key == "not_over"
            await play_to_end(here, table)
            assert not other.live.state.over  # type: ignore[union-attr]
            await there.shared_replays.make(other)
            assert (await there.tables.record(other)).dumps() == (await here.tables.record(table)).dumps()
        finally:
            await there.close()

    run_with_services(tmp_path, story)


def test_whoever_starts_a_game_greets_everybody_once(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await waiting(services, ME, ME)
        viewer = FakeViewer(None, None)
        await services.broadcaster.send_hello(table, viewer)
        viewer.got.clear()
        await services.game_start.start(table)
        assert kinds(viewer) == ["table", "hello"]

    run_with_services(tmp_path, story)


def test_a_process_that_is_new_at_a_table_is_told_who_is_here(tmp_path, monkeypatch):
    """It did not listen when they came."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await waiting(services, ME, OPEN)
        table.audience.enter(FakeViewer(table.table.host, 0))
        told: list[Any] = []
        monkeypatch.setattr(services.bus, "shared", True)
        monkeypatch.setattr(services.bus, "publish", lambda table, message: told.append(message))
        for process in ("one", "one", "other", "one"):
            await services.remote_events.hear(table.id, messages.PresenceChanged([1], 0), process)
        assert told == [messages.PresenceChanged([0], 0)] * 2
        assert connected_everywhere(table).here == [0, 1]

    run_with_services(tmp_path, story)


# Loading is silent: what a GET finds is sent with the next event, sweep, hello or step, once and in order.


async def get(services: Services, table: str, name: str = "") -> None:
    """Do what `GET /tables/<table>` does, or with `name` a link preview."""
    if name == "preview":
        await lookup_table(services)(table)
    else:
        await services.tables.info(await services.tables.get(table))


async def act(services: Services, entry: Any) -> None:
    seat = entry.live.state.to_act[0]
    await services.moves.act(entry, seat, entry.live.state.legal(seat)[0].text)


def with_two_processes(tmp_path: Any, story: Any) -> None:
    """Run `story(here, there, told)`, where `told` lists the messages that `here` publishes."""

    async def whole(here: Services, clock: FakeClock) -> None:
        there = Services(here.config, clock)
        await there.open()
        told: list[Any] = []
        here.bus.publish = lambda table, message: told.append(message)  # type: ignore[method-assign]
        try:
            await story(here, there, told)
        finally:
            await there.close()

    run_with_services(tmp_path, whole)


@pytest.mark.parametrize("by", ["event", "sweep"])
@pytest.mark.parametrize("request_", ["table", "preview"])
def test_a_get_that_finds_a_seat_taken_sends_nothing_and_loses_nothing(tmp_path, by, request_):
    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await waiting(here, ME, OPEN)
        other: Any = await there.tables.get(table.id)
        viewer = FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        told.clear()
        await here.seats.join(table, protocol.TakeSeat(name="Ana"), None)
        await get(there, table.id, request_)
        assert other.table.seats[1].name == "Ana"
        assert kinds(viewer) == []
        if by == "event":
            for message in told:
                await there.remote_events.hear(table.id, message, here.process)
        else:
            await there.sweeper.sweep()
        assert kinds(viewer) == ["table"]
        assert json.loads(viewer.got[0])["table"]["seats"][1]["name"] == "Ana"
        viewer.got.clear()
        await there.broadcaster.sweep()
        assert kinds(viewer) == []

    with_two_processes(tmp_path, story)


@pytest.mark.parametrize("by", ["event", "sweep", "hello", "step", "undo"])
def test_a_get_that_finds_steps_sends_nothing_and_loses_nothing(tmp_path, by):
    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await create_table(here, "recess", 3)
        other: Any = await there.tables.get(table.id)
        viewer, late = FakeViewer(None, None), FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        told.clear()
        await act(here, table)
        await get(there, table.id)
        await act(here, table)
        await get(there, table.id)
        assert other.live.head == table.live.head
        assert kinds(viewer) == []
        numbers = [message.rows[0].number for message in told if isinstance(message, messages.StepsCommitted)]
        assert len(numbers) == 2
        if by == "event":
            for message in told:
                await there.remote_events.hear(table.id, message, here.process)
        elif by == "sweep":
            await there.sweeper.sweep()
        elif by == "hello":
            await there.broadcaster.send_hello(other, late)
            assert kinds(late) == ["hello"]
            assert json.loads(late.got[0])["number"] == table.live.head
        elif by == "step":
            numbers.append(table.live.head + 1)
            await act(there, other)
        else:
            await there.undos.undo(other, (await read_log(here, table))[-1].actor, table.live.head)
        steps = [json.loads(data) for data in viewer.got if json.loads(data)["type"] == "step"]
        shown = [step["first"] for step in steps if "undone" not in step]
        assert shown == numbers, "each step once, in order"
        viewer.got.clear()
        await there.broadcaster.sweep()
        assert kinds(viewer) == []

    with_two_processes(tmp_path, story)


@pytest.mark.parametrize("by", ["event", "sweep", "hello"])
def test_a_get_that_finds_a_game_begun_sends_nothing_and_loses_nothing(tmp_path, by):
    """The viewers are sent the whole game once, and then each later step once."""

    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await waiting(here, ME, ME)
        other: Any = await there.tables.get(table.id)
        viewer, late = FakeViewer(None, None), FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        told.clear()
        await here.game_start.start(table)
        await get(there, table.id)
        await act(here, table)
        await get(there, table.id)
        assert other.live.head == table.live.head
        assert kinds(viewer) == []
        if by == "event":
            for message in told:
                await there.remote_events.hear(table.id, message, here.process)
        elif by == "sweep":
            await there.sweeper.sweep()
        else:
            await there.broadcaster.send_hello(other, late)
            assert kinds(late) == ["hello"]
        assert kinds(viewer)[:2] == ["table", "hello"]
        assert kinds(viewer).count("hello") == 1
        assert "step" not in kinds(viewer), "the hello shows it already"
        assert json.loads(viewer.got[1])["number"] == table.live.head
        viewer.got.clear()
        await act(there, other)
        assert kinds(viewer) == ["step"]

    with_two_processes(tmp_path, story)


def test_an_undo_after_steps_that_a_get_found_is_sent_alone(tmp_path):
    """As for a process that catches up with all of it at once: a view shows the newest position."""

    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await create_table(here, "recess", 3)
        other: Any = await there.tables.get(table.id)
        viewer = FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        seat = table.live.state.to_act[0]
        await act(here, table)
        await get(there, table.id)
        await here.undos.undo(table, seat, table.live.head)
        await get(there, table.id)
        assert kinds(viewer) == []
        await there.broadcaster.sweep()
        assert other.live.head == table.live.head
        steps = [json.loads(data) for data in viewer.got]
        assert [(one["type"], one["first"]) for one in steps] == [("step", table.live.head)]

    with_two_processes(tmp_path, story)


def test_a_get_that_finds_a_table_deleted_sends_nothing_and_loses_nothing(tmp_path):
    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await waiting(here, ME, OPEN)
        other: Any = await there.tables.get(table.id)
        viewer = FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        gone = sa.delete(schema.tables).where(schema.tables.c.id == table.id)
        await here.store.write(lambda connection: connection.execute(gone).rowcount)
        for _ in range(2):
            with pytest.raises(Unknown):
                await there.tables.get(table.id)
        assert (kinds(viewer), viewer.bye) == ([], None)
        await there.broadcaster.sweep()
        assert viewer.bye == "unknown"
        assert table.id not in there.tables.entries

    with_two_processes(tmp_path, story)


def test_what_could_not_be_sent_is_sent_later(tmp_path, monkeypatch):
    """The database is away when a hello is to be sent."""

    async def story(here: Services, there: Services, told: list[Any]) -> None:
        table = await waiting(here, ME, ME)
        other: Any = await there.tables.get(table.id)
        viewer = FakeViewer(None, None)
        await there.broadcaster.send_hello(other, viewer)
        viewer.got.clear()
        await here.game_start.start(table)
        await get(there, table.id)

        async def away(work: Any) -> Any:
            raise Busy("the database cannot be reached", key="busy")

        with monkeypatch.context() as patched:
            patched.setattr(there.store, "read", away)
            with pytest.raises(Busy):
                await there.broadcaster.send_unsent(other)
        assert "hello" not in kinds(viewer)
        await there.broadcaster.sweep()
        assert kinds(viewer)[-1] == "hello"

    with_two_processes(tmp_path, story)


# Two processes on one SQLite file, and nothing between them.


def test_two_processes_on_one_file_notice_each_other_and_see_each_others_steps(tmp_path):
    async def story(here: Services, clock: FakeClock) -> None:
        assert here.warning is None
        there = Services(here.config, clock)
        with capture_logs() as lines:
            await there.open()
            try:
                assert there.warning is not None, "whoever comes second knows at once"
                await here.sweeper.sweep()
                assert here.warning is not None
                table = await waiting(here, ME, ME)
                viewer = FakeViewer(None, None)
                await here.game_start.start(table)
                await there.broadcaster.send_hello(await there.tables.get(table.id), viewer)
                viewer.got.clear()
                seat = table.live.state.to_act[0]
                await here.moves.act(table, seat, table.live.state.legal(seat)[0].text)
                await there.sweeper.sweep()
                assert kinds(viewer) == ["step"]
            finally:
                await there.close()
            await here.sweeper.sweep()
            assert here.warning is None, "alone again"
        assert [line["warning"] is not None for line in lines if line["event"] == "neighbours"] == [True, True, False]

    run_with_services(tmp_path, story)


def test_a_process_with_redis_minds_no_neighbours(tmp_path):
    async def story(here: Services, clock: FakeClock) -> None:
        there = Services(here.config, clock)
        await there.open()
        await there.close()
        assert there.warning is None

    run_with_services(tmp_path, story, redis="redis://127.0.0.1:1")


# Redis goes away and comes back.


class Channel:
    """What Redis brings: nothing, for as long as one likes to listen."""

    def __init__(self, redis: Gone) -> None:
        self._redis = redis

    async def subscribe(self, *names: str) -> None:
        self._redis.tries += 1
        if self._redis.tries in self._redis.refuses:
            raise RedisGone("nobody there")

    async def listen(self) -> Any:
        self._redis.heard.set()
        await self._redis.broken.wait()
        raise RedisGone("gone")
        yield

    async def aclose(self) -> None:
        pass


class Gone:
    """A Redis that refuses some tries."""

    def __init__(self, refuses: range) -> None:
        self.refuses = refuses
        self.tries = 0
        self.heard = asyncio.Event()
        self.broken = asyncio.Event()

    def pubsub(self, **how: Any) -> Channel:
        return Channel(self)

    def pipeline(self, **how: Any) -> Any:
        raise RedisGone("nobody there")

    async def aclose(self) -> None:
        pass


def with_bus(redis: Gone, story: Any) -> None:
    async def nothing(table: str, message: Any, process: str) -> None:
        return

    async def whole() -> None:
        with mock.patch("redis.asyncio.from_url", return_value=redis):
            one = bus.RedisBus("redis://127.0.0.1:1")
        await one.open("me", nothing, lambda: None)
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


def test_bus_stepsof_another_version_are_ignored_and_logged_once():
    heard: list[Any] = []

    async def listener(table: str, message: messages.BusMessage, process: str) -> None:
        heard.append((table, message, process))

    async def story() -> None:
        one = bus.RedisBus("redis://127.0.0.1:1")
        unknown = [
            {"kind": "log", "rows": [[1, 0, "act", "a", 1, None, None]], "change": {}, "process": "old"},
            {"kind": "who leads", "together": "t", "process": "old"},
            {"sender": "new", "message": {"type": "SomethingNew", "more": 1}},
            {"sender": "new", "message": {"type": "TokenMoved"}},
            ["no", "message"],
        ]
        with capture_logs() as lines:
            for data in [*(json.dumps(one).encode() for one in unknown), b"\xff", messages.encode("p1", MESSAGES[1])]:
                await one._hear({"type": "message", "channel": b"preau:t1", "data": data}, listener)
        assert heard == [("t1", messages.TableChanged(), "p1")]
        assert [line["event"] for line in lines] == ["bus message ignored"]
        await one.close()

    asyncio.run(story())


def test_every_bus_message_has_a_handler(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        assert set(services._remote_handlers()) == set(get_args(messages.BusMessage))
        assert {type(message) for message in MESSAGES} == set(get_args(messages.BusMessage))

    run_with_services(tmp_path, story)
