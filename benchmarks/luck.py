"""What choices are worth beside luck in Dans la cour d'école, by kind of decision.

    python -m benchmarks.luck [--games 200] [--draws 40] [--seats 4] [--seed 1]

Decisions are taken from games between greedy players. Every action is played out from the true position and from
positions drawn from what the seat knows, `--draws` times each, on the same luck for all actions. In stars ahead of the
mean of the others:

- luck: the standard deviation of the difference between two actions from one draw to the next;
- choice: the standard deviation between actions once luck is taken out, from the true position;
- known: as much of it as also shows from what the seat knows (their covariance, as a standard deviation);
- random: what a random action loses to greedy's."""

import argparse
import random
from collections import defaultdict
from math import sqrt

from benchmarks.ceiling import Truth
from preau.bots.evaluate import shelf
from preau.bots.evaluate.base import Player
from preau.core import Action, Sampler, State
from preau.core.registry import find_game
from preau.core.state import NATURE, pick

SHARE = {"keep": 0.15, "give": 0.15, "point": 0.08, "challenge": 0.3, "friend": 0.3}
"""How many of the decisions of each kind are looked at."""


def ahead(stars: tuple[int, ...], seat: int) -> float:
    return stars[seat] - (sum(stars) - stars[seat]) / (len(stars) - 1)


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


def covariance(one: list[float], other: list[float]) -> float:
    a, b = sum(one) / len(one), sum(other) / len(other)
    return sum((x - a) * (y - b) for x, y in zip(one, other, strict=True)) / (len(one) - 1)


def look(judge: Player, state: State, seat: int, chosen: Action, draws: int, rng: random.Random) -> list[float]:
    """Variances at one decision: luck, choice and known, and what a random action loses."""
    legal = state.legal(seat)
    true = tried(judge, Truth(state), seat, legal, draws, rng)
    known = tried(judge, state.game.sampler(state.view(seat)), seat, legal, draws, rng)
    gaps = [row[0] - row[1] for row in true]
    values = means(true)
    return [
        covariance(gaps, gaps),
        covariance(means(true[::2]), means(true[1::2])),
        covariance(values, means(known)),
        values[legal.index(chosen)] - sum(values) / len(values),
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    judge = shelf.judge("cour")
    assert isinstance(judge, Player)
    rng = random.Random(args.seed)
    found: dict[str, list[list[float]]] = defaultdict(list)
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
            if len(legal) > 1 and rng.random() < SHARE.get(kind, 0.0) / args.seats:
                found[kind].append(look(judge, state, seat, chosen, args.draws, rng))
            state.advance(seat, chosen)
    print("| decision | looked at | luck | choice | known | random |\n|---|---|---|---|---|---|")
    for kind, rows in found.items():
        luck, choice, known, lost = means(rows)
        spreads = " | ".join(f"{sqrt(max(0.0, one)):.2f}" for one in (luck, choice, known))
        print(f"| {kind} | {len(rows)} | {spreads} | {-lost:+.2f} |")


if __name__ == "__main__":
    main()
