"""Let bots play for players who let the others wait for too long without being connected."""

from __future__ import annotations

from ..commands.seats import Seats
from ..config import Config
from ..logs import log, short
from ..tables.presence import Presence
from ..tables.repository import TableRepository


class StandIns:
    """Watches the absences at the tables of this process."""

    def __init__(self, config: Config, tables: TableRepository, presence: Presence, seats: Seats) -> None:
        self._config = config
        self._tables = tables
        self._presence = presence
        self._seats = seats

    async def sweep(self) -> None:
        """Tell viewers who is absent, and give overdue seats to a bot."""
        for entry in list(self._tables.entries.values()):
            if self._presence.update_absences(entry):
                self._presence.broadcast(entry)
            for seat in self._presence.overdue(entry):
                log.info("bot sits in", table=short(entry.id), seat=seat)
                await self._seats.stand_in(entry, seat, self._config.stand_in)
