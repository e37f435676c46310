"""How fast environments step: ours beside PettingZoo's and RLCard's card games and OpenSpiel's games in C++.

    python -m benchmarks.environments                all, in turns, five rounds
    python -m benchmarks.environments --quick        one short round

Every line is CPU time of stepping with observations and masks: many games at once where there is such a way (ours, and
OpenSpiel driven so), else one after another. Choosing the actions, at random among the legal ones, is not in the time.
What two cores do is taken by the clock: two loops at once, each with its own games, and one loop with `processes=2`.
Run as `python -m benchmarks.environments measure NAME` it measures one and prints one line of JSON."""

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Any

from benchmarks import install
from benchmarks.install import ROOT
from benchmarks.report import number, table

ROWS = 128
SEATS = 4
GAMES = ("recess", "bagarre", "cour")
VECTOR = tuple(f"vector-{game}" for game in GAMES)
WRAPPED = tuple(f"wrapped-{game}" for game in GAMES)
OPENSPIEL = ("openspiel-hearts", "openspiel-gin_rummy", "openspiel-amazons", "openspiel-backgammon")
PETTINGZOO = ("pettingzoo-texas_holdem", "pettingzoo-leduc_holdem", "pettingzoo-rlcard_uno")
RLCARD = ("rlcard-uno",)
PEERS = (*PETTINGZOO, *RLCARD, *OPENSPIEL)

SHIFTS = 1024
"""From how many places on random numbers are taken to choose by."""
WARM = 0.2
"""Seconds of stepping before the clock counts."""

Step = Callable[[], tuple[int, float]]
"""Steps a while; how many decisions that was, and the seconds they took."""
Clock = Callable[[], float]


def clock_cost(clock: Clock = process_time) -> float:
    """What it costs to read the clock once, which a step that is measured alone must not pay for."""
    start = clock()
    for _ in range(2_000):
        clock()
    return (clock() - start) / 2_000


def measure(step: Step, seconds: float) -> dict[str, float]:
    """CPU microseconds a decision."""
    decisions, total = 0, 0.0
    step()
    while total < seconds:
        done, used = step()
        decisions, total = decisions + done, total + used
    return {"us": total / decisions * 1e6}


def chooser(games: Any, seed: int) -> Callable[[], Any]:
    """Chooses at random among the legal actions of every row, quickly: many noisy numbers, of which it takes others
    each time.
    """
    import numpy as np

    rows, actions = games.masks.shape
    noise = np.random.default_rng(seed).random((rows + SHIFTS, actions), dtype=np.float32) + np.float32(0.01)
    rng = random.Random(seed)

    def choose() -> Any:
        first = rng.randrange(SHIFTS)
        return (games.masks * noise[first : first + rows]).argmax(axis=1)

    return choose


def vector(game: str, seed: int, processes: int = 1, clock: Clock = process_time) -> tuple[Step, Any]:
    """Our many games at once, as many in each process."""
    from preau.adapters.vector import Games

    rows = ROWS * processes
    games = Games(game, rows, seats=SEATS, processes=processes)
    games.reset(seed=seed)
    choose = chooser(games, seed)
    cost = clock_cost(clock)

    def step() -> tuple[int, float]:
        actions = choose()
        start = clock()
        games.step(actions)
        return rows, clock() - start - cost

    return step, games


def rate(step: Step, seconds: float) -> float:
    """Decisions a second, while it steps."""
    decisions, used = 0, 0.0
    end = perf_counter() + seconds
    while perf_counter() < end:
        done, took = step()
        decisions, used = decisions + done, used + took
    return decisions / used


def loop(game: str, seed: int, seconds: float, gate: Any, rates: Any) -> None:
    """One of two loops: its rate, while the other one runs."""
    step, _ = vector(game, seed, clock=perf_counter)
    rate(step, WARM)
    gate.wait()
    rates.put(rate(step, seconds))


def on_two_cores(game: str, seed: int, seconds: float) -> dict[str, float]:
    """Decisions a second by the clock: of two loops at once, each with games of its own, and of one loop whose games
    are shared out between two processes.
    """
    context = multiprocessing.get_context("spawn")
    gate, rates = context.Barrier(2), context.Queue()
    both = [context.Process(target=loop, args=(game, seed + at, seconds, gate, rates)) for at in range(2)]
    for one in both:
        one.start()
    loops = sum(rates.get() for _ in both)
    for one in both:
        one.join()
    step, games = vector(game, seed, 2, perf_counter)
    rate(step, WARM)
    shared = rate(step, seconds)
    games.close()
    return {"loops": loops, "shared": shared}


