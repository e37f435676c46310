"""`preau arena`: bots against bots, with results that anyone can rerun."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import SetupError
from ..core.registry import find_game
from .common import GameName, Options, Seats, complain, console, read_options, writable

if TYPE_CHECKING:
    from ..arena import Report

Row = Sequence[str]


def arena(
    game: GameName,
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="A,B,...", help="Who plays; a*2 takes two seats, the last fills those left."),
    ] = "",
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="[NAME=]FILE.py:CLASS|FILE.onnx", help="A bot of your own. Repeatable."),
    ] = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="G", min=1, max=10_000_000, help="How many, up to whole deals.")
    ] = 600,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed gives other games.")] = 1,
    option: Options = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Set each bot against copies of itself, to check the arena.")
    ] = False,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the results here; games are kept beside it as they end."),
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE.jsonl", help="Write the records of all games here.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", metavar="N", min=1, max=256, help="How many processes. [default: one a core]"),
    ] = None,
    ray: Annotated[
        str, typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster; `local` starts one here.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Go on with the games kept beside --json, or start over.")
    ] = True,
) -> None:
    """Play bots against each other and measure who is stronger.

    Every deal is played in all rotations of the seats. The same command gives the same games and the same table
    whatever the number of processes, on Ray as well, and also if it was interrupted and started again.

    A bot that fails or chooses what it may not stops the run. Ctrl-C shows the table so far.
    """
    from ..arena import enter, make_plan, run
    from ..arena.engine import cores

    found = find_game(game)
    plan = make_plan(found.id, enter(bots, bot or []), seats, read_options(option), seed, mirror=mirror)
    _check_files(json, records)
    if plan.whole(games) != games:
        complain(f"{plan.whole(games)} games are played, to complete the last deal of {plan.block}")
    with _progress(plan.whole(games)) as watch:
        report = run(
            plan,
            games,
            result=json,
            records=records,
            workers=workers or cores(),
            ray=ray.strip(),
            fresh=not resume,
            command=shlex.join(["preau", *sys.argv[1:]]),
            watch=watch,
        )
    _print(report, found.titles["en"])
    if not report.whole:
        again = "; the same command goes on from there" if json is not None else ""
        complain(f"stopped after {len(report.played)} of {report.games} games{again}")
        raise typer.Exit(130)


def _check_files(json: Path | None, records: Path | None) -> None:
    writable(json, "--json", force=True)
    if records is not None and records.suffix != ".jsonl":
        raise SetupError(f"{records} is no .jsonl file", field="--records", hint="Many games go into one .jsonl file.")
    writable(records, "--records", force=True)


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A bar on the error stream, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        yield lambda done: progress.update(task, completed=done)


def _print(report: Report, title: str) -> None:
    """The tables: drawn by Rich for a person, plain columns of any width for a file or another program."""
    plan, summary = report.plan, report.summary
    print(
        f"{title}, {plan.seats} seats, seed {plan.seed}: {summary['games']} games, {summary['deals']} deals, "
        f"{summary['decisions']} decisions"
    )
    if not report.played:
        return
    _table(("bot", "games", "share", "95 % interval", "× fair share", "rank", "score", "rating"), _strength(summary))
    _table(("seat", "share", "95 % interval"), _seats(summary))
    _table(("bot", "decisions", "mean ms", "p99 ms"), _times(summary))
    endings = ", ".join(f"{why} {count} ({count / summary['games']:.1%})" for why, count in summary["endings"].items())
    print(f"\nendings   {endings}")
    print("length    " + ", ".join(f"{name} {value:g}" for name, value in summary["lengths"].items()))
    for note in _notes(summary):
        print(note)


def _strength(summary: dict[str, Any]) -> list[Row]:
    return [
        (
            row["bot"],
            str(row["games"]),
            f"{row['share']:.1%}",
            f"{row['low']:.1%} – {row['high']:.1%}",
            f"{row['ratio']:.2f} ({row['ratio_low']:.2f} – {row['ratio_high']:.2f})",
            f"{row['mean_rank']:.2f}",
            f"{row['mean_score']:.2f}",
            f"{row['rating']['mu']:.1f} ± {row['rating']['sigma']:.1f}",
        )
        for row in summary["bots"]
    ]


def _seats(summary: dict[str, Any]) -> list[Row]:
    return [
        (str(row["seat"]), f"{row['share']:.1%}", f"{row['low']:.1%} – {row['high']:.1%}") for row in summary["seats"]
    ]


def _times(summary: dict[str, Any]) -> list[Row]:
    return [
        (row["bot"], str(row["decisions"]), f"{row['mean_ms']:.2f}", f"{row['p99_ms']:.2f}") for row in summary["times"]
    ]


def _notes(summary: dict[str, Any]) -> Iterator[str]:
    different, games = summary["different_games"], summary["games"]
    if different < games:
        yield f"note      only {different} of {games} games differ; intervals count each of those once"
    if "mirror" in summary:
        mirror = summary["mirror"]
        if mirror["holds"]:
            yield f"mirror    holds: every copy's share may be {mirror['fair']:.1%}"
        else:
            yield f"mirror    FAILS: {', '.join(mirror['outside'])} cannot have a share of {mirror['fair']:.1%}"


def _table(titles: Row, rows: Sequence[Row]) -> None:
    out = console()
    print()
    if out.is_terminal:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for column, name in enumerate(titles):
            table.add_column(name, justify="right" if column else "left", no_wrap=True)
        for row in rows:
            table.add_row(*row)
        out.print(table)
        return
    widths = [max(len(row[column]) for row in [titles, *rows]) for column in range(len(titles))]
    for row in [titles, *rows]:
        first, *rest = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *rest]).rstrip())
