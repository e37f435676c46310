"""Other server processes on the same SQLite file: without Redis they have to be noticed."""

from __future__ import annotations

import contextlib
import os

import sqlalchemy as sa

try:
    import fcntl
except ImportError:  # not on this system: then nobody is noticed
    fcntl = None  # type: ignore[assignment]


class Neighbours:
    """A lock file beside the database. Every process has a share in its lock, and whoever can have it alone is alone.

    The system takes the lock back from a process that ends, however it ends.
    """

    def __init__(self, url: sa.URL) -> None:
        self._name = f"{url.database}.lock"
        self._file: int | None = None

    def open(self) -> None:
        """Take a share."""
        if fcntl is not None:
            self._file = os.open(self._name, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
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
