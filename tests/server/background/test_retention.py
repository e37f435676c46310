"""Old tables are deleted with all that belongs to them; whatever is still in use stays."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from preau.server.background.retention import AT_ONCE, Retention
from preau.server.services import Services
from preau.server.storage import schema
from preau.table import protocol
from preau.table.refusals import Unknown
from tests.server.fake_viewers import FakeViewer
from tests.server.running_services import DAY, FakeClock, run_with_services
from tests.server.tables_in_process import create_bagarre_table, play_to_end, write_chat

PARTS = (schema.tables, schema.log, schema.seats, schema.holders, schema.links, schema.chat, schema.votes, schema.calls)


async def left(services: Services, table: Any) -> list[int]:
    """How many rows of each kind belong to a table."""

    def work(connection: sa.Connection) -> list[int]:
        return [
            connection.execute(
                sa.select(sa.func.count()).where((part.c.id if part is schema.tables else part.c.table_id) == table.id)
            ).scalar_one()
            for part in PARTS
        ]

    return await services.store.read(work)


def test_every_kind_of_table_has_its_time(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        keeper = services.retention
        waiting = await create_bagarre_table(services, start=False)
        playing = await create_bagarre_table(services, start=True)
        over = await create_bagarre_table(services, start=True)
        await play_to_end(services, over)
        before = await left(services, over)
        assert min(before[:6]) > 0
        clock.ms += 29 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1
        assert sum(await left(services, waiting)) == 0, "with seats, tokens, links and chat"
        with pytest.raises(Unknown):
            await services.tables.get(waiting.id)
        clock.ms += 333 * DAY
        assert await keeper.tidy() == 0
        await services.moves.act(playing, 0, playing.live.state.legal(0)[0].text)
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1, "the finished one; the other was played at two days ago"
        assert sum(await left(services, over)) == 0
        clock.ms += 362 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1
        assert sum(await left(services, playing)) == 0

    run_with_services(tmp_path, story)


def test_a_seat_taken_and_a_word_said_are_touches(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        keeper = services.retention
        joined, talked = (
            await create_bagarre_table(services, start=False),
            await create_bagarre_table(services, start=False),
        )
        clock.ms += 29 * DAY
        await services.seats.join(joined, protocol.TakeSeat(), None)
        await write_chat(services, talked)
        clock.ms += 29 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 2

    run_with_services(tmp_path, story)


def test_a_table_somebody_looks_at_stays(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        keeper = services.retention
        table = await create_bagarre_table(services, start=False)
        viewer = FakeViewer(None, None)
        table.audience.enter(viewer)
        clock.ms += 400 * DAY
        assert await keeper.tidy() == 0
        table.audience.leave(viewer)
        assert await keeper.tidy() == 1

    run_with_services(tmp_path, story)


def test_zero_keeps_for_ever(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_bagarre_table(services, start=True)
        await play_to_end(services, table)
        await create_bagarre_table(services, start=True)
        await create_bagarre_table(services, start=False)
        clock.ms += 4_000 * DAY
        assert await services.retention.tidy() == 0

    run_with_services(tmp_path, story, keep_waiting_days=0, keep_unfinished_days=0, keep_finished_days=0)


def test_much_is_deleted_in_parts_and_then_not_before_an_hour(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        now = [1_000.0]
        keeper = Retention(services.config, clock, lambda: now[0], services.tables, services.store)
        wish = protocol.NewTable(game="recess", seats=[protocol.SeatWish(kind="open")] * 3)
        for _ in range(AT_ONCE + 5):
            await services.creation.create(wish)
        clock.ms += 31 * DAY
        counts = []
        for wait in (0, 61, 1, 1, 3_601):
            now[0] += wait
            await keeper.sweep()
            counts.append(len(await services.store.read(lambda c: c.execute(sa.select(schema.tables.c.id)).all())))
            if wait == 1:
                await services.creation.create(wish)
        assert counts == [AT_ONCE + 5, 5, 0, 1, 2]
        clock.ms += 31 * DAY
        now[0] += 3_601
        await keeper.sweep()
        assert await services.store.read(lambda c: c.execute(sa.select(schema.tables.c.id)).all()) == []

    run_with_services(tmp_path, story)


def test_a_table_deleted_by_another_process_says_bye(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_bagarre_table(services, start=False)
        viewer = FakeViewer(None, None)
        table.audience.enter(viewer)
        gone = sa.delete(schema.tables).where(schema.tables.c.id == table.id)
        await services.store.write(lambda connection: connection.execute(gone).rowcount)
        await services.broadcaster.poll()
        assert viewer.bye == "unknown"
        assert table.id not in services.tables.entries

    run_with_services(tmp_path, story)


def test_it_works_on_postgresql(tmp_path, postgres):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_bagarre_table(services, start=True)
        clock.ms += 366 * DAY
        assert await services.retention.tidy() == 1
        assert sum(await left(services, table)) == 0

    run_with_services(tmp_path, story, database=postgres.new_database())