def one_by_one(env: Any, seed: int) -> Step:
    """An environment of PettingZoo, as its documentation drives it. Every game is played twice with the same luck: once
    to choose the actions, then with the clock running, which is read twice a game: to read it costs as much as a step.
    """
    rng = random.Random(seed)

    def choose(number: int) -> list[int | None]:
        env.reset(seed=number)
        chosen: list[int | None] = []
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            action = None
            if not (terminated or truncated):
                mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
                action = rng.choice(mask.nonzero()[0].tolist())
            chosen.append(action)
            env.step(action)
        return chosen

    def step() -> tuple[int, float]:
        number = rng.getrandbits(30)
        actions = choose(number)
        chosen = iter(actions)
        start = process_time()
        env.reset(seed=number)
        for _ in env.agent_iter():
            env.last()
            env.step(next(chosen))
        used = process_time() - start
        if next(chosen, None) is not None:
            raise RuntimeError("the same seed and the same actions did not give the same game")
        return sum(action is not None for action in actions), used

    return step


def pettingzoo_env(name: str) -> Any:
    """One of PettingZoo's card games, or RLCard's uno in the same wrapper."""
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]

    if name == "rlcard_uno":
        from pettingzoo.classic.rlcard_envs.rlcard_base import (  # type: ignore[import-untyped, unused-ignore]
            RLCardBase,
        )

        uno = RLCardBase("uno", 2, (4, 4, 15))
        uno.render_mode = None
        return wrappers.OrderEnforcingWrapper(uno)
    from pettingzoo import classic  # type: ignore[import-untyped, unused-ignore]

    return getattr(classic, "texas_holdem_v4" if name == "texas_holdem" else "leduc_holdem_v4").env()


def rlcard_step(name: str, seed: int) -> Step:
    """RLCard's own step, which encodes the observation."""
    import rlcard  # type: ignore[import-not-found, import-untyped, unused-ignore]

    env = rlcard.make(name, config={"seed": seed})
    rng = random.Random(seed)

    def step() -> tuple[int, float]:
        decisions = 0
        start = process_time()
        state, _ = env.reset()
        while not env.is_over():
            decisions += 1
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
        return decisions, process_time() - start

    return step


def openspiel_step(name: str, seed: int) -> Step:
    """Many games of OpenSpiel, stepped in Python into the same kind of arrays: its C++ does the rest."""
    import numpy as np
    import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from open_spiel.python.observation import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
        make_observation,
    )

    game = pyspiel.load_game(name)
    rng = random.Random(seed)
    kind = pyspiel.IIGObservationType(perfect_recall=not game.get_type().provides_observation_tensor)
    eyes = make_observation(game, kind)  # which writes into an array: the quickest way it has
    looks = np.zeros((ROWS, eyes.tensor.size), np.float32)
    masks = np.zeros((ROWS, game.num_distinct_actions()), np.int8)
    cost = clock_cost()

    def chance(state: Any) -> None:
        while state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, odds)[0])

    states = [game.new_initial_state() for _ in range(ROWS)]
    for state in states:
        chance(state)

    def step() -> tuple[int, float]:
        actions = [rng.choice(state.legal_actions()) for state in states]
        start = process_time()
        for row, action in enumerate(actions):
            state = states[row]
            state.apply_action(action)
            chance(state)
            if state.is_terminal():
                state.returns()
                state = states[row] = game.new_initial_state()
                chance(state)
            seat = state.current_player()
            eyes.set_from(state, seat)
            looks[row] = eyes.tensor
            masks[row] = 0
            masks[row, state.legal_actions(seat)] = 1
        return ROWS, process_time() - start - cost

    return step


def measured(name: str, seconds: float, seed: int) -> dict[str, float]:
    kind, game = name.split("-", 1)
    if kind == "vector":
        found = measure(vector(game, seed)[0], seconds)
        return {**found, **on_two_cores(game, seed, 2 * seconds)}
    if kind == "wrapped":
        from preau.adapters import pettingzoo

        return measure(one_by_one(pettingzoo.env(game, seats=SEATS), seed), seconds)
    if kind == "pettingzoo":
        return measure(one_by_one(pettingzoo_env(game), seed), seconds)
    if kind == "rlcard":
        return measure(rlcard_step(game, seed), seconds)
    return measure(openspiel_step(game, seed), seconds)


