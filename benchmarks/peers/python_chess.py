"""python-chess: chess in pure Python."""

import random
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

import chess  # type: ignore[import-not-found, import-untyped, unused-ignore]

from benchmarks.measure import Watch, arguments, report, spread_out


def play(rng: random.Random, watch: Watch | None, keep: list[chess.Board] | None = None) -> tuple[int, int]:
    point = rng.random
    board = chess.Board()
    decisions = 0
    while not board.is_game_over():
        decisions += 1
        legal = list(board.legal_moves)
        move = legal[int(point() * len(legal))]
        if watch is not None:
            watch(len(legal))
        if keep is not None:
            keep.append(board.copy(stack=False))
        board.push(move)
    return decisions, 0


def copies(rng: random.Random) -> list[Callable[[], object]]:
    positions: list[chess.Board] = []
    play(rng, None, positions)
    return [partial(board.copy, stack=False) for board in spread_out(positions)]


if __name__ == "__main__":
    report(arguments(["chess"]), version("chess"), play, copies)
