"""`preau puzzles`: what there is to find, and the proof that it is there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import SetupError
from ..core.registry import find_game, on_offer
from ..learn.generate import Hunt, make, one_by_one
from ..learn.proofs import check as faults_of
from ..learn.puzzles import DIFFICULTIES, Puzzle, find, puzzles, read
from .common import (
    AsJson,
    Force,
    GameName,
    Lang,
    complain,
    console,
    language,
    own_texts,
    polite,
    print_json,
    print_picture,
    progress,
    sentence,
    writable,
)

app = typer.Typer(
    help="List, show, make and prove puzzles.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
MOST_SHOWN = 20
"""Faults that are printed; the others are counted."""


@app.command("make", no_args_is_help=True)
@polite
def make_puzzles(
    game: GameName,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed makes the same puzzles.")] = 1,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", min=1, max=1000, help="How many.")] = 60,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to. [default: the standard output]")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", metavar="W", min=1, max=256, help="How many processes.")
    ] = 1,
    force: Force = False,
) -> None:
    """Let bots play, and keep the positions in which one choice is clearly best.

    The puzzles are the same whatever the machine and the number of workers. The file is written at the end, whole.
    """
    found = find_game(game)
    writable(out, "--out", force=force)
    with progress(count) as note:
        made = make(found, seed, count, in_processes(workers), note)
    text = made.dump()
    if out is None:
        print(text, end="")
        return
    beside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(out)
    finally:
        beside.unlink(missing_ok=True)
    complain(f"{len(made.puzzles)} puzzles are in {out}")


@app.command("list", no_args_is_help=True)
@polite
def list_puzzles(
    game: GameName,
    theme: Annotated[str | None, typer.Option("--theme", metavar="NAME", help="Only those about this.")] = None,
    difficulty: Annotated[
        int | None, typer.Option("--difficulty", metavar="1|2|3", min=1, max=3, help="Only those of this difficulty.")
    ] = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """List the puzzles of a game."""
    speech = language(lang)
    found = find_game(game)
    if theme is not None and theme not in found.themes:
        known = ", ".join(found.themes) or "none"
        raise SetupError(f"{found.id} has no theme {theme!r}", field="--theme", hint=f"There are {known}.")
    rows = [one for one in puzzles(found.id) if theme in (None, one.theme) and difficulty in (None, one.difficulty)]
    if json:
        print_json([_as_data(one, speech) for one in rows])
        return
    texts = own_texts(speech)
    out = console()
    if not rows:
        out.print(texts.say("puzzles.none", {"title": found.titles[speech]}))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(texts.say("puzzles.id"), no_wrap=True)
    table.add_column(texts.say("puzzles.difficulty"), no_wrap=True)
    table.add_column(texts.say("puzzles.theme"))
    table.add_column(texts.say("puzzles.task"), overflow="fold")
    for one in rows:
        table.add_row(one.id, _stars(one), one.title(speech), one.sentence(speech))
    out.print(table)
    out.print(texts.say("puzzles.listed", {"n": len(rows)}), style="dim")


@app.command("show", no_args_is_help=True)
@polite
def show_puzzle(
    name: Annotated[str, typer.Argument(metavar="ID", help="A puzzle's id; `preau puzzles list GAME` shows them.")],
    solution: Annotated[bool, typer.Option("--solution", help="Also how it is solved.")] = False,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Show a puzzle: the position, as its seat sees it, and what is asked."""
    speech = language(lang)
    puzzle = find(name, [game.id for game in on_offer()])
    if json:
        print_json(_as_data(puzzle, speech) | puzzle.to_json())
        return
    texts = own_texts(speech)
    out = console()
    state = puzzle.state()
    out.print(f"{puzzle.title(speech)} ({puzzle.id}, {_stars(puzzle)})", style="bold")
    out.print()
    print_picture(out, state.diagram(puzzle.seat))
    out.print()
    out.print(texts.say("puzzles.you", {"seat": puzzle.seat}) + " " + puzzle.sentence(speech))
    prompt = state.prompt(puzzle.seat)
    out.print(sentence(state.game, speech, prompt["key"], prompt), style="dim")
    if solution:
        out.print()
        out.print(texts.say("puzzles.solution", {"line": ", ".join(puzzle.line)}))
        first = ", ".join(puzzle.best)
        out.print(
            texts.say("puzzles.best", {"n": len(puzzle.best), "of": len(state.legal(puzzle.seat)), "best": first})
        )
        out.print(texts.say(f"puzzles.{puzzle.proof['kind']}", _figures(puzzle)), style="dim")


