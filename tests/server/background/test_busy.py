"""When there is more to think than time to do it: people first, tables nobody looks at in turns, and nobody is fooled
about who played.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from preau.bots.base import BotError
from preau.host.questions import BotQuestion
from preau.server.background.bot_player import BOT_TASK
from preau.server.background.deadlines import CHECK_TASK
from preau.server.config import Limits
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.tables.table_entry import TableEntry
from preau.server.workers.fair_queue import Ticket
from preau.server.workers.pool import BotChoice, Requester
from preau.table import protocol
from tests.server.bot_tables import (
    busy_worker,
    play_until_bot_answers,
    seats_with_bots,
    substitutes_in_log,
    substitutes_in_steps,
    wait_for_bots,
)
from tests.server.fake_viewers import FakeSpectator
from tests.server.running_services import FakeClock, read_metric, run_with_services
from tests.server.tables_in_process import read_log, tasks_named, wait_for_alarms

Json = dict[str, Any]


class Thinker:
    """In the place of the bots' processes: everybody who asks waits until the test lets them go on, with the first
    action there is.
    """

    def __init__(self, services: Services) -> None:
        self.asking: dict[str, asyncio.Future[None]] = {}
        self.changed = asyncio.Event()
        services.workers.ask = self.ask  # type: ignore[method-assign]

    async def ask(self, question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
        table = question.table
        self.asking[table] = asyncio.get_running_loop().create_future()
        self.changed.set()
        await self.asking[table]
        return BotChoice(question.legal[0][1], 0.0)

    def answer(self, table: str) -> None:
        self.asking.pop(table).set_result(None)

    async def until(self, tables: set[str]) -> None:
        while set(self.asking) != tables:
            self.changed.clear()
            await self.changed.wait()


async def all_bots(services: Services, maker: str, level: str = "greedy") -> TableEntry:
    wish = protocol.NewTable(game="recess", seats=[protocol.SeatWish(kind="bot", level=level)] * 3, start=True)
    table, _, _ = await services.creation.create(wish, maker)
    await wait_for_alarms()
    return table


async def put_off(table: TableEntry) -> None:
    """Until the table's claim is given back."""
    while table.playing_bots is not None or table.lease.by is not None:
        await asyncio.sleep(0)


async def lease(services: Services, table: TableEntry) -> tuple[Any, ...]:
    wanted = sa.select(schema.tables.c.lease_by, schema.tables.c.wake).where(schema.tables.c.id == table.id)
    found = await services.store.read(lambda connection: connection.execute(wanted).one())
    return tuple(found)


FEW = Limits(unattended_tables=2, unattended_per_address=1)


def test_tables_nobody_looks_at_take_turns(tmp_path):
    """Of one maker one is thought for, of all two; the others have given their claims back and hold no task."""

    async def story(services: Services, clock: FakeClock) -> None:
        thinker = Thinker(services)
        a, b, c = [await all_bots(services, "greedy maker") for _ in range(3)]
        await thinker.until({a.id})
        for waits in (b, c):
            await put_off(waits)
            assert await lease(services, waits) == (None, clock.ms + services.config.lease_ms)
        d = await all_bots(services, "other")
        e = await all_bots(services, "third")
        await thinker.until({a.id, d.id})
        assert services.bot_player.waiting(people=False) == 3
        assert (await lease(services, d))[0] == services.process
        services.tables.forget(e)
        services.clock = lambda: 1e9  # all tables have been admitted for long
        thinker.answer(d.id)
        await thinker.until({a.id, e.id})
        assert (await lease(services, e))[0] == services.process, "it was read again, and claimed"

    run_with_services(tmp_path, story, limits=FEW)


