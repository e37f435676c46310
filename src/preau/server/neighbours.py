"""The lock that servers share while they use an SQLite file.

Without Redis, server processes on the same file notice each other by it. `preau restore` takes it for itself, so that
it never replaces a file that a server has open.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import SetupError
from .sqlite_file import PRIVATE, own_like

try:
    import fcntl
except ImportError:  # not on this system: then nobody is noticed
    fcntl = None  # type: ignore[assignment]


class Neighbours:
    """A lock file beside the database. Every process has a share in its lock, and whoever can have it alone is alone.

    The system takes the lock back from a process that ends, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def open(self) -> None:
        """Take a share; wait for a restore to end."""
        if fcntl is not None:
            self._file = _open(self._path)
            fcntl.flock(self._file, fcntl.LOCK_SH)

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
def sole_use(path: Path) -> Iterator[None]:
    """Keep servers away from a database; refuse if one uses it."""
    if fcntl is None:
        yield
        return
    lock = _open(path)
    try:
        own_like(Path(_name(path)), path)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SetupError(f"a server uses {path}", field="--database", hint="Stop it first.") from None
        yield
    finally:
        os.close(lock)


def _name(path: Path) -> str:
    return f"{path}.lock"


def _open(path: Path) -> int:
    return os.open(_name(path), os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
