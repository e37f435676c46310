"""`preau review`: where a game turned, by choice or by luck, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.record import Record
from ..core.registry import find_game
from ..review.chunks import plan, review_game
from ..review.shapes import Review, Standing
from ..review.wording import points, say_decision, say_turning
from .common import AsJson, Lang, console, language, own_texts, print_indented, print_json, progress
from .replay import names_in, read_game
from .showing import actor_name

if TYPE_CHECKING:
    from rich.console import Console


class Strength(StrEnum):
    """How hard a review looks."""

    QUICK = "quick"
    NORMAL = "normal"
    DEEP = "deep"


def review_record(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of a finished game, .json or .jsonl.")],
    strength: Annotated[Strength, typer.Option("--strength", help="How hard to look.")] = Strength.NORMAL,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed gives the same figures.")] = 0,
    lang: Lang = None,
    json: AsJson = False,
    game: Annotated[int, typer.Option("--game", metavar="I", min=1, help="Which game of a .jsonl file, from 1.")] = 1,
) -> None:
    """Say of a finished game what was luck, choice and mistake.

    The chances of every seat come from a search. A mistake is one by what the seat could know then, and is called so
    only where there is no doubt about it.
    """
    record = read_game(file, game)
    with progress(len(plan(record, strength))) as note:
        found = review_game(record, strength, seed, lambda done, _: note(done))
    if json:
        print_json(found)
    else:
        _print(record, found, language(lang))


def _print(record: Record, found: Review, lang: str) -> None:
    out, texts, game = console(), own_texts(lang), find_game(record.game)
    names = [actor_name(seat, names_in(record), texts) for seat in range(record.seats)]
    said = {"title": game.titles[lang], "seats": record.seats, "steps": found["steps"]}
    out.print(texts.say("review.title", said), style="bold")
    out.print()
    _print_standings(out, found["standings"], names, lang)
    out.print()
    out.print(texts.say("review.turning"), style="bold")
    width = len(str(found["steps"])) + 2
    for one in found["turning"]:
        print_indented(out, say_turning(one, lang, names), width, str(one["step"] + 1))
    if not found["turning"]:
        out.print(texts.say("review.no_turning"))
    out.print()
    out.print(texts.say("review.decisions"), style="bold")
    clear = [(one, lines) for one in found["decisions"] if (lines := say_decision(found, one, lang, names))]
    for decision, (cost, better) in clear:
        head = f"{names[decision['seat']]}, {game.shown(decision['action'])}. {cost}"
        print_indented(out, head, width, str(decision["step"] + 1))
        print_indented(out, better, width)
    if not clear:
        out.print(texts.say("review.no_decisions"))
    out.print()
    strength = {"name": found["strength"]["name"], "seed": found["strength"]["seed"]}
    out.print(texts.say("review.strength", strength), style="dim")


def _print_standings(out: Console, standings: Sequence[Standing], names: Sequence[str], lang: str) -> None:
    from rich.table import Table

    texts = own_texts(lang)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(texts.say("review.seat"), overflow="fold")
    for name in ("start", "play", "luck", "rest", "end", "accuracy", "mistakes"):
        table.add_column(texts.say(f"review.{name}"), justify="right", no_wrap=True)
    for one in standings:
        errors = one["errors"]
        accuracy = "" if one["accuracy"] is None else f"{one['accuracy']:.0f}\u202f%"
        table.add_row(
            names[one["seat"]],
            _with_error(one["start"], errors["start"], sign=False),
            _with_error(one["play"], errors["play"]),
            _with_error(one["luck"], errors["luck"]),
            _with_error(one["rest"], errors["rest"]),
            f"{100 * one['end']:.0f}",
            accuracy,
            str(one["called"]["mistake"]),
        )
    out.print(table)


def _with_error(value: float, error: float, *, sign: bool = True) -> str:
    figure = points(value, error)
    front = ("−" if value < 0 else "+") if sign and figure["points"] else ""
    return f"{front}{figure['points']} ± {figure['error']}"
