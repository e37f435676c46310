"""The tables of one process: found in the database, kept in memory while in use, brought up to date.

A `Table` in memory is a cache. Rows about tables and seats change by a write that also raises the table's revision;
other processes then read them again. The game itself lives in the log alone (`live`, `play`).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence

import sqlalchemy as sa

from ..core.errors import RecordError
from ..core.record import Entry, Record
from ..core.registry import find_game
from ..core.state import Event
from . import schema, wire
from .bus import Bus
from .config import Config
from .live import Behind, Live, effective
from .metrics import Metrics
from .refusals import TooLate, Unknown
from .security import new_id
from .store import Row, Store, heads, load_log, load_table
from .table import Table


class Tables:
    """The tables of one process."""

    def __init__(self, config: Config, store: Store, bus: Bus, metrics: Metrics, now: Callable[[], int]) -> None:
        self.config = config
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.now = now
        self.process = new_id()
        self.loaded: dict[str, Table] = {}
        self.after_change: Callable[[Table], None] = lambda table: None
        """Called when seats changed or a game began: there may be something for bots or clocks to do."""
        self.greet_all: Callable[[Table], Awaitable[None]] = _nobody
        """Called when a game has begun: whoever saw the table wait needs to see all of it."""
        self._loading: dict[str, asyncio.Future[Table]] = {}

    # In memory.

    async def get(self, table: str) -> Table:
        """The table with this id as the database has it now, whichever process changed it; raises `Unknown`."""
        found = self.loaded.get(table)
        if found is not None:
            found.used = time.monotonic()
            revisions = await self.store.read(lambda connection: _revisions(connection, [table]))
            if revisions.get(table, 0) != found.row["revision"]:
                await self.refresh(found)
            return found
        if table not in self._loading:
            self._loading[table] = asyncio.ensure_future(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            self._loading.pop(table, None)

    async def _load(self, table: str) -> Table:
        rows = await self.store.read(lambda connection: load_table(connection, table))
        if rows is None:
            raise Unknown("there is no such table", field="table", key="no_table")
        found = Table(dict(rows[0]), [dict(seat) for seat in rows[1]])
        self.loaded[table] = found
        self.bus.follow(table)
        return found

    async def live(self, table: Table) -> Live:
        """The game on a table; call with the table's lock held."""
        if table.status == "waiting":
            raise TooLate("the game has not begun", key="not_begun", hint="The host starts it.")
        if table.live is None:
            rows = await self.store.read(lambda connection: load_log(connection, table.id))
            table.live = self.rebuild(table, rows)
        return table.live

    def rebuild(self, table: Table, rows: list[Row]) -> Live:
        """The game as its log tells it."""
        game = find_game(table.row["game"])
        record = Record(game.id, table.row["rules"], len(table.seats), table.options)
        record.start_state()  # refuses rules this program does not know
        live = Live.rebuild(game, len(table.seats), table.options, rows)
        if not live.since:
            live.since = {seat: int(table.row["started"]) for seat in live.state.to_act}
        return live

    async def catch_up(self, table: Table, rows: list[Row] | None = None) -> None:
        """Take in what other processes wrote and tell this process's viewers; call with the lock held."""
        if table.live is None:
            return
        head = table.live.head
        if rows is None:
            rows = await self.store.read(lambda connection: load_log(connection, table.id, head))
        try:
            fresh = table.live.feed(rows)
        except Behind:
            rows = await self.store.read(lambda connection: load_log(connection, table.id))
            if rows[-1].number <= head:
                return
            if rows[-1].kind != "undo" and not any(row.kind == "undo" for row in rows if row.number > head):
                fresh = table.live.feed(rows)
            else:
                table.live = self.rebuild(table, rows)
                self.tell_undone(table, rows)
                return
        for step, events in fresh:
            self.tell(table, step, events)
        if table.live.state.over:
            table.row["status"] = "over"

    def tell(self, table: Table, step: Sequence[Row], events: list[Event]) -> None:
        """Tell this process's viewers of a step."""
        assert table.live is not None
        if table.room.viewers:
            table.room.step(table.live, step[0], step[-1].number, events, self.clocks(table), now=self.now())

    def tell_undone(self, table: Table, rows: list[Row]) -> None:
        """Tell this process's viewers that steps were taken back."""
        assert table.live is not None
        back = [row for row in rows if row.kind == "undo"][-1]
        kept = effective(rows)
        last = kept[-1].number if kept else 0
        table.room.step(table.live, back, rows[-1].number, [], self.clocks(table), now=self.now(), undone=last)

    def clocks(self, table: Table) -> list[wire.Clock]:
        """When whose time runs out."""
        if table.row["timer"] == "off" or table.live is None:
            return []
        limit = table.row["timer_ms"]
        return [
            wire.Clock(seat=seat, ends=since + limit)
            for seat, since in table.live.since.items()
            if self.bot(table, seat) is None
        ]

    def bot(self, table: Table, seat: int) -> str | None:
        """The level of the bot that plays a seat now, or None."""
        return table.bot_of(seat, self.config.stand_in)

    def forget(self, table: Table) -> None:
        """Drop a table nobody uses from memory."""
        self.loaded.pop(table.id, None)
        self.bus.unfollow(table.id)

    async def refresh(self, table: Table) -> None:
        """Read a table's rows again and tell its viewers, all of it if the game has begun."""
        if await self.reread(table):
            await self.greet_all(table)

    async def reread(self, table: Table) -> bool:
        """Read a table's rows again and tell its viewers of them; whether the game has begun since."""
        rows = await self.store.read(lambda connection: load_table(connection, table.id))
        if rows is None:  # deleted by another process
            for viewer in list(table.room.viewers):
                viewer.leave("unknown", again=False)
            self.forget(table)
            return False
        if rows[0]["revision"] < table.row["revision"]:  # another reading began later and was done sooner
            return False
        holders, waiting = table.holders, table.status == "waiting"
        table.row, table.seats = dict(rows[0]), [dict(seat) for seat in rows[1]]
        if holders != table.holders:
            table.deserted.clear()
        self.show(table)
        return waiting and table.status != "waiting"

    def show(self, table: Table) -> None:
        """Tell a table's viewers about its rows, each with the seats that are its own."""
        info = table.info()
        for viewer in list(table.room.viewers):
            mine = table.seats_of(viewer.holder)
            host = table.is_host(viewer.holder)
            viewer.push(wire.encode(wire.TableMessage(table=info, seats=mine, host=host)))

    async def changed(self, table: Table) -> None:
        """After a write to a table's rows: everybody reads them again."""
        await self.refresh(table)
        self.bus.publish(table.id, {"kind": "table"})
        self.after_change(table)

    async def missed(self) -> None:
        """Look in the database for whatever the bus did not bring."""
        tables = list(self.loaded.values())
        if not tables:
            return
        ids = [table.id for table in tables]
        newest, revisions = await self.store.read(
            lambda connection: (heads(connection, ids), _revisions(connection, ids))
        )
        for table in tables:
            if revisions.get(table.id) != table.row["revision"]:
                await self.refresh(table)
                if table.id not in self.loaded:
                    continue
                self.after_change(table)
            if table.live is not None and newest.get(table.id, 0) > table.live.head:
                async with table.lock:
                    await self.catch_up(table)

    # Looking up.

    async def by_code(self, code: str) -> str:
        """The id of the table with this short code."""
        wanted = sa.select(schema.tables.c.id).where(schema.tables.c.code == code.lower())
        found = await self.store.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            raise Unknown("no table has this code", field="code", key="no_table")
        return str(found)

    async def info(self, table: Table) -> wire.TableInfo:
        """A table as everybody sees it, with who is to act now, whichever process made the last step."""
        info = table.info()
        if info.status != "playing":
            info.to_act = []
            return info
        with contextlib.suppress(RecordError):  # a game this program cannot replay is still there to be seen
            async with table.lock:
                await self.live(table)
                await self.catch_up(table)
                info.to_act = list((await self.live(table)).state.to_act)
                info.status = table.status
        return info

    async def listed(self) -> list[wire.TableInfo]:
        """The tables that want to be found, newest first."""
        wanted = (
            sa.select(schema.tables.c.id)
            .where(schema.tables.c.visibility == "listed", schema.tables.c.status != "over")
            .order_by(schema.tables.c.created.desc())
            .limit(50)
        )

        def work(connection: sa.Connection) -> list[wire.TableInfo]:
            found = []
            for one in connection.execute(wanted).scalars().all():
                rows = load_table(connection, one)
                if rows is not None:
                    found.append(Table(dict(rows[0]), [dict(seat) for seat in rows[1]]).info())
            return found

        return await self.store.read(work)

    async def record(self, table: Table) -> Record:
        """The record of a finished game. Of one under way it would tell secrets."""
        async with table.lock:
            live = await self.live(table)
            if not live.state.over:
                raise TooLate("the game is not over", key="not_over", hint="Its record is there when it is.")
            state = live.state
            rows = await self.store.read(lambda connection: load_log(connection, table.id))
        record = Record.begin(state)
        record.entries = [Entry(row.actor, row.text, row.time) for row in effective(rows)]
        record.meta = {"names": [seat["name"] or seat["level"] for seat in table.seats]}
        record.close(state.result())
        return record


async def _nobody(table: Table) -> None:
    """Nobody is greeted before the hall is open."""


def _revisions(connection: sa.Connection, ids: list[str]) -> dict[str, int]:
    tables = schema.tables
    found: dict[str, int] = {}
    for start in range(0, len(ids), 500):
        rows = connection.execute(
            sa.select(tables.c.id, tables.c.revision).where(tables.c.id.in_(ids[start : start + 500]))
        )
        found.update({row[0]: row[1] for row in rows})
    return found
