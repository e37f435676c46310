"""How far reviews can be trusted.

    python -m benchmarks.review calibration GAME [--games 504] [--bot normal] [--strength quick]
    python -m benchmarks.review regret GAME [--games 24] [--strength normal]
    python -m benchmarks.review lots [--games 100] [--strength normal]
    python -m benchmarks.review depth GAME [--games 60]
    python -m benchmarks.review fit GAME [--games 100] [--seed 2]

- calibration: bots of one level play, with every number of seats in turn. At some steps of every game the chances that
  a review says are noted, beside who won. Of all chances between 0 and 0.1 about 5 % should come true, and so on.
- regret: `expert`, `hard` and `normal` play each other, and every game is reviewed. The weaker the level, the more must
  each of its choices have cost. Then: whether luck, measured draw by draw, is what the curve shows at the same steps.
- lots: a made-up game in which every chance is known exactly. Of all intervals 95 % should hold what is true.
- depth: how far the search of each strength is off a much deeper one, in a game without chance or secrets.
- fit: how sharp the judge must be made to come true (`sharpness` in `evaluate/<game>.json`). It looks at other games
  than calibration does, by another seed.

Games and what was found in them are kept in `--folder`, a line a game: stopped and called again, with more games too,
it goes on where it was."""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

import preau
from benchmarks import lots
from preau.arena.statistics import design_effect, wilson
from preau.bots.base import Budget
from preau.bots.evaluate import judges
from preau.bots.evaluate.base import outcome
from preau.bots.search.hidden import HiddenSearch
from preau.bots.search.think import think
from preau.bots.search.thought import OpenThought, Opinion
from preau.core.intervals import Z95
from preau.core.record import Record
from preau.core.registry import register
from preau.core.state import REFEREE, Json
from preau.review import Review, review_game
from preau.review.chances import sharpened
from preau.review.step_analysis import eye_for
from preau.review.strength import STRENGTHS, find_strength, known

BINS = 10
LEVELS = ("expert", "hard", "normal")
KNOTS = 4
"""Between so many moments, evenly from the start to the end of a game, sharpness changes evenly."""
DEEP = 6_400
"""Simulations of the search that others are held against."""


def seed_of(seed: int, number: int) -> int:
    return Random(f"review {seed}/{number}").getrandbits(32)


