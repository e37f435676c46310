"""How many simulations a second the search makes, and what a decision of each level and a hint cost.

    python -m benchmarks.search recess|bagarre|cour|all [--seconds S] [--seed S]

One line of JSON a game. As everywhere here time is CPU time, and the speed of the machine at that moment is measured
beside it (`lcg_per_second`). Positions are taken from a game between greedy bots, evenly over its course."""

import argparse
import json
import random
from time import process_time
from typing import Any

import preau
from benchmarks.measure import lcg_rate, spread_out
from benchmarks.ours import GAMES, SEATS
from preau.bots import LEVELS, BotMatch, Budget, LevelBot, Seen, make_bot
from preau.bots.evaluate import judges
from preau.bots.levels import strength
from preau.bots.search.think import think
from preau.review import hint

POSITIONS = 12
PORTION = 200


def decisions(name: str, seed: int) -> list[tuple[int, dict[str, Any], Any]]:
    """Seats, views and legal actions at decisions with a choice, spread over a game."""
    match = preau.new(name, seats=SEATS, seed=seed)
    table = BotMatch(match, {seat: make_bot("greedy") for seat in range(SEATS)}, seed)
    found = []
    while not match.over:
        seat = match.to_act[0]
        if len(match.legal(seat)) > 1:
            found.append((seat, match.state.view(seat), match.legal(seat)))
        table.step()
    return spread_out(found, POSITIONS)


def rate(name: str, positions: list[Any], seconds: float, seed: int) -> dict[str, float]:
    """Simulations per CPU second, reading the view and setting up the search included and by themselves."""
    game, judge, rng = preau.game(name), judges.judge(name), random.Random(seed)
    setting_up = spent = 0.0
    simulations = searches = 0
    while spent < seconds:
        for seat, view, _ in positions:
            start = process_time()
            thought = think(game, seat, view, Budget(1), rng, judge, None)
            ready = process_time()
            thought.spend(Budget(PORTION))
            now = process_time()
            setting_up += ready - start
            spent += now - ready
            simulations += thought.simulations - 1
            searches += 1
    return {
        "simulations_per_second": round(simulations / spent, 1),
        "set_up_ms": round(1000 * setting_up / searches, 3),
    }


def costs(name: str, positions: list[Any], seed: int) -> dict[str, dict[str, float]]:
    """For each level its simulations and the CPU milliseconds of a decision, on average and at most."""
    found = {}
    for level in LEVELS:
        times = []
        for number, (seat, view, legal) in enumerate(positions):
            seen = Seen(preau.game(name), seat, view, legal, (), random.Random(f"{seed} {number}"))
            start = process_time()
            LevelBot(level).choose(seen)
            times.append(1000 * (process_time() - start))
        found[level] = {
            "simulations": strength(name, level).simulations,
            "mean_ms": round(sum(times) / len(times), 1),
            "most_ms": round(max(times), 1),
        }
    return found


def hints(positions: list[Any]) -> dict[str, float]:
    """The CPU milliseconds of a hint with the whole budget and its reasons, on average and at most."""
    times = []
    for _, view, _ in positions:
        start = process_time()
        hint(view)
        times.append(1000 * (process_time() - start))
    return {"mean_ms": round(sum(times) / len(times), 1), "most_ms": round(max(times), 1)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=(*GAMES, "all"))
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in GAMES if args.name == "all" else (args.name,):
        positions = decisions(name, args.seed)
        result: dict[str, object] = {"game": name, "seats": SEATS, "compiled": bool(preau.compiled)}
        result |= rate(name, positions, args.seconds, args.seed)
        result["lcg_per_second"] = round(lcg_rate())
        result["levels"] = costs(name, positions, args.seed)
        result["hint"] = hints(positions)
        print(json.dumps(result))


if __name__ == "__main__":
    main()
