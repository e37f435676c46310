"""`python -m benchmarks.load`: live tables under load, ours and boardgame.io's, under the same generator.

The server has one core to itself, the generator the other. `moves/s` is what the machine did in the time; `moves/cpu s`
what the server does with a second of its core, which a busy machine does not change.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from . import hostile, ours, peer, turns
from .attacks import ATTACKS
from .measure import HEAD

ALL = ["live", *ours.SEATS, *peer.GAMES, *ATTACKS]

MOST = 1.5
"""How many times as long an attack may let the slowest hundredth of honest moves take."""
LESS = {"reviews": 1.2}
"""The same of what is no attack, but work that nobody may notice."""


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(ALL)} (all)")
    parser.add_argument("--tables", type=int, default=1000, help="tables of the live run (1000)")
    parser.add_argument("--busy", type=int, default=100, help="tables of the runs flat out (100)")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between moves in the live run (2)")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each run (10)")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="take turns with another checkout of ours")
    return parser.parse_args()


def main() -> int:
    args = parse()
    names = args.names or ALL
    cores = sorted(os.sched_getaffinity(0))
    server = cores[0] if len(cores) > 1 else None
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    unknown = [name for name in names if name not in ALL]
    if unknown:
        sys.exit(f"unknown name {unknown[0]!r}; there are {', '.join(ALL)}")
    if args.beside:
        return in_turns(args, [name for name in args.names or ours.SEATS if name in ours.SEATS], server)
    peaceful = [name for name in names if name not in ATTACKS]
    if peaceful:
        print(HEAD, flush=True)
    for name in peaceful:
        if name == "live":
            run = ours.drive("recess", args.tables, args.seconds, args.pause, server)
        elif name in ours.SEATS:
            run = ours.drive(name, args.busy, args.seconds, 0.0, server)
        else:
            run = peer.drive(name, args.busy, args.seconds, server)
        print(asyncio.run(run).row(), flush=True)
    attacks = [name for name in names if name in ATTACKS]
    if attacks:
        print(hostile.HEAD, flush=True)
    failed = False
    for name in attacks:
        beside = asyncio.run(hostile.drive(name, max(args.busy, hostile.FEWEST), 2 * args.seconds, server))
        failed |= beside.ratio > LESS.get(name, MOST)
        print(beside.row(), flush=True)
    return int(failed)


def in_turns(args: argparse.Namespace, games: list[str], server: int | None) -> int:
    """Games of ours in turns with those of another checkout."""
    if not (args.beside / ".venv").is_dir():
        sys.exit(f"{args.beside} is not set up: run `make build` there")
    print(turns.HEAD, flush=True)
    for game in games:
        found = asyncio.run(turns.drive(game, args.busy, args.seconds, server, args.beside.resolve()))
        print(found.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
