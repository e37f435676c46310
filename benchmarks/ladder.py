"""The ladder: every level against a table of the one below it, and `expert` against a table of `greedy`.

    python -m benchmarks.ladder [--games N] [--expert-games N] [--seed 1] [--only recess] [--seats 3,4] [--file FILE]

Without numbers of games it plays as many as the table in docs/bots.md needs (`ROWS`). All games go through the arena:
seats rotated, luck paired. Each line of the file is one finished game; a game that is already in the file is not played
again, so the run can be stopped and gone on with, or made longer. The table is printed in the form in which it stands
in docs/bots.md."""

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from preau.arena import enter, make_plan, play_game
from preau.arena.statistics import wilson

LADDER = ("random", "easy", "normal", "hard", "expert")
ROWS = {
    "recess": {3: (300, 80), 4: (300, 80)},
    "bagarre": {4: (300, 80), 3: (300, 80)},
    "cour": {4: (600, 300), 2: (600, 400)},
}
"""For every game and seat count how many games a row takes, and a row in which `expert` plays: the more luck, the more.
Against a table of `greedy` only the first seat count is played."""


class Pairing(NamedTuple):
    """One player of the higher level against a table of the lower one."""

    game: str
    seats: int
    above: str
    below: str
    seed: int


class Journal:
    """The games played so far, in a file: for each the share of the win that the higher level got."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.games: dict[tuple[Pairing, int], float] = {}
        for line in file.read_text().splitlines() if file.is_file() else []:
            pairing, index, won = json.loads(line)
            self.games[Pairing(*pairing), index] = won

    def won(self, pairing: Pairing, index: int) -> float:
        """What came of game number `index` of a pairing, played now if it is not in the file."""
        known = self.games.get((pairing, index))
        if known is None:
            known = self.games[pairing, index] = play(pairing, index)
            with self.file.open("a") as out:
                out.write(json.dumps([pairing, index, known]) + "\n")
        return known


def pairings(only: str, seats: list[int], seed: int) -> Iterator[Pairing]:
    for game, counts in ROWS.items():
        for count in counts:
            if only in ("", game) and (not seats or count in seats):
                for below, above in pairwise(LADDER):
                    yield Pairing(game, count, above, below, seed)
                if count == next(iter(counts)):
                    yield Pairing(game, count, "expert", "greedy", seed)


def play(pairing: Pairing, index: int) -> float:
    plan = make_plan(pairing.game, enter(f"{pairing.above},{pairing.below}"), pairing.seats, seed=pairing.seed)
    played = play_game(plan, index)
    winners = played.ranking[0]
    return 1.0 / len(winners) if played.names.index(pairing.above) in winners else 0.0


def row(pairing: Pairing, shares: list[float]) -> str:
    """A line of the table."""
    seats, games, won = pairing.seats, len(shares), sum(shares)
    low, high = wilson(won, games)
    return (
        f"| {pairing.game} | {seats} | {pairing.above} | {pairing.below} | {won / games * seats:.2f} "
        f"| {low * seats:.2f} to {high * seats:.2f} | {games} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=0, help="games a row")
    parser.add_argument("--expert-games", type=int, default=0, help="games a row where expert plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", choices=("", *ROWS))
    parser.add_argument("--seats", default="")
    parser.add_argument("--file", type=Path, default=Path("ladder.jsonl"))
    args = parser.parse_args()
    journal = Journal(args.file)
    print("| game | seats | bot | table of | times its fair share | 95 % interval | games |")
    print("|---|---|---|---|---|---|---|")
    for pairing in pairings(args.only, [int(one) for one in args.seats.split(",") if one], args.seed):
        usual, expert = ROWS[pairing.game][pairing.seats]
        games = args.expert_games or expert if pairing.above == "expert" else args.games or usual
        games += -games % pairing.seats
        print(row(pairing, [journal.won(pairing, index) for index in range(games)]), flush=True)


if __name__ == "__main__":
    main()
