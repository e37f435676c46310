"""The database goes away, is locked, frozen, full, damaged or too new: everybody is told in time, nothing is lost."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from preau.core.errors import SetupError
from preau.host.refusals import Busy
from preau.server.app import make_litestar
from preau.server.config import Config
from preau.server.runner import prepare
from preau.server.services import Services
from preau.server.storage import job_queue, schema, store
from preau.server.storage.engine import make_engine, migrate
from preau.server.storage.errors import Damaged
from preau.server.storage.job_queue import JobQueue
from preau.server.storage.queries import Append, load_log
from preau.server.storage.store import Store
from preau.table import protocol
from preau.table.log import Row
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_table
from tests.support import PATIENCE

PATIENT = 20.0


class Hands:
    """The clock of everybody's patience, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 1_000.0
        monkeypatch.setattr(job_queue, "monotonic", lambda: self.seconds)
        self._sweeps = 0
        expire = JobQueue.expire

        def counted(queue: JobQueue) -> None:
            expire(queue)
            self._sweeps += 1

        monkeypatch.setattr(JobQueue, "expire", counted)

    async def swept(self) -> None:
        """Wait until the store has compared all deadlines with this clock."""
        enough = self._sweeps + 2  # the queue of writes and the queue of reads
        await until(lambda: self._sweeps >= enough)


@pytest.fixture
def hands(monkeypatch):
    return Hands(monkeypatch)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program writes to the file and does not come to an end."""
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def with_store(url: str, story: Any) -> None:
    async def whole() -> None:
        one = Store(url, timeout=PATIENT)
        one.open()
        try:
            async with asyncio.timeout(PATIENCE):
                await story(one)
        finally:
            one.close()

    asyncio.run(whole())


def step(table: str, number: int = 1) -> Append:
    return Append(table, [Row(number, 0, "act", "x", 1, f"{table}{number}")])


def touch(connection: sa.Connection) -> None:
    connection.execute(sa.update(schema.settings).values(value="x"))


async def rows(one: Store, table: str) -> list[Row]:
    return await one.read(lambda connection: load_log(connection, table))


async def until(check: Any) -> None:
    while not check():
        await asyncio.sleep(0.01)


async def tried(one: Store) -> None:
    """Wait for the end of a try that is under way. It began before the clock was moved past its deadline, so it may
    still be written if the lock ends first; with the real clock a try ends before its deadline (`TRY_SECONDS`).
    """
    pool = one.engine.pool
    assert isinstance(pool, sa.QueuePool)
    await until(lambda: not pool.checkedout())


async def outcomes(*what: Any) -> list[Any]:
    return await asyncio.gather(*what, return_exceptions=True)


def test_nobody_waits_behind_others_for_a_locked_database(tmp_path, hands):
    """Eleven ask one after the other, each with the same patience; none of them is written after it was told."""

    async def story(one: Store) -> None:
        with locked(tmp_path / "preau.db"):
            asked = []
            for number in range(11):
                asked.append(one.append(step(f"t{number}")) if number % 2 else asyncio.ensure_future(one.write(touch)))
                await asyncio.sleep(0)
                hands.seconds += 0.1
            await until(lambda: one.is_away)
            hands.seconds += PATIENT - 2
            await hands.swept()
            assert not any(future.done() for future in asked), "there is still time"
            hands.seconds += 2
            found = await outcomes(*asked)
            assert [type(error) for error in found] == [Busy] * 11
            await tried(one)
        await one.ready()
        for number in range(11):
            assert await rows(one, f"t{number}") == []
        assert await one.append(step("t1"))

    with_store(f"sqlite:///{tmp_path}/preau.db", story)


def test_in_an_outage_that_is_known_everybody_is_told_at_once(tmp_path, hands):
    async def story(one: Store) -> None:
        with locked(tmp_path / "preau.db"):
            first = one.append(step("t"))
            await until(lambda: one.is_away)
            hands.seconds += PATIENT
            with pytest.raises(Busy):
                await first
            later = one.append(step("u"))
            assert later.done(), "told at once, not behind anybody"
            with pytest.raises(Busy):
                await later
        await one.ready()  # found out by a try of its own, although nobody asks for anything
        assert await one.append(step("u"))

    with_store(f"sqlite:///{tmp_path}/preau.db", story)


def test_one_table_with_many_hands_and_a_new_table_are_told_in_one_patience(tmp_path, hands):
    """They wait for each other at the table's lock, or ask the database several times: it all counts together."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        text = table.live.state.legal(0)[-1].text
        with locked(tmp_path / "preau.db"):
            acts = [asyncio.ensure_future(services.moves.act(table, 0, text, at=0, client=f"{n}")) for n in range(11)]
            wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me")] * 2, start=True)
            new = asyncio.ensure_future(services.creation.create(wish))
            await until(lambda: services.store.is_away)
            hands.seconds += PATIENT
            found = await outcomes(*acts, new)
            assert [type(error) for error in found] == [Busy] * 12
            await tried(services.store)
        await services.store.ready()
        assert await services.moves.act(table, 0, text, at=0, client="0") == (1, True)

    run_with_services(tmp_path, story)


