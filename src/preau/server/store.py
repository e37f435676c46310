"""The database: SQLite or PostgreSQL, through SQLAlchemy Core.

All writing goes through one thread with one connection, which commits whatever waits in one transaction (group
commit): a thousand tables cost as many commits as the disk can do, not a thousand. Reading goes through a few threads.
An append whose first number is taken loses, whole; nothing is ever changed in the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig
from msgspec.structs import asdict
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

from ..core.errors import SetupError
from ..table.log import Row
from ..table.table import Seat, Table
from . import schema
from .leases import Change, Lease
from .refusals import Busy

T = TypeVar("T")

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 5_713_031  # the advisory lock that keeps two starting processes from migrating at once


class Append(NamedTuple):
    """Rows to add to one table's log, together with what changes in the table's own row."""

    table: str
    rows: Sequence[Row]
    change: Change | None = None


class Stored(NamedTuple):
    """A table as the database has it."""

    table: Table
    revision: int
    """Raised by every change of the table or its seats; steps of the game leave it as it is."""
    lease: Lease


class Store:
    """The database of one server process."""

    def __init__(self, url: str, *, patience: float = 20.0) -> None:
        self.url = sa.engine.make_url(url)
        self.engine = make_engine(self.url, "BEGIN IMMEDIATE")
        self._reading = make_engine(self.url, "BEGIN")
        self.patience = patience
        self.commits = 0
        self.down = False
        self._waiting: list[_Job] = []
        self._busy = False
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(4, "preau-read")
        self._writer = threading.Thread(target=self._write_loop, name="preau-write", daemon=True)
        self._closed = False

    def open(self) -> None:
        """Bring the schema up to date and begin to write."""
        migrate(self.engine)
        self._writer.start()

    def close(self) -> None:
        """Write what was handed over, then stop."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            if self._writer.is_alive():
                self._writer.join()
            self._readers.shutdown()
            self.engine.dispose()
            self._reading.dispose()

    # Asking.

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Do some reading in a thread; waits through a short outage of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        end = time.monotonic() + self.patience
        while True:
            try:
                with self._reading.connect() as connection:
                    found = work(connection)
                    connection.rollback()
                return found
            except DBAPIError as error:
                self._outage(error, end)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do some writing in a transaction of its own. `work` may be run again after an outage."""
        done: T = await self._put(_Job(asyncio.get_running_loop(), work=work))
        return done

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Add to a log. False: another process was first, nothing was written.

        After an outage it may be False although the rows were written: look for the action's id before trying again.
        """
        return self._put(_Job(asyncio.get_running_loop(), append=append))

    def _put(self, job: _Job) -> asyncio.Future[Any]:
        """Hand a job to the writer: all of one turn of the event loop together, and while it writes, all that waits."""
        self._waiting.append(job)
        if len(self._waiting) == 1 and not self._busy:
            job.loop.call_soon(self._flush)
        return job.future

    def _flush(self) -> None:
        if self._waiting and not self._busy:
            self._busy = True
            jobs, self._waiting = self._waiting, []
            self._jobs.put(jobs)

    def _written(self, jobs: list[_Job]) -> None:
        """Back in the event loop: tell whoever waits, and go on with what came meanwhile."""
        self._busy = False
        for job in jobs:
            job.settle()
        self._flush()

    # Writing, in its own thread.

    def _write_loop(self) -> None:
        while (jobs := self._jobs.get()) is not None:
            appends = [job for job in jobs if job.append is not None]
            if appends:
                self._write_appends(appends)
            for job in jobs:
                if job.work is not None:
                    self._write_one(job, job.work)
            with contextlib.suppress(RuntimeError):  # the loop was closed while we wrote
                jobs[0].loop.call_soon_threadsafe(self._written, jobs)

    def _write_appends(self, jobs: list[_Job]) -> None:
        """All in one transaction; if one of them loses, each in its own."""
        jobs.sort(key=lambda job: job.append.table if job.append else "")  # one order for all: no deadlocks
        appends = [job.append for job in jobs if job.append is not None]
        twice = len({append.table for append in appends}) < len(appends)
        if not twice:
            try:
                self._commit(lambda connection: _insert(connection, appends))
            except IntegrityError:
                pass
            except DBAPIError as error:
                if not _is_outage(error):
                    for job in jobs:
                        job.error = error
                    return
            else:
                for job in jobs:
                    job.result = True
                return
        for job in jobs:
            self._write_one(job, _inserting(job.append))

    def _write_one(self, job: _Job, work: Callable[[sa.Connection], Any]) -> None:
        end = time.monotonic() + self.patience
        while True:
            try:
                job.result = self._commit(work)
            except IntegrityError as error:
                if job.append is not None:
                    job.result = False
                else:
                    job.error = error
            except DBAPIError as error:
                try:
                    self._outage(error, end)
                except (DBAPIError, Busy) as final:
                    job.error = final
                else:
                    continue
            except Exception as error:
                job.error = error
            return

    def _commit(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.begin() as connection:
            done = work(connection)
        self.commits += 1
        self.down = False
        return done

    def _outage(self, error: DBAPIError, end: float) -> None:
        """Wait a little if the database is away, or give up."""
        if not _is_outage(error):
            raise error
        self.down = True
        if time.monotonic() > end or self._closed:
            raise Busy("the database cannot be reached", key="busy", hint="Send it again in a moment.") from error
        time.sleep(0.2)


class _Job:
    """Something to write, and the future that waits for it."""

    __slots__ = ("append", "error", "future", "loop", "result", "work")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        append: Append | None = None,
        work: Callable[[sa.Connection], Any] | None = None,
    ) -> None:
        self.loop = loop
        self.append = append
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.future: asyncio.Future[Any] = loop.create_future()

    def settle(self) -> None:
        """Tell whoever waits; they may have gone."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def _inserting(append: Append | None) -> Callable[[sa.Connection], bool]:
    assert append is not None
    return lambda connection: _insert(connection, [append])


def _insert(connection: sa.Connection, appends: Sequence[Append]) -> bool:
    rows = [(append.table, *row) for append in appends for row in append.rows]
    insert, positional = _insert_for(connection.dialect)
    if positional:
        connection.exec_driver_sql(insert, rows)
    else:
        connection.exec_driver_sql(insert, [dict(zip(_COLUMNS, row, strict=True)) for row in rows])
    changes = [{"the_id": one.table, **one.change.values()} for one in appends if one.change is not None]
    if changes:
        connection.execute(_CHANGE, changes)
    return True


_COLUMNS = ("table_id", *Row._fields)


@lru_cache(maxsize=4)
def _insert_for(dialect: sa.Dialect) -> tuple[str, bool]:
    """The one statement every action goes through, ready for the driver, and whether it wants values by position."""
    compiled = sa.insert(schema.log).compile(dialect=dialect, column_keys=_COLUMNS)
    assert isinstance(compiled, SQLCompiler)
    return str(compiled), bool(compiled.positional)


_CHANGED = ("status", "over", "wake", "lease_by", "lease_until")
_CHANGE = (
    sa.update(schema.tables)
    .where(schema.tables.c.id == sa.bindparam("the_id"))
    .values({name: sa.bindparam(name) for name in _CHANGED})
)


def _is_outage(error: DBAPIError) -> bool:
    """Whether the database is away or locked, rather than asked something wrong."""
    if error.connection_invalidated:
        return True
    return isinstance(error, (sa.exc.OperationalError, sa.exc.InterfaceError))


# Opening.


def make_engine(url: sa.URL, begin: str = "BEGIN IMMEDIATE") -> sa.Engine:
    """An engine for SQLite (WAL, safe against power loss) or PostgreSQL.

    `begin` is how a transaction begins in SQLite: one that will write takes the lock at once, so that it cannot find
    half-way that another process was quicker.
    """
    backend = url.get_backend_name()
    if backend == "sqlite":
        engine = sa.create_engine(url, connect_args={"timeout": 15, "check_same_thread": False}, pool_size=5)
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
        return engine
    if backend == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
        return sa.create_engine(url, pool_size=5, connect_args={"connect_timeout": 5})
    raise SetupError(
        f"{backend} is no database Préau knows", field="--database", hint="Use sqlite:/// or postgresql://."
    )


def _set_up_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # so that the driver leaves BEGIN to us
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def migrate(engine: sa.Engine, revision: str = "head") -> None:
    """Bring the schema up to date; of several processes that start at once, one does it and the others wait."""
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


# Tables and logs, read and written. The statements are made once: making one costs more than running it.

_LOG = (
    sa.select(*(schema.log.c[name] for name in Row._fields))
    .where(schema.log.c.table_id == sa.bindparam("table"), schema.log.c.number > sa.bindparam("after"))
    .order_by(schema.log.c.number)
)
_TABLE = sa.select(schema.tables).where(schema.tables.c.id == sa.bindparam("table"))
_LOCKED = _TABLE.with_for_update()
_SEATS = (
    sa.select(*(schema.seats.c[name] for name in Seat.__struct_fields__))
    .where(schema.seats.c.table_id == sa.bindparam("table"))
    .order_by(schema.seats.c.seat)
)
_PACKED = ("wish", "options")
_PLAIN = tuple(name for name in Table.__struct_fields__ if name not in (*_PACKED, "seats"))
_CHANGING = ("options", "status", "host", "started", "over", "rematch")
"""What may change of a table once it is made."""


def load_log(connection: sa.Connection, table: str, after: int = 0) -> list[Row]:
    """The rows of a log after a number."""
    return [Row(*row) for row in connection.execute(_LOG, {"table": table, "after": after})]


def heads(connection: sa.Connection, ids: Iterable[str]) -> dict[str, int]:
    """The last number of each of these logs."""
    log = schema.log
    wanted = list(ids)
    found: dict[str, int] = {}
    for start in range(0, len(wanted), 500):
        rows = connection.execute(
            sa.select(log.c.table_id, sa.func.max(log.c.number))
            .where(log.c.table_id.in_(wanted[start : start + 500]))
            .group_by(log.c.table_id)
        )
        found.update({row[0]: row[1] for row in rows})
    return found


def load_table(connection: sa.Connection, table: str, *, to_change: bool = False) -> Stored | None:
    """A table with its seats, or None. `to_change`: nobody else may change it until this transaction ends."""
    row = connection.execute(_LOCKED if to_change else _TABLE, {"table": table}).mappings().first()
    if row is None:
        return None
    seats = tuple(Seat(*seat) for seat in connection.execute(_SEATS, {"table": table}))
    found = {name: row[name] for name in _PLAIN}
    found |= {name: json.loads(row[name]) for name in _PACKED}
    lease = Lease(row["wake"], row["lease_by"], row["lease_until"])
    return Stored(Table(seats=seats, **found), row["revision"], lease)


def insert_table(connection: sa.Connection, table: Table) -> None:
    """Write a new table and its seats."""
    connection.execute(sa.insert(schema.tables), [{name: _column(table, name) for name in (*_PLAIN, *_PACKED)}])
    seats = [{"table_id": table.id, "seat": at, **asdict(seat)} for at, seat in enumerate(table.seats)]
    connection.execute(sa.insert(schema.seats), seats)


def update_table(connection: sa.Connection, before: Table, after: Table) -> None:
    """Write what has changed of a table and its seats, and raise its revision."""
    values = {name: _column(after, name) for name in _CHANGING if getattr(before, name) != getattr(after, name)}
    tables, seats = schema.tables, schema.seats
    connection.execute(
        sa.update(tables).where(tables.c.id == after.id).values(revision=tables.c.revision + 1, **values)
    )
    for at, seat in enumerate(after.seats):
        if seat != before.seats[at]:
            where = sa.and_(seats.c.table_id == after.id, seats.c.seat == at)
            connection.execute(sa.update(seats).where(where).values(**asdict(seat)))


def _column(table: Table, name: str) -> Any:
    value = getattr(table, name)
    return pack(value) if name in _PACKED else value


def pack(data: Any) -> str:
    """JSON for a text column."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