def kept(path: Path, games: int, make: Callable[[int], Json]) -> list[Json]:
    """A line for each game: those that are there, and the others made and written down one by one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a") as file:
        for number in range(len(rows), games):
            rows.append(make(number))
            print(json.dumps(rows[-1], separators=(",", ":")), file=file, flush=True)
    return rows[:games]


# Calibration.


def calibration(words: argparse.Namespace) -> None:
    records = played(words)

    def look(number: int) -> Json:
        record = Record.from_json(records[number])
        said = [_chances(record, step, words.strength) for step in _steps(record, number, words.positions)]
        return {"said": said, "won": outcome(record.verify())}

    name = f"{words.game}-{words.seed}-{words.bot}-{words.strength}.jsonl"
    print_calibration(kept(words.folder / name, words.games, look), words)


def played(words: argparse.Namespace) -> list[Json]:
    """Records of games between bots of one level."""
    seats = list(preau.game(words.game).seats)

    def play(number: int) -> Json:
        bots = [words.bot] * seats[number % len(seats)]
        return preau.play(words.game, bots=bots, seed=seed_of(words.seed, number)).record.to_json()

    return kept(words.folder / f"{words.game}-{words.seed}-{words.bot}.jsonl", words.games, play)


def _steps(record: Record, number: int, positions: int) -> list[int]:
    rng = Random(f"steps {number}")
    return sorted(rng.sample(range(len(record.entries)), min(positions, len(record.entries))))


def _chances(record: Record, step: int, strength: str) -> list[float]:
    """What a review says of one position, without what it would say of the action taken there."""
    state, entry = record.replay(step), record.entries[step]
    eye = eye_for(record.game, find_strength(strength), seed=0)
    return eye.look(step, state, REFEREE, state.check(entry.actor, entry.text))["chances"]


def print_calibration(rows: Sequence[Json], words: argparse.Namespace) -> None:
    bins: dict[int, list[list[tuple[float, float]]]] = defaultdict(list)
    surprise, blind = [], []
    for row in rows:
        mine: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for said in row["said"]:
            surprise.append(-sum(won * log(max(one, 1e-4)) for one, won in zip(said, row["won"], strict=True)))
            blind.append(log(len(said)))
            for one, won in zip(said, row["won"], strict=True):
                mine[min(BINS - 1, int(one * BINS))].append((one, won))
        for at, pairs in mine.items():
            bins[at].append(pairs)
    print(f"{words.game}: {len(rows)} games of {words.bot}, strength {words.strength}, {len(surprise)} positions")
    print(f"surprise {mean(surprise):.4f}, knowing nothing {mean(blind):.4f}")
    print("| chance said | how often | said on average | won | 95 % interval |")
    print("|---|---|---|---|---|")
    for at in sorted(bins):
        pairs = [pair for game in bins[at] for pair in game]
        said, won = mean(one for one, _ in pairs), mean(one for _, one in pairs)
        effect = design_effect([[one for _, one in game] for game in bins[at]])
        low, high = wilson(won * len(pairs) / effect, len(pairs) / effect)
        said_between, held_between = f"{at / BINS:.1f} to {(at + 1) / BINS:.1f}", f"{low:.3f} to {high:.3f}"
        print(f"| {said_between} | {len(pairs)} | {said:.3f} | {won:.3f} | {held_between} |")


# Regret by level, and whether the parts add up.


def regret(words: argparse.Namespace) -> None:
    def look(number: int) -> Json:
        bots = [LEVELS[(seat + number) % len(LEVELS)] for seat in range(len(LEVELS))]
        record = preau.play(words.game, bots=bots, seed=seed_of(words.seed, number)).record
        found = review_game(record, words.strength)
        gaps: dict[str, list[float]] = {level: [] for level in LEVELS}
        stakes = dict.fromkeys(LEVELS, 0.0)
        for one in found["decisions"]:
            gaps[bots[one["seat"]]].append(one["gap"])
            stakes[bots[one["seat"]]] += one["stake"]
        called = {bots[one["seat"]]: one["called"] for one in found["standings"]}
        return {"gaps": gaps, "stakes": stakes, "called": called, "residuals": _residuals(found)}

    rows = kept(words.folder / f"{words.game}-regret-{words.strength}.jsonl", words.games, look)
    print(f"{words.game}: {len(rows)} games, strength {words.strength}")
    print("| level | choices | cost of a choice, in points | 95 % interval | accuracy | mistakes in a game |")
    print("|---|---|---|---|---|---|")
    for level in LEVELS:
        costs = [100 * mean(row["gaps"][level]) for row in rows if row["gaps"][level]]
        reach = Z95 * stdev(costs) / sqrt(len(costs))
        lost = sum(sum(row["gaps"][level]) for row in rows) / sum(row["stakes"][level] for row in rows)
        mistakes = mean(row["called"][level]["mistake"] for row in rows)
        interval = f"{mean(costs) - reach:.3f} to {mean(costs) + reach:.3f}"
        count = sum(len(row["gaps"][level]) for row in rows)
        print(f"| {level} | {count} | {mean(costs):.3f} | {interval} | {100 * (1 - lost):.1f} | {mistakes:.2f} |")
    residuals = [one for row in rows for one in row["residuals"]]
    if residuals:
        spread = sqrt(mean(one * one for one in residuals))
        print(f"luck beside the curve, in stated errors: mean {mean(residuals):+.3f}, spread {spread:.3f}")


def _residuals(found: Review) -> list[float]:
    """For every seat how far luck, measured draw by draw, is from what the curve shows at the same steps, in errors."""
    if not found["luck"]:
        return []
    residuals = []
    for seat in range(found["seats"]):
        gap = variance = 0.0
        for one in found["luck"]:
            before, after = one["step"], one["step"] + 1
            gap += one["changes"][seat] - found["chances"][after][seat] + found["chances"][before][seat]
            variance += one["errors"][seat] ** 2
        ends: dict[int, int] = defaultdict(int)
        for one in found["luck"]:
            ends[one["step"]] -= 1
            ends[one["step"] + 1] += 1
        variance += sum((count * found["errors"][step][seat]) ** 2 for step, count in ends.items())
        residuals.append(gap / sqrt(variance))
    return residuals


# The made-up game.


def made_up(words: argparse.Namespace) -> None:
    register(lots.GAME)

    def look(number: int) -> Json:
        return {"held": held(lots.play(2 + number % 2, seed_of(words.seed, number)), words.strength)}

    rows = kept(words.folder / f"lots-{words.strength}.jsonl", words.games, look)
    print(f"lots: {len(rows)} games, strength {words.strength}")
    print("| what | intervals | hold the truth | 95 % interval |")
    print("|---|---|---|---|")
    for what in ("chances", "luck", "regret", "luck of a seat", "play of a seat"):
        marks = [one for row in rows for one in row["held"][what]]
        low, high = wilson(sum(marks), len(marks))
        print(f"| {what} | {len(marks)} | {mean(marks):.3f} | {low:.3f} to {high:.3f} |")


def held(record: Record, strength: str) -> dict[str, list[bool]]:
    """Of every interval of a review whether it holds what is true; what is certain is no interval."""
    found = review_game(record, strength)
    state = record.start_state()
    assert isinstance(state, lots.LotsState)
    marks: dict[str, list[bool]] = defaultdict(list)
    lucky = {one["step"]: one for one in found["luck"]}
    decided = {one["step"]: one for one in found["decisions"]}
    luck, play = [0.0] * record.seats, [0.0] * record.seats

    def note(what: str, said: float, true: float, error: float) -> None:
        if error:
            marks[what].append(abs(said - true) <= Z95 * error)

    for step, entry in enumerate(record.entries):
        before, action = lots.chances(state), state.action(entry.text)
        after = lots.after(state, action)
        note("chances", found["chances"][step][0], before[0], found["errors"][step][0])
        if step in lucky:
            note("luck", lucky[step]["changes"][0], after[0] - before[0], lucky[step]["errors"][0])
            luck = [total + now - then for total, now, then in zip(luck, after, before, strict=True)]
        elif step in decided:
            one, seat = decided[step], entry.actor
            true = lots.after(state, state.action(one["best"]))[seat] - after[seat]
            note("regret", one["gap"], true, one["error"])
            play[seat] -= true
        state.advance(entry.actor, action)
    for seat, standing in enumerate(found["standings"]):
        note("luck of a seat", standing["luck"], luck[seat], standing["errors"]["luck"])
        note("play of a seat", standing["play"], play[seat], standing["errors"]["play"])
    return {what: marks[what] for what in ("chances", "luck", "regret", "luck of a seat", "play of a seat")}


# Depth.


def depth(words: argparse.Namespace) -> None:
    seats = list(preau.game(words.game).seats)
    judge, sharpness = judges.judge(words.game), known(words.game).sharpness

    def worth(state: preau.State, simulations: int) -> list[float]:
        if state.over:
            return judge.values(state)
        seat = state.to_act[0]
        thought = think(state.game, seat, state.view(seat), Budget(simulations), Random(1), judge, None)
        assert isinstance(thought, OpenThought)
        return sharpened(thought.average(), state, sharpness)

    def look(number: int) -> Json:
        seed = seed_of(words.seed + 1, number)
        record = preau.play(words.game, bots=[words.bot] * seats[number % len(seats)], seed=seed).record
        rng = Random(f"depth {number}")
        step = rng.randrange(len(record.entries))
        state, seat = record.replay(step), record.entries[step].actor
        thought = think(state.game, seat, state.view(seat), Budget(200), Random(1), judge, None)
        ranked = [one.action for one in sorted(thought.opinions(), key=Opinion.rank, reverse=True)]
        taken = state.check(seat, record.entries[step].text)
        if len(ranked) > 1 and taken is ranked[0]:
            taken = ranked[rng.randrange(1, len(ranked))]
        found: Json = {"seat": seat}
        for simulations in (*(one.simulations for one in STRENGTHS.values()), DEEP):
            values = []
            for action in (ranked[0], taken):
                after = state.copy()
                after.advance(seat, action)
                values.append(worth(after, simulations))
            found[str(simulations)] = values
        return found

    rows = kept(words.folder / f"{words.game}-depth.jsonl", words.games, look)
    print(f"{words.game}: {len(rows)} decisions, beside {DEEP} simulations")
    print("| strength | chances off by | differences off by | 95 % of them by less than |")
    print("|---|---|---|---|")
    for one in STRENGTHS.values():
        key = str(one.simulations)
        chances = [
            a - b for row in rows for at in (0, 1) for a, b in zip(row[key][at], row[str(DEEP)][at], strict=True)
        ]
        gaps = [_gap(row, key) - _gap(row, str(DEEP)) for row in rows]
        most = sorted(map(abs, gaps))[int(0.95 * len(gaps))]
        print(f"| {one.name} | {_size(chances):.4f} | {_size(gaps):.4f} | {most:.4f} |")


# Fitting.


def fit(words: argparse.Namespace) -> None:
    judge = judges.judge(words.game)
    simulations = find_strength(words.strength).simulations
    rows: list[tuple[preau.State, list[float], list[float]]] = []
    for number, data in enumerate(played(words)):
        record = Record.from_json(data)
        won = outcome(record.verify())
        for step in _steps(record, number, words.positions):
            state = record.replay(step)
            if judge.open:
                seat = state.to_act[0]
                thought = think(state.game, seat, state.view(seat), Budget(simulations), Random(1), judge, None)
                assert isinstance(thought, OpenThought)
                said = thought.average()
            else:
                HiddenSearch(0, judge, 0.0, 0, Random(step)).play_on(state)
                said = judge.values(state)
            if not state.over:
                rows.append((state, [max(one, 1e-4) for one in said], won))

    def surprise(sharpness: Sequence[float]) -> float:
        return -mean(
            sum(won * log(one) for one, won in zip(sharpened(said, state, sharpness), result, strict=True))
            for state, said, result in rows
        )

    sharpness, stride = [1.0] * KNOTS, 0.4
    before = best = surprise(sharpness)
    while stride > 0.02:
        near = [_moved(sharpness, at, way) for at in range(KNOTS) for way in (stride, -stride)]
        found = min(near, key=surprise)
        if surprise(found) < best - 1e-5:
            sharpness, best = found, surprise(found)
        else:
            stride /= 2
    print(f"{words.game}: {words.games} games of {words.bot}, {len(rows)} positions")
    print(f"sharpness {[round(one, 2) for one in sharpness]}: surprise {before:.4f} -> {best:.4f}")


def _moved(sharpness: Sequence[float], at: int, way: float) -> list[float]:
    return [max(0.1, one + way) if number == at else one for number, one in enumerate(sharpness)]


def _gap(row: Json, key: str) -> float:
    best, taken = row[key]
    gap: float = best[row["seat"]] - taken[row["seat"]]
    return gap


def _size(errors: Sequence[float]) -> float:
    return sqrt(mean(one * one for one in errors))


WHAT: dict[str, tuple[Callable[[argparse.Namespace], None], int, str]] = {
    "calibration": (calibration, 504, "quick"),
    "regret": (regret, 24, "normal"),
    "lots": (made_up, 100, "normal"),
    "depth": (depth, 60, "normal"),
    "fit": (fit, 100, "quick"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("game", nargs="?", default="recess")
    parser.add_argument("--games", type=int)
    parser.add_argument("--bot", default="normal")
    parser.add_argument("--strength", choices=STRENGTHS)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--positions", type=int, default=6, help="of a game whose chances are noted [6]")
    parser.add_argument("--folder", type=Path, default=Path("build/review"))
    words = parser.parse_args()
    run, games, strength = WHAT[words.what]
    words.games, words.strength = words.games or games, words.strength or strength
    words.seed = words.seed if words.seed is not None else (2 if words.what == "fit" else 1)
    run(words)


if __name__ == "__main__":
    main()
