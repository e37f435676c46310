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
from ..config import Config
from ..metrics import Metrics
from ..storage import leases, schema
from ..storage.store import Store, heads, load_listed, load_log, load_table
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
        self.challenges = DailyChallenges(now)
        self.process = new_id()
        self.clock: Callable[[], float] = time.monotonic
        """Seconds, on a clock that nobody sets."""
        self.awake = now()
        """Since when this process has been able to act without a pause."""
        self.loaded: dict[str, TableEntry] = {}
        self._loading: dict[str, asyncio.Future[TableEntry]] = {}
        self._listing: asyncio.Future[list[Table]] | None = None
        self._records: OrderedDict[tuple[str, int], str] = OrderedDict()

    # In memory.

    async def get(self, table: str) -> TableEntry:
        """The table with this id as the database has it now, whichever process changed it; raises `Unknown`."""
        found = self.loaded.get(table)
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
        self.loaded[table] = found
        self.bus.follow(table)
        return found

    async def live(self, loaded: TableEntry) -> LiveGame:
        """The game on a table; call with the table's lock held."""
        if loaded.status == "waiting":
            raise TooLate("the game has not begun", key="not_begun", hint="The host starts it.")
        if loaded.live is None:
            loaded.live = self.rebuild(loaded, await self.log(loaded))
        return loaded.live

    def rebuild(self, loaded: TableEntry, rows: Sequence[Row]) -> LiveGame:
        """The game as the whole log tells it, with clocks that are fair."""
        live = LiveGame.rebuild(loaded.table, rows)
        self.keep_fair(loaded, live)
        return live

    def keep_fair(self, loaded: TableEntry, live: LiveGame) -> None:
        """Let nobody's clock suffer from what the house or the machine's clock did."""
        live.since = fair(loaded.table, live.state, live.since, self.now(), self.awake)

    def wake_up(self) -> None:
        """This process can act, and could not before."""
        self.awake = self.now()
        for loaded in self.loaded.values():
            loaded.deserted.clear()
            if loaded.live is not None:
                self.keep_fair(loaded, loaded.live)

    async def log(self, loaded: TableEntry, after: int = 0) -> list[Row]:
        """The rows of a table's log after a number."""
        return await self.store.read(lambda connection: load_log(connection, loaded.id, after))

    async def catch_up(self, loaded: TableEntry, rows: list[Row] | None = None) -> None:
        """Take in what other processes wrote and tell this process's viewers; call with the lock held."""
        if loaded.live is None:
            return
        head = loaded.live.head
        if rows is None:
            rows = await self.log(loaded, head)
        try:
            fresh = loaded.live.feed(rows)
        except OutOfSync:
            rows = await self.log(loaded)
            if rows[-1].number <= head:
                return
            if rows[-1].kind != "undo" and not any(row.kind == "undo" for row in rows if row.number > head):
                fresh = loaded.live.feed(rows)
            else:
                loaded.live = self.rebuild(loaded, rows)
                self.tell_undone(loaded, rows)
                return
        self.keep_fair(loaded, loaded.live)
        for step, events in fresh:
            self.tell(loaded, step, events)
        if loaded.live.state.over:
            loaded.table = replace(loaded.table, status="over")

    def tell(self, loaded: TableEntry, step: Sequence[Row], events: Sequence[Event]) -> None:
        """Tell this process's viewers of a step."""
        assert loaded.live is not None
        if loaded.room.viewers:
            if loaded.live.state.racers():
                loaded.room.races.told(loaded.live, step, self.now())
            loaded.room.step(messages.StepMessages(loaded.table, loaded.live, step, events, self.config))

    def tell_undone(self, loaded: TableEntry, rows: Sequence[Row]) -> None:
        """Tell this process's viewers that steps were taken back."""
        assert loaded.live is not None
        loaded.room.step(messages.StepMessages.undone(loaded.table, loaded.live, rows, self.config))

    def forget(self, loaded: TableEntry) -> None:
        """Drop a table nobody uses from memory."""
        self.loaded.pop(loaded.id, None)
        self.bus.unfollow(loaded.id)

    async def refresh(self, loaded: TableEntry) -> None:
        """Read a table again and tell its viewers, all of it if the game has begun."""
        if await self.reread(loaded):
            await self.observer.game_began(loaded)

    async def reread(self, loaded: TableEntry) -> bool:
        """Read a table again and tell its viewers of it; whether the game has begun since."""
        stored = await self.store.read(lambda connection: load_table(connection, loaded.id))
        if stored is None:  # deleted by another process
            for viewer in list(loaded.room.viewers):
                viewer.leave("unknown", again=False)
            self.forget(loaded)
            return False
        if stored.revision < loaded.revision:  # another reading began later and was done sooner
            return False
        before = loaded.table
        loaded.take(stored)
        if before.holders != loaded.table.holders:
            loaded.deserted.clear()
            for viewer in loaded.room.viewers:  # nobody goes on looking through eyes that are another's now
                viewer.eyes = same_viewpoint(loaded.table, viewer.holder, viewer.eyes)
        self.show(loaded)
        if loaded.status == "over":
            self.observer.contest_changed(loaded)
        return before.status == "waiting" and loaded.status != "waiting"

    def show(self, loaded: TableEntry) -> None:
        """Tell a table's viewers about it, each with the seats that are its own."""
        for viewer in list(loaded.room.viewers):
            viewer.push(protocol.encode(messages.about(loaded.table, viewer.holder)))

    async def changed(self, loaded: TableEntry) -> None:
        """After a write to a table or its seats: everybody reads them again."""
        await self.refresh(loaded)
        self.bus.publish(loaded.id, {"kind": "table"})
        self.observer.seats_changed(loaded)

    async def missed(self) -> None:
        """Look in the database for whatever the bus did not bring."""
        tables = list(self.loaded.values())
        if not tables:
            return
        ids = [loaded.id for loaded in tables]
        newest, revisions = await self.store.read(
            lambda connection: (heads(connection, ids), _revisions(connection, ids))
        )
        for loaded in tables:
            if revisions.get(loaded.id) != loaded.revision:
                await self.refresh(loaded)
                if loaded.id not in self.loaded:
                    continue
                self.observer.seats_changed(loaded)
            if loaded.live is not None and newest.get(loaded.id, 0) > loaded.live.head:
                async with loaded.lock:
                    await self.catch_up(loaded)

    async def claim(self, ids: list[str]) -> list[str]:
        """Claim what is due at tables; returns those this process has to itself now, for a while."""
        now = self.now()
        until = now + self.config.lease_ms
        won = await self.store.write(lambda connection: leases.claim(connection, ids, self.process, now, until))
        for one in won:
            loaded = self.loaded.get(one)
            if loaded is not None:
                loaded.lease = replace(loaded.lease, by=self.process, until=until)
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

    async def info(self, loaded: TableEntry) -> protocol.TableInfo:
        """A table as everybody sees it, with who is to act now, whichever process made the last step."""
        info = loaded.table.info()
        if info.status != "playing":
            info.to_act = []
            return info
        with contextlib.suppress(RecordError):  # a game this program cannot replay is still there to be seen
            async with loaded.lock:
                await self.live(loaded)
                await self.catch_up(loaded)
                info.to_act = list((await self.live(loaded)).state.to_act)
                info.status = loaded.status
        return info

    async def listed(self) -> list[protocol.TableInfo]:
        """The tables that want to be found, newest first. Who asks while they are being read gets the same answer."""
        if self._listing is None:
            self._listing = asyncio.ensure_future(self.store.read(lambda connection: load_listed(connection, LISTED)))
            self._listing.add_done_callback(self._listed)
        return [replace(table, series=None).info() for table in await asyncio.shield(self._listing)]

    def _listed(self, _: asyncio.Future[list[Table]]) -> None:
        self._listing = None

    async def result(self, loaded: TableEntry) -> Result | None:
        """How a game that is over ended; None of one that this program cannot replay."""
        with contextlib.suppress(RecordError):
            async with loaded.lock:
                await self.live(loaded)
                await self.catch_up(loaded)
                state = (await self.live(loaded)).state
                return state.result() if state.over else None
        return None

    async def record(self, loaded: TableEntry) -> Record:
        """The record of a finished game. Of one under way it would tell secrets."""
        async with loaded.lock:
            state = await self._last(loaded)
            rows = await self.log(loaded)
        return record_of(loaded.table, rows, state)

    async def check_over(self, loaded: TableEntry) -> None:
        """Refuse whatever there is only after the end of a game, while it is under way."""
        async with loaded.lock:
            await self._last(loaded)

    async def _last(self, loaded: TableEntry) -> State:
        """The last position of a game that is over, as its log has it, whichever process made the last step; call with
        the table's lock held.
        """
        if not (await self.live(loaded)).state.over:
            await self.catch_up(loaded)
        state = (await self.live(loaded)).state
        if not state.over:
            raise TooLate("the game is not over", key="not_over", hint="Come back when it is.")
        return state

    async def record_text(self, loaded: TableEntry) -> str:
        """The same as text; of the games asked for last it is at hand."""
        name = loaded.id, loaded.revision
        text = self._records.get(name)
        if text is None:
            text = self._records[name] = (await self.record(loaded)).dumps()
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
