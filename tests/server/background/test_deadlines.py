"""Time: sand that runs out, days that pass, taps that come too late. The clock is the test's own."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from preau.core.record import Record
from preau.host.refusals import Busy
from preau.server.services import Services
from preau.server.steady_clock import SteadyClock
from preau.server.storage import schema
from preau.server.storage.queries import Append
from preau.server.tables.table_entry import TableEntry
from preau.table import protocol
from preau.table.clocks import clocks as table_clocks
from preau.table.table import TablePolicy
from tests.server.running_services import DAY, HOUR, FakeClock, run_with_services
from tests.server.server_driver import SocketViewer, guarded_app
from tests.server.tables_in_process import create_table, read_log, wait_for_alarms


def clocks(entry: TableEntry) -> list[protocol.Clock]:
    """When whose time runs out."""
    assert entry.live is not None
    return table_clocks(entry.table, entry.live.since, TablePolicy())


def test_sand_runs_out_as_the_rules_say(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(
            services, "recess", 3, options={"turns": 6}, timer=protocol.Timer(kind="turn", amount=60)
        )
        assert [one.seat for one in clocks(table)] == [0]
        clock.ms += 59_000
        await services.periodic_tasks.sweep()
        assert table.live.state.to_act == (0,)
        await services.moves.act(table, 0, table.live.state.legal(0)[-1].text, at=table.live.head)
        assert table.live.state.to_act == (0,), "the turn goes on, on the same sand"
        clock.ms += 3_000
        await services.periodic_tasks.sweep()
        assert table.live.state.to_act == (1,)
        rows = [(row.actor, row.text, row.kind) for row in await read_log(services, table)]
        assert rows[-1] == (-2, "timeout", "timeout")
        ends = clocks(table)
        assert [(one.seat, one.ends) for one in ends] == [(1, clock.ms + 60_000)]
        for _ in range(10):
            clock.ms += 62_000
            await services.periodic_tasks.sweep()
        record = await services.tables.record(table)
        Record.loads(record.dumps()).verify()

    run_with_services(tmp_path, story)


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_a_game_without_a_time_out_of_its_own_plays_its_stand_in(tmp_path, game):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, game, 2, timer=protocol.Timer(kind="days", amount=2))
        clock.ms += 2 * DAY - 1
        await services.periodic_tasks.sweep()
        before = table.live.head
        for _ in range(400):
            if table.live.state.over:
                break
            clock.ms += 2 * DAY + 2_000
            await services.periodic_tasks.sweep()
        assert table.live.head > before
        assert table.live.state.over
        (await services.tables.record(table)).verify()
        assert {row.kind for row in await read_log(services, table) if row.actor >= 0} == {"late"}

    run_with_services(tmp_path, story)


def test_without_a_timer_nothing_ever_happens_by_itself(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        clock.ms += 400 * DAY
        await services.periodic_tasks.sweep()
        assert table.live.head == 0
        assert table.lease.wake is None

    run_with_services(tmp_path, story)


def test_undoing_does_not_refill_the_sand(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3, timer=protocol.Timer(kind="turn", amount=60))
        ends = clocks(table)[0].ends
        clock.ms += 30_000
        await services.moves.act(table, 0, table.live.state.legal(0)[-1].text, at=0)
        assert clocks(table)[0].ends == ends
        assert await services.undos.undo(table, 0, table.live.head) is None
        assert clocks(table)[0].ends == ends

    run_with_services(tmp_path, story)


def test_a_table_left_for_a_day_goes_on_in_another_process(tmp_path):
    clock = FakeClock()
    kept: dict[str, Any] = {}

    async def leave(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "bagarre", 2)
        for _ in range(9):
            seat = table.live.state.to_act[0]
            await services.moves.act(table, seat, table.live.state.legal(seat)[0].text)
        kept.update(id=table.id, key=table.live.state.key(), head=table.live.head, asked=dict(table.live.asked))

    async def come_back(services: Services, clock: FakeClock) -> None:
        clock.ms += DAY
        await services.periodic_tasks.sweep()
        table = await services.tables.get(kept["id"])
        async with table.lock:
            live = await services.tables.live(table)
        assert (live.state.key(), live.head, live.asked) == (kept["key"], kept["head"], kept["asked"])
        seat = live.state.to_act[0]
        number, new = await services.moves.act(table, seat, live.state.legal(seat)[0].text, at=live.head)
        assert new
        assert number == kept["head"] + 1

    run_with_services(tmp_path, leave, clock)
    run_with_services(tmp_path, come_back, clock)


def test_tables_without_viewers_are_put_away_and_found_again(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        await services.moves.act(table, 0, table.live.state.legal(0)[-1].text)
        assert table.id in services.tables.entries
        table.used -= 1_000
        await services.periodic_tasks.sweep()
        assert table.id not in services.tables.entries
        again = await services.tables.get(table.id)
        async with again.lock:
            assert (await services.tables.live(again)).head == 1

    run_with_services(tmp_path, story)


# Speed events, C22.


async def to_a_race(services: Services, table: Any) -> bool:
    """Play until everybody is asked to tap."""
    while not table.live.state.over:
        seat = table.live.state.to_act[0]
        if seat in table.live.state.racers():
            return True
        await services.moves.act(table, seat, table.live.state.legal(seat)[0].text)
    return False


def test_the_fastest_tap_wins_and_who_does_not_tap_is_out(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        raced = 0
        for _ in range(12):
            table = await create_table(services, "cour", 3, options={"reaction": "live"})
            while await to_a_race(services, table):
                raced += 1
                delays = {0: 900, 1: 300}
                asked = table.live.state.to_act
                for seat in asked:
                    if seat in delays:
                        target = next(a.text for a in table.live.state.legal(seat) if a.text != "point none")
                        await services.moves.act(table, seat, target, delay=delays[seat])
                head = table.live.head
                clock.ms += 9_500
                await services.periodic_tasks.sweep()
                rows = [row for row in await read_log(services, table) if row.number > head]
                assert rows[0].text == "point none"
                assert (rows[0].actor, rows[0].kind) == (2, "late")
                assert rows[1].text == "fastest 1"
                if raced > 2:
                    return
        raise AssertionError("no race came up")

    run_with_services(tmp_path, story)


def test_nobody_taps_and_nothing_happens(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        for _ in range(12):
            table = await create_table(services, "cour", 3, options={"reaction": "live"})
            if await to_a_race(services, table):
                head = table.live.head
                clock.ms += 9_500
                await services.periodic_tasks.sweep()
                rows = [row.text for row in await read_log(services, table) if row.number > head]
                assert rows[:4] == ["point none"] * 3 + ["fastest none"]
                return
        raise AssertionError("no race came up")

    run_with_services(tmp_path, story)


def test_a_tap_over_the_socket_is_measured_and_written_down(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        for _ in range(12):
            seats = [protocol.SeatWish(kind="me")] * 2
            wish = protocol.NewTable(game="cour", seats=seats, options={"first": 0, "reaction": "live"}, start=True)
            table, token, _ = await services.creation.create(wish)
            await wait_for_alarms()
            if not await to_a_race(services, table):
                continue
            assert table.live is not None
            seat = table.live.state.to_act[0]
            viewer = SocketViewer(guarded_app(services), table.id, token=token, seat=seat)
            await viewer.wait_for_answers()
            clock.ms += 150
            viewer.post(type="pong", n=viewer.last("ping")["n"])
            await viewer.wait_for_answers()
            clock.ms += 450
            target = next(one.text for one in table.live.state.legal(seat) if one.text != "point none")
            viewer.post(type="act", id="tap", at=table.live.head, action=target, seat=seat, delay=1)
            await viewer.wait_for_answers()
            rows = await read_log(services, table)
            assert [row.delay for row in rows if row.client == "tap"] == [420], (
                "less a round trip of 150 and the screen"
            )
            await viewer.disconnect()
            return
        raise AssertionError("no race came up")

    run_with_services(tmp_path, story)


def test_an_action_written_although_the_answer_was_lost_reaches_everybody(tmp_path, monkeypatch):
    """The database goes away in the moment of the commit: the action is refused as `busy`, but is in the log. Sent
    again, it is acknowledged, happens once, and every viewer is told of it."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        told: list[bytes] = []

        class Watcher:
            holder: str | None = None
            viewpoint: int | None = None
            shown = 0

            def push(self, data: bytes) -> None:
                told.append(data)

            def leave(self, reason: str, *, again: bool) -> None:
                raise AssertionError

        await services.broadcaster.send_hello(table, Watcher())
        append = services.store.append

        async def lose_the_answer(what: Append) -> bool:
            await append(what)
            raise Busy("the database cannot be reached", key="busy")

        monkeypatch.setattr(services.store, "append", lose_the_answer)
        text = table.live.state.legal(0)[-1].text
        with pytest.raises(Busy):
            await services.moves.act(table, 0, text, at=0, client="mine")
        monkeypatch.setattr(services.store, "append", append)
        before = len(told)
        assert await services.moves.act(table, 0, text, at=0, client="mine") == (1, False)
        assert [row.text for row in await read_log(services, table)] == [text]
        assert len(told) == before + 1
        assert b'"type":"step"' in told[-1]

    run_with_services(tmp_path, story)


