"""The file of an SQLite database: its path, its permissions, and whether it holds an undamaged Préau database."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ...core.errors import SetupError

CHECKED_BYTES = 200_000_000
"""The largest file that is read whole at every start: 145 MB take 0.6 s, or 2.9 s if the system has not cached them."""
LOCKED_SECONDS = 5.0
"""How long a connection waits for the lock of another program."""
PRIVATE = 0o600
SIDES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, by the ends of the names. They belong to this database and to no other."""

_OURS = {"alembic_version", "tables", "log"}
"""Tables of every Préau database, whatever its schema."""


def path_of(url: sa.URL) -> Path | None:
    """Return the file of a database address, links followed; None if it names a server, or no plain file."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or name.startswith((":", "file:")):
        return None
    return Path(name).resolve()


def create_private(path: Path) -> None:
    """Create an empty file that its owner alone may read, if there is none.

    SQLite takes an empty file for a new database, and gives `-wal` and `-shm` the permissions of the database.
    """
    with contextlib.suppress(OSError):  # it is there; or SQLite says better why it cannot be
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))


def own_like(new: Path, old: Path) -> None:
    """Give a file that root has created to the owner of the file it replaces or lies beside, else of the folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        like = (old if old.exists() else old.parent).stat()
        os.chown(new, like.st_uid, like.st_gid)


def connect(path: Path, mode: str = "rw", **more: Any) -> sqlite3.Connection:
    """Open a database that exists."""
    wishes = "&".join(f"{name}={value}" for name, value in {"mode": mode, **more}.items())
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{wishes}", uri=True, timeout=LOCKED_SECONDS, isolation_level=None
    )


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database that servers may be using, for reading.

    The last connection to close writes `-wal` into the database, unless it is one for reading. If the `-wal` is of
    another database, that would destroy this one.
    """
    return connect(path, "ro" if Path(f"{path}-wal").exists() else "rw")


def connect_unchanged(path: Path) -> sqlite3.Connection:
    """Open a copy for reading without a change to it or to its folder, which may be read-only.

    Where a `-wal` or a `-journal` lies beside it, the copy was taken with it and is read with it.
    """
    if any(Path(f"{path}{side}").exists() for side in SIDES):
        return connect(path, "ro")
    return connect(path, "ro", immutable=1)


class Unusable(Exception):
    """A file that is a database, but not one to work with; its text says why."""


class Foreign(Unusable):
    """The database of another program."""


def check_owner(connection: sqlite3.Connection) -> bool:
    """Return whether there is a Préau database; False if it is empty. Raise `Foreign` if it is of another program."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if names and not names >= _OURS:
        raise Foreign("it is the database of another program")
    return bool(names)


def check(connection: sqlite3.Connection, *, whole: bool = True) -> str:
    """Return the schema of a Préau database, or "" if it is empty.

    Raise `Unusable` or `sqlite3.Error` if it is damaged, locked or of another program. `whole` reads every row and
    every index; without, only the beginning is read.
    """
    ours = check_owner(connection)
    if whole:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise Unusable(f"it is damaged ({' '.join(found.split())})")
    if not ours:
        return ""
    version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if version is None:
        raise Unusable("its schema has no version")
    return str(version[0])


def check_at_start(path: Path) -> None:
    """Refuse a damaged or foreign file before a server opens it, which would change it."""
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with contextlib.closing(connect_to_read(path)) as connection:
            check(connection, whole=path.stat().st_size <= CHECKED_BYTES)
    except (sqlite3.Error, Unusable) as error:
        raise SetupError(
            f"the database cannot be opened: {error}", field="--database", hint=_hint(error, path)
        ) from None


def _hint(error: Exception, path: Path) -> str:
    if isinstance(error, Foreign):
        return "Name another file."
    if isinstance(error, Unusable) or is_damage(error):
        return restore_hint(path)
    return "Another program may be using it, or its permissions may be wrong."


def restore_hint(path: Path) -> str:
    """Return what to do about a damaged file, with the path of the installed command: it need not be on the PATH."""
    beside = Path(sys.executable).with_name("preau")
    command = beside if beside.exists() else "preau"
    return f"Stop all servers and put a backup in its place: {command} restore BACKUP --database sqlite:///{path}"


def is_damage(error: Exception) -> bool:
    """Return whether SQLite cannot make sense of a file."""
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_locked(error: Exception) -> bool:
    """Return whether another program has the file open."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: Exception) -> int:
    """Return SQLite's primary result code."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
