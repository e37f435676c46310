"""A table in this process's memory: the table, the game on it, and its viewers here."""

from __future__ import annotations

import asyncio
import time

from msgspec.structs import replace

from ...table.live_game import LiveGame
from ...table.protocol import Status
from ...table.table import Table
from ...table.tie_break import MeasuredRound
from ..storage.leases import Change as RowChange
from ..storage.leases import Lease
from ..storage.queries import StoredTable
from .audience import Audience
from .changes import Change, TableDeleted, TableReread, noted


class TableEntry:
    """A table in memory. `table`, `revision` and `lease` are what the database had when it was last asked."""

    __slots__ = (
        "absent_since",
        "addresses",
        "lease",
        "live",
        "lock",
        "playing_bots",
        "measured_round",
        "revision",
        "audience",
        "table",
        "unsent",
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
        self.unsent: list[Change] = []
        """What loading and catching up have found and the viewers have not been sent, in order (`broadcaster`)."""
        self.absent_since: dict[int, float] = {}
        """Seats that owe a decision and are not connected, and since when (`presence`)."""
        self.addresses: dict[str, set[str]] = {}
        """The addresses of each holder, before the start: one whom the host removes is kept away (`credentials`)."""
        self.playing_bots: asyncio.Task[None] | None = None
        self.measured_round: MeasuredRound | None = None
        """The tie-break round that is on, as this process measures it (`tie_break`)."""

    def take(self, stored: StoredTable) -> None:
        """Take over what the database has now."""
        self.table, self.revision, self.lease = stored
        if self.status != "waiting":
            self.addresses.clear()

    def adopt(self, change: RowChange) -> None:
        """Take over what a committed step changed in the table's row."""
        self.lease = change.lease
        if (change.status, change.over) != (self.table.status, self.table.over):
            self.table = replace(self.table, status=change.status, over=change.over)

    def note(self, change: Change) -> None:
        """Keep a change until it is sent. A step without viewers need not be sent."""
        if self.audience.viewers or isinstance(change, TableReread | TableDeleted):
            self.unsent = noted(self.unsent, change)

    def came(self, holder: str | None, address: str) -> None:
        """A holder has come from an address."""
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
