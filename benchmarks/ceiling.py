"""How far better play can get in a game of luck: a bot that cheats against a table of another bot.

    python -m benchmarks.ceiling cour --seats 4 --games 120 --simulations 1000 [--foresight]

The cheat searches like `expert`, but from the true position, hands and characters included; with --foresight it
also knows what nature will do next, whatever is chosen. It lives here because no bot that ships may do either."""

import argparse
import random
import time
from math import sqrt

from preau.bots import Bot, Budget, Seen, Table, make_bot
from preau.bots.evaluate import shelf
from preau.bots.levels import choose
from preau.bots.search.hidden import HiddenSearch
from preau.bots.thinking import HiddenThinking
from preau.core import Action, Match, Sampler, State
from preau.core.registry import find_game


class Truth(Sampler):
    """Gives the true position whenever one is drawn, and sets nature back to what is really to come."""

    def __init__(self, match: Match, nature: random.Random | None) -> None:
        self.match = match
        self.nature = nature

    def draw(self, rng: random.Random) -> State:
        if self.nature is not None:
            self.nature.setstate(self.match._rng.getstate())
        return self.match.state.copy()


class Cheat(Bot):
    """Sees everything; the match is put into its hands."""

    wants_view = False

    def __init__(self, simulations: int, foresight: bool) -> None:
        self.simulations = simulations
        self.foresight = foresight
        self.match: Match | None = None

    def choose(self, seen: Seen) -> Action:
        assert self.match is not None
        settings = shelf.data(seen.game.id)["search"]
        search = HiddenSearch(seen.seat, shelf.judge(seen.game.id), settings["explore"], settings["horizon"], seen.rng)
        if self.foresight:
            search.nature = random.Random(0)
        truth = Truth(self.match, search.nature if self.foresight else None)
        thought = HiddenThinking(seen.seat, truth, seen.rng, search)
        thought.spend(Budget(self.simulations))
        return choose(thought.arms(), 0.002, seen.rng)


def wilson(share: float, games: int) -> tuple[float, float]:
    z = 1.96
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--foresight", action="store_true")
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    won = 0.0
    begun = time.perf_counter()
    for number in range(args.games):
        seat, deal = number % args.seats, random.Random(f"{args.seed} {number // args.seats}").getrandbits(53)
        match = Match.new(find_game(args.game), args.seats, {}, deal)
        cheat = Cheat(args.simulations, args.foresight)
        cheat.match = match
        bots: dict[int, Bot] = {other: make_bot(args.against) for other in range(args.seats)}
        bots[seat] = cheat
        table = Table(match, bots, deal)
        while not match.over:
            table.step()
        winners = match.result().winners
        won += 1.0 / len(winners) if seat in winners else 0.0
    low, high = wilson(won / args.games, args.games)
    share = won / args.games * args.seats
    name = "the cheat with foresight" if args.foresight else "the cheat"
    print(
        f"{args.game}, {args.seats} seats: {name} wins {share:.2f} times "
        f"its fair share against {args.against} (95 %: {low * args.seats:.2f} to {high * args.seats:.2f}), "
        f"{args.games} games, {time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
