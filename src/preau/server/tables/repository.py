"""Load the tables of one process from the database, cache them, catch up with other processes, look things up.

A write that changes a table or its seats also raises the table's revision; other processes then read it again. The game
itself is in the log alone (`moves`). Nothing is sent here: what has changed is noted in the table's entry
(`TableEntry.unsent`), and the broadcaster sends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from msgspec.structs import replace

from ...core.errors import RecordError
from ...core.record import Record
from ...core.state import Result, State
from ...table import protocol
from ...table.clocks import fair
from ...table.live_game import LiveGame, OutOfSync
from ...table.log import Row, record_of
from ...table.refusals import TooLate, Unknown
from ...table.table import Table
from ..cluster.bus import Bus
from ..config import Config
from ..storage import leases, schema
from ..storage.leases import Lease
from ..storage.queries import heads, load_listed, load_log, load_table
from ..storage.store import Store
from .changes import StepsUndone, StepTaken, TableDeleted, TableReread
from .table_entry import TableEntry

LISTED = 50
"""Tables that are listed."""
RECORDS = 32
"""Records kept as text."""


class TableRepository:
    """The tables of one process."""

    def __init__(self, config: Config, now: Callable[[], int], process: str, store: Store, bus: Bus) -> None:
        """`now` is the time in milliseconds; `process` is the id of this process, for its leases."""
        self._config = config
        self._now = now
        self._process = process
        self._store = store
        self._bus = bus
        self.awake = now()
        """Since when this process has been able to act without a pause."""
        self.entries: dict[str, TableEntry] = {}
        self._loading: dict[str, asyncio.Future[TableEntry]] = {}
        self._listing: asyncio.Future[list[Table]] | None = None
        self._records: OrderedDict[tuple[str, int], str] = OrderedDict()

    # In memory.

    async def get(self, table: str) -> TableEntry:
        """Return the table with this id as the database has it now; raises `Unknown`."""
        found = self.entries.get(table)
        if found is not None:
            found.used = time.monotonic()
            changed = await self._store.read(lambda connection: _revision(connection, table)) != found.revision
            if changed and not await self.refresh(found):
                raise _no_table()
            return found
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            self._loading.pop(table, None)

    async def _load(self, table: str) -> TableEntry:
        stored = await self._store.read(lambda connection: load_table(connection, table))
        if stored is None:
            raise _no_table()
        found = TableEntry(stored)
        self.entries[table] = found
        self._bus.follow(table)
        return found

    async def refresh(self, entry: TableEntry) -> bool:
        """Read a table again and note what has changed; return whether it still exists."""
        stored = await self._store.read(lambda connection: load_table(connection, entry.id))
        if stored is None:
            entry.note(TableDeleted())
            return False
        if stored.revision >= entry.revision:  # else another reading began later and was done sooner
            before = entry.table
            entry.take(stored)
            moved = before.holders != entry.table.holders
            if moved:
                entry.absent_since.clear()
            entry.note(TableReread(before.status == "waiting" and entry.status != "waiting", moved))
        return True

    async def poll(self) -> list[TableEntry]:
        """Look in the database for what other processes changed at the tables in memory, and note it. Return the tables
        that were read again.
        """
        entries = list(self.entries.values())
        if not entries:
            return []
        ids = [entry.id for entry in entries]
        newest, revisions = await self._store.read(
            lambda connection: (heads(connection, ids), _revisions(connection, ids))
        )
        changed = []
        for entry in entries:
            if revisions.get(entry.id) != entry.revision and await self.refresh(entry):
                changed.append(entry)
            if entry.live is not None and newest.get(entry.id, 0) > entry.live.head:
                async with entry.lock:
                    await self.catch_up(entry)
        return changed

    def forget(self, entry: TableEntry) -> None:
        """Drop a table from memory."""
        self.entries.pop(entry.id, None)
        self._bus.unfollow(entry.id)

    def evict_idle(self) -> None:
        """Drop the tables from memory that were not used for a while and have no viewers."""
        for entry in list(self.entries.values()):
            idle = time.monotonic() - entry.used > self._config.idle_ms / 1000
            if idle and not entry.audience.viewers and entry.playing_bots is None and not entry.lock.locked():
                self.forget(entry)

    # The game.

    async def live(self, entry: TableEntry) -> LiveGame:
        """The game on a table; call with the table's lock held."""
        if entry.status == "waiting":
            raise TooLate("the game has not begun", key="not_begun", hint="The host starts it.")
        if entry.live is None:
            entry.live = self.rebuild(entry, await self.log(entry))
        return entry.live

    def rebuild(self, entry: TableEntry, rows: Sequence[Row]) -> LiveGame:
        """The game as the whole log tells it, with clocks that are fair."""
        live = LiveGame.rebuild(entry.table, rows)
        self.keep_fair(entry, live)
        return live

    def keep_fair(self, entry: TableEntry, live: LiveGame) -> None:
        """Give the players back the time in which this process could not act, and correct for a clock that was set."""
        live.since = fair(entry.table, live.state, live.since, self._now(), self.awake)

    def wake_up(self) -> None:
        """This process can act again: give the players the time back in which it could not."""
        self.awake = self._now()
        for entry in self.entries.values():
            entry.absent_since.clear()
            if entry.live is not None:
                self.keep_fair(entry, entry.live)

    async def log(self, entry: TableEntry, after: int = 0) -> list[Row]:
        """The rows of a table's log after a number."""
        return await self._store.read(lambda connection: load_log(connection, entry.id, after))

    async def catch_up(self, entry: TableEntry, rows: list[Row] | None = None) -> None:
        """Take in what other processes wrote, and note it; call with the lock held. `rows` is the end of the log, if
        the caller has it.
        """
        if entry.live is None:
            return
        head = entry.live.head
        if rows is None:
            rows = await self.log(entry, head)
        try:
            fresh = entry.live.feed(rows)
        except OutOfSync:
            rows = await self.log(entry)
            if rows[-1].number <= head:
                return
            if rows[-1].kind == "undo" or any(row.kind == "undo" for row in rows if row.number > head):
                entry.live = self.rebuild(entry, rows)
                entry.note(StepsUndone(rows))
                return
            fresh = entry.live.feed(rows)
        self.keep_fair(entry, entry.live)
        for step, events in fresh:
            entry.note(StepTaken(step, events))
        if entry.live.state.over:
            entry.table = replace(entry.table, status="over")

    # Leases.

    async def claim(self, ids: list[str]) -> list[str]:
        """Claim what is due at tables for a while; return those that this process has claimed."""
        now = self._now()
        until = now + self._config.lease_ms
        won = await self._store.write(lambda connection: leases.claim(connection, ids, self._process, now, until))
        for one in won:
            entry = self.entries.get(one)
            if entry is not None:
                entry.lease = replace(entry.lease, by=self._process, until=until)
        return won

    async def release(self, table: str, wake: int) -> None:
        """Give back the claim on a table: any process may claim it, at the latest at the time `wake`."""
        await self._store.write(lambda connection: leases.put_off(connection, table, self._process, wake))
        entry = self.entries.get(table)
        if entry is not None and entry.playing_bots is None:
            entry.lease = Lease(wake)

    async def ready(self) -> None:
        """Wait until the database answers."""
        await self._store.ready()

    # Looking up.

    async def by_code(self, code: str) -> str:
        """The id of the table with this short code."""
        wanted = sa.select(schema.tables.c.id).where(schema.tables.c.code == code.lower())
        found = None
        if code.isascii() and code.isalnum():  # PostgreSQL takes no NUL, and a code has letters and digits only
            found = await self._store.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            raise Unknown("no table has this code", field="code", key="no_table")
        return str(found)

    async def info(self, entry: TableEntry) -> protocol.TableInfo:
        """Return a table as all may see it, with the seats that are to act now."""
        info = entry.table.info()
        if info.status != "playing":
            info.to_act = []
            return info
        with contextlib.suppress(RecordError):  # a game this program cannot replay is still there to be seen
            async with entry.lock:
                await self.live(entry)
                await self.catch_up(entry)
                info.to_act = list((await self.live(entry)).state.to_act)
                info.status = entry.status
        return info

    async def listed(self) -> list[protocol.TableInfo]:
        """Return the public tables, newest first. Requests at the same time share one query."""
        if self._listing is None:
            self._listing = asyncio.ensure_future(self._store.read(lambda connection: load_listed(connection, LISTED)))
            self._listing.add_done_callback(self._listed)
        return [replace(table, series=None).info() for table in await asyncio.shield(self._listing)]

    def _listed(self, _: asyncio.Future[list[Table]]) -> None:
        self._listing = None

    async def result(self, entry: TableEntry) -> Result | None:
        """Return the result of a finished game; None if this program cannot replay it."""
        with contextlib.suppress(RecordError):
            async with entry.lock:
                await self.live(entry)
                await self.catch_up(entry)
                state = (await self.live(entry)).state
                return state.result() if state.over else None
        return None

    async def record(self, entry: TableEntry) -> Record:
        """Return the record of a finished game. The record of an unfinished one would tell secrets."""
        async with entry.lock:
            state = await self._last(entry)
            rows = await self.log(entry)
        return record_of(entry.table, rows, state)

    async def check_over(self, entry: TableEntry) -> None:
        """Raise `TooLate` unless the game is over."""
        async with entry.lock:
            await self._last(entry)

    async def _last(self, entry: TableEntry) -> State:
        """Return the last position of a finished game; call with the table's lock held."""
        if not (await self.live(entry)).state.over:
            await self.catch_up(entry)
        state = (await self.live(entry)).state
        if not state.over:
            raise TooLate("the game is not over", key="not_over", hint="Come back when it is.")
        return state

    async def record_text(self, entry: TableEntry) -> str:
        """Return the record as text; the newest ones are cached."""
        name = entry.id, entry.revision
        text = self._records.get(name)
        if text is None:
            text = self._records[name] = (await self.record(entry)).dumps()
            if len(self._records) > RECORDS:
                self._records.popitem(last=False)
        return text


def _no_table() -> Unknown:
    return Unknown("there is no such table", field="table", key="no_table")


_REVISION = sa.select(schema.tables.c.revision).where(schema.tables.c.id == sa.bindparam("table"))


def _revision(connection: sa.Connection, table: str) -> int | None:
    return connection.execute(_REVISION, {"table": table}).scalar()


def _revisions(connection: sa.Connection, ids: list[str]) -> dict[str, int]:
    tables = schema.tables
    found: dict[str, int] = {}
    for start in range(0, len(ids), 500):
        rows = connection.execute(
            sa.select(tables.c.id, tables.c.revision).where(tables.c.id.in_(ids[start : start + 500]))
        )
        found.update({row[0]: row[1] for row in rows})
    return found
