"""The database: SQLite or PostgreSQL, through SQLAlchemy Core.

All writing goes through one thread with one connection, which commits whatever waits in one transaction (group
commit): a thousand tables cost as many commits as the disk can do, not a thousand. Reading goes through a few threads.
An append whose first number is taken loses, whole; nothing is ever changed in the log.

Nobody waits behind others for a database that is away: each job has one try at a time and a time of its own when it is
told `busy` (`patience`), and is not tried after that. What was being tried in that very moment may have been written
all the same; whoever sends an action again finds it by its id.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import asdict
from sqlalchemy.engine import RowMapping
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

from ...core.errors import SetupError
from ...table.log import Row
from ...table.protocol import Origin
from ...table.refusals import Unknown
from ...table.series import Series
from ...table.table import Seat, Table, TieBreak
from ..logs import log
from . import schema
from .errors import DatabaseTrouble, busy, classify, damaged, driver_message
from .job_queue import STUCK_SECONDS, Job, JobQueue
from .leases import Change, Lease
from .sqlite_file import create_private, path_of

T = TypeVar("T")

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 5_713_031  # the advisory lock that keeps two starting processes from migrating at once
_PROBE = 0.25
"""How often those who wait are looked after, in seconds."""
_RETRY = 0.2
"""How long after a try that failed comes the next."""
_WAIT = 0.25
"""How long one try waits for a lock on an SQLite file."""
_PASS = 1.0
"""How long the writer tries one job after another before it asks what else there is."""
_CLOSING = 5.0
CHECK_SECONDS = 1.0
"""How often at most it is tried whether the database can be written to."""


class Append(NamedTuple):
    """Rows to add to one table's log, together with what changes in the table's own row."""

    table: str
    rows: Sequence[Row]
    change: Change | None = None
    calls: int | None = None
    """When those who wait to be called at this table are to be looked at (`calls`); None: they need not be."""


class StoredTable(NamedTuple):
    """A table as the database has it."""

    table: Table
    revision: int
    """Raised by every change of the table or its seats; steps of the game leave it as it is."""
    lease: Lease


class Store:
    """The database of one server process."""

    def __init__(self, url: str, *, patience: float = 20.0) -> None:
        self.url = sa.engine.make_url(url)
        self.engine = make_engine(self.url, "BEGIN IMMEDIATE", wait=_WAIT)
        self._reading = make_engine(self.url, "BEGIN", wait=_WAIT)
        self.commits = 0
        self.damaged = False
        """Whether something was found that is not as it was written; until somebody has looked after it."""
        self._writes = JobQueue("writing", patience)
        self._reads = JobQueue("reading", patience)
        self._waiting: list[Job] = []
        self._busy = False
        self._to_write: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._to_read: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._write_loop, name="preau-write", daemon=True)]
        self._threads += [threading.Thread(target=self._read_loop, name="preau-read", daemon=True) for _ in range(4)]
        self._looking = False
        self._check: asyncio.Future[Any] | None = None
        self._checked = 0.0
        self._logged: set[str] = set()
        self._closed = False

    def open(self) -> None:
        """Bring the schema up to date and begin to work."""
        with opened(self.url) as engine:
            migrate(engine)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Write what was handed over, then stop; not for ever, if the database does not answer."""
        if not self._closed:
            self._closed = True
            self._to_write.put(None)
            for _ in self._threads[1:]:
                self._to_read.put(None)
            end = time.monotonic() + _CLOSING
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(max(0.0, end - time.monotonic()))
            self.engine.dispose()
            self._reading.dispose()

    # Asking.

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Do some reading in a thread; waits through a short outage of the database."""
        job = Job(work=work)
        if self._admit(self._reads, job):
            self._to_read.put(job)
        found: T = await job.future
        return found

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do some writing in a transaction of its own. `work` may be run again after an outage."""
        done: T = await self._put(Job(work=work))
        return done

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """Something the house keeps under a name, made once; of several processes that start at once, one makes it."""
        try:
            return await self.write(lambda connection: _setting(connection, name, make))
        except IntegrityError:
            return await self.write(lambda connection: _setting(connection, name, make))

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Add to a log. False: another process was first, nothing was written.

        After an outage it may be False although the rows were written: look for the action's id before trying again.
        """
        return self._put(Job(append))

    @property
    def is_away(self) -> bool:
        """Whether the database is known to be away, for reading or for writing."""
        return self._writes.away_since is not None or self._reads.away_since is not None

    async def works(self) -> bool:
        """Whether the database can be written to now, found out in `STUCK_SECONDS` at most by a small write.

        However often this is asked, it is tried once in `CHECK_SECONDS`.
        """
        if self.damaged or self._writes.is_stuck() or self._reads.is_stuck():
            return False
        if self._check is None or (self._check.done() and time.monotonic() - self._checked > CHECK_SECONDS):
            self._checked = time.monotonic()
            self._check = self._put(Job(work=_touch))
            self._check.add_done_callback(_hear_out)
        await asyncio.wait([self._check], timeout=STUCK_SECONDS)
        return self._check.done() and self._check.exception() is None

    async def ready(self) -> None:
        """Until writing makes sense: an outage is no time to begin something long."""
        while self._writes.away_since is not None and not self._closed:
            await asyncio.sleep(_PROBE)

    # In the event loop.

    def _admit(self, waiting: JobQueue, job: Job, *, to_see: bool = False) -> bool:
        """Let a job wait; whoever has to be told that it takes too long is looked after."""
        if self._closed:
            job.future.set_exception(busy())
            return False
        if to_see:
            waiting.enter_to_see(job)
        elif not waiting.enter(job):
            return False
        if not self._looking:
            self._looking = True
            job.loop.call_later(_PROBE, self._sweep, job.loop)
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """While anybody waits, four times a second: tell who has waited too long, and see if the database is back."""
        self._looking = False
        for waiting in (self._writes, self._reads):
            waiting.expire()
            if waiting.away_since is not None and not waiting.open:
                self._see(waiting)
        if not self._looking and not (self._closed or (self._writes.quiet and self._reads.quiet)):
            self._looking = True
            loop.call_later(_PROBE, self._sweep, loop)

    def _see(self, waiting: JobQueue) -> None:
        """Try something small, on nobody's behalf."""
        job = Job(work=_touch if waiting is self._writes else _probe)
        job.future.add_done_callback(_hear_out)
        if self._admit(waiting, job, to_see=True):
            if waiting is self._writes:
                self._queue(job)
            else:
                self._to_read.put(job)

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._admit(self._writes, job):
            self._queue(job)
        return job.future

    def _queue(self, job: Job) -> None:
        """Hand a job to the writer: all of one turn of the event loop together, and while it writes, all that waits."""
        self._waiting.append(job)
        if len(self._waiting) == 1 and not self._busy:
            job.loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._waiting and not self._busy:
            self._busy = True
            jobs, self._waiting = self._waiting, []
            self._to_write.put(jobs)

    def _written(self, jobs: list[Job]) -> None:
        """Tell whoever waits, and go on with what came meanwhile; what has to be tried again waits for a moment."""
        self._busy = False
        again = []
        for job in jobs:
            if job.done:
                self._writes.leave(job)
            elif job.again and not job.future.done():
                again.append(job)
        if again:
            self._waiting[:0] = again
            again[0].loop.call_later(_RETRY, self._flush)
        else:
            self._flush()

    def _was_read(self, job: Job) -> None:
        if job.done:
            self._reads.leave(job)
        elif job.again:
            job.loop.call_later(_RETRY, self._to_read.put, job)

    # In threads of their own.

    def _write_loop(self) -> None:
        while (jobs := self._to_write.get()) is not None:
            self._write(jobs)
            with contextlib.suppress(RuntimeError):  # the loop was closed while we wrote
                jobs[0].loop.call_soon_threadsafe(self._written, jobs)

    def _write(self, jobs: list[Job]) -> None:
        """One try for each job that has the time: appends in one transaction if that can be, then each in its own."""
        end = time.monotonic() + _PASS
        away = not self._write_together([job for job in jobs if job.append is not None and not job.held])
        for job in jobs:
            job.again = not job.done and not job.too_late()
            if job.again and not away and time.monotonic() < end:
                away = not self._write_one(job)

    def _write_together(self, jobs: list[Job]) -> bool:
        """Several appends in one transaction; False if the database is away. What comes of it stands in the jobs."""
        now = time.monotonic()
        jobs = sorted((job for job in jobs if not job.too_late(now)), key=_table)  # one order for all: no deadlocks
        appends = [job.append for job in jobs if job.append is not None]
        if not jobs or len({append.table for append in appends}) < len(appends):
            return True
        try:
            self._commit(lambda connection: _insert(connection, appends))
        except DBAPIError as error:
            if not isinstance(error, IntegrityError) and classify(error) is DatabaseTrouble.AWAY:
                self._writes.failed(jobs[0])
                return False
        else:
            for job in jobs:
                job.result, job.done = True, True
        return True

    def _write_one(self, job: Job) -> bool:
        """One job in a transaction of its own; False if the database is away. What comes of it stands in the job."""
        try:
            job.result, job.done = self._commit(job.work or _inserting(job.append)), True
        except IntegrityError as error:
            job.result, job.error, job.done = False, None if job.append is not None else error, True
        except Exception as error:
            return self._take(job, error, self._writes)
        return True

    def _commit(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.begin() as connection:
            done = work(connection)
        self.commits += 1
        self._writes.worked()
        return done

    def _read_loop(self) -> None:
        while (job := self._to_read.get()) is not None:
            job.again = False
            if not job.too_late():
                self._read_one(job)
            with contextlib.suppress(RuntimeError):
                job.loop.call_soon_threadsafe(self._was_read, job)

    def _read_one(self, job: Job) -> None:
        assert job.work is not None
        try:
            with self._reading.connect() as connection:
                job.result, job.done = job.work(connection), True
                connection.rollback()
            self._reads.worked()
        except Exception as error:
            self._take(job, error, self._reads)

    def _take(self, job: Job, error: Exception, waiting: JobQueue) -> bool:
        """Make of an error what it means for a job; False if the database is away."""
        kind = classify(error) if isinstance(error, DBAPIError) else None
        if kind in (DatabaseTrouble.AWAY, DatabaseTrouble.HELD):
            job.done, job.again, job.held = False, True, kind is DatabaseTrouble.HELD
            if kind is DatabaseTrouble.AWAY:
                waiting.failed(job)
                return False
        elif kind is None:
            job.error, job.done = error, True
        else:
            self._log_once(error, kind)
            job.error, job.done = damaged(), True
        return True

    def _log_once(self, error: Exception, kind: DatabaseTrouble) -> None:
        """The detail of what waiting cannot mend; the same once only, however often somebody runs into it."""
        self.damaged = self.damaged or kind is DatabaseTrouble.DAMAGED
        text = driver_message(error)
        if text not in self._logged and len(self._logged) < 100:
            self._logged.add(text)
            asked = str(getattr(error, "statement", None))[:500]
            log.error("database", trouble=kind.name.lower(), error=text, asked=asked)


def _hear_out(future: asyncio.Future[Any]) -> None:
    """Nobody waits for this one; its error is no surprise."""
    if not future.cancelled():
        future.exception()


def _table(job: Job) -> str:
    return job.append.table if job.append is not None else ""


def _probe(connection: sa.Connection) -> None:
    connection.execute(sa.text("SELECT 1"))


def _touch(connection: sa.Connection) -> None:
    """A write that changes nothing."""
    settings = schema.settings.c
    connection.execute(sa.update(schema.settings).where(settings.name == "secret").values(value=settings.value))


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
    for append in appends:
        if append.calls is not None:
            mark_calls(connection, append.table, append.calls)
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

_MARK = (
    sa.update(schema.calls)
    .where(schema.calls.c.table_id == sa.bindparam("the_table"))
    .values(due=sa.bindparam("the_due"), marks=schema.calls.c.marks + 1)
)


def mark_calls(connection: sa.Connection, table: str, due: int) -> None:
    """Something has happened at a table: whoever is called there is to be looked at."""
    connection.execute(_MARK, {"the_table": table, "the_due": due})


# Opening.


def make_engine(url: sa.URL, begin: str = "BEGIN IMMEDIATE", wait: float = 15) -> sa.Engine:
    """An engine for SQLite (WAL, safe against power loss) or PostgreSQL.

    `begin` is how a transaction begins in SQLite: one that will write takes the lock at once, so that it cannot find
    half-way that another process was quicker. `wait` is for how many seconds it waits for that lock.
    """
    backend = url.get_backend_name()
    if backend == "sqlite":
        engine = sa.create_engine(url, connect_args={"timeout": wait, "check_same_thread": False}, pool_size=5)
        path = path_of(url)
        if path is not None:
            sa.event.listen(engine, "do_connect", lambda *_: create_private(path))
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
        return engine
    if backend == "postgresql":
        args = {name: value for name, value in _LINE.items() if name not in url.query}
        engine = sa.create_engine(url.set(drivername="postgresql+psycopg"), pool_size=5, connect_args=args)
        sa.event.listen(engine, "connect", _set_up_postgres)
        return engine
    raise SetupError(
        f"{backend} is no database Préau knows", field="--database", hint="Use sqlite:/// or postgresql://."
    )


@contextlib.contextmanager
def opened(url: sa.URL) -> Iterator[sa.Engine]:
    """An engine for a while."""
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _set_up_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # so that the driver leaves BEGIN to us
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


_LINE = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
}
"""A line to PostgreSQL that is dead is known to be within seconds."""
_SESSION = {"lock_timeout": 100, "statement_timeout": 20_000, "idle_in_transaction_session_timeout": 10_000}
"""In milliseconds. Nobody waits long for rows that another process holds, and a process that is frozen in the middle
of a transaction holds none for long.
"""


