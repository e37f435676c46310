"""Tuning a judge's weights by self-play: `python -m preau.bots.tune GAME --games N --seed S`.

Games are played between players that use the weights in force. Now and then in each of them the position is noted, and
in the end who won. Then the weights are moved, step by step, to where the judge would have given the winners the best
chances (maximum likelihood, by gradients taken numerically, held near the start by a small penalty). A part of the
games is kept aside to see that the judge has really become better; and players with the new weights sit down against
players with the old. New weights are written only if both say yes; the file names the command.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.match import Match
from ..core.registry import find_game
from ..core.state import Json, State
from .base import Bot, Budget
from .bot_match import BotMatch
from .evaluate import judges
from .evaluate.base import Judge
from .levels import LevelBot
from .registry import make_bot

FRESH = 0.12
"""How often a player plays at random instead, so that positions differ."""
STEPS = 60
RATE = 0.04
"""How far a weight moves in a step, as a part of its size at the start."""
FLOOR = 0.2
"""The least size a weight is taken to have for that."""
PENALTY = 0.002
"""What it costs to move a weight by its own size."""
ASIDE = 5
"""One game in so many is kept aside."""


class Tuning(NamedTuple):
    """What is to be tuned, and how much may be spent on it."""

    game: str
    games: int
    seed: int
    seats: int
    player: str
    """The bot whose games are learnt from."""
    simulations: int
    """For each decision where new weights are compared with old."""

    def command(self) -> str:
        """The command that does this again."""
        return (
            f"python -m preau.bots.tune {self.game} --games {self.games} --seed {self.seed} "
            f"--seats {self.seats} --player {self.player} --simulations {self.simulations}"
        )


class Sample(NamedTuple):
    """A position and who won from there, each winner's share."""

    state: State
    won: tuple[float, ...]


def self_play(tuning: Tuning, number: int) -> list[Sample]:
    """The positions noted in one game."""
    rng = Random(f"{tuning.seed} {number}")
    match = Match.new(find_game(tuning.game), tuning.seats, {}, rng.getrandbits(53))
    bots: dict[int, Bot] = {at: make_bot(tuning.player) for at in range(tuning.seats)}
    table = BotMatch(match, bots, rng.getrandbits(53))
    careless = make_bot("random")
    noted: list[State] = []
    judge = judges.judge(tuning.game)
    while not match.over:
        if rng.random() < FRESH:
            seated = table.seated[match.to_act[0]]
            seated.bot, kept = careless, seated.bot
            table.step()
            seated.bot = kept
        else:
            table.step()
        if rng.random() < 0.3 and not match.over and judge.quiet(match.state):
            noted.append(match.state.copy())
    winners = match.result().winners
    won = tuple(1.0 / len(winners) if seat in winners else 0.0 for seat in range(tuning.seats))
    return [Sample(state, won) for state in noted]


def loss(judge: Judge, samples: Sequence[Sample]) -> float:
    """How surprised the judge is by the winners, on average: less is better."""
    total = 0.0
    for state, won in samples:
        for chance, share in zip(judge.values(state), won, strict=True):
            if share:
                total -= share * log(max(chance, 1e-6))
    return total / len(samples)


def fit(game: str, start: Sequence[float], samples: Sequence[Sample], rng: Random, steps: int = STEPS) -> list[float]:
    """Weights under which the winners were to be expected (Adam, on a random part of the samples a step)."""
    size = [max(abs(one), FLOOR) for one in start]
    weights = list(start)
    slope = [0.0] * len(weights)
    square = [0.0] * len(weights)
    for step in range(1, steps + 1):
        part = rng.sample(list(samples), min(len(samples), 1500))
        judge = judges.judge(game, weights)
        for at, width in enumerate(size):
            old = judge.weights[at]
            judge.weights[at] = old + 0.02 * width
            up = loss(judge, part)
            judge.weights[at] = old - 0.02 * width
            down = loss(judge, part)
            judge.weights[at] = old
            gradient = (up - down) / 0.04 + 2.0 * PENALTY * (weights[at] - start[at]) / width
            slope[at] = 0.9 * slope[at] + 0.1 * gradient
            square[at] = 0.99 * square[at] + 0.01 * gradient * gradient
        for at, width in enumerate(size):
            move = (slope[at] / (1 - 0.9**step)) / (sqrt(square[at] / (1 - 0.99**step)) + 1e-9)
            weights[at] -= RATE * width * move if square[at] > 1e-16 else 0.0
            if "spread" in judges.names(game)[at]:
                weights[at] = max(weights[at], 0.05)
    return weights


