"""A whole run: what is left to play is played, written down, counted, and put into the result file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..core.errors import DataError
from ..core.state import Json
from .cluster import import_ray, play_on_ray
from .engine import engine, machine
from .journal import START_OVER, Journal, refuse_other
from .play import PlannedGames, Played
from .ratings import import_openskill
from .runner import play_games
from .schedule import Plan
from .summary import summarize

FORMAT = "preau-arena/1"


class Report(NamedTuple):
    """What came of a run: `whole` says whether all games were played, `before` how many were there already."""

    plan: Plan
    games: int
    played: list[Played]
    before: int
    summary: dict[str, Any]
    whole: bool


def run(
    plan: Plan,
    games: int,
    *,
    result: Path | None = None,
    records: Path | None = None,
    workers: int = 0,
    ray: str = "",
    fresh: bool = False,
    command: str = "",
    watch: Callable[[int], None] = lambda done: None,
) -> Report:
    """Play the first `games` games of a plan, rounded up to whole deals, and count them.

    `workers` processes play, or this process itself with 0, or a Ray cluster. With a `result` file the games are kept
    beside it as they end, and a run that was stopped goes on from there unless `fresh`. `watch` is told how many
    games are done. Ctrl-C ends the run with a report on what there is.

    >>> from .entrants import enter
    >>> from .schedule import make_plan
    >>> report = run(make_plan("recess", enter("greedy,random"), seats=3), games=6)
    >>> [row["bot"] for row in report.summary["bots"]], report.summary["deals"]
    (['greedy', 'random'], 2)
    """
    games = plan.whole(games)
    import_openskill()
    if ray:
        import_ray()
    identity: Json = json.loads(json.dumps(plan.to_json() | {"engine": engine(plan.game)}))
    if result is not None:
        _check_result(result, identity, fresh)
    started = _now()
    with TemporaryDirectory() as folder:
        path = side_file(result) if result is not None else Path(folder) / "games.jsonl"
        with Journal(path, identity, fresh=fresh, lasting=result is not None) as journal:
            missing = [index for index in range(games) if journal.lacks(index, record=records is not None)]
            before = games - len(missing)
            watch(before)
            whole = _play(plan, missing, journal, records is not None, workers, ray, watch, before)
            played = [journal.played[index] for index in range(games) if index in journal.played]
            summary = summarize(plan, played)
            if whole and records is not None:
                _save(records, (json.dumps(one, ensure_ascii=False) + "\n" for one in journal.records(games)))
            if whole and result is not None:
                _save(result, _document(identity, played, summary, started, command))
    return Report(plan, games, played, before, summary, whole)


def side_file(result: Path) -> Path:
    """Where the games of a result file are kept while they are played.

    >>> side_file(Path("ladder.json")).name
    'ladder.games.jsonl'
    """
    return result.with_name(f"{result.stem if result.suffix == '.json' else result.name}.games.jsonl")


def _play(
    plan: Plan,
    missing: list[int],
    journal: Journal,
    keep: bool,
    workers: int,
    ray: str,
    watch: Callable[[int], None],
    done: int,
) -> bool:
    """Play what is missing; whether that was possible to the end."""
    if not missing:
        return True
    wanted = PlannedGames(plan, keep)
    playing = play_on_ray(wanted, missing, ray, max(1, workers)) if ray else play_games(wanted, missing, workers)
    try:
        with closing(playing):
            for played in playing:
                journal.add(played)
                done += 1
                watch(done)
    except KeyboardInterrupt:
        return False
    return True


def _check_result(path: Path, identity: Json, fresh: bool) -> None:
    """Refuse to replace a file that is no result, or the result of something else."""
    if not path.exists():
        return
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = data["format"] == FORMAT
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise DataError(f"{path} is there, but no arena wrote it", field="--json", hint="Name another file.")
    if not fresh:
        refuse_other(path, data.get("identity"), identity)
    elif not os.access(path, os.W_OK):
        raise DataError(f"{path} cannot be written", field="--json", hint=START_OVER)


def _document(
    identity: Json, played: list[Played], summary: dict[str, Any], started: str, command: str
) -> Iterator[str]:
    """The result file: what was played with what, the figures, and a line for every game."""
    head = {
        "format": FORMAT,
        "command": command,
        "identity": identity,
        "machine": machine(),
        "started": started,
        "finished": _now(),
        "summary": summary,
    }
    yield json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "games": [\n'
    rows = [json.dumps(game.row(), ensure_ascii=False) for game in played]
    yield ",\n".join(f"  {row}" for row in rows)
    yield "\n ]\n}\n"


def _save(path: Path, parts: Iterator[str]) -> None:
    """Write a file that takes its name once all of it has reached the disk."""
    draft = path.with_name(path.name + ".part")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
