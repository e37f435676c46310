"""The published studies: `python -m tools.studies --games 2000` plays what is missing of them, keeps their figures in
src/preau/lab/studies and puts these on the pages in docs/studies. `--show` only puts them there anew.

What is played is kept in build/studies, so it can be stopped and goes on. `--only NAME` plays some.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from preau.arena.engine import cores
from preau.core.registry import find_game
from preau.lab.folders import as_json, held, save
from preau.lab.plans import plan_for
from preau.lab.printing import lines
from preau.lab.published import FOLDER
from preau.lab.report import put_together
from preau.lab.study import Study, play_study

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "studies"
KEPT = ROOT / "build" / "studies"
BOT = "normal"
PART = 12
"""So many games are enough to see whether the figures still come out alike; a nightly test plays them."""
FEW = 3
"""A game that can be played with so many numbers of seats is played with all of them."""
BLOCK = re.compile(r"<!-- study: ([a-z0-9_-]+) -->\n```text\n(.*?)```", re.DOTALL)
MAP_OR_HALF = re.compile(r":with(out)?$")

Run = tuple[str, int, tuple[dict[str, Any], ...]]
"""A game, its seats, and one or two sets of options."""


def runs() -> dict[str, Run]:
    """All runs by name: every game with few seats and the usual number, or all where these are few; and comparisons."""
    found: dict[str, Run] = {}
    games = ("recess", "bagarre", "cour")
    usual = {game: find_game(game).facts.usual.seats for game in games}
    for game in games:
        every = find_game(game).seats
        for seats in every if len(every) <= FEW else (every[0], usual[game]):
            found[f"{game}-{seats}"] = (game, seats, ({},))
    found["shove"] = ("recess", usual["recess"], ({}, {"shove": "4"}))
    found["exits"] = ("recess", usual["recess"], ({}, {"exits": "corner"}))
    found["cards"] = ("bagarre", usual["bagarre"], ({}, {"cards": "leaflet"}))
    found["agent_min"] = ("cour", usual["cour"], ({}, {"agent_min": "2"}))
    return found


def play(name: str, games: int, workers: int) -> dict[str, Any] | None:
    """The figures of a run, and of its first few games; None if it was interrupted."""
    game, seats, given = runs()[name]
    plans = [plan_for(game, BOT, seats=seats, options=options) for options in given]
    folder = KEPT / name
    found = []
    with held(folder):
        for many in (games, PART):
            arms = play_study(Study.of(plans, many), folder, workers=workers)
            if arms is None:
                return None
            found.append(put_together(arms, given, many))
    return {**small(found[0]), "part": {"games": PART, "lines": lines(found[1])}}


def small(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what is not shown of it: maps, and halves of differences."""
    maps = [f"{table['name']}." for arm in report["arms"] for table in arm["tables"] if table["width"]]

    def kept(figures: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value
            for name, value in figures.items()
            if not name.startswith(tuple(maps)) and not MAP_OR_HALF.search(name)
        }

    arms = [
        {**arm, "figures": kept(arm["figures"]), "tables": [table for table in arm["tables"] if not table["width"]]}
        for arm in report["arms"]
    ]
    found = {**report, "arms": arms}
    if "differences" in report:
        found["differences"] = kept(report["differences"])
    return found


def result(name: str) -> dict[str, Any]:
    """The published figures of a run."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def block(name: str) -> str:
    """A run as a page shows it: its command, and what that prints."""
    report = result(name)
    shown = "\n".join([f"$ {report['command']}", *lines(report)])
    return f"<!-- study: {name} -->\n```text\n{shown}\n```"


def show() -> None:
    """Put the published figures on the pages."""
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        page.write_text(BLOCK.sub(lambda found: block(found[1]), text), encoding="utf-8")


def main() -> int:
    """Play, keep and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--only", nargs="*", choices=list(runs()), default=list(runs()))
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    for name in asked.only if not asked.show else ():
        report = play(name, asked.games, asked.workers)
        if report is None:
            return 130
        save(FOLDER / f"{name}.json", compact(report))
        print(f"{name}: {report['arms'][0]['games']} games", flush=True)
    show()
    return 0


def compact(report: dict[str, Any]) -> bytes:
    """A result as it is written: a line for every figure, so that changes can be read."""
    text = as_json(report).decode()
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", text)
    return text.encode()


if __name__ == "__main__":
    sys.exit(main())
