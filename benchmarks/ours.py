"""Our engine, as its users drive it. The only file here that knows the engine.

Run as a program it measures one game and prints one line of JSON. Which build runs is
the caller's choice: the package reads PREAU_PLAIN when it is imported."""

import json
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.measure import Play, Watch, arguments, census, copy_cost, count, driven, spread_out

GAMES = ("recess", "bagarre", "cour")
SEATS = 4
OPTIONS: dict[str, dict[str, object]] = {"recess": {}, "bagarre": {}, "cour": {}}
STEPS = ("apply", "advance")

START_UP = """
import time
cpu, wall = time.process_time(), time.perf_counter()
import preau
state = preau.game({name!r}).start(seats={seats!r}, options={options!r})
while state.to_act == (preau.NATURE,):
    state.apply(preau.NATURE, state.outcomes()[0][0])
state.legal(state.to_act[0])
print(time.process_time() - cpu, time.perf_counter() - wall)
"""


def start_up_program(name: str) -> str:
    """A program that goes from `import preau` to the first legal list. It imports
    nothing else, so that the engine pays for all it needs."""
    return START_UP.format(name=name, seats=SEATS, options=OPTIONS[name])


class Ours:
    """One of our games, with the few calls that are measured."""

    def __init__(self, name: str) -> None:
        self.engine: Any = import_module("preau")
        self.game: Any = self.engine.game(name)
        self.options = OPTIONS[name]

    def start(self) -> Any:
        return self.game.start(seats=SEATS, options=self.options)

    def player(self, step_name: str, keep: list[Any] | None = None) -> Play:
        """Random play through the public calls, stepping with `apply` (which makes
        the events) or `advance` (which does not)."""
        nature = self.engine.NATURE

        def play(rng: random.Random, watch: Watch | None) -> tuple[int, int]:
            point = rng.random
            state = self.start()
            step = getattr(state, step_name)
            decisions = chance = 0
            while to_act := state.to_act:
                seat = to_act[0]
                if seat == nature:
                    chance += 1
                    action = state.draw(rng)
                else:
                    decisions += 1
                    legal = state.legal(seat)
                    action = legal[int(point() * len(legal))]
                    if watch is not None:
                        watch(len(legal))
                    if keep is not None:
                        keep.append(state.copy())
                step(seat, action)
            return decisions, chance

        return play

    def inside(self, rng: random.Random) -> Callable[[], tuple[int, int, int]]:
        """Whole random games inside the engine."""

        def once() -> tuple[int, int, int]:
            return 1, self.game.playout(self.start(), rng), 0

        return once

    def copies(self, rng: random.Random) -> list[Callable[[], object]]:
        positions: list[Any] = []
        self.player("apply", positions)(rng, None)
        return [position.copy for position in spread_out(positions)]


def probe() -> dict[str, object]:
    """Which build runs, and for each game why it cannot be measured (or None)."""
    games: dict[str, str | None] = {}
    found: dict[str, object] = {"compiled": None, "version": None, "games": games}
    for name in GAMES:
        try:
            engine: Any = import_module("preau")
            found["compiled"] = bool(engine.compiled)
            found["version"] = getattr(engine, "__version__", None)
            Ours(name).start()
            games[name] = None
        except Exception as error:  # whatever it is, it is shown, and the rest goes on
            games[name] = f"{type(error).__name__}: {error}"
    return found


def main() -> None:
    args = arguments(("probe", *GAMES))
    if args.name == "probe":
        print(json.dumps(probe()))
        return
    ours = Ours(args.name)
    rng = random.Random(args.seed)
    result: dict[str, object] = {
        "version": getattr(ours.engine, "__version__", None),
        "compiled": bool(ours.engine.compiled),
        "census": census(ours.player("apply"), rng),
    }
    state = ours.start()
    for step_name in STEPS:
        if hasattr(state, step_name):
            result[step_name] = driven(ours.player(step_name), rng, args.seconds)
    if hasattr(ours.game, "playout"):
        result["inside"] = count(ours.inside(rng), args.seconds)
    result["copy_us"] = copy_cost(ours.copies(rng), args.seconds / 6)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
