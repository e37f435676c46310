"""catanatron: Settlers of Catan in pure Python, four of its random players.

Its `play_tick` lists the legal actions after every action and lets the player choose
one with Python's `random`. Dice are rolled inside the action, so there are no chance
nodes, and its turns hold many decisions with one legal action (see the census)."""

import random
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from catanatron import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
    Color,
    Game,
    RandomPlayer,
)
from catanatron.game import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
    TURNS_LIMIT,
)

from benchmarks.measure import Watch, arguments, report, spread_out

COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)


def play(rng: random.Random, watch: Watch | None, keep: list[Any] | None = None) -> tuple[int, int]:
    game = Game([RandomPlayer(color) for color in COLORS], seed=rng.getrandbits(32))
    decisions = 0
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        decisions += 1
        if watch is not None:
            watch(len(game.state.playable_actions))
        if keep is not None:
            keep.append(game.copy())
        game.play_tick()
    return decisions, 0


def copies(rng: random.Random) -> list[Callable[[], object]]:
    positions: list[Any] = []
    play(rng, None, positions)
    return [position.copy for position in spread_out(positions)]


if __name__ == "__main__":
    report(arguments(["catan"]), version("catanatron"), play, copies)