def test_a_game_that_cannot_be_replayed_keeps_nobody_waiting(tmp_path):
    """Of two tables whose time is up, the first has rules this program does not know."""

    async def story(services: Services, clock: FakeClock) -> None:
        timer = protocol.Timer(kind="turn", amount=60)
        tables = [await create_table(services, "recess", 3, timer=timer) for _ in range(2)]
        old, other = sorted(tables, key=lambda table: table.id)  # in the order they are looked at
        new_rules = sa.update(schema.tables).where(schema.tables.c.id == old.id).values(rules="99")
        await services.store.write(lambda connection: connection.execute(new_rules).rowcount)
        services.tables.forget(old)
        clock.ms += 62_000
        await services.periodic_tasks.sweep()
        assert other.live.state.to_act == (1,)
        shown = await services.tables.info(await services.tables.get(old.id))
        assert (shown.status, shown.to_act) == ("playing", None)

    run_with_services(tmp_path, story)


# The machine's clock is set, the machine sleeps, the server is away.


def test_a_clock_that_is_set_changes_how_fast_time_passes_by_a_twentieth_at_most():
    wall, passed = FakeClock(), FakeClock()
    steady = SteadyClock(lambda: wall.ms * 1_000_000, lambda: passed.ms * 1_000_000)

    def goes_on(ms: int, set_by: int = 0) -> int:
        before = steady()
        wall.ms += ms + set_by
        passed.ms += ms
        return steady() - before

    assert goes_on(60_000) == 60_000
    assert goes_on(60_000, HOUR) == 63_000
    assert goes_on(60_000, -2 * HOUR) == 57_000
    assert goes_on(0, -HOUR) == 0, "never backwards"
    goes_on(50 * HOUR)
    assert steady() == wall.ms, "in the end it is right"
    assert goes_on(8 * HOUR) == 8 * HOUR, "the machine slept: that time has passed"


