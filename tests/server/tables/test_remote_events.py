"""News between processes: what came late, got lost or was never sent is made up for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from structlog.testing import capture_logs

from preau.server.cluster import messages
from preau.server.services import Services
from preau.server.tables.presence import connected_everywhere
from preau.table import protocol
from preau.table.refusals import TooLate
from tests.server.fake_viewers import FakeViewer
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_bagarre_table, play_to_end

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


# Two processes on one SQLite file, and nothing between them.


def test_two_processes_on_one_file_notice_each_other_and_see_each_others_steps(tmp_path):
    async def story(here: Services, clock: FakeClock) -> None:
        assert here.warning is None
        there = Services(here.config, clock)
        with capture_logs() as lines:
            await there.open()
            try:
                assert there.warning is not None, "whoever comes second knows at once"
                await here.periodic_tasks.sweep()
                assert here.warning is not None
                table = await waiting(here, ME, ME)
                viewer = FakeViewer(None, None)
                await here.game_start.start(table)
                await there.broadcaster.send_hello(await there.tables.get(table.id), viewer)
                viewer.got.clear()
                seat = table.live.state.to_act[0]
                await here.moves.act(table, seat, table.live.state.legal(seat)[0].text)
                await there.periodic_tasks.sweep()
                assert kinds(viewer) == ["step"]
            finally:
                await there.close()
            await here.periodic_tasks.sweep()
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