def test_a_full_disk_is_an_outage_that_ends(tmp_path, hands):
    pages = 1  # no more than there are

    def limit(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    async def story(one: Store) -> None:
        nonlocal pages
        sa.event.listen(one.engine, "begin", limit)
        big = Append("t", [Row(number, 0, "act", "x" * 80, 1) for number in range(1, 2_000)])
        first = one.append(big)
        await until(lambda: one.is_away)
        assert not first.done()
        hands.seconds += PATIENT
        with pytest.raises(Busy):
            await first
        pages = 1_000_000  # the operator makes room
        await one.ready()
        assert await rows(one, "t") == []
        assert await one.append(big)

    with_store(f"sqlite:///{tmp_path}/preau.db", story)


@pytest.mark.parametrize("direction", ["write", "read"])
def test_a_database_that_does_not_even_refuse_keeps_nobody(tmp_path, hands, direction):
    """It is frozen: what was asked comes back when it thaws, but nobody waits for that."""
    thaw = threading.Event()
    inside: list[int] = []

    def frozen(connection: sa.Connection) -> None:
        inside.append(1)
        thaw.wait(PATIENCE)

    async def story(one: Store) -> None:
        ask = one.write if direction == "write" else one.read
        stuck = [asyncio.ensure_future(ask(frozen)) for _ in range(5)]
        await until(lambda: len(inside) == (1 if direction == "write" else 4))
        hands.seconds += job_queue.STUCK_SECONDS
        assert not await one.works()
        hands.seconds += PATIENT
        assert [type(error) for error in await outcomes(*stuck)] == [Busy] * 5
        with pytest.raises(Busy):
            await ask(frozen)
        thaw.set()
        await until(lambda: not one.is_away)
        await ask(lambda connection: None)

    with_store(f"sqlite:///{tmp_path}/preau.db", story)


def test_what_was_written_although_its_time_was_up_is_found_by_whoever_sends_it_again(tmp_path, hands, monkeypatch):
    slow, inside = threading.Event(), threading.Event()

    def wait_at_insert(connection: sa.Connection, cursor: object, statement: str, *more: object) -> None:
        if "INSERT INTO log" in statement:
            inside.set()
            slow.wait(PATIENCE)

    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        text = table.live.state.legal(0)[-1].text
        sa.event.listen(services.store.engine, "before_cursor_execute", wait_at_insert)
        act = asyncio.ensure_future(services.moves.act(table, 0, text, at=0, client="mine"))
        await until(inside.is_set)
        hands.seconds += PATIENT
        with pytest.raises(Busy):
            await act
        slow.set()
        await services.store.ready()
        assert await services.moves.act(table, 0, text, at=0, client="mine") == (1, False)
        assert [row.client for row in await rows(services.store, table.id)] == ["mine"]

    run_with_services(tmp_path, story)


def test_a_table_held_by_a_frozen_process_keeps_no_other_waiting(postgres):
    """The other process is in the middle of a transaction."""
    url = postgres.new_database()

    async def story(one: Store) -> None:
        other = make_engine(sa.engine.make_url(url))
        with other.connect() as connection:
            held = {"table_id": "held", "number": 1, "actor": 0, "kind": "act", "text": "y", "time": 1}
            connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(sa.insert(schema.log), [held])
            mine = one.append(step("held"))
            assert await one.append(step("free"))
            assert not mine.done()
            assert await one.append(step("free", 2))
            connection.rollback()
        assert await mine
        other.dispose()

    with_store(url, story)


def test_health_tells_within_moments_that_nothing_can_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "STUCK_SECONDS", PATIENCE)
    monkeypatch.setattr(store, "CHECK_SECONDS", 0.0)

    async def story(services: Services, clock: FakeClock) -> None:
        transport = httpx.ASGITransport(make_litestar(services))  # type: ignore[arg-type]

        async def health() -> tuple[int, bool]:
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
                answer = await client.get("/api/health")
            return answer.status_code, answer.json()["database"]

        assert await health() == (200, True)
        monkeypatch.setattr(store, "STUCK_SECONDS", 0.05)
        with locked(tmp_path / "preau.db"):
            assert await health() == (503, False)
        await services.store.write(lambda connection: None)  # the check before it is done then
        monkeypatch.setattr(store, "STUCK_SECONDS", PATIENCE)
        assert await health() == (200, True)

    run_with_services(tmp_path, story)


