"""The main figures of a report as lines of text: what the command prints, and what the published studies show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.registry import find_game
from ..core.state import Json
from .words import Words

Row = tuple[str, str, int]
"""What a line says, and the figure it shows."""


def lines(report: Json) -> list[str]:
    """The figures, in columns: one for each set of rules, and one for how they differ."""
    words = Words(report["game"], "en")
    arms = report["arms"]
    names = [words.options(one) for one in report["options"]]
    title = find_game(report["game"]).titles["en"]
    head = f"{title}, {report['seats']} seats, {', '.join(report['bots'])}, seed {report['seed']}: "
    games = f"{arms[0]['games']} games" + (" with each" if len(arms) > 1 else "")
    table = [["", *names, *(["difference"] if len(arms) > 1 else [])]]
    for label, name, at in _rows(report, words):
        cells = [words.estimate(name, arm["figures"][name][at]) for arm in arms]
        if len(arms) > 1:
            gaps = report["differences"].get(name)
            cells.append(words.estimate(name, gaps[at], signed=True) if gaps else "")
        table.append([label, *cells])
    table += _things(report, words)
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return [head + games, "", *shown]


def _rows(report: Json, words: Words) -> Iterator[Row]:
    for seat in range(report["seats"]):
        yield f"{words.seat(seat)} wins", "seats", seat
    if "bots" in report["arms"][0]["figures"]:
        for at, bot in enumerate(report["bots"]):
            yield f"{bot} wins", "bots", at
    yield words.say("shared"), "shared", 0
    yield words.say("mean_score"), "score", 0
    yield "the winner's score", "winning_score", 0
    yield words.say("decisions"), "length", 0
    for at, ending in enumerate(report["endings"]):
        yield f"ends by: {words.ending(ending)}", "endings", at
    yield words.say("luck.deal"), "deal", 0
    if "blind" in report["arms"][0]["figures"]:
        yield words.say("luck.blind"), "blind", 0


def _things(report: Json, words: Words) -> list[list[str]]:
    """How seats fare that have something, thing by thing; and what happens in places, all of them together."""
    arms: list[Json] = report["arms"]
    found: list[list[str]] = []
    for name in dict.fromkeys(table["name"] for arm in arms for table in arm["tables"]):
        own: list[Any] = [next((one for one in arm["tables"] if one["name"] == name), None) for arm in arms]
        first: Json = next(one for one in own if one is not None)
        if not first["brings"]:
            continue
        gaps = report.get("differences", {}).get(f"{name}:wins")
        for at, thing in enumerate(dict.fromkeys(thing for table in own if table for thing in table["things"])):
            cells = [
                words.estimate(f"{name}:wins", arm["figures"][f"{name}:wins"][table["things"].index(thing)])
                if table and thing in table["things"]
                else "–"
                for arm, table in zip(arms, own, strict=True)
            ]
            if len(arms) > 1:
                cells.append(words.estimate(f"{name}:wins", gaps[at], signed=True) if gaps else "")
            found.append([f"wins with: {words.thing(first, thing)}", *cells])
    return found
