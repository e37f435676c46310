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
from ...table import protocol
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
        self._seating = seating
        self._undoing = undoing
        self._wrestling = wrestling
        self._together = together
        self._play = play
        self._bots = bots
        self._config = tables.config
        self._housekeeping = Retention(tables)
        self._task: asyncio.Task[None] | None = None
        self._looks: set[asyncio.Task[None]] = set()
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
        tasks = [*self._looks, *([self._task] if self._task else [])]
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
        for one in list(self._tables.loaded.values()):
            await self._look_for_deserters(one)
            if one.pulling is not None:
                await self._wrestling.look(one)
            self._put_away(one)
        await self._housekeeping.look()
        if time.monotonic() - self._announced > ANNOUNCE_SECONDS:
            self._announced = time.monotonic()
            for one in list(self._tables.loaded.values()):
                announce_presence(self._tables, one)
                if one.room.together is not None:
                    self._together.announce(one)

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

    async def _do(self, loaded: TableEntry) -> None:
        async with loaded.lock:
            await self._tables.live(loaded)
            await self._tables.catch_up(loaded)
            owed = self._bot_is_to_move(loaded)
        if owed:
            self._bots.wake(loaded)
            return
        await self._play.time_out(loaded)
        await self._set_alarm(loaded)

    def _bot_is_to_move(self, loaded: TableEntry) -> bool:
        return loaded.live is not None and bool(loaded.table.bots_due(loaded.live.state.to_act, self._config))

    # When seats change or a game begins.

    def somebody_looks(self, loaded: TableEntry) -> None:
        """Bots of tables nobody looks at may have to wait; here they need not any more."""
        if loaded.playing_bots is None and self._bot_is_to_move(loaded):
            self.look_soon(loaded)

    def look_soon(self, loaded: TableEntry) -> None:
        """See in a moment whether the table needs a bot or an alarm."""
        task = asyncio.create_task(self._look(loaded), name="look")
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _look(self, loaded: TableEntry) -> None:
        try:
            if loaded.status == "over":
                await self._wrestling.look_again(loaded)
            if loaded.status != "playing":
                return
            await self._undoing.look_again(loaded)
            async with loaded.lock:
                await self._tables.live(loaded)
                owed = self._bot_is_to_move(loaded)
            await self._set_alarm(loaded)
            if owed and await self._tables.claim([loaded.id]):
                self._bots.wake(loaded)
        except PreauError as error:
            log.warning("look put off", table=short(loaded.id), error=str(error))

    async def _set_alarm(self, loaded: TableEntry) -> None:
        """Write down when the table must be looked at again."""
        async with loaded.lock:
            if loaded.status != "playing":
                return
            live = await self._tables.live(loaded)
            todo = duty(loaded.table, live.state, live.since, self._tables.now(), self._config)
            if todo.wake == loaded.lease.wake:
                return
            await self._tables.store.write(lambda connection: leases.set_alarm(connection, loaded.id, todo))
            loaded.lease = replace(loaded.lease, wake=todo.wake) if todo.bot else Lease(todo.wake)

    # People who are away.

    async def _look_for_deserters(self, loaded: TableEntry) -> None:
        """A bot sits in for whoever lets the others wait too long without being connected."""
        if presence.update_absences(self._tables, loaded):
            broadcast_presence(self._tables, loaded)
        for seat in presence.overdue(self._tables, loaded):
            log.info("bot sits in", table=short(loaded.id), seat=seat)
            await self._seating.stand_in(loaded, seat, self._config.stand_in)

    def _put_away(self, loaded: TableEntry) -> None:
        idle = time.monotonic() - loaded.used > self._config.idle_ms / 1000
        if idle and not loaded.room.viewers and loaded.playing_bots is None and not loaded.lock.locked():
            self._tables.forget(loaded)


def announce_presence(tables: TableRepository, loaded: TableEntry) -> None:
    """Tell the other processes who is connected here."""
    if tables.bus.shared:
        here = loaded.room.here(loaded.table.holders)
        news = {"kind": "presence", "from": tables.process, "here": here.here, "watching": here.watching}
        tables.bus.publish(loaded.id, news)


def broadcast_presence(tables: TableRepository, loaded: TableEntry) -> None:
    """Tell a table's viewers who is here."""
    found = presence.presence(tables, loaded)
    loaded.room.push(protocol.PresenceMessage(here=found.here, watching=found.watching, away=found.away))
