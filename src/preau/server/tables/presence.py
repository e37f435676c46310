"""Who is not here while others wait: since when, and from when on a bot may be let in for them.

Times are this process's own (monotonic), and what is not known counts as just now: whoever is connected to a process
that cannot be heard has not gone away.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...table import protocol
from ...table.clocks import deserted
from ...table.seating import Around
from .entry import TableEntry
from .repository import TableRepository


def update_absences(tables: TableRepository, loaded: TableEntry) -> bool:
    """Note who lets the others wait without being connected; whether that has changed."""
    before = set(loaded.deserted)
    if loaded.live is None or not _is_known(tables):
        loaded.deserted = {}
    else:
        here = loaded.room.everywhere(loaded.table.holders).here
        loaded.deserted = deserted(loaded.table, loaded.live.state, here, loaded.deserted, tables.clock())
    return before != set(loaded.deserted)


def overdue(tables: TableRepository, loaded: TableEntry) -> list[int]:
    """The seats that have let the others wait for too long: a bot is to sit in, whether anybody asks for it or not."""
    limit = tables.clock() - tables.config.grace_ms / 1_000
    return [seat for seat, since in loaded.deserted.items() if since <= limit]


async def who_is_here(tables: TableRepository, loaded: TableEntry) -> Around | None:
    """Who is at a table now, for whoever asks to change its seats; None: nobody can tell."""
    if loaded.status == "playing":
        async with loaded.lock:
            await tables.live(loaded)
            await tables.catch_up(loaded)
        update_absences(tables, loaded)
    if not _is_known(tables):
        return None
    now = tables.clock()
    away = {seat: int((now - since) * 1_000) for seat, since in loaded.deserted.items()}
    return Around(loaded.room.everywhere(loaded.table.holders).here, away)


def presence(tables: TableRepository, loaded: TableEntry) -> protocol.Presence:
    """Who is here and who is not, for all to see."""
    update_absences(tables, loaded)
    ends = tables.now() + tables.config.away_ms - tables.clock() * 1_000
    away = [protocol.Clock(seat=seat, ends=round(ends + since * 1_000)) for seat, since in loaded.deserted.items()]
    return replace(loaded.room.everywhere(loaded.table.holders), away=away)


def _is_known(tables: TableRepository) -> bool:
    """Whether the other processes, if there are any, can be heard."""
    return not tables.bus.shared or bool(tables.bus.up)
