"""Old tables are deleted with all that belongs to them; whatever is still in use stays."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from preau.server import schema
from preau.server.hall import Hall
from preau.server.housekeeping import AT_ONCE, Housekeeping
from preau.table import wire
from preau.table.refusals import Unknown
from tests.server.test_clocks import DAY, Clock, in_hall, settled
from tests.server.test_secrets import Eyes

PARTS = (schema.tables, schema.log, schema.seats, schema.holders, schema.links, schema.chat, schema.votes, schema.calls)


async def seat_three(hall: Hall, *, start: bool) -> Any:
    seats = [wire.SeatWish(kind="me")] * 2 + [wire.SeatWish(kind="me" if start else "open")]
    wish = wire.NewTable(game="bagarre", seats=seats, options={"first": 0}, start=start)
    table, _, holder = await hall.seating.create(wish)
    await settled(hall)
    await hall.people.make_link(table, holder)
    await say(hall, table)
    return table


async def say(hall: Hall, table: Any) -> None:
    row = {"table_id": table.id, "seat": 0, "name": "x", "text": "hello", "phrase": "", "time": hall.tables.now()}
    await hall.store.write(lambda connection: connection.execute(sa.insert(schema.chat), [row]).rowcount)


async def finish(hall: Hall, table: Any) -> None:
    while not table.live.state.over:
        seat = table.live.state.to_act[0]
        await hall.play.act(table, seat, table.live.state.legal(seat)[0].text)


async def left(hall: Hall, table: Any) -> list[int]:
    """How many rows of each kind belong to a table."""

    def work(connection: sa.Connection) -> list[int]:
        return [
            connection.execute(
                sa.select(sa.func.count()).where((part.c.id if part is schema.tables else part.c.table_id) == table.id)
            ).scalar_one()
            for part in PARTS
        ]

    return await hall.store.read(work)


def test_every_kind_of_table_has_its_time(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        keeper = Housekeeping(hall.tables)
        waiting = await seat_three(hall, start=False)
        playing = await seat_three(hall, start=True)
        over = await seat_three(hall, start=True)
        await finish(hall, over)
        before = await left(hall, over)
        assert min(before[:6]) > 0
        clock.ms += 29 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1
        assert sum(await left(hall, waiting)) == 0, "with seats, tokens, links and chat"
        with pytest.raises(Unknown):
            await hall.tables.get(waiting.id)
        clock.ms += 333 * DAY
        assert await keeper.tidy() == 0
        await hall.play.act(playing, 0, playing.live.state.legal(0)[0].text)
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1, "the finished one; the other was played at two days ago"
        assert sum(await left(hall, over)) == 0
        clock.ms += 362 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 1
        assert sum(await left(hall, playing)) == 0

    in_hall(tmp_path, story)


def test_a_seat_taken_and_a_word_said_are_touches(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        keeper = Housekeeping(hall.tables)
        joined, talked = await seat_three(hall, start=False), await seat_three(hall, start=False)
        clock.ms += 29 * DAY
        await hall.seating.join(joined, wire.TakeSeat(), None)
        await say(hall, talked)
        clock.ms += 29 * DAY
        assert await keeper.tidy() == 0
        clock.ms += 2 * DAY
        assert await keeper.tidy() == 2

    in_hall(tmp_path, story)


def test_a_table_somebody_looks_at_stays(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        keeper = Housekeeping(hall.tables)
        table = await seat_three(hall, start=False)
        viewer = Eyes(None, None)
        table.room.enter(viewer)
        clock.ms += 400 * DAY
        assert await keeper.tidy() == 0
        table.room.leave(viewer)
        assert await keeper.tidy() == 1

    in_hall(tmp_path, story)


def test_zero_keeps_for_ever(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        table = await seat_three(hall, start=True)
        await finish(hall, table)
        await seat_three(hall, start=True)
        await seat_three(hall, start=False)
        clock.ms += 4_000 * DAY
        assert await Housekeeping(hall.tables).tidy() == 0

    in_hall(tmp_path, story, keep_waiting_days=0, keep_unfinished_days=0, keep_finished_days=0)


def test_much_is_deleted_in_parts_and_then_not_before_an_hour(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        now = [1_000.0]
        hall.tables.clock = lambda: now[0]
        keeper = Housekeeping(hall.tables)
        wish = wire.NewTable(game="recess", seats=[wire.SeatWish(kind="open")] * 3)
        for _ in range(AT_ONCE + 5):
            await hall.seating.create(wish)
        clock.ms += 31 * DAY
        counts = []
        for wait in (0, 61, 1, 1, 3_601):
            now[0] += wait
            await keeper.look()
            counts.append(len(await hall.store.read(lambda c: c.execute(sa.select(schema.tables.c.id)).all())))
            if wait == 1:
                await hall.seating.create(wish)
        assert counts == [AT_ONCE + 5, 5, 0, 1, 2]
        clock.ms += 31 * DAY
        now[0] += 3_601
        await keeper.look()
        assert await hall.store.read(lambda c: c.execute(sa.select(schema.tables.c.id)).all()) == []

    in_hall(tmp_path, story)


def test_a_table_deleted_by_another_process_says_bye(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        table = await seat_three(hall, start=False)
        viewer = Eyes(None, None)
        table.room.enter(viewer)
        gone = sa.delete(schema.tables).where(schema.tables.c.id == table.id)
        await hall.store.write(lambda connection: connection.execute(gone).rowcount)
        await hall.tables.missed()
        assert viewer.bye == "unknown"
        assert table.id not in hall.tables.loaded

    in_hall(tmp_path, story)


def test_it_works_on_postgresql(tmp_path, postgres):
    async def story(hall: Hall, clock: Clock) -> None:
        table = await seat_three(hall, start=True)
        clock.ms += 366 * DAY
        assert await Housekeeping(hall.tables).tidy() == 1
        assert sum(await left(hall, table)) == 0

    in_hall(tmp_path, story, database=postgres.new_database())
