"""The lock that servers share while they use an SQLite file.

Without Redis, server processes on the same file notice each other by it. `preau backup` and `preau restore` lock the
file they write exclusively, so that they never replace a file that a server has open.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ...core.errors import SetupError
from .sqlite_file import PRIVATE, own_like

try:
    import fcntl
except ImportError:  # not on this system: then nobody is noticed
    fcntl = None  # type: ignore[assignment]


class SqliteLock:
    """A lock file beside the database. Every process has a share in its lock, and whoever can have it alone is alone.

    The system takes the lock back from a process that ends, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def open(self) -> None:
        """Take a share, if this has none yet; wait for a restore to end."""
        if fcntl is not None and self._file is None:
            self._file = _locked(self._path, fcntl.LOCK_SH)

    def close(self) -> None:
        """Give it back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def any(self) -> bool:
        """Whether another process uses the file just now."""
        if self._file is None:
            return False
        alone = False
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        fcntl.flock(self._file, fcntl.LOCK_SH)  # also after a try that failed: it may have cost us our share
        return not alone


@contextlib.contextmanager
def sole_use(path: Path, field: str = "--database") -> Iterator[None]:
    """Keep servers, backups and restores away from a file; refuse if one uses it. Remove the lock file at the end."""
    if fcntl is None:
        yield
        return
    try:
        lock = _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        what = f"a server uses {path}, or another backup or restore writes it"
        raise SetupError(what, field=field, hint="Stop it first.") from None
    try:
        own_like(_name(path), path)
        yield
    finally:
        _name(path).unlink(missing_ok=True)
        os.close(lock)


def _name(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _locked(path: Path, how: int) -> int:
    """Open and lock the lock file of a database; create it if there is none."""
    while True:
        lock = os.open(_name(path), os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            fcntl.flock(lock, how)
        except BaseException:
            os.close(lock)
            raise
        with contextlib.suppress(FileNotFoundError):  # `sole_use` has removed it meanwhile
            if os.path.samestat(os.fstat(lock), _name(path).stat()):
                return lock
        os.close(lock)