def test_who_comes_to_look_need_not_wait(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        thinker = Thinker(services)
        first = await all_bots(services, "maker")
        second = await all_bots(services, "maker")
        await thinker.until({first.id})
        await put_off(second)
        await services.broadcaster.send_hello(second, FakeSpectator())
        await thinker.until({first.id, second.id})
        assert services.bot_player.waiting(people=False) == 0
        third = await all_bots(services, "maker")
        await put_off(third)
        second.audience.viewers.clear()
        thinker.answer(second.id)
        await put_off(second)
        assert services.bot_player.waiting(people=False) == 2, "whoever is left alone waits like the others"

    run_with_services(tmp_path, story, limits=FEW)


def test_another_process_may_take_up_what_waits_here(tmp_path):
    """When the turn has come, the table is somebody else's: it is left alone, and the place is free for the next."""

    async def story(services: Services, clock: FakeClock) -> None:
        thinker = Thinker(services)
        first, second, third = [await all_bots(services, "maker") for _ in range(3)]
        await thinker.until({first.id})
        await put_off(second)
        theirs = {"lease_by": "other", "lease_until": clock.ms + 30_000}
        taken = sa.update(schema.tables).where(schema.tables.c.id == second.id).values(**theirs)
        await services.store.write(lambda connection: connection.execute(taken).rowcount)
        first.audience.enter(FakeSpectator())
        thinker.answer(first.id)
        await thinker.until({first.id, third.id})
        assert services.bot_player.waiting(people=False) == 0, "the second does not wait here any more"

    run_with_services(tmp_path, story, limits=FEW)


def test_the_sweep_leaves_alone_what_waits(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        thinker = Thinker(services)
        first, second = [await all_bots(services, "maker") for _ in range(2)]
        await thinker.until({first.id})
        await put_off(second)
        services.tables.forget(second)
        clock.ms += services.config.lease_ms + 1
        await services.periodic_tasks.sweep()
        assert second.id not in services.tables.entries
        assert await lease(services, second) == (None, clock.ms + services.config.lease_ms)

    run_with_services(tmp_path, story, limits=FEW)


def test_all_that_waits_is_played_to_the_end(tmp_path):
    """Six games of real bots, two of them at a time, with claims given back and taken up in between."""

    async def story(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(
            game="recess", seats=[protocol.SeatWish(kind="bot", level="random")] * 3, options={"turns": 9}, start=True
        )
        tables = [(await services.creation.create(wish, f"maker {number % 2}"))[0] for number in range(6)]
        while not all(table.status == "over" for table in tables):
            await asyncio.wait(tasks_named(BOT_TASK, CHECK_TASK), return_when=asyncio.FIRST_COMPLETED)
        for table in tables:
            (await services.tables.record(table)).verify()
        assert services.bot_player.waiting(people=False) == 0

    run_with_services(tmp_path, story, limits=FEW)


def test_bots_pause_for_people_and_shortly_where_nobody_looks(tmp_path, monkeypatch):
    """A bot that plays on alone leaves time for others between its decisions."""

    async def story(services: Services, clock: FakeClock) -> None:
        pauses = set[float]()
        now = 0.0
        sleep = asyncio.sleep

        async def think(question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
            nonlocal now
            now += 0.25
            return BotChoice(question.legal[0][1], 0.0)

        async def note(seconds: float) -> None:
            pauses.add(round(seconds, 3))
            await sleep(0)

        services.clock = lambda: now
        services.workers.ask = think  # type: ignore[method-assign]
        monkeypatch.setattr(asyncio, "sleep", note)
        wish = protocol.NewTable(
            game="recess", seats=seats_with_bots({0: "greedy"}, 3), options={"first": 0}, start=True
        )
        table, _, _ = await services.creation.create(wish)
        await wait_for_bots(table)
        assert pauses == {0.05}
        pauses.clear()
        table.audience.enter(FakeSpectator())
        for seat in (1, 2):
            await services.moves.act(table, seat, "pass")
        await wait_for_bots(table)
        assert pauses == {0.75}

    run_with_services(tmp_path, story, bot_pause_ms=1_000)


# Who played.


def test_a_quick_bot_plays_for_one_that_has_no_time_and_everybody_is_told(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        async with busy_worker(services):
            table, watcher = await play_until_bot_answers(services, "expert")
            assert set(substitutes_in_steps(watcher, 1)) == {"greedy"}
            assert substitutes_in_steps(watcher, 1) == await substitutes_in_log(services, table)
            assert {row.kind for row in await read_log(services, table) if row.actor == 1} == {"eased"}
            table.live = None
            assert set(await substitutes_in_log(services, table)) == {"greedy"}, "also after the log is read again"
        assert set(substitutes_in_steps(watcher, 0)) == {""}
        page = services.metrics.page().decode()
        assert 'preau_actions_total{kind="eased"}' in page
        assert "preau_bots_waiting 0.0" in page
        assert read_metric(services, "preau_bot_failures_total") == 0

    run_with_services(tmp_path, story, bot_wait_ms=1)


def test_with_time_enough_nobody_plays_for_a_bot(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table, watcher = await play_until_bot_answers(services, "easy")
        assert set(substitutes_in_steps(watcher, 1)) == {""} == set(await substitutes_in_log(services, table))
        assert all("eased" not in one for one in watcher.heard)
        assert {row.kind for row in await read_log(services, table) if row.actor == 1} == {"bot"}

    run_with_services(tmp_path, story)


def test_where_nobody_looks_a_bot_waits_for_its_turn(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        worker = services.workers.home("any table").worker
        turn = Ticket("somebody", "else")
        await worker.queue.enter(turn)
        wish = protocol.NewTable(game="recess", seats=seats_with_bots({0: "easy"}, 3), options={"first": 0}, start=True)
        table, _, _ = await services.creation.create(wish)
        while not worker.queue.waiting(urgent=False):
            await asyncio.sleep(0)
        worker.queue.leave(turn)
        await wait_for_bots(table)
        assert {row.kind for row in await read_log(services, table) if row.actor == 0} == {"bot"}

    run_with_services(tmp_path, story, bot_wait_ms=1)


@pytest.mark.parametrize("level", ["expert", "greedy"])
def test_what_the_game_does_for_a_bot_that_fails_is_told(tmp_path, level):
    """Every bot fails, the quick one too."""

    async def story(services: Services, clock: FakeClock) -> None:
        asked = []

        async def fail(question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
            asked.append(question.level)
            raise BotError("it broke down")

        services.workers.ask = fail  # type: ignore[method-assign]
        table, watcher = await play_until_bot_answers(services, level)
        assert set(substitutes_in_steps(watcher, 1)) == {"skipped"} == set(await substitutes_in_log(services, table))
        assert set(asked) == {level, "greedy"}
        assert {row.kind for row in await read_log(services, table) if row.actor == 1} == {"skipped"}
        assert 'preau_actions_total{kind="skipped"}' in services.metrics.page().decode()

    run_with_services(tmp_path, story)