def start_of(game: str) -> list[float]:
    """The weights that tuning starts from: always those made by hand, so that a command can be run again."""
    data = judges.data(game)
    weights: Json = data["start"] if "start" in data else data["weights"]
    return [float(one) for one in weights.values()]


def compare(tuning: Tuning, new: Sequence[float], old: Sequence[float], deals: int) -> float:
    """What share of the wins, over what is fair, the new weights get, one player against a table of the old."""
    won = 0.0
    rng = Random(f"{tuning.seed} compare")
    for _ in range(deals):
        deal = rng.getrandbits(53)
        for seat in range(tuning.seats):
            bots: dict[int, Bot] = {
                at: LevelBot(
                    "expert", Budget(tuning.simulations), judges.judge(tuning.game, new if at == seat else old)
                )
                for at in range(tuning.seats)
            }
            match = Match.new(find_game(tuning.game), tuning.seats, {}, deal)
            BotMatch(match, bots, deal).play()
            winners = match.result().winners
            won += 1.0 / len(winners) if seat in winners else 0.0
    return won / deals


def write(tuning: Tuning, weights: Sequence[float], measured: str) -> None:
    """Put the weights into the game's data file, with the command and what it measured."""
    data: Json = dict(judges.data(tuning.game))
    data.setdefault("start", data["weights"])
    data["weights"] = {name: round(weight, 4) for name, weight in zip(judges.names(tuning.game), weights, strict=True)}
    data["made_by"] = tuning.command()
    data["measured"] = measured
    path = judges.file(tuning.game)
    assert path is not None
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main(words: Sequence[str] | None = None) -> None:
    """Tune as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m preau.bots.tune", description="Tune weights by self-play.")
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=300, help="games to learn from")
    parser.add_argument("--compare", type=int, default=80, help="games between new weights and old")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--player", default="greedy", help="the bot whose games are learnt from")
    parser.add_argument("--simulations", type=int, default=60, help="for each decision where weights are compared")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of fitting")
    parser.add_argument("--dry-run", action="store_true", help="do not write the data file")
    args = parser.parse_args(words)
    if judges.file(find_game(args.game).id) is None:
        raise SetupError(f"{args.game} has no judge with weights", field="game", hint="See preau.bots.evaluate.")
    tuning = Tuning(find_game(args.game).id, args.games, args.seed, args.seats, args.player, args.simulations)
    played = [self_play(tuning, number) for number in range(tuning.games)]
    learn = [sample for number, game in enumerate(played) if number % ASIDE for sample in game]
    aside = [sample for number, game in enumerate(played) if not number % ASIDE for sample in game]
    old = start_of(tuning.game)
    new = fit(tuning.game, old, learn, Random(tuning.seed), args.steps)
    for name, before, after in zip(judges.names(tuning.game), old, new, strict=True):
        print(f"{name:16} {before:8.3f} -> {after:8.3f}")
    before, after = (loss(judges.judge(tuning.game, weights), aside) for weights in (old, new))
    print(f"surprise at {len(aside)} positions kept aside: {before:.4f} -> {after:.4f}")
    deals = max(1, args.compare // tuning.seats)
    share = compare(tuning, new, old, deals)
    measured = (
        f"surprise {before:.4f} -> {after:.4f} on {len(aside)} positions kept aside; "
        f"{share:.2f} times the fair share of wins against the weights before, {deals * tuning.seats} games"
    )
    print(measured)
    if after >= before or share < 1.0:
        print("not written: the weights before did better")
    elif not args.dry_run:
        write(tuning, new, measured)
        print("written")


if __name__ == "__main__":
    main()
