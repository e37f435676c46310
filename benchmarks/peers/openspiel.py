"""OpenSpiel: games written in C++, driven from Python."""

import random
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from benchmarks.measure import Watch, arguments, report, sample, spread_out

GAMES = ("chess", "backgammon", "amazons", "hearts", "gin_rummy")
ROLLOUTS = 10
SIMULATIONS = 2


def always_uniform(game: Any, rng: random.Random) -> bool:
    """Whether all chance nodes of a few random games have equal probabilities.

    If so they are drawn from the legal actions, without asking for the probabilities: the quickest way it has."""
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                first = outcomes[0][1]
                if any(abs(p - first) > 1e-9 for _, p in outcomes):
                    return False
                actions = [action for action, _ in outcomes]
            else:
                actions = state.legal_actions()
            state.apply_action(rng.choice(actions))
    return True


def main() -> None:
    args = arguments(GAMES)
    game = pyspiel.load_game(args.name)
    uniform = always_uniform(game, random.Random(args.seed))

    def play(rng: random.Random, watch: Watch | None, keep: list[Any] | None = None) -> tuple[int, int]:
        point = rng.random
        state = game.new_initial_state()
        decisions = chance = 0
        while not state.is_terminal():
            if state.is_chance_node():
                chance += 1
                if uniform:
                    legal = state.legal_actions()
                    action = legal[int(point() * len(legal))]
                else:
                    action = sample(state.chance_outcomes(), point())
            else:
                decisions += 1
                legal = state.legal_actions()
                action = legal[int(point() * len(legal))]
                if watch is not None:
                    watch(len(legal))
                if keep is not None:
                    keep.append(state.clone())
            state.apply_action(action)
        return decisions, chance

    def copies(rng: random.Random) -> list[Callable[[], object]]:
        positions: list[Any] = []
        play(rng, None, positions)
        return [position.clone for position in spread_out(positions)]

    # Random games inside the engine: its tree search is the way there from Python. It
    # breaks off early where only one action is legal, and fewer games than asked are
    # played, so it starts at the first decision that has a choice.
    kept: list[Any] = []
    play(random.Random(args.seed), None, kept)
    first = next(state for state in kept if len(state.legal_actions()) > 1)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(ROLLOUTS, args.seed),
        2.0,
        SIMULATIONS,
        100,
        False,
        args.seed,
        False,
    )

    def inside() -> tuple[int, int, int]:
        bot.step(first)
        return ROLLOUTS * SIMULATIONS, 0, 0

    report(args, version("open_spiel"), play, copies, inside)


if __name__ == "__main__":
    main()
