"""`python -m benchmarks.load`: live tables under load, ours and boardgame.io's, under the same generator.

The server has one core to itself, the generator the other. `moves/s` is what the machine did in the time; `moves/cpu s`
what the server does with a second of its core, which a busy machine does not change.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from . import ours, peer
from .measure import HEAD, Figures

ALL = ["live", *ours.SEATS, *peer.GAMES]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(ALL)} (all)")
    parser.add_argument("--tables", type=int, default=1000, help="tables of the live run (1000)")
    parser.add_argument("--busy", type=int, default=100, help="tables of the runs flat out (100)")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between moves in the live run (2)")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each run (10)")
    return parser.parse_args()


def main() -> int:
    args = parse()
    names = args.names or ALL
    cores = sorted(os.sched_getaffinity(0))
    server = cores[0] if len(cores) > 1 else None
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    found: list[Figures] = []
    print(HEAD, flush=True)
    for name in names:
        if name == "live":
            run = ours.drive("recess", args.tables, args.seconds, args.pause, server)
        elif name in ours.SEATS:
            run = ours.drive(name, args.busy, args.seconds, 0.0, server)
        elif name in peer.GAMES:
            run = peer.drive(name, args.busy, args.seconds, server)
        else:
            sys.exit(f"unknown name {name!r}")
        figures = asyncio.run(run)
        found.append(figures)
        print(figures.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
