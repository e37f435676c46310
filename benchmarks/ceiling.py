"""How far better play can get in a game of luck: a bot that cheats against a table of another bot.

    python -m benchmarks.ceiling cour --seats 4 --games 120 --simulations 1000

The cheat thinks like `expert`, but from the true position, hands and characters included; only the pile it does not
know. It lives here because no bot that ships may do that."""

import argparse
import random
import time

from preau.arena.statistics import wilson
from preau.bots import Bot, Budget, Seen, Table, make_bot
from preau.bots.evaluate import shelf
from preau.bots.levels import choose, strength
from preau.bots.thinking import begin
from preau.core import Action, Match, Sampler, State
from preau.core.registry import find_game


class Truth(Sampler):
    """Gives the true position whenever one is drawn."""

    def __init__(self, state: State) -> None:
        self.state = state

    def draw(self, rng: random.Random) -> State:
        return self.state.copy()


class Cheat(Bot):
    """Sees everything; the match is put into its hands."""

    wants_view = False

    def __init__(self, simulations: int, match: Match) -> None:
        self.simulations = simulations
        self.match = match

    def choose(self, seen: Seen) -> Action:
        game = seen.game.id
        thought = begin(game, seen.seat, Truth(self.match.state), seen.rng, shelf.judge(game), None)
        thought.spend(Budget(self.simulations))
        return choose(thought.arms(), strength(game, "expert").temperature, seen.rng)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    won = 0.0
    begun = time.perf_counter()
    for number in range(args.games):
        seat, deal = number % args.seats, random.Random(f"{args.seed} {number // args.seats}").getrandbits(53)
        match = Match.new(find_game(args.game), args.seats, {}, deal)
        bots: dict[int, Bot] = {other: make_bot(args.against) for other in range(args.seats)}
        bots[seat] = Cheat(args.simulations, match)
        table = Table(match, bots, deal)
        while not match.over:
            table.step()
        winners = match.result().winners
        won += 1.0 / len(winners) if seat in winners else 0.0
    low, high = wilson(won, args.games)
    share = won / args.games * args.seats
    print(
        f"{args.game}, {args.seats} seats: the cheat wins {share:.2f} times "
        f"its fair share against {args.against} (95 %: {low * args.seats:.2f} to {high * args.seats:.2f}), "
        f"{args.games} games, {time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
