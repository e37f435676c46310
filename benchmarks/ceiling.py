"""How far better play can get in a game of luck: a bot that cheats against a table of another bot.

    python -m benchmarks.ceiling cour --seats 4 --games 300 --simulations 600

The cheat thinks like `expert`, but from the true position: hands, characters, and answers that others have given but
not shown, such as a throw at rock-paper-scissors; only the pile it does not know. With `--fair-answers` (cour only) it
does not know such answers either. It lives here because no bot that ships may do that."""

import argparse
import random
import time

from preau.arena.statistics import wilson
from preau.bots import Bot, BotMatch, Budget, Seen, make_bot
from preau.bots.evaluate import judges
from preau.bots.levels import choose, strength
from preau.bots.search.think import begin
from preau.core import Action, Match, Sampler, State
from preau.core.registry import find_game
from preau.games.cour.rules import CourState


class Truth(Sampler):
    """Gives the true position whenever one is drawn."""

    def __init__(self, state: State) -> None:
        self.state = state

    def draw(self, rng: random.Random) -> State:
        return self.state.copy()


class FairAnswers(Truth):
    """Gives the true position of Dans la cour d'école, but answers not yet shown are drawn as an honest seat draws."""

    def __init__(self, state: State, seat: int) -> None:
        super().__init__(state)
        self.honest = state.game.sampler(state.view(seat))

    def draw(self, rng: random.Random) -> State:
        state, guess = self.state.copy(), self.honest.draw(rng)
        assert isinstance(state, CourState)
        assert isinstance(guess, CourState)
        state.answers = guess.answers
        return state


class Cheat(Bot):
    """Sees everything; the match is put into its hands."""

    wants_view = False

    def __init__(self, simulations: int, match: Match, fair_answers: bool) -> None:
        self.simulations = simulations
        self.match = match
        self.fair_answers = fair_answers

    def choose(self, seen: Seen) -> Action:
        game, state = seen.game.id, self.match.state
        sampler = FairAnswers(state, seen.seat) if self.fair_answers else Truth(state)
        thought = begin(game, seen.seat, sampler, seen.rng, judges.judge(game), None)
        thought.spend(Budget(self.simulations))
        return choose(thought.opinions(), strength(game, "expert").temperature, seen.rng)


def ahead(scores: tuple[int, ...], seat: int) -> float:
    """How far a seat is ahead of the mean of the others."""
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fair-answers", action="store_true")
    args = parser.parse_args()
    won = lead = 0.0
    begun = time.perf_counter()
    for number in range(args.games):
        seat, deal = number % args.seats, random.Random(f"{args.seed} {number // args.seats}").getrandbits(53)
        match = Match.new(find_game(args.game), args.seats, {}, deal)
        bots: dict[int, Bot] = {other: make_bot(args.against) for other in range(args.seats)}
        bots[seat] = Cheat(args.simulations, match, args.fair_answers)
        BotMatch(match, bots, deal).play()
        result = match.result()
        won += 1.0 / len(result.winners) if seat in result.winners else 0.0
        lead += ahead(result.scores, seat) / args.games
    low, high = wilson(won, args.games)
    share = won / args.games * args.seats
    print(
        f"{args.game}, {args.seats} seats: the cheat wins {share:.2f} times "
        f"its fair share against {args.against} (95 %: {low * args.seats:.2f} to {high * args.seats:.2f}) "
        f"and is {lead:.2f} ahead of the others, {args.games} games, {time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
