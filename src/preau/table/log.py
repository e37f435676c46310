"""The log of a table: everything that was done, in order, and never changed. The game follows from it alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import to_builtins

from ..core.record import Entry, Record
from ..core.state import NATURE, State
from .table import Table
from .viewpoint import seen_from

Json = dict[str, Any]


class Row(NamedTuple):
    """One line of a log.

    `kind` is `act` (a person or chance), `bot`, `eased` (the house's quick bot, for a bot that had no time), `missing`
    (the house's stand-in, for a bot that the server does not have), `skipped` (what the game does for somebody absent,
    for a bot that failed), `late` (the same for somebody whose time is up), `timeout` (the game's own) or `undo`
    (`text` is the number gone back to). `client` is the client's own name for the attempt, `delay` how many
    milliseconds it took in a race.
    """

    number: int
    actor: int
    kind: str
    text: str
    time: int
    client: str | None = None
    delay: int | None = None


def effective(rows: Sequence[Row]) -> list[Row]:
    """The rows that still count: an undo takes back everything after the number it names."""
    kept: list[Row] = []
    for row in rows:
        if row.kind == "undo":
            back_to = int(row.text)
            while kept and kept[-1].number > back_to:
                kept.pop()
        else:
            kept.append(row)
    return kept


def steps(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in steps: somebody acts, then chance does what follows from it."""
    found: list[list[Row]] = []
    for row in rows:
        if row.actor == NATURE and found:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def history(state: State, rows: Sequence[Row], seat: int) -> tuple[list[Json], int]:
    """All that a seat has seen happen since the first position, and how much of it at its last decision."""
    found: list[Json] = []
    known = 0
    for row in effective(rows):
        if row.actor == seat:
            known = len(found)
        found += seen_from(state.apply(row.actor, row.text), seat)
    return found, known


def record_of(table: Table, rows: Sequence[Row], last: State) -> Record:
    """The record of a game, `last` being its last position; of one that is not over it has no result."""
    record = Record.begin(last)
    record.entries = [Entry(row.actor, row.text, row.time) for row in effective(rows)]
    record.meta = {"names": [seat.name or seat.level for seat in table.seats]}
    if table.start:
        record.start = json.loads(table.start)
    if table.origin is not None:
        record.meta["origin"] = to_builtins(table.origin)
    if table.hinted:
        record.meta["hints"] = table.hinted
    if table.challenge:
        record.meta |= _tried(table, rows)
    if last.over:
        record.close(last.result())
    return record


def _tried(table: Table, rows: Sequence[Row]) -> Json:
    """What the record of a try at a challenge says of it: the day, the bots, and how often somebody else decided for
    the person or a bot, which is not meant to be.
    """
    bots = {str(number): seat.level for number, seat in enumerate(table.seats) if seat.kind == "bot"}
    usual = ["bot" if seat.kind == "bot" else "act" for seat in table.seats]
    others = sum(row.actor != NATURE and (row.actor < 0 or row.kind != usual[row.actor]) for row in rows)
    said = {"day": table.challenge, "kind": "server"}
    return {"bots": bots, "challenge": {**said, "others": others} if others else said}