def test_an_outage_is_logged_when_it_comes_and_when_it_is_over(tmp_path, hands):
    async def story(one: Store) -> None:
        with capture_logs() as lines:
            with locked(tmp_path / "preau.db"):
                asked = [one.append(step(f"t{number}")) for number in range(30)]
                await until(lambda: one.is_away)
                hands.seconds += PATIENT
                await outcomes(*asked)
            await one.ready()
            await hands.swept()
            hands.seconds += job_queue.STUCK_SECONDS
            await hands.swept()
        assert [line["event"] for line in lines] == ["database stuck", "database works again"]
        assert lines[1]["seconds"] == PATIENT

    with_store(f"sqlite:///{tmp_path}/preau.db", story)


# Damage.


def break_log(file: Path) -> None:
    """Overwrite the pages that hold rows of logs."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        roots = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'log'").fetchall()
    data = bytearray(file.read_bytes())
    for (root,) in roots:
        data[(root - 1) * size : root * size] = b"\xff" * size
    file.write_bytes(data)


def test_damage_is_told_as_such_and_logged_once(tmp_path):
    file = tmp_path / "preau.db"
    kept: dict[str, str] = {}

    async def before(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "recess", 3)
        await services.moves.act(table, 0, table.live.state.legal(0)[-1].text)
        kept["table"] = table.id

    async def after(services: Services, clock: FakeClock) -> None:
        with capture_logs() as lines:
            table = await services.tables.get(kept["table"])
            for _ in range(3):
                with pytest.raises(Damaged) as refused:
                    await rows(services.store, table.id)
                assert refused.value.key == "damaged"
                with pytest.raises(Damaged):
                    await services.store.append(step(table.id, 2))
            assert not await services.store.works()
        assert [line["trouble"] for line in lines if line["event"] == "database"] == ["damaged"]

    run_with_services(tmp_path, before)
    break_log(file)
    with pytest.raises(SetupError, match="the database cannot be opened: it is damaged"):
        prepare(Config(database=f"sqlite:///{file}"))
    run_with_services(tmp_path, after)


def test_something_that_is_no_database_is_refused_in_a_sentence(tmp_path):
    file = tmp_path / "preau.db"
    file.write_bytes(b"Once upon a time" * 500)
    with pytest.raises(SetupError, match="file is not a database") as refused:
        prepare(Config(database=f"sqlite:///{file}"))
    assert refused.value.field == "--database"
    assert file.read_bytes() == b"Once upon a time" * 500


def test_an_error_that_waiting_cannot_mend_is_a_refusal_at_once(tmp_path, postgres):
    """Whatever it is, nobody gets to see a fault; and it says nothing about the rest of the database."""

    async def story(one: Store) -> None:
        with capture_logs() as lines:
            for ask in (one.read, one.write, one.read):
                with pytest.raises(Damaged):
                    await ask(lambda connection: connection.execute(sa.text("SELECT wrong FROM nowhere")).all())
        assert [line["trouble"] for line in lines] == ["wrong"]
        assert await one.works()

    with_store(f"sqlite:///{tmp_path}/preau.db", story)
    with_store(postgres.new_database(), story)


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_a_database_of_a_newer_program_is_left_as_it_is(tmp_path, request, backend):
    file = tmp_path / "preau.db"
    sqlite = backend == "sqlite"
    url = f"sqlite:///{file}" if sqlite else request.getfixturevalue("postgres").new_database()
    engine = make_engine(sa.engine.make_url(url))
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    before = file.read_bytes() if sqlite else b""
    with pytest.raises(SetupError, match="newer Préau: it has schema 9999") as refused:
        prepare(Config(database=url))
    assert refused.value.field == "--database"
    assert (file.read_bytes() if sqlite else b"") == before
