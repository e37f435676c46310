"""`python -m tests.server.launch CONFIG`: a server process with the given settings.

With `--ordinary` behind it, one that finds versions of its libraries that it was not tested with. With `--clock FILE`,
one on a machine whose clock is set by as many milliseconds as the file says. With `--confined`, one that gets no memory
which is writable and executable, as `MemoryDenyWriteExecute` of systemd has it. With `--page FOLDER`, one that serves
the files of this folder in the place of the page's.
"""

import ctypes
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from preau.server import runner as serving
from preau.server.app import make_app
from preau.server.config import Config
from preau.server.steady_clock import SteadyClock
from preau.server.transport import uvicorn_protocols


def wall_ns(file: Path) -> int:
    """The time of day on that machine."""
    return time.time_ns() + int(file.read_text() or 0) * 1_000_000


def refuse_executable_memory() -> bool:
    """Refuse such memory to this process and those it starts, and return whether the kernel can."""
    return bool(ctypes.CDLL(None).prctl(_SET_MDWE, 1, 0, 0, 0) == 0)


_SET_MDWE = 65

if __name__ == "__main__":
    if "--confined" in sys.argv[2:]:
        assert refuse_executable_memory()
    if "--ordinary" in sys.argv[2:]:
        uvicorn_protocols.TESTED = dict.fromkeys(uvicorn_protocols.TESTED, "0.0")
    more: dict[str, Any] = {}
    if "--clock" in sys.argv[2:]:
        more["now"] = SteadyClock(partial(wall_ns, Path(sys.argv[sys.argv.index("--clock") + 1])))
    if "--page" in sys.argv[2:]:
        more["static"] = Path(sys.argv[sys.argv.index("--page") + 1])
    serving.make_app = partial(make_app, **more)  # type: ignore[attr-defined]
    serving.run(msgspec.json.decode(sys.argv[1], type=Config))
