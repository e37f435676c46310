"""Hints at a live table: worked out by the bots' worker processes, noted with the table, then sent.

A hint depends only on what the asking seat sees. The request is written down before the answer is sent: a game with
hints is a practice game, even if the answer gets lost.
"""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from ...bots.base import BotError
from ...core.plain import plain
from ...core.state import Json
from ...host.refusals import busy, too_many
from ...table import protocol
from ...table.hints import asked_once_more, check_hint, hinted
from ...table.refusals import Unknown
from ...table.table import Table
from ..config import Config
from ..logs import log
from ..metrics import Metrics
from ..storage.queries import load_table, update_table
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.presence import has_viewers
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..workers.fair_queue import QueueFull
from ..workers.pool import Requester, WorkerPool


class Hints:
    """Answers the requests for hints at the tables of this process."""

    def __init__(
        self,
        config: Config,
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        workers: WorkerPool,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._workers = workers
        self._metrics = metrics
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
                await self._broadcaster.catch_up(entry)
                live = await self._tables.live(entry)
            check_hint(entry.table, live, seat, at)
            view: Json = plain(live.state.view(seat))
            return view

    async def _think(self, entry: TableEntry, view: Json, rank: int) -> Json:
        asker = Requester(
            entry.table.maker, partial(has_viewers, entry.audience), self._config.bot_wait_ms / 1000 or float("inf")
        )
        try:
            return await self._workers.hint(entry.id, view, rank, self._config.bot_limit_ms / 1000, asker)
        except QueueFull as error:
            raise busy("too many bots are thinking just now") from error
        except BotError as error:
            self._metrics.bot_failures.inc()
            log.warning("hint failed", game=view["game"], error=str(error)[:200])
            raise Unknown("there is no hint for this", key="no_idea") from error

    async def _note(self, entry: TableEntry) -> None:
        def work(connection: sa.Connection) -> Table | None:
            stored = load_table(connection, entry.id, to_change=True)
            if stored is not None:
                update_table(connection, stored.table, asked_once_more(stored.table))
            return stored.table if stored is not None else None

        if await self._store.write(work) is None:
            raise Unknown("there is no such table", field="table", key="no_table")
        await self._broadcaster.announce_table(entry)
