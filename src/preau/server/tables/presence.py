"""Which seats are connected, in this process and in others, and which let the others wait without being connected.

Times are this process's own (monotonic). What is not known counts as just now: a player may be connected to a process
that cannot be heard.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from ...table import protocol
from ...table.clocks import absences
from ...table.seating import Around
from ..cluster.bus import Bus
from ..cluster.messages import PresenceChanged
from ..config import Config
from .audience import Audience
from .repository import TableRepository
from .table_entry import TableEntry

PRESENCE_MS = 40_000
"""How long it holds what another process said: processes die."""


class Presence:
    """Who is connected to the tables of this process."""

    def __init__(
        self, config: Config, now: Callable[[], int], clock: Callable[[], float], tables: TableRepository, bus: Bus
    ) -> None:
        """`now` is the time in milliseconds; `clock` counts seconds and is never set."""
        self._config = config
        self._now = now
        self._clock = clock
        self._tables = tables
        self._bus = bus

    # Connected seats.

    def snapshot(self, entry: TableEntry) -> protocol.Presence:
        """Return who is connected and who is not, as all may know it."""
        self.update_absences(entry)
        ends = self._now() + self._config.away_ms - self._clock() * 1_000
        away = [
            protocol.Clock(seat=seat, ends=round(ends + since * 1_000)) for seat, since in entry.absent_since.items()
        ]
        return replace(connected_everywhere(entry), away=away)

    def changed(self, entry: TableEntry) -> None:
        """A viewer has come to this process, or has gone: tell the viewers and the other processes."""
        self.broadcast(entry)
        self.publish(entry)

    def broadcast(self, entry: TableEntry) -> None:
        """Tell a table's viewers who is connected."""
        found = self.snapshot(entry)
        entry.audience.push(protocol.PresenceMessage(here=found.here, watching=found.watching, away=found.away))

    def publish(self, entry: TableEntry) -> None:
        """Tell the other processes who is connected here."""
        here = connected_here(entry)
        self._bus.publish(entry.id, PresenceChanged(here.here, here.watching))

    def publish_all(self) -> None:
        """Do so for all tables in memory, because what other processes know expires."""
        for entry in list(self._tables.entries.values()):
            self.publish(entry)

    def hear(self, entry: TableEntry, message: PresenceChanged, process: str) -> None:
        """Take in who is connected to another process. A process that was not heard of is told who is here."""
        if process not in entry.audience.elsewhere:
            self.publish(entry)
        entry.audience.elsewhere[process] = (message.here, message.watching, time.monotonic() + PRESENCE_MS / 1000)
        self.broadcast(entry)

    # Absences.

    def update_absences(self, entry: TableEntry) -> bool:
        """Note which seats let the others wait without being connected; return whether that has changed."""
        before = set(entry.absent_since)
        if entry.live is None or not self._is_known():
            entry.absent_since = {}
        else:
            here = connected_everywhere(entry).here
            entry.absent_since = absences(entry.table, entry.live.state, here, entry.absent_since, self._clock())
        return before != set(entry.absent_since)

    def overdue(self, entry: TableEntry) -> list[int]:
        """Return the seats that have let the others wait for too long: a bot plays for them unasked."""
        limit = self._clock() - self._config.grace_ms / 1_000
        return [seat for seat, since in entry.absent_since.items() if since <= limit]

    async def who_is_here(self, entry: TableEntry) -> Around | None:
        """Return who is at a table now, for a request that changes its seats; None if that cannot be known."""
        if entry.status == "playing":
            async with entry.lock:
                await self._tables.live(entry)
                await self._tables.catch_up(entry)
            self.update_absences(entry)
        if not self._is_known():
            return None
        now = self._clock()
        away = {seat: int((now - since) * 1_000) for seat, since in entry.absent_since.items()}
        return Around(connected_everywhere(entry).here, away)

    def _is_known(self) -> bool:
        """Whether the other processes, if there are any, can be heard."""
        return not self._bus.shared or bool(self._bus.up)


def connected_here(entry: TableEntry) -> protocol.Presence:
    """Return which seats are connected to this process, and how many others watch here."""
    viewers, holders = entry.audience.viewers, entry.table.holders
    present = {viewer.holder for viewer in viewers if viewer.holder}
    seats = [seat for seat, holder in holders.items() if holder in present]
    seated = set(holders.values())
    return protocol.Presence(here=seats, watching=sum(viewer.holder not in seated for viewer in viewers))


def connected_everywhere(entry: TableEntry) -> protocol.Presence:
    """Return the same of all processes."""
    local = connected_here(entry)
    seats, watching = set(local.here), local.watching
    now = time.monotonic()
    for process, (others, more, until) in list(entry.audience.elsewhere.items()):
        if until < now:
            del entry.audience.elsewhere[process]
            continue
        seats.update(others)
        watching += more
    return protocol.Presence(here=sorted(seats), watching=watching)


def has_viewers(audience: Audience) -> bool:
    """Whether the table has viewers, in this process or in another."""
    if audience.viewers:
        return True
    now = time.monotonic()
    return any((seats or watching) and until >= now for seats, watching, until in audience.elsewhere.values())