def _set_up_postgres(connection: Any, record: object) -> None:
    for name, value in _SESSION.items():
        connection.execute(f"SET {name} = {value}")
    connection.commit()


def migrate(engine: sa.Engine, revision: str = "head") -> None:
    """Bring the schema up to date; of several processes that start at once, one does it and the others wait."""
    config = _migrations()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            for name in _SESSION:
                connection.execute(sa.text(f"SET LOCAL {name} = 0"))  # this may take its time
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        _refuse_newer(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def known_schemas() -> list[str]:
    """Return the versions of the schema that this program can work with, newest first."""
    return [script.revision for script in ScriptDirectory.from_config(_migrations()).walk_revisions()]


def _migrations() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _refuse_newer(connection: sa.Connection) -> None:
    """A database that a newer program made is left as it is."""
    known = known_schemas()
    for head in MigrationContext.configure(connection).get_current_heads():
        if head not in known:
            raise SetupError(
                f"the database was made by a newer Préau: it has schema {head}, this program knows {known[0]} at most",
                field="--database",
                hint="Install that version of Préau, or name another database. Nothing was changed.",
            )


def probe_tables(engine: sa.Engine) -> None:
    """Read a little of everything: what is damaged at its beginning is better found before people come."""
    with engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            connection.execute(sa.select(table).limit(1)).all()


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
_TYPED: dict[str, Any] = {"contest": TieBreak, "origin": Origin, "series": Series}
"""What is there at some tables only, by its type."""
_PLAIN = tuple(name for name in Table.__struct_fields__ if name not in (*_PACKED, *_TYPED, "seats"))
_CHANGING = ("options", "status", "host", "started", "over", "rematch", "hinted", "contest")
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


def load_table(connection: sa.Connection, table: str, *, to_change: bool = False) -> StoredTable | None:
    """A table with its seats, or None. `to_change`: nobody else may change it until this transaction ends."""
    row = connection.execute(_LOCKED if to_change else _TABLE, {"table": table}).mappings().first()
    if row is None:
        return None
    return _stored(row, (Seat(*seat) for seat in connection.execute(_SEATS, {"table": table})))


def load_to_change(connection: sa.Connection, table: str) -> Table:
    """A table that is about to be changed."""
    stored = load_table(connection, table, to_change=True)
    if stored is None:
        raise Unknown("there is no such table", field="table", key="no_table")
    return stored.table


def load_listed(connection: sa.Connection, most: int) -> list[Table]:
    """The tables that want to be found, newest first."""
    tables, seats = schema.tables, schema.seats
    wanted = (tables.c.visibility == "listed") & (tables.c.status != "over")
    rows = connection.execute(sa.select(tables).where(wanted).order_by(tables.c.created.desc()).limit(most)).mappings()
    found = {row["id"]: row for row in rows}
    at = dict[str, list[Seat]]()
    those = sa.select(seats.c.table_id, *(seats.c[name] for name in Seat.__struct_fields__))
    for table, *seat in connection.execute(those.where(seats.c.table_id.in_(found)).order_by(seats.c.seat)):
        at.setdefault(table, []).append(Seat(*seat))
    return [_stored(row, at[id]).table for id, row in found.items()]


def _stored(row: RowMapping, seats: Iterable[Seat]) -> StoredTable:
    found = {name: row[name] for name in _PLAIN}
    found |= {name: json.loads(row[name]) for name in _PACKED}
    found |= {name: msgspec.json.decode(row[name], type=kind) for name, kind in _TYPED.items() if row[name]}
    lease = Lease(row["wake"], row["lease_by"], row["lease_until"])
    return StoredTable(Table(seats=tuple(seats), **found), row["revision"], lease)


def insert_table(connection: sa.Connection, table: Table) -> None:
    """Write a new table and its seats."""
    connection.execute(
        sa.insert(schema.tables), [{name: _column(table, name) for name in (*_PLAIN, *_PACKED, *_TYPED)}]
    )
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
    if name in _TYPED:
        return msgspec.json.encode(value).decode() if value is not None else None
    return pack(value) if name in _PACKED else value


def _setting(connection: sa.Connection, name: str, make: Callable[[], str]) -> str:
    found = connection.execute(_SETTING, {"the_name": name}).scalar()
    if found is None:
        found = make()
        connection.execute(sa.insert(schema.settings), [{"name": name, "value": found}])
    return str(found)


_SETTING = sa.select(schema.settings.c.value).where(schema.settings.c.name == sa.bindparam("the_name"))


def pack(data: Any) -> str:
    """JSON for a text column."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
