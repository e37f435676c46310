"""`preau dataset`: games between bots, written down decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.registry import find_game
from .common import (
    BotFiles,
    GameName,
    GivenSeed,
    Options,
    Players,
    Ray,
    Resume,
    Seats,
    Workers,
    command_line,
    complain,
    progress,
    read_options,
)


def dataset(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write into.")],
    bots: Players = "",
    bot: BotFiles = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="G", min=1, max=10_000_000, help="How many, up to whole deals.")
    ] = 1000,
    seed: GivenSeed = 1,
    option: Options = None,
    values: Annotated[
        bool, typer.Option("--values", help="Also write what bots that search thought of every action.")
    ] = False,
    part: Annotated[
        int, typer.Option("--part", metavar="G", min=1, max=100_000, help="How many games go into one file.")
    ] = 100,
    workers: Workers = None,
    ray: Ray = "",
    resume: Resume = True,
) -> None:
    """Play games between bots and keep every decision, as Parquet.

    The tables are decisions (what the seat saw, might do and did), games and outcomes; dataset.json says what it all
    means. The same command gives the same files whatever the number of processes, on Ray as well. One that was stopped
    goes on where it was, and with more --games it adds to what is there.

    Needs `pip install 'preau[lab]'`.
    """
    from ..arena.engine import cores
    from ..lab.plans import plan_for
    from ..lab.writing import write_dataset

    found = find_game(game)
    named = bots or ("" if bot else found.facts.usual.level)
    plan = plan_for(found.id, named, bot or [], seats, read_options(option), seed)
    wanted = plan.whole(games)
    if wanted != games:
        complain(f"{wanted} games are played, to complete the last deal of {plan.block}")
    with progress(wanted) as watch:
        written = write_dataset(
            plan,
            games,
            out,
            values=values,
            part=part,
            workers=workers or cores(),
            ray=ray.strip(),
            fresh=not resume,
            command=command_line(),
            watch=watch,
        )
    print(f"{written.games} games of {found.titles['en']} are in {out}, {written.games - written.before} of them new")
    if not written.whole:
        complain(f"stopped after {written.games} of {wanted} games; the same command goes on from there")
        raise typer.Exit(130)
