"""`python -m tests.server.launch CONFIG`: a server process with the given settings.

With `--ordinary` behind it, one that finds versions of its libraries that it was not tested with.
"""

import sys

import msgspec

from preau.server import ends
from preau.server.config import Config
from preau.server.run import run

if __name__ == "__main__":
    if "--ordinary" in sys.argv[2:]:
        ends.TESTED = dict.fromkeys(ends.TESTED, "0.0")
    run(msgspec.json.decode(sys.argv[1], type=Config))
