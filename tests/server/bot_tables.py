"""Tables with bots of running services: their seats, a busy worker, and what viewers learn about the bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from preau.server.services import Services
from preau.server.tables.table_entry import TableEntry
from preau.server.workers.fair_queue import Ticket
from preau.table import protocol
from tests.server.fake_viewers import FakeSpectator
from tests.server.tables_in_process import wait_for_alarms


async def wait_for_bots(table: TableEntry) -> None:
    """Wait until no bot at the table has anything to do."""
    await wait_for_alarms()
    while table.playing_bots is not None:
        await asyncio.wait([table.playing_bots])


def seats_with_bots(levels: dict[int, str], seats: int) -> list[protocol.SeatWish]:
    """Return the seats of a new table: bots of these levels, the host in all other seats."""
    return [
        protocol.SeatWish(kind="bot", level=levels[seat]) if seat in levels else protocol.SeatWish(kind="me")
        for seat in range(seats)
    ]


@asynccontextmanager
async def busy_worker(services: Services) -> AsyncIterator[None]:
    """Keep the only worker process busy, so that bots have to wait for it."""
    worker = services.workers.home("any table").worker
    turn = Ticket("somebody", "else")
    await worker.queue.enter(turn)
    yield
    worker.queue.leave(turn)


async def play_until_bot_answers(services: Services, level: str) -> tuple[TableEntry, FakeSpectator]:
    """Create a table with a viewer, play for seat 0, and wait until the bot in seat 1 has answered."""
    wish = protocol.NewTable(game="recess", seats=seats_with_bots({1: level}, 3), options={"first": 0}, start=True)
    table, _, _ = await services.creation.create(wish)
    watcher = FakeSpectator()
    await services.broadcaster.send_hello(table, watcher)
    assert table.live is not None
    while table.live.state.to_act == (0,):
        await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
    await wait_for_bots(table)
    return table, watcher


def substitutes_in_steps(watcher: FakeSpectator, seat: int) -> list[str]:
    """Return which bot played in place of the one in `seat`, per step sent to the viewer; "" where none did."""
    return [one.get("eased", "") for one in watcher.heard if one["type"] == "step" and one["actor"] == seat]


async def substitutes_in_log(services: Services, table: TableEntry) -> list[str]:
    """Return the same for seat 1, read from the log that a new viewer receives."""
    late = FakeSpectator()
    await services.broadcaster.send_hello(table, late)
    return [step.get("eased", "") for step in late.heard[0]["log"] if step["actor"] == 1]
