"""Do what is due at tables: let a bot move, act for players whose time is up, and set the time of the next alarm.

An alarm is a time in the table's row. A process claims the tables whose alarms are due, so one process acts.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from ...core.errors import PreauError
from ...table.clocks import duty
from ...table.refusals import Refusal
from ..commands.moves import Moves
from ..config import Config
from ..logs import log, short
from ..storage import leases
from ..storage.leases import Lease
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from .bot_player import BotPlayer

CHECK_TASK = "check table"
"""The name of tasks that check one table."""
ABSENCE_MS = 5_000
"""If a sweep is late by more than this, this process could not act in between."""

Check = Callable[[TableEntry], Awaitable[None]]


class Deadlines:
    """What is due at the tables of this process."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        process: str,
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        moves: Moves,
        bots: BotPlayer,
        checks: Sequence[Check],
    ) -> None:
        """`checks` are done at a table when its seats have changed, before its bots and alarms."""
        self._config = config
        self._now = now
        self._process = process
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._moves = moves
        self._bots = bots
        self._checks = checks
        self._tasks: set[asyncio.Task[None]] = set()
        self._swept = now()
        self._near = False
        """Whether alarms that a clock set back since has left in the future were looked for."""

    async def close(self) -> None:
        """Stop, and give back what this process has claimed."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(Refusal):
            await self._store.write(lambda connection: leases.give_back(connection, self._process))

    async def sweep(self) -> None:
        """Do what is due at all tables that no other process has claimed."""
        due = await self._claim_due()
        self._notice_absence()
        for table in due:
            if await self._bots.still_waits(table):
                continue
            try:
                await self._do(await self._tables.get(table))
            except PreauError as error:  # a game this program cannot replay must not keep the others waiting
                log.warning("table put off", table=short(table), error=str(error))

    async def _claim_due(self) -> list[str]:
        """Claim the tables where something is due that no living process has claimed."""
        now = self._now()
        until = now + self._config.lease_ms
        if not self._near:
            await self._store.write(lambda connection: leases.bring_near(connection, now, self._config))
            self._near = True
        found = await self._store.read(lambda connection: leases.unclaimed(connection, now, until))
        return await self._tables.claim(found) if found else []

    def _notice_absence(self) -> None:
        """Notice whether this process, its machine or the database stood still: players could do nothing meanwhile."""
        now = self._now()
        if now - self._swept > self._config.sweep_ms + ABSENCE_MS:
            log.warning("absent", seconds=(now - self._swept) // 1000)
            self._tables.wake_up()
        self._swept = now

    async def _do(self, entry: TableEntry) -> None:
        async with entry.lock:
            await self._tables.live(entry)
            await self._broadcaster.catch_up(entry)
            owed = self._bot_is_to_move(entry)
        if owed:
            self._bots.wake(entry)
            return
        await self._moves.time_out(entry)
        await self._set_alarm(entry)

    def _bot_is_to_move(self, entry: TableEntry) -> bool:
        return entry.live is not None and bool(entry.table.bots_due(entry.live.state.to_act, self._config))

    # When seats change or a game begins.

    def viewer_entered(self, entry: TableEntry) -> None:
        """Bots of a table without viewers may have to wait; with a viewer they need not any more."""
        if entry.playing_bots is None and self._bot_is_to_move(entry):
            self.check_soon(entry)

    def check_soon(self, entry: TableEntry) -> None:
        """Check soon whether the table needs a bot or an alarm."""
        task = asyncio.create_task(self._check(entry), name=CHECK_TASK)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check(self, entry: TableEntry) -> None:
        try:
            for check in self._checks:
                await check(entry)
            if entry.status != "playing":
                return
            async with entry.lock:
                await self._tables.live(entry)
                owed = self._bot_is_to_move(entry)
            await self._set_alarm(entry)
            if owed and await self._tables.claim([entry.id]):
                self._bots.wake(entry)
        except PreauError as error:
            log.warning("check put off", table=short(entry.id), error=str(error))

    async def _set_alarm(self, entry: TableEntry) -> None:
        """Write when something is due at the table next."""
        async with entry.lock:
            if entry.status != "playing":
                return
            live = await self._tables.live(entry)
            todo = duty(entry.table, live.state, live.since, self._now(), self._config)
            if todo.wake == entry.lease.wake:
                return
            await self._store.write(lambda connection: leases.set_alarm(connection, entry.id, todo))
            entry.lease = replace(entry.lease, wake=todo.wake) if todo.bot else Lease(todo.wake)
