"""Hints at a live table: worked out by the processes that think for bots, noted with the table, then told.

What is worked out comes from what the asking seat sees, and from nothing else. That somebody asked is written down
before the answer is sent: a game with hints is a practice game, whatever happens to the line.
"""

from __future__ import annotations

import sqlalchemy as sa

from ...bots.base import BotError
from ...core.plain import plain
from ...core.state import Json
from ...host.refusals import busy, too_many
from ...table import protocol
from ...table.hints import asked_once_more, check_hint, hinted
from ...table.refusals import Unknown
from ...table.table import Table
from ..logs import log
from ..storage.queries import load_table, update_table
from ..workers.fair_queue import QueueFull
from ..workers.pool import Requester, WorkerPool
from .entry import TableEntry
from .repository import TableRepository


class Hints:
    """Whatever is asked for at the tables of this process."""

    def __init__(self, tables: TableRepository, workers: WorkerPool) -> None:
        self._tables = tables
        self._workers = workers
        self._config = tables.config
        self._asking: set[tuple[str, int]] = set()

    async def ask(self, entry: TableEntry, seat: int, at: int, rank: int) -> protocol.HintedMessage:
        """A hint for a seat, one at a time, or a refusal; nothing is noted of what is refused."""
        asking = entry.id, seat
        if asking in self._asking:
            raise too_many("hints", 1, of="at once")
        self._asking.add(asking)
        try:
            view = await self._seat_view(entry, seat, at)
            found = await self._think(entry, view, rank)
            await self._seat_view(entry, seat, at)
            await self._note(entry)
        finally:
            self._asking.remove(asking)
        return hinted(found, at)

    async def _seat_view(self, entry: TableEntry, seat: int, at: int) -> Json:
        """What the seat sees, if it may ask."""
        async with entry.lock:
            live = await self._tables.live(entry)
            if at > live.head:
                await self._tables.catch_up(entry)
                live = await self._tables.live(entry)
            check_hint(entry.table, live, seat, at)
            view: Json = plain(live.state.view(seat))
            return view

    async def _think(self, entry: TableEntry, view: Json, rank: int) -> Json:
        asker = Requester(
            entry.table.maker, entry.audience.has_viewers, self._config.bot_wait_ms / 1000 or float("inf")
        )
        try:
            return await self._workers.hint(entry.id, view, rank, self._config.bot_limit_ms / 1000, asker)
        except QueueFull as error:
            raise busy("too many bots are thinking just now") from error
        except BotError as error:
            self._tables.metrics.bot_failures.inc()
            log.warning("hint failed", game=view["game"], error=str(error)[:200])
            raise Unknown("there is no hint for this", key="no_idea") from error

    async def _note(self, entry: TableEntry) -> None:
        def work(connection: sa.Connection) -> Table | None:
            stored = load_table(connection, entry.id, to_change=True)
            if stored is not None:
                update_table(connection, stored.table, asked_once_more(stored.table))
            return stored.table if stored is not None else None

        if await self._tables.store.write(work) is None:
            raise Unknown("there is no such table", field="table", key="no_table")
        await self._tables.changed(entry)
