"""Clocks, as arithmetic: when each seat's began, when it runs out, who is late, when somebody must look again.

Time itself is told by whoever asks: `now` is milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..core.state import REFEREE, State
from . import protocol
from .log import Row
from .table import Table, TablePolicy

if TYPE_CHECKING:
    from .live_game import LiveGame


GRACE_MS = 30_000
"""When nobody could act for a while, a turn is not over before people have had so long."""


def fair(table: Table, state: State, since: Mapping[int, int], now: int, awake: int) -> dict[int, int]:
    """When each seat's clock began, as it counts for a house that can act again since `awake`.

    None began in the future: the machine's clock has been set back since. And nobody's turn of seconds runs out, and
    no race ends, because the house was away: what is left of a turn is at least `GRACE_MS` from then on, or all of it
    if it is shorter. Days for a move go on.
    """
    racers = state.racers()
    turn = awake - max(0, table.timer_ms - GRACE_MS) if table.timer == "turn" else 0
    return {seat: min(max(began, awake if seat in racers else turn), now) for seat, began in since.items()}


def clocks_after(since: Mapping[int, int], row: Row, state: State, keeps: Collection[int]) -> dict[int, int]:
    """When each seat's clock began, after a step that left the question of `keeps` as it was: it runs on while the seat
    is asked on, and anew after a time-out and for a race, where nobody starts earlier than the others.
    """
    racers = state.racers()
    if not racers and row.kind not in ("timeout", "late"):  # nearly always, and asked twice a move
        return {seat: since.get(seat, row.time) for seat in state.to_act if seat >= 0}
    fresh = {seat for seat in racers if seat not in keeps}
    if row.kind == "timeout":
        fresh.update(state.to_act)
    elif row.kind == "late":
        fresh.add(row.actor)
    return {seat: row.time if seat in fresh else since.get(seat, row.time) for seat in state.to_act if seat >= 0}


def clocks(table: Table, since: Mapping[int, int], policy: TablePolicy) -> list[protocol.Clock]:
    """When whose time runs out, for all to see. Bots have no clock."""
    if table.timer == "off":
        return []
    return [
        protocol.Clock(seat=seat, ends=began + table.timer_ms)
        for seat, began in since.items()
        if table.bot_of(seat, policy) is None
    ]


AT_ONCE = 0
"""An alarm that is due whatever the clock says."""


class Duty(NamedTuple):
    """What is to be done at a table without anybody's message."""

    wake: int | None
    """When it must be looked at; None: never."""
    bot: bool
    """Whether that is a bot's move, and so at once."""


def duty(table: Table, state: State, since: Mapping[int, int], now: int, policy: TablePolicy) -> Duty:
    """When the table must be looked at without being asked, and whether for a bot."""
    if table.bots_due(state.to_act, policy):
        return Duty(AT_ONCE, bot=True)
    ends = []
    if table.timer != "off":
        ends += [min(began, now) + table.timer_ms + policy.lag_ms for began in since.values()]
    racing = [since.get(seat, now) for seat in state.racers() if seat in state.to_act]
    ends += [min(began, now) + policy.speed_ms + policy.lag_ms for began in racing]
    return Duty(min(ends) if ends else None, bot=False)


def late(table: Table, live: LiveGame, now: int, policy: TablePolicy) -> list[int]:
    """The seats of people whose time is up."""
    timer = table.timer_ms if table.timer != "off" else None
    racers = live.state.racers()
    found = []
    for seat, began in live.since.items():
        if table.bot_of(seat, policy) is not None:
            continue
        limit = min(timer or policy.speed_ms, policy.speed_ms) if seat in racers else timer
        if limit is not None and now >= began + limit + policy.lag_ms:
            found.append(seat)
    return found


class ForLate(NamedTuple):
    """What is done for a seat whose time is up."""

    actor: int
    text: str
    kind: str


def for_late(state: State, seat: int) -> ForLate:
    """The game's own time-out where it has one, else what it does for somebody absent; a race goes on without them."""
    referee = state.referee()
    if referee and seat not in state.racers():
        return ForLate(REFEREE, referee[0].text, "timeout")
    return ForLate(seat, state.zombie(seat).text, "late")


def deserters(table: Table, state: State, here: Collection[int]) -> list[int]:
    """The seats that owe a decision and whose people are not here, while others are and wait for them.

    With days for a move nobody is deserted: people are not expected to be here.
    """
    if table.status != "playing" or table.timer == "days" or not here:
        return []
    return [seat for seat in table.people() if seat in state.to_act and seat not in here]


def absences(
    table: Table, state: State, here: Collection[int], known: Mapping[int, float], now: float
) -> dict[int, float]:
    """Since when each deserted seat is: as it was known, else since now. These times are of any clock."""
    return {seat: known.get(seat, now) for seat in deserters(table, state, here)}
