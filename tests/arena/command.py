"""What the tests of the arena share: running the command as people do, and comparing what it leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from preau.arena import Entrant, Plan, make_plan

PATIENCE = 300


def arguments(*words: object) -> list[str]:
    return [sys.executable, "-m", "preau", "arena", *map(str, words)]


def arena(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments(*words),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        env=surroundings(),
    )


def surroundings() -> dict[str, str]:
    """An environment in which the output is the same everywhere."""
    return {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"}


def result(path: Path) -> dict[str, Any]:
    """A result file without what differs from run to run: times, dates and the command."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in ("started", "finished", "command"):
        del data[name]
    for row in data["summary"]["times"]:
        del row["mean_ms"], row["p99_ms"]
    return data


def table(output: str) -> list[str]:
    """The printed table without the times."""
    return [line for line in output.splitlines() if not line.startswith("bot") and line.count(".") != 2]


def plan(bots: str = "greedy,random", game: str = "recess", seats: int | None = None, **more: Any) -> Plan:
    """A plan for bots that are not looked up, so that any name will do."""
    return make_plan(game, [Entrant(name, name) for name in bots.split(",")], seats, **more)