def test_a_clock_set_forward_within_a_process_makes_nobody_late(tmp_path):
    wall, passed = FakeClock(), FakeClock()
    steady = SteadyClock(lambda: wall.ms * 1_000_000, lambda: passed.ms * 1_000_000)

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3, timer=protocol.Timer(kind="turn", amount=60))
        wall.ms += HOUR
        for seconds, seat in ((50, 0), (12, 1)):
            wall.ms += seconds * 1_000
            passed.ms += seconds * 1_000
            await services.periodic_tasks.sweep()
            assert table.live.state.to_act == (seat,)

    run_with_services(tmp_path, story, steady)  # type: ignore[arg-type]


async def find(services: Services, table: str) -> Any:
    return await services.tables.get(table)


def kill(services: Services) -> None:
    """Let it end without giving anything back."""
    services.process = "nobody"


@pytest.mark.parametrize("hours", [-1, 1])
def test_bots_play_on_at_once_after_the_clock_was_set_and_the_server_killed(tmp_path, hours, monkeypatch):
    clock = FakeClock()
    kept: dict[str, str] = {}

    async def before(services: Services, clock: FakeClock) -> None:
        monkeypatch.setattr(services.bot_player, "wake", lambda table: None)
        wish = [
            protocol.SeatWish(kind="me"),
            protocol.SeatWish(kind="bot", level="random"),
            protocol.SeatWish(kind="me"),
        ]
        days = protocol.Timer(kind="days", amount=2)
        table, _, _ = await services.creation.create(
            protocol.NewTable(game="recess", seats=wish, options={"first": 0}, timer=days, start=True)
        )
        await wait_for_alarms()
        await services.moves.act(table, 0, "pass")
        assert table.lease.by == services.process
        kept["id"] = table.id
        kill(services)

    async def after(services: Services, clock: FakeClock) -> None:
        await services.periodic_tasks.sweep()
        table = services.tables.entries[kept["id"]]
        assert table.playing_bots is not None
        await table.playing_bots
        assert table.live is not None
        assert table.live.state.to_act == (2,)
        times = [row.time for row in await read_log(services, table)]
        assert times == sorted(times), "a log never goes back in time"

    run_with_services(tmp_path, before, clock)
    clock.ms += hours * HOUR
    run_with_services(tmp_path, after, clock)