WANTED = 500_000
"""Decisions a second on two cores, with observations and masks, of many games at once."""


def wants(found: dict[str, list[dict[str, float]]]) -> list[list[str]]:
    """What is wanted of each of ours, what this run found, and whether that is enough: the quickest peer decides."""
    rows: list[list[str]] = []

    def want(name: str, what: str, wanted: float, reached: float | None) -> None:
        if reached is not None:
            rows.append([name, what, number(wanted), number(reached), "yes" if reached >= wanted else "NO"])

    def least(name: str, peers: Sequence[str]) -> float | None:
        each = [ratio for peer in peers if (ratio := ratios(found, name, peer)) is not None]
        return min(each) if each else None

    for name in VECTOR:
        for how, what in (("loops", "two loops"), ("shared", "processes=2")):
            rates = [one[how] for one in found.get(name, [])]
            want(name, f"decisions a second on two cores, {what}", WANTED, median(rates) if rates else None)
        want(name, "times PettingZoo's and RLCard's card games", 10, least(name, (*PETTINGZOO, *RLCARD)))
        want(name, "times OpenSpiel's games in C++", 1, least(name, OPENSPIEL))
    for name in WRAPPED:
        want(name, "times RLCard's uno in the same wrapper", 10, least(name, ("pettingzoo-rlcard_uno",)))
    return rows


def run(names: Sequence[str], rounds: int, seconds: float) -> tuple[dict[str, list[dict[str, float]]], dict[str, str]]:
    """All of them in turn, each in a process of its own."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    failed: dict[str, str] = {}
    for turn in range(rounds):
        for name in names:
            if name in failed:
                continue
            python = str(install.PYTHON) if name in PEERS else sys.executable
            command = [python, "-m", "benchmarks.environments", "measure", name]
            command += ["--seconds", str(seconds), "--seed", str(turn + 1)]
            print(f"round {turn + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
            done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
            if done.returncode:
                failed[name] = (done.stderr.strip().splitlines() or ["failed"])[-1]
            else:
                found[name].append(json.loads(done.stdout.splitlines()[-1]))
    return found, failed


def ratios(found: dict[str, list[dict[str, float]]], ours: str, peer: str) -> float | None:
    """How many times as fast, in the quickest round of each: others on the machine only ever make it slower."""
    mine, theirs = ([one["us"] for one in found.get(name, [])] for name in (ours, peer))
    return min(theirs) / min(mine) if mine and theirs else None


def say(found: dict[str, list[dict[str, float]]], failed: dict[str, str]) -> None:
    rows = []
    for name, rounds in found.items():
        if rounds:
            us = [one["us"] for one in rounds]
            two = [[one[how] for one in rounds if how in one] for how in ("loops", "shared")]
            rows.append(
                [
                    *(name, number(median(us)), number(min(us)), number(max(us)), number(1e6 / median(us))),
                    *(number(median(rates)) if rates else "-" for rates in two),
                ]
            )
    head = ("environment", "CPU us/decision", "min", "max", "a second and core", "two loops, a second", "processes=2")
    print(f"{table(head, rows)}\n")
    peers = [name for name in PEERS if found.get(name)]
    times = [
        [name, *(f"{number(ratios(found, name, peer))}x" for peer in peers)]
        for name in (*VECTOR, *WRAPPED)
        if found.get(name)
    ]
    if peers and times:
        print(f"times as fast as\n{table(['', *peers], times)}\n")
    if wanted := wants(found):
        print(f"{table(('environment', 'what', 'wanted', 'reached', 'enough'), wanted)}\n")
    for name, why in failed.items():
        print(f"not measured: {name}: {why}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="names, all by default: " + ", ".join((*VECTOR, *WRAPPED, *PEERS)))
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one short round")
    args = parser.parse_args()
    if args.what[:1] == ["measure"]:
        print(json.dumps(measured(args.what[1], args.seconds, args.seed)))
        return 0
    names = args.what or [*VECTOR, *WRAPPED, *PEERS]
    if any(name in PEERS for name in names):
        for package, why in install.install().items():
            print(f"peer not installed: {package}: {why}", file=sys.stderr)
    found, failed = run(names, 1 if args.quick else args.rounds, 0.3 if args.quick else args.seconds)
    say(found, failed)
    return 1 if any(name not in PEERS for name in failed) else 0


if __name__ == "__main__":
    sys.exit(main())
