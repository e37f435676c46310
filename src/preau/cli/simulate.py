"""`preau simulate`: many games between bots, and what came out of them."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from time import perf_counter
from typing import IO, Annotated, Any

import typer

from ..arena.statistics import spread, wilson
from ..core.errors import SetupError
from ..core.game import Game
from ..core.registry import find_game
from .common import (
    AsJson,
    Force,
    GameName,
    Options,
    Seats,
    Seed,
    complain,
    console,
    print_json,
    read_options,
    writable,
)


def simulate(
    game: GameName,
    seats: Seats = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="G", min=1, help="How many games.")] = 1000,
    seed: Seed = None,
    bots: Annotated[
        str, typer.Option("--bots", metavar="A,B,...", help="One bot for all seats, or one for each.")
    ] = "random",
    option: Options = None,
    json: AsJson = False,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE.jsonl", help="Keep all games in this file.")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", metavar="N", min=1, max=256, help="How many processes.")
    ] = 1,
    force: Force = False,
) -> None:
    """Play many games between bots and count.

    Shows wins by seat with intervals, endings, lengths and speed.

    The same seed gives the same games whatever the number of workers. Shared wins count in equal parts; intervals are
    Wilson's at 95 %. Lengths are decisions of seats.
    """
    from .series import Series, seat_bots

    found = find_game(game)
    names = [name.strip() for name in bots.split(",")]
    if seats is None and len(names) > 1:
        seats = len(names)
    values = read_options(option)
    start = found.start(seats, values, seed=seed)  # refuses wrong seats and options before anything is played
    if records is not None and records.suffix != ".jsonl":
        raise SetupError(f"{records} is no .jsonl file", field="--records", hint="Many games go into one .jsonl file.")
    writable(records, "--records", force=force)
    series = Series(
        found.id,
        start.seats,
        values,
        seat_bots(start, start.seats, names, "--bots"),
        SystemRandom().getrandbits(32) if seed is None else seed,
        records is not None,
    )
    tally = Tally(found, series.seats, series.bots, series.seed)
    with _kept(records) as kept:
        whole = _play(tally, series, games, workers, kept)
    if json:
        print_json(tally.to_json() | ({} if whole else {"stopped": True}))
    else:
        _print(tally)
    if records is not None:
        complain(f"{tally.games} records are in {records}")
    if not whole:
        complain(f"stopped after {tally.games} of {games} games")
        raise typer.Exit(130)


def _play(tally: Tally, series: Any, games: int, workers: int, kept: IO[str] | None) -> bool:
    """Whether all games were played; an interruption keeps those that were."""
    from .series import play_series

    begun = perf_counter()
    try:
        with _progress(games) as advance:
            for outcome in play_series(series, games, min(workers, games)):
                with _undisturbed():
                    if kept is not None:
                        kept.write(outcome.line)
                    tally.add(outcome)
                advance()
    except KeyboardInterrupt:
        return False
    finally:
        tally.seconds = perf_counter() - begun
    return True


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Lets an interruption wait, so that a game is written and counted or neither."""
    interrupted = False

    def later(*_: object) -> None:
        nonlocal interrupted
        interrupted = True

    before = signal.signal(signal.SIGINT, later)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted:
        raise KeyboardInterrupt


@contextmanager
def _kept(path: Path | None) -> Iterator[IO[str] | None]:
    """A file to write records to, which takes its name once all is written."""
    if path is None:
        yield None
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _progress(games: int) -> Iterator[Any]:
    """A bar on the error stream, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        yield lambda: progress.advance(task)


class Tally:
    """What came out of a series so far."""

    def __init__(self, game: Game, seats: int, bots: tuple[str, ...], seed: int) -> None:
        self.game = game
        self.seats = seats
        self.bots = bots
        self.seed = seed
        self.seconds = 0.0
        self.lengths: list[int] = []
        self.reasons: Counter[str] = Counter()
        self.alone = [0] * seats
        self.shared = [0] * seats
        self.wins = [0.0] * seats
        self.points = [0] * seats

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.lengths)

    def add(self, outcome: Any) -> None:
        """Count one game."""
        self.lengths.append(outcome.decisions)
        self.reasons[outcome.reason] += 1
        for seat, score in enumerate(outcome.scores):
            self.points[seat] += score
        for seat in outcome.winners:
            self.wins[seat] += 1 / len(outcome.winners)
            (self.alone if len(outcome.winners) == 1 else self.shared)[seat] += 1

    def to_json(self) -> dict[str, Any]:
        """All figures as data."""
        games, decisions = self.games, sum(self.lengths)
        return {
            "game": self.game.id,
            "rules": self.game.rules_version,
            "bots": list(self.bots),
            "seed": self.seed,
            "games": games,
            "decisions": decisions,
            "seconds": round(self.seconds, 4),
            "games_per_second": round(games / self.seconds, 1) if self.seconds else 0.0,
            "decisions_per_second": round(decisions / self.seconds) if self.seconds else 0,
            "seats": [self._seat(seat) for seat in range(self.seats)],
            "endings": dict(self.reasons.most_common()),
            "lengths": spread(self.lengths),
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        low, high = wilson(self.wins[seat], self.games)
        share = self.wins[seat] / self.games if self.games else 0.0
        return {
            "seat": seat,
            "bot": self.bots[seat],
            "wins": round(self.wins[seat], 4),
            "alone": self.alone[seat],
            "shared": self.shared[seat],
            "share": round(share, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "mean_score": round(self.points[seat] / self.games, 3) if self.games else 0.0,
        }


def _print(tally: Tally) -> None:
    from rich.table import Table

    data = tally.to_json()
    out = console()
    out.print(f"{tally.game.titles['en']}, {tally.seats} seats, seed {tally.seed}", style="bold")
    out.print(
        f"{data['games']:,} games, {data['decisions']:,} decisions in {tally.seconds:.2f} s: "
        f"{data['games_per_second']:,.0f} games/s, {data['decisions_per_second']:,} decisions/s"
    )
    if not tally.games:
        return
    out.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("seat")
    table.add_column("bot")
    for title in ("wins", "shared", "share", "95 % interval", "mean score"):
        table.add_column(title, justify="right")
    for row in data["seats"]:
        table.add_row(
            str(row["seat"]),
            row["bot"],
            f"{row['alone']:,}",
            f"{row['shared']:,}",
            f"{row['share']:.1%}",
            f"{row['low']:.1%} – {row['high']:.1%}",
            f"{row['mean_score']:.2f}",
        )
    out.print(table)
    out.print()
    endings = ", ".join(f"{reason} {count:,} ({count / tally.games:.1%})" for reason, count in data["endings"].items())
    out.print(f"endings   {endings}")
    out.print("decisions " + "  ".join(f"{name} {value:,}" for name, value in data["lengths"].items()))
