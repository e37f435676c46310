"""What choices are worth beside luck in Dans la cour d'école, by kind of decision.

    python -m benchmarks.luck [--games 80] [--draws 200] [--seats 4] [--seed 1]

Decisions are taken from games between greedy players. Every action is played out from the true position and from
positions drawn from what the seat knows, `--draws` times each, on the same luck for all actions, everybody greedy from
there on. In stars ahead of the mean of the others:

- luck: the standard deviation of the difference between two actions from one draw to the next;
- choice: the standard deviation between actions once luck is taken out, from the true position;
- random: what a random action gains over greedy's, with its standard error;
- known: what the action gains that looks best from what the seat knows;
- cheat: what the action gains that looks best from the true position.

Gains are judged on other draws than those that chose the action. Over all decisions of a game they add up to what
choosing like that gains in a game; the last lines give that, and what so many stars more are worth: how often a seat
would have won with them in other games between greedy players."""

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from math import inf, sqrt

from benchmarks.ceiling import Truth, ahead
from preau.bots.evaluate import judges
from preau.bots.evaluate.base import Player
from preau.core import Action, Sampler, State
from preau.core.registry import find_game
from preau.core.state import NATURE, pick

SHARE = {"keep": 0.6, "give": 0.6, "point": 0.15, "challenge": 0.6, "friend": 0.6}
"""How many of the decisions of each kind are looked at, of one seat. The other kinds are rare."""
GAINS = ("random", "known", "cheat")
ENDS = 2000
"""Games for what a star is worth."""


def tried(judge: Player, sampler: Sampler, seat: int, legal: tuple[Action, ...], draws: int, rng: random.Random):
    """For every draw how far ahead each action leaves the seat."""
    rows: list[list[float]] = []
    for _ in range(draws):
        world, luck = sampler.draw(rng), rng.getrandbits(32)
        rows.append([])
        for action in legal:
            state = world.copy()
            state.advance(seat, action)
            judge.play_out(state, luck)
            rows[-1].append(ahead(state.scores(), seat))
    return rows


def means(rows: list[list[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def covariance(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = sum(one) / len(one), sum(other) / len(other)
    return sum((x - a) * (y - b) for x, y in zip(one, other, strict=True)) / (len(one) - 1)


def best(values: list[float]) -> int:
    return values.index(max(values))


def look(judge: Player, state: State, seat: int, chosen: Action, draws: int, rng: random.Random) -> list[float]:
    """At one decision the variances of luck and choice, and what three ways to choose gain over greedy's."""
    legal = state.legal(seat)
    true = tried(judge, Truth(state), seat, legal, draws, rng)
    known = tried(judge, state.game.sampler(state.view(seat)), seat, legal, draws, rng)
    gaps = [row[0] - row[1] for row in true]
    values, one, other = means(true), means(true[::2]), means(true[1::2])
    greedy = legal.index(chosen)
    return [
        covariance(gaps, gaps),
        covariance(one, other),
        sum(values) / len(values) - values[greedy],
        values[best(means(known))] - values[greedy],
        (one[best(other)] - one[greedy] + other[best(one)] - other[greedy]) / 2,
    ]


def mean(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    square = covariance(numbers, numbers) if len(numbers) > 1 else inf
    return sum(numbers) / len(numbers), sqrt(square / len(numbers))


def played_out(judge: Player, seats: int, number: int) -> tuple[int, ...]:
    """The stars at the end of a game between greedy players."""
    state = find_game("cour").start(seats, seed=number)
    judge.play_out(state, number)
    return state.scores()


def share(ends: list[tuple[int, ...]], more: int) -> float:
    """How many times its fair share a seat would have won with so many stars more."""
    won = 0.0
    for stars in ends:
        for seat in range(len(stars)):
            others = stars[:seat] + stars[seat + 1 :]
            lead = stars[seat] + more - max(others)
            won += 1.0 if lead > 0 else 1.0 / (1 + others.count(max(others))) if lead == 0 else 0.0
    return won / len(ends)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    judge = judges.judge("cour")
    assert isinstance(judge, Player)
    rng = random.Random(args.seed)
    found: dict[str, list[list[float]]] = defaultdict(list)
    choices: dict[str, int] = defaultdict(int)
    for number in range(args.games):
        state = find_game("cour").start(args.seats, seed=number)
        while state.to_act:
            seat = state.to_act[0]
            if seat == NATURE:
                state.advance(NATURE, pick(state.outcomes(), rng))
                continue
            legal = state.legal(seat)
            likings = judge.policy(state, seat, legal)
            chosen = legal[likings.index(max(likings))]
            kind = chosen.text.split()[0]
            if len(legal) > 1:
                choices[kind] += 1
                if rng.random() < SHARE.get(kind, 0.0) / args.seats:
                    found[kind].append(look(judge, state, seat, chosen, args.draws, rng))
            state.advance(seat, chosen)
    print("| decision | a game | looked at | luck | choice | random | known | cheat |")
    print("|---|---|---|---|---|---|---|---|")
    total = [[0.0, 0.0] for _ in GAINS]
    for kind, rows in found.items():
        luck, choice, *gains = zip(*rows, strict=True)
        often = choices[kind] / args.games / args.seats
        told = [f"{sqrt(max(0.0, sum(one) / len(one))):.2f}" for one in (luck, choice)]
        for at, (gain, error) in enumerate(map(mean, gains)):
            told.append(f"{gain:+.2f} ± {error:.2f}")
            total[at][0] += often * gain
            total[at][1] += (often * error) ** 2
        print(f"| {kind} | {often:.1f} | {len(rows)} | {' | '.join(told)} |")
    for name, (gain, square) in zip(GAINS, total, strict=True):
        print(f"{name}: {gain:+.2f} ± {sqrt(square):.2f} stars a game")
    ends = [played_out(judge, args.seats, number) for number in range(ENDS)]
    for more in range(5):
        print(f"{more} stars more: {share(ends, more):.2f} times its fair share")


if __name__ == "__main__":
    main()
