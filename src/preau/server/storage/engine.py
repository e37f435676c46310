"""Engines for SQLite and PostgreSQL: set-up of connections, and migrations of the schema."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ...core.errors import SetupError
from . import schema
from .sqlite_file import create_private, path_of

MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 5_713_031
"""The advisory lock of PostgreSQL that keeps two starting processes from migrating at once."""


def make_engine(url: sa.URL, begin: str = "BEGIN IMMEDIATE", wait: float = 15) -> sa.Engine:
    """Return an engine for SQLite (WAL, safe against power loss) or PostgreSQL.

    `begin` is the statement that begins a transaction in SQLite. A transaction that will write takes the lock at once,
    so that it cannot fail half-way because another process was quicker. `wait` is how many seconds it waits for that
    lock.
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
        args = {name: value for name, value in _CONNECTION.items() if name not in url.query}
        engine = sa.create_engine(url.set(drivername="postgresql+psycopg"), pool_size=5, connect_args=args)
        sa.event.listen(engine, "connect", _set_up_postgres)
        return engine
    raise SetupError(
        f"{backend} is no database Préau knows", field="--database", hint="Use sqlite:/// or postgresql://."
    )


@contextlib.contextmanager
def opened(url: sa.URL) -> Iterator[sa.Engine]:
    """Make an engine and dispose of it at the end."""
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _set_up_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # so that the driver leaves BEGIN to us
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


_CONNECTION = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
}
"""With these, a dead connection to PostgreSQL is noticed within seconds."""
_SESSION = {"lock_timeout": 100, "statement_timeout": 20_000, "idle_in_transaction_session_timeout": 10_000}
"""Time-outs in milliseconds. No statement waits long for rows that another process has locked, and a process that
freezes in the middle of a transaction loses its locks.
"""


def _set_up_postgres(connection: Any, record: object) -> None:
    for name, value in _SESSION.items():
        connection.execute(f"SET {name} = {value}")
    connection.commit()


def migrate(engine: sa.Engine, revision: str = "head") -> None:
    """Bring the schema up to date. Of several processes that start at once, one does it and the others wait."""
    config = _migrations()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            for name in _SESSION:
                connection.execute(sa.text(f"SET LOCAL {name} = 0"))  # a migration may take minutes
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
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
    """Raise `SetupError` for a database that a newer program made; it stays as it is."""
    known = known_schemas()
    for head in MigrationContext.configure(connection).get_current_heads():
        if head not in known:
            raise SetupError(
                f"the database was made by a newer Préau: it has schema {head}, this program knows {known[0]} at most",
                field="--database",
                hint="Install that version of Préau, or name another database. Nothing was changed.",
            )


def probe_tables(engine: sa.Engine) -> None:
    """Read one row of each table, to find a damaged file at the start and not when clients come."""
    with engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            connection.execute(sa.select(table).limit(1)).all()
