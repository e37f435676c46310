"""Break ties by arm wrestling at a live table: keep the answers, measure the taps, send them to the viewers.

The rules are in `preau.table.tie_break`. Answers, and what every process has measured, are written into the table's
row. The transaction that completes them also decides, so the tie-break is decided once. Taps of a round that is on are
only sent: a few times a second, all of a table together.
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
from ...table.tie_break import MeasuredRound
from ..cluster.bus import Bus
from ..cluster.messages import TapsCounted
from ..config import Config
from ..logs import log, short
from ..storage.queries import load_to_change, update_table
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.presence import Presence, connected_here
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry

TICK_SECONDS = 0.2
"""How often the taps of a round are told."""


class TieBreaks:
    """The tie-breaks at this process's tables. It keeps state only for tables with a round that is on."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        tables: TableRepository,
        store: Store,
        bus: Bus,
        broadcaster: Broadcaster,
        presence: Presence,
    ) -> None:
        self._config = config
        self._now = now
        self._tables = tables
        self._store = store
        self._bus = bus
        self._broadcaster = broadcaster
        self._presence = presence
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sweeps: set[asyncio.Task[None]] = set()
        self._sent: dict[str, list[int]] = {}

    async def close(self) -> None:
        """Stop measuring."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        sweeps = list(self._sweeps)
        for task in sweeps:
            task.cancel()
        await asyncio.gather(*sweeps, return_exceptions=True)

    # Messages.

    async def answer(self, entry: TableEntry, seat: int, *, yes: bool) -> None:
        """A seat wants to wrestle, or does not; when all want to, the first round begins."""
        state = await self._state(entry)
        now = self._now()

        def change(table: Table) -> TieBreak:
            said = tie_break.answer(tie_break.standing(table, state, now), seat, yes=yes)
            return self._begun(said, table, now)

        await self._change(entry, change)

    def pull(self, entry: TableEntry, seat: int, message: protocol.Pull, trip: int) -> None:
        """A client reports its taps; `trip` is the shortest round trip of its connection."""
        if entry.measured_round is None:
            raise tie_break.not_pulling()
        entry.measured_round.pull(seat, message.round, message.count, self._now(), trip)

    def hear(self, entry: TableEntry, message: TapsCounted, process: str) -> None:
        """Take in the taps that another process has measured."""
        if entry.measured_round is not None:
            entry.measured_round.heard(message.round, message.counts)

    # Rounds.

    def measure(self, entry: TableEntry) -> None:
        """Begin to measure the round that is on, if it is not measured yet; stop if there is none."""
        found, now = entry.table.contest, self._now()
        if found is None or found.phase != "pulling" or now >= found.starts + tie_break.LOST_MS:
            self._forget(entry)
        elif entry.measured_round is None or entry.measured_round.contest.round != found.round:
            entry.measured_round = MeasuredRound(found, connected_here(entry).here, now)
            self._tick_at(entry, (found.starts - now) / 1_000)

    async def sweep(self, entry: TableEntry) -> None:
        """Write what was measured in a round whose time is over; end one that is lost."""
        measured, now = entry.measured_round, self._now()
        if measured is None or not measured.is_closed(now):
            return
        if now >= measured.contest.starts + tie_break.LOST_MS:
            self._broadcaster.send_tie_break(entry)
            return
        there = await self._presence.who_is_here(entry)
        present = there.here if there is not None else None
        counts = measured.measured(now, alone=not self._bus.shared, present=present)
        known = entry.table.contest.counts if entry.table.contest is not None else {}
        if counts.keys() - known.keys():
            await self._change(entry, lambda table: self._counted(table, measured, counts, now))

    async def sweep_all(self) -> None:
        """Do so at all tables in memory."""
        for entry in list(self._tables.entries.values()):
            if entry.measured_round is not None:
                await self.sweep(entry)

    async def check_again(self, entry: TableEntry) -> None:
        """Seats have changed at a finished game: perhaps all who are left want to wrestle."""
        found = entry.table.contest if entry.status == "over" else None
        if found is not None and tie_break.is_agreed(found, entry.table, self._config):
            now = self._now()
            await self._change(entry, lambda table: self._begun(table.contest or found, table, now))

    def _begun(self, said: TieBreak, table: Table, now: int) -> TieBreak:
        agreed = tie_break.is_agreed(said, table, self._config)
        return tie_break.begin(said, table, self._config, now, chance.bot_taps) if agreed else said

    def _counted(self, table: Table, measured: MeasuredRound, counts: Mapping[int, int], now: int) -> TieBreak:
        found = table.contest or measured.contest
        return tie_break.count(found, measured.contest.round, counts, now, chance.bot_taps)

    async def _state(self, entry: TableEntry) -> State:
        async with entry.lock:
            return (await self._tables.live(entry)).state

    async def _change(self, entry: TableEntry, change: Callable[[Table], TieBreak]) -> None:
        if change(entry.table) == entry.table.contest:
            return  # no write for what is refused or changes nothing

        def work(connection: sa.Connection) -> None:
            before = load_to_change(connection, entry.id)
            after = replace(before, contest=change(before))
            if after != before:
                update_table(connection, before, after)

        await self._store.write(work)
        await self._broadcaster.announce_table(entry)

    # During a round.

    def _tick_at(self, entry: TableEntry, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[entry.id] = loop.call_later(max(0.0, seconds), self._tick, entry)

    def _tick(self, entry: TableEntry) -> None:
        """Send the taps, and write them when the time is over."""
        measured, now = entry.measured_round, self._now()
        if measured is None:
            return
        counts = list(measured.running(now).values())
        if counts != self._sent.get(entry.id):
            self._sent[entry.id] = counts
            entry.audience.push(protocol.PullsMessage(round=measured.contest.round, counts=counts))
            if measured.counts:
                self._bus.publish(entry.id, TapsCounted(measured.contest.round, dict(measured.counts)))
        if measured.is_closed(now):
            task = asyncio.create_task(self._sweep_soon(entry), name="tie-break")
            self._sweeps.add(task)
            task.add_done_callback(self._sweeps.discard)
        self._tick_at(entry, TICK_SECONDS)

    async def _sweep_soon(self, entry: TableEntry) -> None:
        try:
            await self.sweep(entry)
        except PreauError as error:
            log.warning("contest put off", table=short(entry.id), error=str(error))

    def _forget(self, entry: TableEntry) -> None:
        entry.measured_round = None
        self._sent.pop(entry.id, None)
        timer = self._timers.pop(entry.id, None)
        if timer is not None:
            timer.cancel()