@app.command("check")
@polite
def check_puzzles(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only the puzzles of this game.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Those in this file, not those that ship.")
    ] = None,
    fresh: Annotated[
        int | None, typer.Option("--fresh", metavar="S", help="Make estimates anew, with this seed.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Prove every puzzle again.

    What was searched or counted is searched and counted anew; estimates are made again with their own seed, or with a
    fresh one. The exit code is 2 if anything is wrong.
    """
    if file is not None:
        rows = {read(file).game: read(file).puzzles}
        if game is not None and find_game(game).id not in rows:
            raise SetupError(f"{file} holds puzzles of {next(iter(rows))}", field="GAME", hint="Leave the game out.")
    else:
        rows = {one.id: puzzles(one.id) for one in ([find_game(game)] if game is not None else on_offer())}
    reports = []
    for name, some in rows.items():
        report: dict[str, Any] = {"game": name, "puzzles": len(some), "wrong": {}}
        with progress(len(some)) as note:
            for number, puzzle in enumerate(some, 1):
                faults = faults_of(puzzle, "" if fresh is None else f"{puzzle.id} {fresh}")
                if faults:
                    report["wrong"][puzzle.id] = faults
                note(number)
        reports.append(report)
    if json:
        print_json(reports)
    else:
        for report in reports:
            _print_report(report, str(file or ""))
    if any(report["wrong"] for report in reports):
        raise typer.Exit(2)


def _print_report(report: dict[str, Any], where: str) -> None:
    wrong: dict[str, list[str]] = report["wrong"]
    label = where or report["game"]
    for name, faults in list(wrong.items())[:MOST_SHOWN]:
        complain(f"{label}: puzzle {name}: {'; '.join(faults)}")
    if len(wrong) > MOST_SHOWN:
        complain(f"{label}: and {len(wrong) - MOST_SHOWN} more")
    if wrong:
        print(f"{label}: {len(wrong)} of {report['puzzles']} puzzles are wrong")
    elif report["puzzles"]:
        print(f"{label}: OK, {report['puzzles']} puzzles")
    else:
        print(f"{label}: no puzzles")


def _as_data(puzzle: Puzzle, lang: str) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "theme": puzzle.theme,
        "title": puzzle.title(lang),
        "task": puzzle.sentence(lang),
        "params": dict(puzzle.task),
        "difficulty": puzzle.difficulty,
        "seat": puzzle.seat,
        "proof": puzzle.proof["kind"],
    }


def _stars(puzzle: Puzzle) -> str:
    return "*" * puzzle.difficulty + "." * (len(DIFFICULTIES) - puzzle.difficulty)


def _figures(puzzle: Puzzle) -> dict[str, Any]:
    """The figures of a proof that are said in a sentence."""
    figures = dict(puzzle.proof)
    if "chances" in figures:
        first, second = list(figures["chances"].values())[:2]
        figures |= {"best": f"{100 * first[0]:.0f}", "second": f"{100 * second[0]:.0f}"}
    return figures


def in_processes(workers: int) -> Any:
    """How games are searched: one by one here, or side by side."""
    if workers == 1:
        return one_by_one
    from ..arena.runner import play_in_order

    def play(hunt: Hunt, numbers: Sequence[int]) -> Iterator[list[Puzzle]]:
        return play_in_order(hunt, numbers, workers)

    return play