def test_a_clock_set_back_gives_nobody_an_hour_more(tmp_path):
    clock = FakeClock()
    kept: dict[str, str] = {}

    async def before(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3, timer=protocol.Timer(kind="turn", amount=60))
        await services.moves.act(table, 0, "pass")
        kept["id"] = table.id
        kill(services)

    async def after(services: Services, clock: FakeClock) -> None:
        await services.periodic_tasks.sweep()
        table = await find(services, kept["id"])
        for seat in (1, 2, 0):
            assert [(one.seat, one.ends) for one in clocks(table)] == [(seat, clock.ms + 60_000)]
            clock.ms += 60_000
            await services.periodic_tasks.sweep()
            assert table.live.state.to_act == (seat,)
            clock.ms += 1_000
            await services.periodic_tasks.sweep()
        await services.moves.act(table, 1, "pass")
        clock.ms += 61_000
        await services.periodic_tasks.sweep()
        kinds = [row.kind for row in await read_log(services, table)]
        assert kinds == ["act", "timeout", "timeout", "timeout", "act", "timeout"]

    run_with_services(tmp_path, before, clock)
    clock.ms -= HOUR
    run_with_services(tmp_path, after, clock)


def test_nobody_is_late_because_the_server_was_away(tmp_path):
    """Half a minute is there for everybody when it is back; with days for a move they go on."""
    clock = FakeClock()
    kept: dict[str, str] = {}

    async def before(services: Services, clock: FakeClock) -> None:
        kept["turn"] = (await create_table(services, "recess", 3, timer=protocol.Timer(kind="turn", amount=60))).id
        kept["days"] = (await create_table(services, "recess", 3, timer=protocol.Timer(kind="days", amount=1))).id
        kill(services)

    async def after(services: Services, clock: FakeClock) -> None:
        turn, days = await find(services, kept["turn"]), await find(services, kept["days"])
        await services.periodic_tasks.sweep()
        assert days.live.state.to_act == (1,)
        assert [one.ends for one in clocks(turn)] == [clock.ms + 30_000], "and they see it"
        clock.ms += 30_000
        await services.periodic_tasks.sweep()
        assert turn.live.state.to_act == (0,)
        clock.ms += 1_000
        await services.periodic_tasks.sweep()
        assert turn.live.state.to_act == (1,)

    run_with_services(tmp_path, before, clock)
    clock.ms += DAY + HOUR
    run_with_services(tmp_path, after, clock)


def test_nobody_is_late_because_a_process_stood_still(tmp_path):
    """It was frozen, its machine slept or the database was away: too much time lies between two sweeps."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3, timer=protocol.Timer(kind="turn", amount=60))
        clock.ms += HOUR + 6_000  # these halls sweep once an hour
        await services.periodic_tasks.sweep()
        assert table.live.state.to_act == (0,)
        clock.ms += 31_000
        await services.periodic_tasks.sweep()
        assert table.live.state.to_act == (1,)

    run_with_services(tmp_path, story)


def test_a_race_begins_anew_when_the_server_is_back(tmp_path):
    clock = FakeClock()
    kept: dict[str, Any] = {}

    async def before(services: Services, clock: FakeClock) -> None:
        for _ in range(12):
            table = await create_table(services, "cour", 3, options={"reaction": "live"})
            if await to_a_race(services, table):
                kept.update(id=table.id, head=table.live.head)
                kill(services)
                return
        raise AssertionError("no race came up")

    async def after(services: Services, clock: FakeClock) -> None:
        table = await find(services, kept["id"])
        for ms, over in ((0, False), (8_999, False), (1, True)):
            clock.ms += ms
            await services.periodic_tasks.sweep()
            assert (table.live.head > kept["head"]) is over

    run_with_services(tmp_path, before, clock)
    clock.ms += HOUR
    run_with_services(tmp_path, after, clock)
