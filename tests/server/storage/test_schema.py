"""The database: migrations make what the code expects, and an update in between loses nothing."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from preau.host.identifiers import hash_secret
from preau.server.config import Config
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.storage.engine import make_engine, migrate
from preau.server.storage.queries import load_log
from preau.server.storage.store import Store


def differences(engine: sa.Engine) -> list[object]:
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))


def test_migrations_make_the_schema(tmp_path, postgres):
    for url in (f"sqlite:///{tmp_path}/preau.db", postgres.new_database()):
        engine = make_engine(sa.engine.make_url(url))
        migrate(engine)
        assert differences(engine) == []
        migrate(engine)
        engine.dispose()


def test_two_processes_may_migrate_at_once(postgres):
    from concurrent.futures import ThreadPoolExecutor

    url = sa.engine.make_url(postgres.new_database())
    engines = [make_engine(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(migrate, engines))
    for engine in engines:
        assert differences(engine) == []
        engine.dispose()


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_a_table_of_the_first_release_is_played_on_after_an_update(tmp_path, request, backend):
    """A database as the first schema had it, with a game under way; today's server opens it and plays on."""
    sqlite = backend == "sqlite"
    url = f"sqlite:///{tmp_path}/old.db" if sqlite else request.getfixturevalue("postgres").new_database()
    engine = make_engine(sa.engine.make_url(url))
    migrate(engine, "0001")
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO tables (id, code, game, rules, wish, options, visibility, timer, timer_ms, status, host,"
                " created, started) VALUES ('oldtable', 'abcdef', 'recess', '1', :wish, :options, 'link',"
                " 'off', 0, 'playing', 'ann', 1700000000000, 1700000000000)"
            ),
            {
                "wish": '{"turns":9}',
                "options": '{"equal_turns":false,"exits":"three","first":0,"layout":"standard","nun_may_stay":false,'
                '"sections":"standard","shove":8,"turns":9}',
            },
        )
        connection.execute(
            sa.text("INSERT INTO holders (id, table_id, token_hash, created) VALUES ('ann', 'oldtable', :hash, 1)"),
            {"hash": hash_secret("a-token-of-last-year")},
        )
        for seat in range(3):
            connection.execute(
                sa.text(
                    "INSERT INTO seats (table_id, seat, kind, name, level, holder) VALUES"
                    " ('oldtable', :seat, 'person', 'Ann', '', 'ann')"
                ),
                {"seat": seat},
            )
        for number, seat in enumerate((0, 1, 2), 1):
            connection.execute(
                sa.text(
                    "INSERT INTO log (table_id, number, actor, kind, text, time, client) VALUES"
                    " ('oldtable', :number, :seat, 'act', 'pass', 1700000001000, NULL)"
                ),
                {"number": number, "seat": seat},
            )
    assert differences(engine), "there is something to bring up to date"
    engine.dispose()

    async def story() -> None:
        services = Services(Config(database=url, bot_pause_ms=0))
        await services.open()
        try:
            table = await services.tables.get("oldtable")
            assert await services.credentials.holder(table, "a-token-of-last-year") == "ann"
            async with table.lock:
                live = await services.tables.live(table)
            assert (live.head, live.state.to_act) == (3, (0,))
            while not live.state.over:
                seat = live.state.to_act[0]
                await services.moves.act(table, seat, live.state.legal(seat)[0].text)
            record = await services.tables.record(table)
            record.verify()
            assert [entry.text for entry in record.entries[:3]] == ["pass"] * 3
        finally:
            await services.close()

    asyncio.run(story())


def test_an_append_that_comes_second_writes_nothing(tmp_path, postgres):
    from preau.server.storage.queries import Append
    from preau.table.log import Row

    async def story(url: str) -> None:
        store = Store(url)
        store.open()
        try:
            first = [Row(1, 0, "act", "a", 1), Row(2, -1, "act", "b", 1)]
            second = [Row(2, 0, "act", "x", 1), Row(3, -1, "act", "y", 1)]
            assert await store.append(Append("t", first))
            won = await asyncio.gather(
                store.append(Append("t", second)),
                store.append(Append("u", [Row(1, 0, "act", "z", 1)])),
                store.append(Append("t", [Row(3, 0, "act", "c", 1)])),
                store.append(Append("t", [Row(3, 0, "act", "d", 1)])),
            )
            assert won[0] is False
            assert won[1] is True
            assert sorted(won[2:]) == [False, True]
            rows = await store.read(lambda connection: load_log(connection, "t"))
            assert [row.number for row in rows] == [1, 2, 3]
            assert [row.text for row in rows][:2] == ["a", "b"]
        finally:
            store.close()

    asyncio.run(story(f"sqlite:///{tmp_path}/preau.db"))
    asyncio.run(story(postgres.new_database()))
