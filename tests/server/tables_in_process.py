"""Tables of services in the test's own process: create them, play them, and wait for alarms and bots."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa

from preau.server.background.deadlines import CHECK_TASK
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.storage.queries import load_log
from preau.server.tables.table_entry import TableEntry
from preau.table import protocol
from preau.table.log import Row


async def create_table(services: Services, game: str, seats: int, **more: Any) -> Any:
    """Start a table at which one person has all seats and seat 0 begins."""
    options = {"first": 0, **more.pop("options", {})}
    wish = protocol.NewTable(
        game=game, seats=[protocol.SeatWish(kind="me")] * seats, options=options, start=True, **more
    )
    table, _, _ = await services.creation.create(wish)
    await wait_for_alarms()
    return table


async def wait_for_alarms() -> None:
    """Wait until the alarms that the last actions set are written."""
    while checks := tasks_named(CHECK_TASK):
        await asyncio.gather(*checks)


def tasks_named(*names: str) -> list[asyncio.Task[Any]]:
    """Return the running tasks with one of these names."""
    return [task for task in asyncio.all_tasks() if task.get_name() in names]


async def read_log(services: Services, table: TableEntry) -> list[Row]:
    """Return the log of a table as the database has it."""
    return await services.store.read(lambda connection: load_log(connection, table.id))


async def create_bagarre_table(services: Services, *, start: bool) -> Any:
    """Create a table of three with a link and a chat message. The last seat is open unless the game starts."""
    seats = [protocol.SeatWish(kind="me")] * 2 + [protocol.SeatWish(kind="me" if start else "open")]
    wish = protocol.NewTable(game="bagarre", seats=seats, options={"first": 0}, start=start)
    table, _, holder = await services.creation.create(wish)
    await wait_for_alarms()
    await services.credentials.make_link(table, holder)
    await write_chat(services, table)
    return table


async def write_chat(services: Services, table: Any) -> None:
    """Write a chat message into the database."""
    row = {"table_id": table.id, "seat": 0, "name": "x", "text": "hello", "phrase": "", "time": services.now()}
    await services.store.write(lambda connection: connection.execute(sa.insert(schema.chat), [row]).rowcount)


async def play_to_end(services: Services, table: Any) -> None:
    """Play the first legal action until the game is over."""
    while not table.live.state.over:
        seat = table.live.state.to_act[0]
        await services.moves.act(table, seat, table.live.state.legal(seat)[0].text)
