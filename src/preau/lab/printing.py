"""The main figures of a report, line by line: what the command prints, and what published studies show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..core.registry import find_game
from ..core.state import Json
from .words import Words


class SummaryLine(NamedTuple):
    """One figure: what it is about, its values for each set of rules with their intervals, and how these differ."""

    label: str
    name: str
    values: list[Any]
    gap: Any = None
    thing: bool = False
    """Whether it is about something that a seat had, and not about whole games."""


def figure_lines(report: Json, words: Words) -> Iterator[SummaryLine]:
    """The figures in their order."""
    arms, gaps = report["arms"], report.get("differences", {})
    for label, name, at in _whole(report, words):
        gap = gaps[name][at] if name in gaps else None
        yield SummaryLine(label, name, [arm["figures"][name][at] for arm in arms], gap)
    for table in dict.fromkeys(table["name"] for arm in arms for table in arm["tables"]):
        yield from _things(report, words, table)


def _whole(report: Json, words: Words) -> Iterator[tuple[str, str, int]]:
    """Figures of whole games."""
    for seat in range(report["seats"]):
        yield words.say("line.wins", who=words.seat(seat)), "seats", seat
    if "bots" in report["arms"][0]["figures"]:
        for at, bot in enumerate(report["bots"]):
            yield words.say("line.wins", who=bot), "bots", at
    yield words.say("shared"), "shared", 0
    yield words.say("mean_score"), "score", 0
    yield words.say("line.winning_score"), "winning_score", 0
    yield words.say("decisions"), "length", 0
    for at, ending in enumerate(report["endings"]):
        yield words.say("line.ending", ending=words.ending(ending)), "endings", at
    yield words.say("luck.deal"), "deal", 0
    if "blind" in report["arms"][0]["figures"]:
        yield words.say("line.blind", games=words.number(report["arms"][0]["blind_games"])), "blind", 0


def _things(report: Json, words: Words, name: str) -> Iterator[SummaryLine]:
    """How seats fare that have something, thing by thing."""
    arms: list[Json] = report["arms"]
    own: list[Any] = [next((one for one in arm["tables"] if one["name"] == name), None) for arm in arms]
    first: Json = next(one for one in own if one is not None)
    if not first["brings"]:
        return
    gaps = report.get("differences", {}).get(f"{name}:wins")
    for at, thing in enumerate(dict.fromkeys(thing for table in own if table for thing in table["things"])):
        values = [
            arm["figures"][f"{name}:wins"][table["things"].index(thing)] if table and thing in table["things"] else None
            for arm, table in zip(arms, own, strict=True)
        ]
        label = words.say("line.wins_with", thing=words.thing(first, thing))
        yield SummaryLine(label, f"{name}:wins", values, gaps[at] if gaps else None, True)


def lines(report: Json) -> list[str]:
    """The figures as text, in columns: one for each set of rules, and one for how they differ."""
    words = Words(report["game"], "en")
    arms = report["arms"]
    title = find_game(report["game"]).titles["en"]
    head = f"{title}, {report['seats']} seats, {', '.join(report['bots'])}, seed {report['seed']}: "
    games = f"{arms[0]['games']} games" + (" with each" if len(arms) > 1 else "")
    table = [["", *(words.options(one) for one in report["options"]), *(["difference"] if len(arms) > 1 else [])]]
    gaps = []
    for line in figure_lines(report, words):
        gaps += [line.gap] if line.gap and line.gap[1] < line.gap[2] else []
        cells = [words.estimate(line.name, one) for one in line.values]
        if len(arms) > 1:
            cells.append(words.estimate(line.name, line.gap, signed=True) if line.gap else "")
        table.append([line.label, *cells])
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    clear = sum(low > 0 or high < 0 for _, low, high in gaps)
    note = f"{len(gaps)} differences, {clear} clear of 0; by chance alone one in twenty is"
    return [head + games, "", *shown, *(["", note] if gaps else [])]
