"""`preau bench`: how fast the rules are here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Annotated

import typer

from ..core.errors import SetupError
from ..core.game import Game
from ..core.registry import find_game, game_ids
from ..core.state import NATURE, State
from .common import AsJson, console, print_json

CHECKOUT = Path(__file__).resolve().parents[3]


def bench(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARGS", help="Passed on to the benchmarks; or games, for --short."),
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="The built-in measure, also in a checkout.")] = False,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", min=0.01, help="How long each measure takes.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure the speed of the rules on this machine.

    In a checkout of the project this runs its benchmarks (`python -m benchmarks`), which compare it with others and
    take some minutes; elsewhere, or with --short, a measure of a few seconds for each game.
    """
    words = arguments or []
    if not short and not json and (CHECKOUT / "benchmarks" / "__main__.py").is_file():
        extra = ["--seconds", str(seconds)] if seconds is not None else []
        command = [sys.executable, "-m", "benchmarks", *words, *extra]
        raise typer.Exit(subprocess.run(command, cwd=CHECKOUT, check=False).returncode)
    for word in words:
        if word.startswith("-"):
            raise SetupError(f"there is no flag {word}", field="bench", hint="See preau bench --help.")
    found = {name: _measure(find_game(name), seconds or 0.5) for name in words or game_ids()}
    if json:
        print_json(found)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("game", style="bold")
    for title in ("driven decisions/s", "whole games/s", "copy µs"):
        table.add_column(title, justify="right")
    for name, speeds in found.items():
        table.add_row(name, f"{speeds['driven']:,.0f}", f"{speeds['inside']:,.0f}", f"{speeds['copy_us']:.2f}")
    console().print(table)


def _measure(game: Game, seconds: float) -> dict[str, float]:
    rng = Random(1)
    halfway = game.start()
    for _ in range(40):
        if not halfway.over:
            _step(halfway, rng)
    return {
        "driven": _speed(lambda: _drive(game.start(), rng), seconds),
        "inside": _speed(lambda: game.playout(game.start(), rng) and 1, seconds),
        "copy_us": 1e6 / _speed(lambda: _copies(halfway), seconds / 2),
    }


def _speed(work: Callable[[], int], seconds: float) -> float:
    """Units of work a second."""
    done = 0
    begun = perf_counter()
    while (passed := perf_counter() - begun) < seconds or not done:
        done += work()
    return done / passed


def _drive(state: State, rng: Random) -> int:
    decisions = 0
    while not state.over:
        decisions += _step(state, rng)
    return decisions


def _step(state: State, rng: Random) -> int:
    actor = state.to_act[0]
    if actor == NATURE:
        state.apply(actor, state.draw(rng))
        return 0
    actions = state.legal(actor)
    state.apply(actor, actions[int(rng.random() * len(actions))])
    return 1


def _copies(state: State) -> int:
    for _ in range(100):
        state.copy()
    return 100
