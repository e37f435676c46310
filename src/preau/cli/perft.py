"""`preau perft`: counting all ways a game can go, which pins down the rules like nothing else."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from ..core.registry import find_game
from ..core.state import State
from .common import AsJson, GameName, Options, Seats, Seed, console, print_json, read_options


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", metavar="D", min=0, max=200, help="How many actions.")],
    seats: Seats = None,
    option: Options = None,
    seed: Seed = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also count what follows each first action.")] = False,
    json: AsJson = False,
) -> None:
    """Count all ways the first D actions can go.

    Nature's outcomes count as actions. Only decisions that are asked count. Where several seats choose at once,
    the first of them goes first. A game that ends before D actions adds nothing. The seed matters only to options
    with the value random.
    """
    state = find_game(game).start(seats, read_options(option), seed=seed)
    begun = perf_counter()
    branches = {}
    if depth and state.to_act:
        actor = state.to_act[0]
        for action in state.legal(actor):
            child = state.copy()
            child.advance(actor, action)
            branches[action.text] = sequences(child, depth - 1)
    total = sum(branches.values()) if depth else 1
    seconds = perf_counter() - begun
    speed = total / seconds if seconds else 0.0
    if json:
        data = {"game": state.game.id, "seats": state.seats, "options": dict(state.options), "depth": depth}
        data |= {"nodes": total, "seconds": round(seconds, 6), "nodes_per_second": round(speed)}
        print_json(data | ({"divide": branches} if divide else {}))
        return
    out = console()
    if divide:
        for text, count in branches.items():
            out.print(f"{text:<16} {count:,}")
    out.print(f"{total:,} sequences of {depth} actions in {seconds:.2f} s, {speed:,.0f} a second")


def sequences(state: State, depth: int) -> int:
    """How many sequences of exactly `depth` actions lead on from here."""
    if depth == 0:
        return 1
    actors = state.to_act
    if not actors:
        return 0
    actor = actors[0]
    actions = state.legal(actor)
    if depth == 1:
        return len(actions)
    count = 0
    for action in actions:
        child = state.copy()
        child.advance(actor, action)
        count += sequences(child, depth - 1)
    return count
