"""The ladder: every level against a table of the one below it, and `expert` against a table of `greedy`.

    python -m benchmarks.ladder [--games 200] [--expert-games 80] [--seed 1] [--only recess] [--seats 3,4] [--file FILE]

All games go through the arena: seats rotated, luck paired. Each line of the file is one finished pairing; a pairing
that is already in the file is not played again, so the run can be stopped and gone on with. The table is printed
in the form in which it stands in docs/bots.md."""

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from preau.arena import enter, make_plan, play_game
from preau.arena.statistics import wilson

LADDER = ("random", "easy", "normal", "hard", "expert")
SEATS = {"recess": (3, 4), "bagarre": (4, 3), "cour": (4, 3)}


def pairings(only: str, seats: list[int]) -> Iterator[tuple[str, int, str, str]]:
    for game, counts in SEATS.items():
        if only in ("", game):
            for count in seats or counts:
                for below, above in pairwise(LADDER):
                    yield game, count, above, below
                yield game, count, "expert", "greedy"


def measure(game: str, seats: int, above: str, below: str, games: int, seed: int) -> dict[str, Any]:
    """One player of the higher level against a table of the lower one."""
    plan = make_plan(game, enter(f"{above},{below}"), seats, seed=seed)
    games += -games % seats
    won = 0.0
    spent = decisions = 0.0
    for index in range(games):
        played = play_game(plan, index)
        seat = played.names.index(above)
        if seat in played.ranking[0]:
            won += 1.0 / len(played.ranking[0])
        spent += played.times[seat].seconds
        decisions += played.times[seat].count
    low, high = wilson(won, games)
    return {
        "game": game,
        "seats": seats,
        "above": above,
        "below": below,
        "games": games,
        "seed": seed,
        "share": round(won / games, 4),
        "times_fair": round(won / games * seats, 2),
        "low": round(low * seats, 2),
        "high": round(high * seats, 2),
        "ms": round(1000 * spent / max(1.0, decisions), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--expert-games", type=int, default=0, help="where expert plays, if not as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", choices=("", *SEATS))
    parser.add_argument("--seats", default="")
    parser.add_argument("--file", type=Path, default=Path("ladder.jsonl"))
    args = parser.parse_args()
    known = [json.loads(line) for line in args.file.read_text().splitlines()] if args.file.is_file() else []
    print("| game | seats | bot | table of | times its fair share | 95 % interval | games | ms a decision |")
    print("|---|---|---|---|---|---|---|---|")
    for game, seats, above, below in pairings(args.only, [int(one) for one in args.seats.split(",") if one]):
        games = args.expert_games if above == "expert" and args.expert_games else args.games
        wanted = {"game": game, "seats": seats, "above": above, "below": below, "seed": args.seed}
        row = next((one for one in known if wanted.items() <= one.items() and one["games"] >= games), None)
        if row is None:
            row = measure(game, seats, above, below, games, args.seed)
            with args.file.open("a") as out:
                out.write(json.dumps(row) + "\n")
        print(
            f"| {game} | {seats} | {above} | {below} | {row['times_fair']:.2f} | {row['low']:.2f} to {row['high']:.2f} "
            f"| {row['games']} | {row['ms']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
