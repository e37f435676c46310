"""`preau backup` and `preau restore`: copies of an SQLite database, taken while it is in use and put back in its place.

Both write a new file beside the one that is to be there, check it, and rename it: whatever interrupts them leaves
either the file from before or the new one, each of them whole.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import sqlalchemy as sa

from ...core.errors import SetupError
from . import sqlite_file
from .engine import known_schemas
from .sqlite_lock import sole_use

POSTGRES = {
    "backup": ("pg_dump --format=custom --file=preau.dump URL",),
    "restore": (
        "dropdb --maintenance-db=ADMIN preau",
        "createdb --maintenance-db=ADMIN --owner=preau preau",
        "pg_restore --single-transaction --dbname=URL preau.dump",
    ),
}
"""The commands that copy and restore the PostgreSQL database `preau`, as tuples of command lines.

URL is its address, ADMIN the address of a user who may create databases. A restore needs an empty database: the tables
of a newer schema would stay otherwise, and may keep older ones from being dropped.
"""
_UNCHANGED = "The database was left as it is."


def path_for(command: str, database: str) -> Path:
    """Return the file of a database address, or refuse what is in no file."""
    try:
        url = sa.engine.make_url(database)
    except sa.exc.ArgumentError:
        raise SetupError(f"{database!r} is no address", field="--database", hint="Write sqlite:///file.db.") from None
    if url.get_backend_name() == "postgresql":
        hint = f"Run {' && '.join(POSTGRES[command])} (docs/hosting.md says what the capital letters stand for)."
        raise SetupError("PostgreSQL has its own programs for this", field="--database", hint=hint)
    path = sqlite_file.path_of(url)
    if path is None:
        raise SetupError(f"{database!r} names no file", field="--database", hint="Write sqlite:///file.db.")
    return path


def backup(path: Path, file: Path, *, force: bool = False) -> str:
    """Copy a database, also one that a server is using, to a file; return the copy's schema."""
    if not path.is_file():
        raise SetupError(f"there is no database {path}", field="--database", hint="Name the one that the server uses.")
    if file.exists() and file.samefile(path):
        raise SetupError(f"{file} is the database itself", field="FILE", hint="Name another file for the copy.")
    with sole_use(file, "FILE"), _replacing(file, _draft(file)) as new:
        try:
            schema = _copy(sqlite_file.connect_to_read(path), new)
        except (sqlite3.Error, sqlite_file.Unusable) as error:
            what = f"{path} cannot be copied: {error}"
            raise SetupError(what, field="--database", hint="No copy was kept.") from None
        found = _files(file)
        if found and not force:
            raise SetupError(f"{found[-1]} is already there", field="FILE", hint="Name another file, or add --force.")
        _remove_sides(file)
    return schema


def restore(path: Path, file: Path) -> Path | None:
    """Put a copy in the place of a database that no program uses; return the file that keeps the old one."""
    if not file.is_file():
        raise SetupError(f"there is no file {file}", field="FILE", hint="Name a file that `preau backup` has written.")
    if path.exists() and file.samefile(path):
        raise SetupError(f"{file} is the database itself", field="FILE", hint="Name a copy of it.")
    with sole_use(path), _replacing(path, _draft(path)) as new:
        try:
            schema = _copy(sqlite_file.connect_unchanged(file), new)
        except (sqlite3.Error, sqlite_file.Unusable) as error:
            raise SetupError(f"{file} cannot be restored: {error}", field="FILE", hint=_UNCHANGED) from None
        known = known_schemas()
        if schema not in known:
            raise SetupError(
                f"{file} was made by a newer Préau: it has schema {schema}, this program knows {known[0]} at most",
                field="FILE",
                hint=f"Install that version of Préau first. {_UNCHANGED}",
            )
        return _keep(path)


@contextlib.contextmanager
def _replacing(file: Path, new: Path) -> Iterator[Path]:
    """Create the private file `new`, which takes the place of `file` at the end, or is removed after an error."""
    _remove(new)
    try:
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, sqlite_file.PRIVATE))
        sqlite_file.own_like(new, file)
        yield new
        _sync(new)
        new.replace(file)
        _sync(file.parent)
    finally:
        _remove(new)


def _draft(path: Path, ending: str = "new") -> Path:
    """Return the name of an unfinished file beside a database. Only a program with sole use of the database writes it.

    The name is always the same, so that the next backup or restore removes what an interrupted one has left.
    """
    return path.with_name(f".{path.name}.{ending}")


def _copy(source: sqlite3.Connection, new: Path) -> str:
    """Copy a database as it is at one moment into an empty file and check the copy; return its schema."""
    with contextlib.closing(source), contextlib.closing(sqlite_file.connect(new)) as target:
        source.execute("BEGIN")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()  # fails if it is locked; `backup` would wait for ever
        source.backup(target)
        source.execute("COMMIT")
        target.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read where nothing can be written
        schema = sqlite_file.check(target)
    if not schema:
        raise sqlite_file.Unusable("it holds no Préau database")
    return schema


def _keep(path: Path) -> Path | None:
    """Copy the old database, with what lies beside it, and remove the latter; return the copy, or None.

    The old database itself stays in its place until another file takes it.
    """
    if path.exists():
        _put_together(path)
    files = _files(path)
    kept = _free_name(path)
    for one in files:
        place = kept.with_name(one.name.replace(path.name, kept.name, 1))
        with _replacing(place, _draft(path, "kept")) as new:
            shutil.copyfile(one, new)
    _remove_sides(path)
    return kept if files else None


def _put_together(path: Path) -> None:
    """Have SQLite write `-wal` into the database; refuse if another program has it open, or owns it.

    A damaged database stays as it is: the `-wal` may be of another one.
    """
    try:
        with contextlib.closing(sqlite_file.connect_to_read(path)) as connection:
            sqlite_file.check(connection)
        with contextlib.closing(sqlite_file.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite_file.Foreign:
        raise SetupError(
            f"{path} is the database of another program", field="--database", hint="Name another file."
        ) from None
    except (sqlite3.Error, sqlite_file.Unusable) as error:
        if isinstance(error, sqlite3.Error) and not sqlite_file.is_damage(error):
            what = f"another program has {path} open" if sqlite_file.is_locked(error) else f"{path}: {error}"
            raise SetupError(what, field="--database", hint=_UNCHANGED) from None


def _free_name(path: Path) -> Path:
    """Return the name under which a database is kept that is replaced now."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    endings = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{path.name}.before-restore-{stamp}{ending}") for ending in endings)
    return next(name for name in names if not name.exists())


def _files(path: Path) -> list[Path]:
    """Return what there is of a database: what lies beside it, then the file itself."""
    return [one for side in (*sqlite_file.SIDES, "") if (one := path.with_name(path.name + side)).exists()]


def _remove_sides(path: Path) -> None:
    """Remove what lies beside a database: it must never lie beside another one."""
    for one in _files(path):
        if one != path:
            one.unlink()
    _sync(path.parent)


def _remove(path: Path) -> None:
    for one in _files(path):
        one.unlink()


def _sync(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    if os.name == "nt":  # folders cannot be opened there
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
