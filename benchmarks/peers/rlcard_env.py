"""RLCard: card games in pure Python, through `env.step`.

Its step also encodes the observation for learning: there is no public way without.
It has no copy either; what is timed is `copy.deepcopy` of the game."""

import random
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from importlib.metadata import version
from typing import Any

import rlcard  # type: ignore[import-not-found, import-untyped, unused-ignore]

from benchmarks.measure import Watch, arguments, report, spread_out

GAMES = ("uno", "gin-rummy")


def main() -> None:
    args = arguments(GAMES)
    env = rlcard.make(args.name, config={"seed": args.seed})

    def play(rng: random.Random, watch: Watch | None, keep: list[Any] | None = None) -> tuple[int, int]:
        point = rng.random
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            decisions += 1
            legal = list(state["legal_actions"])
            action = legal[int(point() * len(legal))]
            if watch is not None:
                watch(len(legal))
            if keep is not None:
                keep.append(deepcopy(env.game))
            state, _ = env.step(action)
        return decisions, 0

    def copies(rng: random.Random) -> list[Callable[[], object]]:
        positions: list[Any] = []
        play(rng, None, positions)
        return [partial(deepcopy, position) for position in spread_out(positions)]

    report(args, version("rlcard"), play, copies)


if __name__ == "__main__":
    main()
