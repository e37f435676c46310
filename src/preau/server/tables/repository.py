"""The tables of one process: found in the database, kept in memory while in use, brought up to date.

What is in memory is a cache. Tables and seats change by a write that also raises the table's revision; other processes
then read them again. The game itself lives in the log alone (`play`).
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
from ...core.state import Event, Result, State
from ...host.identifiers import new_id
from ...table import messages, protocol
from ...table.clocks import fair
from ...table.live_game import LiveGame, OutOfSync
from ...table.log import Row, record_of
from ...table.permissions import same_viewpoint
from ...table.refusals import TooLate, Unknown
from ...table.table import Table
from ..cluster.bus import Bus
from ..cluster.messages import TableChanged
from ..config import Config
from ..metrics import Metrics
from ..storage import leases, schema
from ..storage.queries import heads, load_listed, load_log, load_table
from ..storage.store import Store
from .daily_challenge import DailyChallenges
from .entry import TableEntry
from .events import TableEvents

LISTED = 50
"""Tables that are listed."""
RECORDS = 32
"""Records kept as text."""


class TableRepository:
    """The tables of one process."""

    def __init__(
        self, config: Config, store: Store, bus: Bus, metrics: Metrics, now: Callable[[], int], observer: TableEvents
    ) -> None:
        self.config = config
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.now = now
        self.observer = observer
        self.daily_challenges = DailyChallenges(now)
        self.process = new_id()
        self.clock: Callable[[], float] = time.monotonic
        """Seconds, on a clock that nobody sets."""
        self.awake = now()
        """Since when this process has been able to act without a pause."""
        self.entries: dict[str, TableEntry] = {}
        self._loading: dict[str, asyncio.Future[TableEntry]] = {}
        self._listing: asyncio.Future[list[Table]] | None = None
        self._records: OrderedDict[tuple[str, int], str] = OrderedDict()

    # In memory.

    async def get(self, table: str) -> TableEntry:
        """The table with this id as the database has it now, whichever process changed it; raises `Unknown`."""
        found = self.entries.get(table)
        if found is not None:
            found.used = time.monotonic()
            if await self.store.read(lambda connection: _revision(connection, table)) != found.revision:
                await self.refresh(found)
            return found
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            self._loading.pop(table, None)

    async def _load(self, table: str) -> TableEntry:
        stored = await self.store.read(lambda connection: load_table(connection, table))
        if stored is None:
            raise Unknown("there is no such table", field="table", key="no_table")
        found = TableEntry(stored)
        self.entries[table] = found
        self.bus.follow(table)
        return found

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
        """Let nobody's clock suffer from what the house or the machine's clock did."""
        live.since = fair(entry.table, live.state, live.since, self.now(), self.awake)

    def wake_up(self) -> None:
        """This process can act, and could not before."""
        self.awake = self.now()
        for entry in self.entries.values():
            entry.deserted.clear()
            if entry.live is not None:
                self.keep_fair(entry, entry.live)

    async def log(self, entry: TableEntry, after: int = 0) -> list[Row]:
        """The rows of a table's log after a number."""
        return await self.store.read(lambda connection: load_log(connection, entry.id, after))

    async def catch_up(self, entry: TableEntry, rows: list[Row] | None = None) -> None:
        """Take in what other processes wrote and tell this process's viewers; call with the lock held."""
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
            if rows[-1].kind != "undo" and not any(row.kind == "undo" for row in rows if row.number > head):
                fresh = entry.live.feed(rows)
            else:
                entry.live = self.rebuild(entry, rows)
                self.tell_undone(entry, rows)
                return
        self.keep_fair(entry, entry.live)
        for step, events in fresh:
            self.tell(entry, step, events)
        if entry.live.state.over:
            entry.table = replace(entry.table, status="over")

    def tell(self, entry: TableEntry, step: Sequence[Row], events: Sequence[Event]) -> None:
        """Tell this process's viewers of a step."""
        assert entry.live is not None
        if entry.audience.viewers:
            if entry.live.state.racers():
                entry.audience.races.told(entry.live, step, self.now())
            entry.audience.step(messages.StepMessages(entry.table, entry.live, step, events, self.config))

    def tell_undone(self, entry: TableEntry, rows: Sequence[Row]) -> None:
        """Tell this process's viewers that steps were taken back."""
        assert entry.live is not None
        entry.audience.step(messages.StepMessages.undone(entry.table, entry.live, rows, self.config))

    def forget(self, entry: TableEntry) -> None:
        """Drop a table nobody uses from memory."""
        self.entries.pop(entry.id, None)
        self.bus.unfollow(entry.id)

    async def refresh(self, entry: TableEntry) -> None:
        """Read a table again and tell its viewers, all of it if the game has begun."""
        if await self.reread(entry):
            await self.observer.game_began(entry)

    async def reread(self, entry: TableEntry) -> bool:
        """Read a table again and tell its viewers of it; whether the game has begun since."""
        stored = await self.store.read(lambda connection: load_table(connection, entry.id))
        if stored is None:  # deleted by another process
            for viewer in list(entry.audience.viewers):
                viewer.leave("unknown", again=False)
            self.forget(entry)
            return False
        if stored.revision < entry.revision:  # another reading began later and was done sooner
            return False
        before = entry.table
        entry.take(stored)
        if before.holders != entry.table.holders:
            entry.deserted.clear()
            for viewer in entry.audience.viewers:  # nobody goes on looking through eyes that are another's now
                viewer.viewpoint = same_viewpoint(entry.table, viewer.holder, viewer.viewpoint)
        self.show(entry)
        if entry.status == "over":
            self.observer.contest_changed(entry)
        return before.status == "waiting" and entry.status != "waiting"

    def show(self, entry: TableEntry) -> None:
        """Tell a table's viewers about it, each with the seats that are its own."""
        for viewer in list(entry.audience.viewers):
            viewer.push(protocol.encode(messages.about(entry.table, viewer.holder)))

    async def changed(self, entry: TableEntry) -> None:
        """After a write to a table or its seats: everybody reads them again."""
        await self.refresh(entry)
        self.bus.publish(entry.id, TableChanged())
        self.observer.seats_changed(entry)

    async def missed(self) -> None:
        """Look in the database for whatever the bus did not bring."""
        tables = list(self.entries.values())
        if not tables:
            return
        ids = [entry.id for entry in tables]
        newest, revisions = await self.store.read(
            lambda connection: (heads(connection, ids), _revisions(connection, ids))
        )
        for entry in tables:
            if revisions.get(entry.id) != entry.revision:
                await self.refresh(entry)
                if entry.id not in self.entries:
                    continue
                self.observer.seats_changed(entry)
            if entry.live is not None and newest.get(entry.id, 0) > entry.live.head:
                async with entry.lock:
                    await self.catch_up(entry)

    async def claim(self, ids: list[str]) -> list[str]:
        """Claim what is due at tables; returns those this process has to itself now, for a while."""
        now = self.now()
        until = now + self.config.lease_ms
        won = await self.store.write(lambda connection: leases.claim(connection, ids, self.process, now, until))
        for one in won:
            entry = self.entries.get(one)
            if entry is not None:
                entry.lease = replace(entry.lease, by=self.process, until=until)
        return won

    # Looking up.

    async def by_code(self, code: str) -> str:
        """The id of the table with this short code."""
        wanted = sa.select(schema.tables.c.id).where(schema.tables.c.code == code.lower())
        found = None
        if code.isascii() and code.isalnum():  # PostgreSQL takes no NUL, and no code has anything else either
            found = await self.store.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            raise Unknown("no table has this code", field="code", key="no_table")
        return str(found)

    async def info(self, entry: TableEntry) -> protocol.TableInfo:
        """A table as everybody sees it, with who is to act now, whichever process made the last step."""
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
        """The tables that want to be found, newest first. Who asks while they are being read gets the same answer."""
        if self._listing is None:
            self._listing = asyncio.ensure_future(self.store.read(lambda connection: load_listed(connection, LISTED)))
            self._listing.add_done_callback(self._listed)
        return [replace(table, series=None).info() for table in await asyncio.shield(self._listing)]

    def _listed(self, _: asyncio.Future[list[Table]]) -> None:
        self._listing = None

    async def result(self, entry: TableEntry) -> Result | None:
        """How a game that is over ended; None of one that this program cannot replay."""
        with contextlib.suppress(RecordError):
            async with entry.lock:
                await self.live(entry)
                await self.catch_up(entry)
                state = (await self.live(entry)).state
                return state.result() if state.over else None
        return None

    async def record(self, entry: TableEntry) -> Record:
        """The record of a finished game. Of one under way it would tell secrets."""
        async with entry.lock:
            state = await self._last(entry)
            rows = await self.log(entry)
        return record_of(entry.table, rows, state)

    async def check_over(self, entry: TableEntry) -> None:
        """Refuse whatever there is only after the end of a game, while it is under way."""
        async with entry.lock:
            await self._last(entry)

    async def _last(self, entry: TableEntry) -> State:
        """The last position of a game that is over, as its log has it, whichever process made the last step; call with
        the table's lock held.
        """
        if not (await self.live(entry)).state.over:
            await self.catch_up(entry)
        state = (await self.live(entry)).state
        if not state.over:
            raise TooLate("the game is not over", key="not_over", hint="Come back when it is.")
        return state

    async def record_text(self, entry: TableEntry) -> str:
        """The same as text; of the games asked for last it is at hand."""
        name = entry.id, entry.revision
        text = self._records.get(name)
        if text is None:
            text = self._records[name] = (await self.record(entry)).dumps()
            if len(self._records) > RECORDS:
                self._records.popitem(last=False)
        return text


_REVISION = sa.select(schema.tables.c.revision).where(schema.tables.c.id == sa.bindparam("table"))


def _revision(connection: sa.Connection, table: str) -> int:
    return connection.execute(_REVISION, {"table": table}).scalar() or 0


def _revisions(connection: sa.Connection, ids: list[str]) -> dict[str, int]:
    tables = schema.tables
    found: dict[str, int] = {}
    for start in range(0, len(ids), 500):
        rows = connection.execute(
            sa.select(tables.c.id, tables.c.revision).where(tables.c.id.in_(ids[start : start + 500]))
        )
        found.update({row[0]: row[1] for row in rows})
    return found
