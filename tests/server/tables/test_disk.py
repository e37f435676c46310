"""What is kept has bounds: tables of one address, and whatever could make one table grow for ever."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from preau.core.errors import SetupError
from preau.games.recess import data
from preau.host.refusals import TooMuch
from preau.server.config import Limits
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.tables import chat_rows
from preau.table import protocol, seating, undo
from preau.table.chat import LINES
from preau.table.refusals import TooLate
from tests.server.running_services import DAY, FakeClock, run_with_services
from tests.server.server_driver import guarded_app
from tests.server.tables_in_process import create_table, play_to_end

TWO = Limits(tables_kept_per_address=2)
WISH = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me")] * 3, options={"first": 0})


async def act(services: Services, table: Any) -> int:
    """Whoever is asked does something; returns who that was."""
    seat: int = table.live.state.to_act[0]
    await services.moves.act(table, seat, table.live.state.legal(seat)[0].text)
    return seat


async def count(services: Services, part: sa.Table, table: Any) -> int:
    counted = sa.select(sa.func.count()).select_from(part).where(part.c.table_id == table.id)
    return await services.store.read(lambda connection: connection.execute(counted).scalar_one())


def asking(services: Services) -> httpx.AsyncClient:
    """Requests straight to the application of a hall."""
    app = guarded_app(services)
    transport = httpx.ASGITransport(app, client=("203.0.113.9", 1))  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://localhost/api", trust_env=False)


def test_only_so_many_tables_of_one_address_are_kept(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        await services.creation.create(WISH, "one")
        clock.ms += 20 * DAY
        await services.creation.create(WISH, "one")
        with pytest.raises(TooMuch, match="Try again in 10 days") as refused:
            await services.creation.create(WISH, "one")
        assert refused.value.key == "tables_kept"
        await services.creation.create(WISH, "other")
        clock.ms += 11 * DAY
        await services.creation.create(WISH, "one")
        with pytest.raises(TooMuch):
            await services.creation.create(WISH, "one")

    run_with_services(tmp_path, story, limits=TWO)


def test_a_table_that_is_deleted_makes_room(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        for _ in range(2):
            await services.creation.create(WISH, "one")
        clock.ms += 2 * DAY
        assert await services.retention.tidy() == 2
        await services.creation.create(WISH, "one")

    run_with_services(tmp_path, story, limits=TWO, keep_waiting_days=1)


def test_a_rematch_counts_for_whoever_asks_for_it(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        first, _, _ = await services.creation.create(replace(WISH, start=True), "one")
        await play_to_end(services, first)
        again = await services.tables.get(await services.creation.rematch(first, "two"))
        assert again.table.maker == "two"
        await play_to_end(services, again)
        await services.creation.create(WISH, "two")
        with pytest.raises(TooMuch):
            await services.creation.rematch(again, "two")
        assert again.table.rematch is None
        third = await services.creation.rematch(again, "one")
        assert await services.creation.rematch(again, "two") == third, "nothing new is made"

    run_with_services(tmp_path, story, limits=TWO)


def test_whoever_asks_over_http_is_told_why_there_is_no_table(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        async with asking(services) as client:
            wish = {"game": "bagarre", "seats": [{"kind": "me"}] * 3, "options": {"first": 0}, "start": True}
            made = (await client.post("/tables", json=wish)).json()
            assert (await client.post("/tables", json=wish)).status_code == 201
            refused = await client.post("/tables", json=wish)
            assert (refused.status_code, refused.json()["key"]) == (429, "tables_kept")
            table = await services.tables.get(made["table"]["id"])
            await play_to_end(services, table)
            authorized = {"Authorization": f"Bearer {made['token']}"}
            refused = await client.post(f"/tables/{table.id}/rematch", headers=authorized)
            assert (refused.status_code, refused.json()["key"]) == (429, "tables_kept")

    run_with_services(tmp_path, story, limits=TWO)


def test_rematches_are_made_at_the_rate_of_tables(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        async with asking(services) as client:
            wish = {"game": "bagarre", "seats": [{"kind": "me"}] * 3, "options": {"first": 0}, "start": True}
            made = (await client.post("/tables", json=wish)).json()
            table = await services.tables.get(made["table"]["id"])
            await play_to_end(services, table)
            authorized = {"Authorization": f"Bearer {made['token']}"}
            refused = await client.post(f"/tables/{table.id}/rematch", headers=authorized)
            assert (refused.status_code, refused.json()["key"]) == (429, "rate")

    run_with_services(tmp_path, story, limits=Limits(tables_per_minute=0.001, tables_burst=1))


def test_who_made_a_table_is_forgotten_after_a_month(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        old, _, _ = await services.creation.create(replace(WISH, start=True), "one")
        clock.ms += 10 * DAY
        new, _, _ = await services.creation.create(replace(WISH, start=True), "one")
        clock.ms += 21 * DAY
        await services.retention.tidy()
        makers = sa.select(schema.tables.c.id, schema.tables.c.maker)
        found = await services.store.read(lambda connection: connection.execute(makers).all())
        assert dict(map(tuple, found)) == {old.id: "", new.id: "one"}

    run_with_services(tmp_path, story)


def test_of_the_chat_is_kept_what_is_shown(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table, other = await create_table(services, "bagarre", 3), await create_table(services, "bagarre", 3)
        for number in range(LINES + 10):
            line = protocol.ChatLine(id=0, seat=0, name="", time=clock.ms, text=str(number))
            await services.chat.say(table, line)
            if number % 10 == 0:
                await services.chat.say(other, line)
        assert await count(services, schema.chat, table) == LINES
        assert await count(services, schema.chat, other) == 6
        shown = await services.store.read(lambda connection: chat_rows.newest(connection, table.id))
        assert [line.text for line in shown] == [str(number) for number in range(10, LINES + 10)]

    run_with_services(tmp_path, story)


def test_of_votes_are_kept_those_on_the_last_question(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me"), *[protocol.SeatWish()] * 2])
        table, _, _ = await services.creation.create(wish)
        for _ in range(2):
            await services.seats.join(table, protocol.TakeSeat(), None)
        await services.game_start.start(table)
        acted = set[int]()
        while len(acted) < 3:
            acted.add(await act(services, table))
        for _ in range(4):
            seat = await act(services, table)
            asker, other = acted - {seat}
            await services.undos.agree(table, asker, (await services.tables.live(table)).head, first=True)
            await services.undos.agree(table, other, (await services.tables.live(table)).head)
            assert await count(services, schema.votes, table) == 2

    run_with_services(tmp_path, story)


def test_taking_back_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(undo, "TAKEN_BACK", 5)

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        for _ in range(3):
            await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
            assert await services.undos.undo(table, 0, table.live.head) is None
        await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
        rows = await count(services, schema.log, table)
        with pytest.raises(TooLate) as refused:
            await services.undos.undo(table, 0, table.live.head)
        assert refused.value.key == "undone_enough"
        assert await count(services, schema.log, table) == rows

    run_with_services(tmp_path, story)


def test_people_who_come_and_go_have_an_end(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me"), *[protocol.SeatWish()] * 2])
        table, _, _ = await services.creation.create(wish)
        for _ in range(6):
            _, guest = await services.seats.join(table, protocol.TakeSeat(seat=1), None)
            await services.seats.leave(table, guest)
        assert await count(services, schema.holders, table) == 1
        gone = [{"id": f"gone{n}", "table_id": table.id, "token_hash": str(n), "created": clock.ms} for n in range(3)]
        await services.store.write(lambda connection: connection.execute(sa.insert(schema.holders), gone).rowcount)
        with pytest.raises(TooMuch) as refused:
            await services.seats.join(table, protocol.TakeSeat(seat=1), None)
        assert refused.value.key == "people"
        assert table.table.seats[1].kind == "open"
        assert await count(services, schema.holders, table) == 4

    run_with_services(tmp_path, story, limits=Limits(people_per_table=4))


def test_options_have_a_length(tmp_path, monkeypatch):
    """A data file is kept with the table and sent to everybody; the games bound what is in one, the table all of it."""
    monkeypatch.setattr(seating, "MOST_LETTERS", 1_000)
    file = json.loads((data.FOLDER / "data" / "sections.json").read_text(encoding="utf-8"))

    async def story(services: Services, clock: FakeClock) -> None:
        seats = [protocol.SeatWish(kind="me")] * 3
        fine = protocol.NewTable(game="recess", seats=seats, options={"sections": {**file, "provenance": "x" * 100}})
        await services.creation.create(fine)
        long = protocol.NewTable(game="recess", seats=seats, options={"sections": {**file, "provenance": "x" * 900}})
        with pytest.raises(SetupError, match="longer than 1000 letters"):
            await services.creation.create(long)

    run_with_services(tmp_path, story)
