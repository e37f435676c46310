"""Read the saved files of earlier commits. README.md says what they are."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.table.driver import Driver, Json, Viewer

FOLDER = Path(__file__).parent
COMMITS = sorted(path.name for path in FOLDER.iterdir() if (path / "preau.json").exists())
"""The commits that saved files."""
MOST = 3_000
"""Decisions after which a game that goes on is taken to hang."""


@cache
def _text(commit: str, name: str) -> str:
    return (FOLDER / commit / name).read_text(encoding="utf-8")


def database_of(commit: str) -> Json:
    """Return what the server of a commit answered about its database."""
    found: Json = json.loads(_text(commit, "preau.json"))
    return found


def local_tables_of(commit: str) -> Json:
    """Return the tables that the page of a commit stored on a device, with what its host answered."""
    found: Json = json.loads(_text(commit, "local-tables.json"))
    return found


def names(saved: Json, *statuses: str) -> list[str]:
    """Return the names of the saved tables with one of these statuses, by default of all."""
    return [one["name"] for one in saved["tables"] if not statuses or one["answers"]["info"]["status"] in statuses]


def table_named(saved: Json, name: str) -> Json:
    """Return a saved table."""
    return next(dict(one) for one in saved["tables"] if one["name"] == name)


def without_clock(message: Json) -> Json:
    """Return a message without the time at which it was sent."""
    return {**message, "now": 0}


def hello(host: Driver, table: Json, seat: str, **wish: Any) -> Json:
    """Join a saved table and leave again. Return the hello that came first. `seat` may be "spectator"."""
    if seat != "spectator":
        wish["seat"] = int(seat)
    viewer = host.open(table["id"], table["tokens"].get(seat), **wish)
    found = viewer.all("hello")[0]
    host.close(viewer)
    return without_clock(found)


def viewers_of(host: Driver, table: Json) -> dict[int, Viewer]:
    """Connect each person of a saved table once. Return the viewers by seat."""
    opened: dict[str, Viewer] = {}
    for token in table["tokens"].values():
        if token not in opened:
            opened[token] = host.open(table["id"], token)
    return {int(seat): opened[token] for seat, token in table["tokens"].items()}


def play_on(host: Driver, table: Json) -> Json:
    """Play a saved table to its end, the people at random. Return the hello of a spectator after that."""
    rng = Random(table["id"])
    viewers = viewers_of(host, table)
    first = next(iter(viewers.values()))
    for count in range(MOST):
        if first.now.get("result"):
            break
        seat = next(seat for seat in first.to_act if seat in viewers)
        viewer = viewers[seat]
        wish: Json = {}
        if viewer.now.get("seat") != seat:
            host.send(viewer, "look", seat=seat)
            wish["seat"] = seat
        action = rng.choice(viewer.legal)
        if action.startswith("point"):
            wish["delay"] = 700
        fate = host.act(viewer, action, id=f"on-{count}", **wish)
        assert fate["type"] != "refused", fate
    assert first.now.get("result"), "the game does not end"
    return hello(host, table, "spectator")
