"""Let clients in at a table, and see them off."""

from __future__ import annotations

from ...table import protocol
from ...table.permissions import first_viewpoint
from ..commands.seats import Seats
from ..config import Config
from ..tables.broadcaster import Broadcaster
from ..tables.credentials import Credentials
from ..tables.presence import Presence
from ..tables.shared_replay import SharedReplays
from ..tables.table_entry import TableEntry
from .connection import Connection
from .rate_limits import AddressQuota, Quotas


class Admission:
    """Decides which clients become viewers of a table, and as which holder."""

    def __init__(
        self,
        config: Config,
        credentials: Credentials,
        seats: Seats,
        broadcaster: Broadcaster,
        presence: Presence,
        shared_replays: SharedReplays,
    ) -> None:
        self._config = config
        self._limits = config.limits
        self._credentials = credentials
        self._seats = seats
        self._broadcaster = broadcaster
        self._presence = presence
        self._shared_replays = shared_replays
        self._quotas = Quotas(config.limits)

    def address_quota(self, address: str) -> AddressQuota:
        """Return what all connections of an address share."""
        return self._quotas.houses.of(address)

    async def enter(self, connection: Connection, entry: TableEntry, wish: protocol.Join) -> None:
        """Let a client in. A holder whose seat a bot plays gets it back."""
        connection.holder = await self._credentials.holder(entry, wish.token)
        if connection.holder is not None:
            connection.belongs_to(self._quotas.people.of(connection.holder))
        if self._is_full(entry, connection.holder):
            connection.leave("full", again=True, seconds=self._config.silence_ms / 1000)
            return
        connection.viewpoint = first_viewpoint(entry.table, connection.holder, wish.seat)
        for seat in entry.table.seats_of(connection.holder):
            if entry.table.seats[seat].stand_in:
                await self._seats.stand_in(entry, seat, None)
        await self._broadcaster.send_hello(entry, connection, wish.last, opening=wish.opening)
        connection.meter = entry.audience.races.meter(connection.holder)
        connection.ping()
        self._presence.changed(entry)

    def _is_full(self, entry: TableEntry, holder: str | None) -> bool:
        """Whether there are too many spectators, or too many connections of this holder."""
        same = sum(viewer.holder == holder for viewer in entry.audience.viewers)
        return same >= (self._limits.sockets_per_user if holder is not None else self._limits.spectators_per_table)

    def leave(self, connection: Connection, entry: TableEntry) -> None:
        """A viewer's connection has ended."""
        entry.audience.leave(connection)
        if entry.audience.together is not None:
            self._shared_replays.left(entry, connection)
        self._presence.changed(entry)
