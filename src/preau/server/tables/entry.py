"""A table in this process's memory: what it is, the game on it, and who looks at it from here."""

from __future__ import annotations

import asyncio
import time

from ...table.live_game import LiveGame
from ...table.protocol import Status
from ...table.table import Table
from ...table.tie_break import Pulling
from ..storage.leases import Lease
from ..storage.queries import StoredTable
from .audience import Audience


class TableEntry:
    """A table in memory. `table`, `revision` and `lease` are what the database had when it was last asked."""

    __slots__ = (
        "addresses",
        "deserted",
        "lease",
        "live",
        "lock",
        "playing_bots",
        "pulling",
        "revision",
        "audience",
        "table",
        "used",
    )

    def __init__(self, stored: StoredTable) -> None:
        self.table: Table = stored.table
        self.revision: int = stored.revision
        self.lease: Lease = stored.lease
        self.live: LiveGame | None = None
        self.audience = Audience()
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.deserted: dict[int, float] = {}
        """Seats that owe a decision and are not connected, since when."""
        self.addresses: dict[str, set[str]] = {}
        """Where those who hold seats have come from, before the start: whom the host removes, stays away (`people`)."""
        self.playing_bots: asyncio.Task[None] | None = None
        self.pulling: Pulling | None = None
        """The round of arm wrestling that is on, as this process measures it (`wrestling`)."""

    def take(self, stored: StoredTable) -> None:
        """Take in what the database has now."""
        self.table, self.revision, self.lease = stored
        if self.status != "waiting":
            self.addresses.clear()

    def came(self, holder: str | None, address: str) -> None:
        """Somebody who holds seats has come from an address."""
        if holder is not None and address and self.status == "waiting":
            self.addresses.setdefault(holder, set()).add(address)

    @property
    def id(self) -> str:
        """The table's id."""
        return self.table.id

    @property
    def status(self) -> Status:
        """Waiting, playing or over."""
        return self.table.status
