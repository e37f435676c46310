"""Start the game of a table."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ...table import seating
from ...table.clocks import AT_ONCE
from ...table.live_game import begin
from ..config import Config
from ..storage import schema
from ..storage.queries import load_to_change, mark_calls, update_table
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.daily_challenge import DailyChallenges
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry


class GameStart:
    """Starts games."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        daily_challenges: DailyChallenges,
    ) -> None:
        self._config = config
        self._now = now
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._daily_challenges = daily_challenges

    async def start(self, entry: TableEntry) -> None:
        """Start the game: draw the random options, let chance do the opening, write both in one transaction."""
        seating.check_start(entry.table)
        now = self._now()
        challenges = self._daily_challenges
        draw, seed = challenges.draw(entry.table, 0), challenges.start_seed(entry.table)
        live, rows, options = begin(entry.table, now, draw, seed)

        def work(connection: sa.Connection) -> bool:
            before = load_to_change(connection, entry.id)
            if before.status != "waiting":
                return False  # another request or process was quicker
            update_table(connection, before, seating.start(before, options, now))
            connection.execute(sa.update(schema.tables).where(schema.tables.c.id == entry.id).values(wake=AT_ONCE))
            calls = self._config.notify_at(before, now)
            if calls is not None:
                mark_calls(connection, entry.id, calls)
            if rows:
                connection.execute(sa.insert(schema.log), [{"table_id": entry.id, **row._asdict()} for row in rows])
            return True

        won = await self._store.write(work)
        async with entry.lock:
            await self._tables.refresh(entry)
            if entry.live is None and won:
                entry.live = live
            await self._broadcaster.announce_start(entry)
