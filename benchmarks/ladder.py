"""The ladder: every level against a table of the one below it, and `expert` against a table of `greedy`.

    python -m benchmarks.ladder [--games 200] [--expert-games 80] [--seed 1] [--only recess] [--seats 3,4] [--file FILE]

All games go through the arena: seats rotated, luck paired. Each line of the file is one finished game; a game that is
already in the file is not played again, so the run can be stopped and gone on with, or made longer. The table is
printed in the form in which it stands in docs/bots.md."""

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from preau.arena import enter, make_plan, play_game
from preau.arena.statistics import wilson

LADDER = ("random", "easy", "normal", "hard", "expert")
SEATS = {"recess": (3, 4), "bagarre": (4, 3), "cour": (4, 3)}


class Pairing(NamedTuple):
    """One player of the higher level against a table of the lower one."""

    game: str
    seats: int
    above: str
    below: str
    seed: int


class Outcome(NamedTuple):
    """What came of a game for the higher level: its share of the win, its decisions and the seconds they took."""

    won: float
    decisions: int
    seconds: float


class Journal:
    """The games played so far, in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.games: dict[tuple[Pairing, int], Outcome] = {}
        for line in file.read_text().splitlines() if file.is_file() else []:
            pairing, index, outcome = json.loads(line)
            self.games[Pairing(*pairing), index] = Outcome(*outcome)

    def outcome(self, pairing: Pairing, index: int) -> Outcome:
        """Game number `index` of a pairing, played now if it is not in the file."""
        known = self.games.get((pairing, index))
        if known is None:
            known = self.games[pairing, index] = play(pairing, index)
            with self.file.open("a") as out:
                out.write(json.dumps([pairing, index, known]) + "\n")
        return known


def pairings(only: str, seats: list[int], seed: int) -> Iterator[Pairing]:
    for game, counts in SEATS.items():
        if only in ("", game):
            for count in seats or counts:
                for below, above in pairwise(LADDER):
                    yield Pairing(game, count, above, below, seed)
                yield Pairing(game, count, "expert", "greedy", seed)


def play(pairing: Pairing, index: int) -> Outcome:
    plan = make_plan(pairing.game, enter(f"{pairing.above},{pairing.below}"), pairing.seats, seed=pairing.seed)
    played = play_game(plan, index)
    seat = played.names.index(pairing.above)
    winners = played.ranking[0]
    times = played.times[seat]
    return Outcome(1.0 / len(winners) if seat in winners else 0.0, times.count, times.seconds)


def row(pairing: Pairing, outcomes: list[Outcome]) -> str:
    """A line of the table."""
    seats, games = pairing.seats, len(outcomes)
    won = sum(outcome.won for outcome in outcomes)
    low, high = wilson(won, games)
    pause = sum(outcome.seconds for outcome in outcomes) / sum(outcome.decisions for outcome in outcomes)
    return (
        f"| {pairing.game} | {seats} | {pairing.above} | {pairing.below} | {won / games * seats:.2f} "
        f"| {low * seats:.2f} to {high * seats:.2f} | {games} | {1000 * pause:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--expert-games", type=int, default=0, help="where expert plays, if not as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", choices=("", *SEATS))
    parser.add_argument("--seats", default="")
    parser.add_argument("--file", type=Path, default=Path("ladder.jsonl"))
    args = parser.parse_args()
    journal = Journal(args.file)
    print("| game | seats | bot | table of | times its fair share | 95 % interval | games | ms a decision |")
    print("|---|---|---|---|---|---|---|---|")
    for pairing in pairings(args.only, [int(one) for one in args.seats.split(",") if one], args.seed):
        games = args.expert_games if pairing.above == "expert" and args.expert_games else args.games
        games += -games % pairing.seats
        print(row(pairing, [journal.outcome(pairing, index) for index in range(games)]), flush=True)


if __name__ == "__main__":
    main()
