"""Who is not here while others wait: since when, and from when on a bot may be let in for them.

Times are this process's own (monotonic), and what is not known counts as just now: whoever is connected to a process
that cannot be heard has not gone away.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...table import protocol
from ...table.clocks import deserted
from ...table.seating import Around
from ..cluster.messages import PresenceChanged
from .entry import TableEntry
from .repository import TableRepository


def update_absences(tables: TableRepository, entry: TableEntry) -> bool:
    """Note who lets the others wait without being connected; whether that has changed."""
    before = set(entry.deserted)
    if entry.live is None or not _is_known(tables):
        entry.deserted = {}
    else:
        here = entry.audience.everywhere(entry.table.holders).here
        entry.deserted = deserted(entry.table, entry.live.state, here, entry.deserted, tables.clock())
    return before != set(entry.deserted)


def overdue(tables: TableRepository, entry: TableEntry) -> list[int]:
    """The seats that have let the others wait for too long: a bot is to sit in, whether anybody asks for it or not."""
    limit = tables.clock() - tables.config.grace_ms / 1_000
    return [seat for seat, since in entry.deserted.items() if since <= limit]


async def who_is_here(tables: TableRepository, entry: TableEntry) -> Around | None:
    """Who is at a table now, for whoever asks to change its seats; None: nobody can tell."""
    if entry.status == "playing":
        async with entry.lock:
            await tables.live(entry)
            await tables.catch_up(entry)
        update_absences(tables, entry)
    if not _is_known(tables):
        return None
    now = tables.clock()
    away = {seat: int((now - since) * 1_000) for seat, since in entry.deserted.items()}
    return Around(entry.audience.everywhere(entry.table.holders).here, away)


def presence(tables: TableRepository, entry: TableEntry) -> protocol.Presence:
    """Who is here and who is not, for all to see."""
    update_absences(tables, entry)
    ends = tables.now() + tables.config.away_ms - tables.clock() * 1_000
    away = [protocol.Clock(seat=seat, ends=round(ends + since * 1_000)) for seat, since in entry.deserted.items()]
    return replace(entry.audience.everywhere(entry.table.holders), away=away)


def _is_known(tables: TableRepository) -> bool:
    """Whether the other processes, if there are any, can be heard."""
    return not tables.bus.shared or bool(tables.bus.up)


def announce_presence(tables: TableRepository, entry: TableEntry) -> None:
    """Tell the other processes who is connected here."""
    here = entry.audience.here(entry.table.holders)
    tables.bus.publish(entry.id, PresenceChanged(here.here, here.watching))


def broadcast_presence(tables: TableRepository, entry: TableEntry) -> None:
    """Tell a table's viewers who is here."""
    found = presence(tables, entry)
    entry.audience.push(protocol.PresenceMessage(here=found.here, watching=found.watching, away=found.away))
