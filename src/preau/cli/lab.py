"""`preau lab`: what comes of the rules, in a report with intervals on everything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.registry import find_game
from .common import (
    BotFiles,
    GameName,
    GivenSeed,
    Lang,
    Options,
    Players,
    Ray,
    Resume,
    Seats,
    Workers,
    complain,
    language,
    progress,
    read_options,
)


def lab(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the report and its games.")],
    bots: Players = "",
    bot: BotFiles = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="G", min=2, max=1_000_000, help="How many, up to whole deals.")
    ] = 2000,
    seed: GivenSeed = 1,
    option: Options = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="NAME=VALUE",
            help="Compare with this option set so, on the same luck. Repeatable.",
        ),
    ] = None,
    lang: Lang = None,
    workers: Workers = None,
    ray: Ray = "",
    resume: Resume = True,
) -> None:
    """Play many games and report what comes of the rules.

    Who wins from which seat, scores, lengths, endings, what each card or deed brings, choice against luck: in one page
    with pictures and tables, report.html, and as data, report.json. With --against two sets of rules side by side.

    The same command gives the same report whatever the number of processes, on Ray as well, and also if it was stopped
    and started again. Needs `pip install 'preau[lab]'`.
    """
    from ..arena.engine import cores
    from ..lab.needs import need
    from ..lab.plans import plan_for

    for library in ("numpy", "matplotlib"):
        need(library)
    from ..lab.folders import as_json, held, read_json, save
    from ..lab.printing import lines
    from ..lab.report import FORMAT, put_together, write_page
    from ..lab.study import Study, play_study

    found = find_game(game)
    named = bots or ("" if bot else found.facts.usual.level)
    given = [read_options(option)]
    if against:
        given.append(given[0] | read_options(against, "--against"))
    plans = [plan_for(found.id, named, bot or [], seats, options, seed) for options in given]
    study = Study.of(plans, games)
    if plans[0].whole(games) != games:
        complain(f"{plans[0].whole(games)} games are played, to complete the last deal of {plans[0].block}")
    with held(out):
        read_json(out / "report.json", FORMAT, "report of the lab")
        with progress(study.all) as watch:
            arms = play_study(study, out, workers=workers or cores(), ray=ray.strip(), fresh=not resume, watch=watch)
        if arms is None:
            complain("stopped; the same command goes on from there")
            raise typer.Exit(130)
        report = put_together(arms, given, games)
        save(out / "report.json", as_json(report))
        save(out / "report.html", write_page(report, language(lang)).encode())
    for line in lines(report):
        print(line)
    complain(f"the report is {out / 'report.html'}")
