"""Database files, their state, and the commands for them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from typer.testing import CliRunner

from preau.cli.app import app
from preau.server.storage.engine import make_engine, migrate
from preau.server.storage.sqlite_file import check, connect_to_read


def preau(*words: object) -> Any:
    """Run a command in this process; refusals end with an exit code, faults are raised."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def made(file: Path, state: str, rows: int = 0) -> Path:
    """A database of ours in one file, which says in a setting what it is, with a log."""
    engine = make_engine(sa.engine.make_url(f"sqlite:///{file}"))
    migrate(engine)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO settings VALUES ('state', ?)", [state])
        log = [("table", n, 0, "act", "pass", 1) for n in range(1, rows + 1)]
        connection.executemany(
            "INSERT INTO log (table_id, number, actor, kind, text, time) VALUES (?, ?, ?, ?, ?, ?)", log
        )
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")
    return file


def set_state(file: Path, state: str) -> sqlite3.Connection:
    """Change what a database says of itself; the connection keeps this in its `-wal`."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE settings SET value = ? WHERE name = 'state'", [state])
    connection.commit()
    return connection


def state(file: Path) -> str:
    """What an undamaged database says of itself."""
    with closing(connect_to_read(file)) as connection:
        check(connection)
        found: str = connection.execute("SELECT value FROM settings WHERE name = 'state'").fetchone()[0]
        return found


def damage(file: Path) -> None:
    """Overwrite the last page of the file, which belongs to the end of the log: a start does not read it by itself."""
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = file.read_bytes()
    file.write_bytes(data[:-size] + b"\xff" * size)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
