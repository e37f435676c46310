"""`python -m tests.server.killed_restore FOLDER`: restore a database many times, each time killed one step later.

FOLDER/0 holds `preau.db` with its files, and `copy.db`. Each run works on a copy of it: the run in FOLDER/1 is killed
before its first step, the run in FOLDER/2 before its second. The last run is not killed.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from preau.server.storage.backup import restore
from preau.server.storage.engine import known_schemas

STEPS = ("open", "os.remove", "os.rename", "os.chown", "shutil.copyfile", "sqlite3.connect")
"""The audit events of Python's file operations."""


def restore_until(folder: Path, last: int) -> None:
    """Restore, but exit before a step without any cleanup, as a killed process does."""
    steps = itertools.count(1)

    def count(event: str, _: tuple[Any, ...]) -> None:
        if event in STEPS and next(steps) == last:
            os._exit(9)

    sys.addaudithook(count)
    restore(folder / "preau.db", folder / "copy.db")
    os._exit(0)


def main() -> None:
    """Run until one restore is complete."""
    base = Path(sys.argv[1])
    known_schemas()  # imports what the children need
    for last in itertools.count(1):
        folder = base / str(last)
        shutil.copytree(base / "0", folder)
        child = os.fork()
        if not child:
            restore_until(folder, last)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            return


if __name__ == "__main__":
    main()
