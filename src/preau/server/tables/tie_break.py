"""Arm wrestling at a live table: the answers that are kept, the taps that are measured, and who is told.

What holds stands in `preau.table.tie_break`. Answers, and what every process has measured, are written into the table's
row, each time in one transaction that decides if all is known then; so it is decided once. Taps on their way are only
told: a few times a second, all of a table together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import sqlalchemy as sa
from msgspec.structs import replace

from ...core.errors import PreauError
from ...core.state import State
from ...table import chance, protocol, tie_break
from ...table.table import Table, TieBreak
from ...table.tie_break import Pulling
from ..cluster.messages import TapsCounted
from ..logs import log, short
from ..storage.queries import load_to_change, update_table
from .entry import TableEntry
from .presence import who_is_here
from .repository import TableRepository

TICK_SECONDS = 0.2
"""How often the taps of a round are told."""


class TieBreaks:
    """The arm wrestling at this process's tables. Nothing is kept for a table where nobody pulls."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables
        self._config = tables.config
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._looks: set[asyncio.Task[None]] = set()
        self._told: dict[str, list[int]] = {}

    async def close(self) -> None:
        """Measure nothing any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        looks = list(self._looks)
        for task in looks:
            task.cancel()
        await asyncio.gather(*looks, return_exceptions=True)

    # What people say.

    async def answer(self, entry: TableEntry, seat: int, *, yes: bool) -> None:
        """A seat wants to wrestle, or does not; when all want to, the first round is put."""
        state = await self._state(entry)
        now = self._tables.now()

        def change(table: Table) -> TieBreak:
            said = tie_break.answer(tie_break.standing(table, state, now), seat, yes=yes)
            return self._begun(said, table, now)

        await self._change(entry, change)

    def pull(self, entry: TableEntry, seat: int, message: protocol.Pull, trip: int) -> None:
        """A client reports its taps; `trip` is the shortest round trip of its line."""
        if entry.pulling is None:
            raise tie_break.not_pulling()
        entry.pulling.pull(seat, message.round, message.count, self._tables.now(), trip)

    def heard(self, entry: TableEntry, message: TapsCounted) -> None:
        """Take in the taps that another process has measured."""
        if entry.pulling is not None:
            entry.pulling.heard(message.round, message.counts)

    # What follows from it.

    def follow(self, entry: TableEntry) -> None:
        """Something has changed at a table whose game is over: tell its viewers, and measure a round that is put."""
        self.measure(entry)
        now, pulling = self._tables.now(), entry.pulling
        state = entry.live.state if entry.live is not None else None
        running = pulling.running(now) if pulling is not None else None
        found = tie_break.seen(entry.table, state, self._config, now, running)
        if found is not None:
            entry.audience.push(protocol.ContestMessage(contest=found, now=now))

    def measure(self, entry: TableEntry) -> None:
        """See to it that a round that is on is measured here, and one that is over no longer."""
        found, now = entry.table.contest, self._tables.now()
        if found is None or found.phase != "pulling" or now >= found.starts + tie_break.LOST_MS:
            self._forget(entry)
        elif entry.pulling is None or entry.pulling.contest.round != found.round:
            entry.pulling = Pulling(found, entry.audience.here(entry.table.holders).here, now)
            self._tick_at(entry, (found.starts - now) / 1_000)

    async def sweep(self, entry: TableEntry) -> None:
        """Write down what was measured in a round whose time is over, and notice one that is lost."""
        pulling, now = entry.pulling, self._tables.now()
        if pulling is None or not pulling.is_closed(now):
            return
        if now >= pulling.contest.starts + tie_break.LOST_MS:
            self.follow(entry)
            return
        there = await who_is_here(self._tables, entry)
        present = there.here if there is not None else None
        counts = pulling.measured(now, alone=not self._tables.bus.shared, present=present)
        known = entry.table.contest.counts if entry.table.contest is not None else {}
        if counts.keys() - known.keys():
            await self._change(entry, lambda table: self._counted(table, pulling, counts, now))

    async def check_again(self, entry: TableEntry) -> None:
        """Seats have changed: perhaps all who are left want to."""
        found = entry.table.contest
        if found is not None and tie_break.is_agreed(found, entry.table, self._config):
            now = self._tables.now()
            await self._change(entry, lambda table: self._begun(table.contest or found, table, now))

    def _begun(self, said: TieBreak, table: Table, now: int) -> TieBreak:
        agreed = tie_break.is_agreed(said, table, self._config)
        return tie_break.begin(said, table, self._config, now, chance.bot_taps) if agreed else said

    def _counted(self, table: Table, pulling: Pulling, counts: Mapping[int, int], now: int) -> TieBreak:
        found = table.contest or pulling.contest
        return tie_break.count(found, pulling.contest.round, counts, now, chance.bot_taps)

    async def _state(self, entry: TableEntry) -> State:
        async with entry.lock:
            return (await self._tables.live(entry)).state

    async def _change(self, entry: TableEntry, change: Callable[[Table], TieBreak]) -> None:
        if change(entry.table) == entry.table.contest:
            return  # what is refused, or changes nothing, troubles no database

        def work(connection: sa.Connection) -> None:
            before = load_to_change(connection, entry.id)
            after = replace(before, contest=change(before))
            if after != before:
                update_table(connection, before, after)

        await self._tables.store.write(work)
        await self._tables.changed(entry)

    # While they pull.

    def _tick_at(self, entry: TableEntry, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[entry.id] = loop.call_later(max(0.0, seconds), self._tick, entry)

    def _tick(self, entry: TableEntry) -> None:
        """Tell of the taps, and write them down when the time is over."""
        pulling, now = entry.pulling, self._tables.now()
        if pulling is None:
            return
        counts = list(pulling.running(now).values())
        if counts != self._told.get(entry.id):
            self._told[entry.id] = counts
            entry.audience.push(protocol.PullsMessage(round=pulling.contest.round, counts=counts))
            if pulling.counts:
                self._tables.bus.publish(entry.id, TapsCounted(pulling.contest.round, dict(pulling.counts)))
        if pulling.is_closed(now):
            task = asyncio.create_task(self._sweep_soon(entry), name="wrestling")
            self._looks.add(task)
            task.add_done_callback(self._looks.discard)
        self._tick_at(entry, TICK_SECONDS)

    async def _sweep_soon(self, entry: TableEntry) -> None:
        try:
            await self.sweep(entry)
        except PreauError as error:
            log.warning("contest put off", table=short(entry.id), error=str(error))

    def _forget(self, entry: TableEntry) -> None:
        entry.pulling = None
        self._told.pop(entry.id, None)
        timer = self._timers.pop(entry.id, None)
        if timer is not None:
            timer.cancel()
