"""News between processes: what came late, got lost or was never sent is made up for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from preau.server.greeting import greet
from preau.server.hall import Hall
from preau.table import wire
from tests.server.test_clocks import Clock, in_hall
from tests.server.test_secrets import Eyes

ME, OPEN = wire.SeatWish(kind="me"), wire.SeatWish(kind="open")


async def waiting(hall: Hall, *seats: wire.SeatWish) -> Any:
    table, _, _ = await hall.seating.create(wire.NewTable(game="bagarre", seats=list(seats)))
    return table


def kinds(viewer: Eyes) -> list[str]:
    return [json.loads(data)["type"] for data in viewer.got]


def test_what_was_read_first_and_came_last_is_not_believed(tmp_path, monkeypatch):
    """Somebody sits down while the seats are being read: the reading from before must not take the seat away again."""

    async def story(hall: Hall, clock: Clock) -> None:
        table = await waiting(hall, ME, OPEN)
        read = hall.store.read
        done, go_on = asyncio.Event(), asyncio.Event()

        async def late(work: Any) -> Any:
            found = await read(work)
            done.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(hall.store, "read", late)
        slow = asyncio.create_task(hall.tables.refresh(table))
        await done.wait()
        monkeypatch.setattr(hall.store, "read", read)
        await hall.seating.join(table, wire.TakeSeat(name="Ana"), None)
        go_on.set()
        await slow
        assert table.table.seats[1].name == "Ana"

    in_hall(tmp_path, story)


def test_a_game_begun_in_another_process_is_shown_although_the_news_got_lost(tmp_path):
    """These two have no bus at all: the sweep finds it out, and everybody who saw the table wait is greeted, once."""

    async def story(here: Hall, clock: Clock) -> None:
        there = Hall(here.config, clock)
        await there.open()
        try:
            table = await waiting(here, ME, ME)
            viewer = Eyes(None, None)
            await greet(there.tables, await there.tables.get(table.id), viewer)
            await here.seating.start(table)
            viewer.got.clear()
            for _ in range(2):
                await there.tables.missed()
            assert kinds(viewer) == ["table", "hello"]
            assert json.loads(viewer.got[-1])["view"]
        finally:
            await there.close()

    in_hall(tmp_path, story)


def test_whoever_starts_a_game_greets_everybody_once(tmp_path):
    async def story(hall: Hall, clock: Clock) -> None:
        table = await waiting(hall, ME, ME)
        viewer = Eyes(None, None)
        await greet(hall.tables, table, viewer)
        viewer.got.clear()
        await hall.seating.start(table)
        assert kinds(viewer) == ["table", "hello"]

    in_hall(tmp_path, story)


def test_a_process_that_is_new_at_a_table_is_told_who_is_here(tmp_path, monkeypatch):
    """It did not listen when they came."""

    async def story(hall: Hall, clock: Clock) -> None:
        table = await waiting(hall, ME, OPEN)
        table.room.enter(Eyes(table.table.host, 0))
        told: list[Any] = []
        monkeypatch.setattr(hall.bus, "shared", True)
        monkeypatch.setattr(hall.bus, "publish", lambda table, news: told.append(news))
        for process in ("one", "one", "other", "one"):
            await hall.news.hear(table.id, {"kind": "presence", "from": process, "here": [1], "watching": 0})
        assert [(news["kind"], news["here"]) for news in told] == [("presence", [0])] * 2
        assert table.room.everywhere(table.table.holders).here == [0, 1]

    in_hall(tmp_path, story)
