"""`python -m tests.server.interrupted FOLDER`: restore a database and be killed, in each run one step later.

FOLDER/0 holds `preau.db` and what belongs to it, and `copy.db`. Each run works on a copy of it: FOLDER/1 is killed
before the first step, FOLDER/2 before the second. The last one is not killed.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from preau.server.backup import restore
from preau.server.store import known_schemas

STEPS = ("open", "os.remove", "os.rename", "os.chown", "shutil.copyfile", "sqlite3.connect")
"""What Python tells its audit hooks when it works on files."""


def restore_until(folder: Path, last: int) -> None:
    """Restore, but end before a step as a process does that is killed."""
    steps = itertools.count(1)

    def count(event: str, _: tuple[Any, ...]) -> None:
        if event in STEPS and next(steps) == last:
            os._exit(9)

    sys.addaudithook(count)
    restore(folder / "preau.db", folder / "copy.db")
    os._exit(0)


def main() -> None:
    """Try until a restore gets to its end."""
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
