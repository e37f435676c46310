"""Loading a table sends nothing: what a GET finds is sent with the next event, sweep, hello or step."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa

from preau.host.refusals import Busy
from preau.server.app import lookup_table
from preau.server.cluster import messages
from preau.server.services import Services
from preau.server.storage import schema
from preau.table import protocol
from preau.table.refusals import Unknown
from tests.server.fake_viewers import FakeViewer
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_table, read_log

ME, OPEN = protocol.SeatWish(kind="me"), protocol.SeatWish(kind="open")


async def waiting(services: Services, *seats: protocol.SeatWish) -> Any:
    table, _, _ = await services.creation.create(protocol.NewTable(game="bagarre", seats=list(seats)))
    return table


def kinds(viewer: FakeViewer) -> list[str]:
    return [json.loads(data)["type"] for data in viewer.got]


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
            await there.periodic_tasks.sweep()
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
            await there.periodic_tasks.sweep()
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
            await there.periodic_tasks.sweep()
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
