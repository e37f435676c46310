"""The measuring loops. Ours and every peer go through the same ones.

Time is CPU time of the process. Play is cut into slices; between two slices a fixed
loop of plain arithmetic is timed, so that the speed of the machine at that moment
is known and two processes can be compared although the machine sped up or slowed.
"""

import argparse
import json
import math
import random
from collections.abc import Callable, Sequence
from time import process_time
from typing import TypedDict, TypeVar

A = TypeVar("A")

Watch = Callable[[int], None]
"""Called with the number of legal actions at each decision (untimed census only)."""

Play = Callable[[random.Random, Watch | None], tuple[int, int]]
"""Plays one whole random game; gives its decisions and its chance nodes."""

SLICE_SECONDS = 0.1
LCG_STEPS = 40_000
CENSUS_DECISIONS = 2_000


class Count(TypedDict):
    """What was done in how much time."""

    games: int
    decisions: int
    chance: int
    seconds: float
    work: float
    """The same time counted in steps of the calibration loop."""


def lcg_rate() -> float:
    """Steps per CPU second of a fixed loop of plain Python arithmetic."""
    x = 1
    start = process_time()
    for _ in range(LCG_STEPS):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return LCG_STEPS / (process_time() - start)


def sample(outcomes: Sequence[tuple[A, float]], point: float) -> A:
    """The outcome of a chance node that a point in [0, 1) falls on."""
    for action, probability in outcomes:
        point -= probability
        if point < 0.0:
            return action
    return outcomes[-1][0]


def count(once: Callable[[], tuple[int, int, int]], seconds: float) -> Count:
    """Repeat `once` (games, decisions, chance nodes) for so many CPU seconds."""
    games = decisions = chance = 0
    total = work = 0.0
    before = lcg_rate()
    while total < seconds:
        start = process_time()
        stop = start + min(SLICE_SECONDS, seconds)
        now = start
        while now < stop:
            g, d, c = once()
            games += g
            decisions += d
            chance += c
            now = process_time()
        after = lcg_rate()
        total += now - start
        work += (now - start) * (before + after) / 2
        before = after
    return Count(games=games, decisions=decisions, chance=chance, seconds=total, work=work)


def driven(play: Play, rng: random.Random, seconds: float) -> Count:
    """Whole random games driven from Python, one decision at a time."""

    def once() -> tuple[int, int, int]:
        decisions, chance = play(rng, None)
        return 1, decisions, chance

    return count(once, seconds)


def copy_cost(copies: Sequence[Callable[[], object]], seconds: float) -> float:
    """Mean CPU microseconds of one copy. `copies` are bound, one per position."""
    rounds = 1
    while True:
        start = process_time()
        for _ in range(rounds):
            for copy in copies:
                copy()
        spent = process_time() - start
        if spent >= seconds:
            return spent / (rounds * len(copies)) * 1e6
        rounds = max(rounds * 2, math.ceil(rounds * seconds / max(spent, 1e-6)))


def census(play: Play, rng: random.Random) -> dict[str, float]:
    """Untimed look at the game, which also warms up: how long the legal lists are,
    and how many decisions leave no choice."""
    sizes: list[int] = []
    while len(sizes) < CENSUS_DECISIONS:
        play(rng, sizes.append)
    return {
        "legal_per_decision": sum(sizes) / len(sizes),
        "forced_share": sizes.count(1) / len(sizes),
    }


def spread_out(positions: Sequence[A], wanted: int = 16) -> list[A]:
    """A few positions, evenly taken from a whole game."""
    step = max(1, len(positions) // wanted)
    return list(positions[::step][:wanted])


def arguments(names: Sequence[str]) -> argparse.Namespace:
    """The command line that all measuring programs share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=names)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def report(
    args: argparse.Namespace,
    version: str,
    play: Play,
    copies: Callable[[random.Random], Sequence[Callable[[], object]]],
    inside: Callable[[], tuple[int, int, int]] | None = None,
) -> None:
    """Measure one peer and print one line of JSON."""
    rng = random.Random(args.seed)
    result: dict[str, object] = {"version": version, "census": census(play, rng)}
    result["driven"] = driven(play, rng, args.seconds)
    if inside is not None:
        result["inside"] = count(inside, args.seconds / 3)
    result["copy_us"] = copy_cost(copies(rng), args.seconds / 6)
    print(json.dumps(result))
