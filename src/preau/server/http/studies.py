"""Published studies in the words of the wire."""

from __future__ import annotations

from ...core.state import Json
from ...lab.printing import SummaryLine, figure_lines
from ...lab.published import studies
from ...lab.words import Words
from ...table import protocol

WINS = ("seats", "bots", "blind")
"""Figures that say who wins."""


def published(language: str) -> list[protocol.StudyInfo]:
    """All of them, in one language."""
    return [_study(name, report, Words(report["game"], language)) for name, report in studies().items()]


def _study(name: str, report: Json, words: Words) -> protocol.StudyInfo:
    key = f"study.{name}" if words.knows(f"study.{name}") else "study"
    return protocol.StudyInfo(
        id=name,
        game=report["game"],
        title=words.say(key, title=words.title, seats=report["seats"]),
        about=words.say(f"{key}.about"),
        command=report["command"],
        games=report["arms"][0]["games"],
        rules=[words.chosen(one) for one in report["options"]],
        fair=report["arms"][0]["fair"],
        lines=[_line(line, words) for line in figure_lines(report, words)],
    )


def _line(line: SummaryLine, words: Words) -> protocol.StudyLine:
    return protocol.StudyLine(
        label=line.label,
        said=[words.estimate(line.name, one) for one in line.values],
        gap=words.estimate(line.name, line.gap, signed=True) if line.gap else "",
        shares=line.values if words.is_share(line.name) else [],
        wins=line.name in WINS or line.thing,
        thing=line.thing,
    )
