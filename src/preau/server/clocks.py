"""What happens because time passes: sand running out, bots left without a process, seats left without a person.

Three different clocks, on purpose: whether a line is alive is the socket's business (`sockets`), whether a person is
there is presence, and what the rules make of lateness is decided here, from times in the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import sqlalchemy as sa

from ..core.errors import PreauError
from . import schema, wire
from .bots_runner import BotRunner
from .housekeeping import Housekeeping
from .logs import log, short
from .play import Play
from .refusals import Refusal
from .seating import Seating
from .table import Table
from .tables import Tables

ANNOUNCE_SECONDS = 15
_DUE = 200


class Clocks:
    """The sweep of one process."""

    def __init__(self, tables: Tables, seating: Seating, play: Play, bots: BotRunner) -> None:
        self._tables = tables
        self._seating = seating
        self._play = play
        self._bots = bots
        self._config = tables.config
        self._housekeeping = Housekeeping(tables)
        self._task: asyncio.Task[None] | None = None
        self._looks: set[asyncio.Task[None]] = set()
        self._announced = 0.0
        self._late = asyncio.Event()
        self.every_sweep: Callable[[], None] = lambda: None
        tables.after_change = self.look_soon

    def open(self) -> None:
        """Begin to sweep."""
        self._task = asyncio.create_task(self._sweep_on(), name="sweep")

    async def close(self) -> None:
        """Stop, and give back what this process had claimed."""
        tasks = [*self._looks, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        mine = schema.tables.c.lease_by == self._tables.process
        give_back = sa.update(schema.tables).where(mine).values(lease_by=None, lease_until=0)
        with contextlib.suppress(Refusal):
            await self._tables.store.write(lambda connection: connection.execute(give_back).rowcount)

    def hurry(self) -> None:
        """Sweep now: news may have been missed."""
        self._late.set()

    async def _sweep_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._late.wait(), self._config.sweep_ms / 1000)
            self._late.clear()
            try:
                await self.sweep()
            except Refusal as error:
                log.warning("sweep put off", error=str(error))
            except Exception as error:
                log.error("sweep failed", exc_info=error)

    async def sweep(self) -> None:
        """Do everything that is due."""
        self.every_sweep()
        if self._tables.bus.shared:
            await self._tables.missed()
        for table in await self._claim_due():
            try:
                await self._do(await self._tables.get(table))
            except PreauError as error:  # a game this program cannot replay must not keep the others waiting
                log.warning("table put off", table=short(table), error=str(error))
        for one in list(self._tables.loaded.values()):
            await self._look_for_deserters(one)
            self._put_away(one)
        await self._housekeeping.look()
        if time.monotonic() - self._announced > ANNOUNCE_SECONDS:
            self._announced = time.monotonic()
            for one in list(self._tables.loaded.values()):
                announce(self._tables, one)

    async def _claim_due(self) -> list[str]:
        """The tables where something is due that no living process has claimed; they are ours now."""
        now = self._tables.now()
        tables = schema.tables
        due = sa.select(tables.c.id).where(tables.c.wake <= now, tables.c.lease_until < now).limit(_DUE)
        found = await self._tables.store.read(lambda connection: list(connection.execute(due).scalars()))
        return await self._claim(sorted(found), now) if found else []

    async def _claim(self, ids: list[str], now: int) -> list[str]:
        tables = schema.tables
        until = now + self._config.lease_ms

        def work(connection: sa.Connection) -> list[str]:
            won = []
            for one in ids:
                claimed = connection.execute(
                    sa.update(tables)
                    .where(tables.c.id == one, tables.c.lease_until < now, tables.c.status == "playing")
                    .values(lease_by=self._tables.process, lease_until=until)
                ).rowcount
                if claimed:
                    won.append(one)
            return won

        won = await self._tables.store.write(work)
        for one in won:
            if one in self._tables.loaded:
                self._tables.loaded[one].row.update(lease_by=self._tables.process, lease_until=until)
        return won

    async def _do(self, table: Table) -> None:
        async with table.lock:
            live = await self._tables.live(table)
            await self._tables.catch_up(table)
            owed = any(self._tables.bot(table, seat) for seat in live.state.to_act)
        if owed:
            self._bots.wake(table)
            return
        await self._play.time_out(table)
        await self._set_alarm(table)

    # When seats change or a game begins.

    def look_soon(self, table: Table) -> None:
        """See in a moment whether the table needs a bot or an alarm."""
        task = asyncio.create_task(self._look(table), name="look")
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _look(self, table: Table) -> None:
        try:
            if table.status != "playing":
                return
            async with table.lock:
                live = await self._tables.live(table)
                owed = any(self._tables.bot(table, seat) for seat in live.state.to_act)
            if owed:
                await self._set_alarm(table)
                if await self._claim([table.id], self._tables.now()):
                    self._bots.wake(table)
            else:
                await self._set_alarm(table)
        except PreauError as error:
            log.warning("look put off", table=short(table.id), error=str(error))

    async def _set_alarm(self, table: Table) -> None:
        """Write down when the table must be looked at again."""
        async with table.lock:
            if table.status != "playing":
                return
            live = await self._tables.live(table)
            wake, claim = self._play.duty(table, live.state, live.since, self._tables.now())
            if wake == table.row["wake"]:
                return
            values = {"wake": wake} if claim else {"wake": wake, "lease_by": None, "lease_until": 0}
            write = sa.update(schema.tables).where(schema.tables.c.id == table.id).values(**values)
            await self._tables.store.write(lambda connection: connection.execute(write).rowcount)
            table.row.update(values)

    # People who are away.

    async def _look_for_deserters(self, table: Table) -> None:
        """A bot sits in for whoever lets the others wait too long without being connected."""
        if table.status != "playing" or table.live is None or table.row["timer"] == "days":
            return
        if self._tables.bus.shared and not self._tables.bus.up:
            return  # they may well be connected to a process that cannot be heard just now
        here = table.room.everywhere(table.holders).here
        waiting = [seat for seat in table.people() if seat in table.live.state.to_act and seat not in here]
        now = time.monotonic()
        table.deserted = {seat: table.deserted.get(seat, now) for seat in waiting} if here else {}
        for seat, since in list(table.deserted.items()):
            if now - since >= self._config.grace_ms / 1000:
                log.info("bot sits in", table=short(table.id), seat=seat)
                await self._seating.stand_in(table, seat, self._config.stand_in)

    def _put_away(self, table: Table) -> None:
        idle = time.monotonic() - table.used > self._config.idle_ms / 1000
        if idle and not table.room.viewers and table.playing_bots is None and not table.lock.locked():
            self._tables.forget(table)


def announce(tables: Tables, table: Table) -> None:
    """Tell the other processes who is connected here."""
    if tables.bus.shared:
        here = table.room.here(table.holders)
        news = {"kind": "presence", "from": tables.process, "here": here.here, "watching": here.watching}
        tables.bus.publish(table.id, news)


def show_presence(tables: Tables, table: Table) -> None:
    """Tell a table's viewers who is here."""
    found = table.room.everywhere(table.holders)
    table.room.push(wire.PresenceMessage(here=found.here, watching=found.watching))
