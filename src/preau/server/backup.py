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

from ..core.errors import SetupError
from . import sqlite_file
from .neighbours import sole_use
from .store import known_schemas

POSTGRES = {
    "backup": "pg_dump --format=custom --file=preau.dump URL",
    "restore": "pg_restore --clean --if-exists --single-transaction --dbname=URL preau.dump",
}
"""What copies and restores a PostgreSQL database."""
_UNCHANGED = "The database was left as it is."


def path_for(command: str, database: str) -> Path:
    """Return the file of a database address, or refuse what is in no file."""
    try:
        url = sa.engine.make_url(database)
    except sa.exc.ArgumentError:
        raise SetupError(f"{database!r} is no address", field="--database", hint="Write sqlite:///file.db.") from None
    if url.get_backend_name() == "postgresql":
        raise SetupError(
            "PostgreSQL has its own programs for this", field="--database", hint=f"Run {POSTGRES[command]}"
        )
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
    with _replacing(file) as new:
        try:
            schema = _copy(sqlite_file.connect_to_read(path), new)
        except (sqlite3.Error, sqlite_file.Unusable) as error:
            what = f"{path} cannot be copied: {error}"
            raise SetupError(what, field="--database", hint="No copy was kept.") from None
        if file.exists() and not force:
            raise SetupError(f"{file} is already there", field="FILE", hint="Name another file, or add --force.")
    return schema


def restore(path: Path, file: Path) -> Path | None:
    """Put a copy in the place of a database that no program uses; return the file that keeps the old one."""
    if not file.is_file():
        raise SetupError(f"there is no file {file}", field="FILE", hint="Name a file that `preau backup` has written.")
    if path.exists() and file.samefile(path):
        raise SetupError(f"{file} is the database itself", field="FILE", hint="Name a copy of it.")
    with sole_use(path), _replacing(path) as new:
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
def _replacing(file: Path) -> Iterator[Path]:
    """Give a new private file, which takes the place of `file` at the end, or is removed after an error."""
    new = file.with_name(f".{file.name}.new-{os.getpid()}")
    _remove(new)
    try:
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, sqlite_file.PRIVATE))
        sqlite_file.own_like(new, file)
        yield new
        _sync(new)
        new.replace(file)
        _sync(file.parent)
    finally:
        _remove(new)


def _copy(source: sqlite3.Connection, new: Path) -> str:
    """Copy a database as it is at one moment into an empty file and check the copy; return its schema."""
    with contextlib.closing(source), contextlib.closing(sqlite_file.connect(new)) as target:
        source.backup(target)
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
        with _replacing(kept.with_name(one.name.replace(path.name, kept.name, 1))) as new:
            shutil.copyfile(one, new)
    for one in files:
        if one != path:
            one.unlink()  # it must never lie beside another database than its own
    _sync(path.parent)
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
