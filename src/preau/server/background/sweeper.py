"""What happens because time passes: sand running out, bots left without a process, seats left without a person.

Three different clocks, on purpose: whether a line is alive is the socket's business (`sockets`), whether a person is
there is presence, and what the rules make of lateness is decided here, from times in the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from msgspec.structs import replace

from ...core.errors import PreauError
from ...host.refusals import Busy
from ...table.clocks import duty
from ...table.refusals import Refusal
from ..logs import log, short
from ..storage import leases
from ..storage.leases import Lease
from ..tables import presence
from ..tables.entry import TableEntry
from ..tables.moves import Moves
from ..tables.repository import TableRepository
from ..tables.seats import Seats
from ..tables.shared_replay import SharedReplays
from ..tables.tie_break import TieBreaks
from ..tables.undo import Undos
from .bot_player import BotRunner
from .retention import Retention

ANNOUNCE_SECONDS = 15
CHECK_TASK = "check table"
"""The name of tasks that check one table."""
ABSENCE_MS = 5_000
"""A sweep that comes so much too late tells that nobody could act in between."""


class Sweeper:
    """The sweep of one process."""

    def __init__(
        self,
        tables: TableRepository,
        seating: Seats,
        undoing: Undos,
        wrestling: TieBreaks,
        together: SharedReplays,
        play: Moves,
        bots: BotRunner,
    ) -> None:
        self._tables = tables
        self._seats = seating
        self._undos = undoing
        self._tie_breaks = wrestling
        self._shared_replays = together
        self._moves = play
        self._bots = bots
        self._config = tables.config
        self._retention = Retention(tables)
        self._task: asyncio.Task[None] | None = None
        self._checks: set[asyncio.Task[None]] = set()
        self._announced = 0.0
        self._swept = tables.now()
        self._near = False
        """Whether alarms that a clock set back since has left in the future were looked for."""
        self._late = asyncio.Event()

    def open(self) -> None:
        """Begin to sweep."""
        self._task = asyncio.create_task(self._sweep_on(), name="sweep")

    async def close(self) -> None:
        """Stop, and give back what this process had claimed."""
        tasks = [*self._checks, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(Refusal):
            await self._tables.store.write(lambda connection: leases.give_back(connection, self._tables.process))

    def hurry(self) -> None:
        """Sweep now: news may have been missed."""
        self._late.set()

    async def _sweep_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._config.sweep_ms / 1000):
                    await self._late.wait()
            self._late.clear()
            try:
                await self.sweep()
            except Busy:
                pass  # the store has said so, once
            except Refusal as error:
                log.warning("sweep put off", error=str(error))
            except Exception as error:
                log.error("sweep failed", exc_info=error)

    async def sweep(self) -> None:
        """Do everything that is due."""
        self._tables.observer.sweep_begins()
        if self._tables.bus.shared:
            await self._tables.missed()
        due = await self._claim_due()
        self._notice_absence()
        for table in due:
            if await self._bots.still_waits(table):
                continue
            try:
                await self._do(await self._tables.get(table))
            except PreauError as error:  # a game this program cannot replay must not keep the others waiting
                log.warning("table put off", table=short(table), error=str(error))
        for one in list(self._tables.entries.values()):
            await self._replace_absent(one)
            if one.pulling is not None:
                await self._tie_breaks.sweep(one)
            self._put_away(one)
        await self._retention.sweep()
        if time.monotonic() - self._announced > ANNOUNCE_SECONDS:
            self._announced = time.monotonic()
            for one in list(self._tables.entries.values()):
                presence.announce_presence(self._tables, one)
                if one.audience.together is not None:
                    self._shared_replays.announce(one)

    async def _claim_due(self) -> list[str]:
        """The tables where something is due that no living process has claimed; they are ours now."""
        now, store = self._tables.now(), self._tables.store
        until = now + self._config.lease_ms
        if not self._near:
            await store.write(lambda connection: leases.bring_near(connection, now, self._config))
            self._near = True
        found = await store.read(lambda connection: leases.unclaimed(connection, now, until))
        return await self._tables.claim(found) if found else []

    def _notice_absence(self) -> None:
        """See whether this process, its machine or the database stood still: people could do nothing meanwhile."""
        now = self._tables.now()
        if now - self._swept > self._config.sweep_ms + ABSENCE_MS:
            log.warning("absent", seconds=(now - self._swept) // 1000)
            self._tables.wake_up()
        self._swept = now

    async def _do(self, entry: TableEntry) -> None:
        async with entry.lock:
            await self._tables.live(entry)
            await self._tables.catch_up(entry)
            owed = self._bot_is_to_move(entry)
        if owed:
            self._bots.wake(entry)
            return
        await self._moves.time_out(entry)
        await self._set_alarm(entry)

    def _bot_is_to_move(self, entry: TableEntry) -> bool:
        return entry.live is not None and bool(entry.table.bots_due(entry.live.state.to_act, self._config))

    # When seats change or a game begins.

    def viewer_came(self, entry: TableEntry) -> None:
        """Bots of tables nobody looks at may have to wait; here they need not any more."""
        if entry.playing_bots is None and self._bot_is_to_move(entry):
            self.check_soon(entry)

    def check_soon(self, entry: TableEntry) -> None:
        """See in a moment whether the table needs a bot or an alarm."""
        task = asyncio.create_task(self._check(entry), name=CHECK_TASK)
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check(self, entry: TableEntry) -> None:
        try:
            if entry.status == "over":
                await self._tie_breaks.check_again(entry)
            if entry.status != "playing":
                return
            await self._undos.check_again(entry)
            async with entry.lock:
                await self._tables.live(entry)
                owed = self._bot_is_to_move(entry)
            await self._set_alarm(entry)
            if owed and await self._tables.claim([entry.id]):
                self._bots.wake(entry)
        except PreauError as error:
            log.warning("look put off", table=short(entry.id), error=str(error))

    async def _set_alarm(self, entry: TableEntry) -> None:
        """Write down when the table must be looked at again."""
        async with entry.lock:
            if entry.status != "playing":
                return
            live = await self._tables.live(entry)
            todo = duty(entry.table, live.state, live.since, self._tables.now(), self._config)
            if todo.wake == entry.lease.wake:
                return
            await self._tables.store.write(lambda connection: leases.set_alarm(connection, entry.id, todo))
            entry.lease = replace(entry.lease, wake=todo.wake) if todo.bot else Lease(todo.wake)

    # People who are away.

    async def _replace_absent(self, entry: TableEntry) -> None:
        """A bot sits in for whoever lets the others wait too long without being connected."""
        if presence.update_absences(self._tables, entry):
            presence.broadcast_presence(self._tables, entry)
        for seat in presence.overdue(self._tables, entry):
            log.info("bot sits in", table=short(entry.id), seat=seat)
            await self._seats.stand_in(entry, seat, self._config.stand_in)

    def _put_away(self, entry: TableEntry) -> None:
        idle = time.monotonic() - entry.used > self._config.idle_ms / 1000
        if idle and not entry.audience.viewers and entry.playing_bots is None and not entry.lock.locked():
            self._tables.forget(entry)
