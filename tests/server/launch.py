"""`python -m tests.server.launch CONFIG`: a server process with the given settings."""

import sys

import msgspec

from preau.server.config import Config
from preau.server.run import run

if __name__ == "__main__":
    run(msgspec.json.decode(sys.argv[1], type=Config))
