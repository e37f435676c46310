"""Commit moves: how an action gets into the log and to all viewers.

The order is always the same: check, plan on a copy, commit, adopt, announce. When another process has taken the number
in the log, this one catches up and tries again, if the question that the action answers is still the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ...host.refusals import busy
from ...table.clocks import clocks_after, duty, for_late, late
from ...table.live_game import LiveGame, Plan
from ...table.permissions import check_question
from ..config import Config
from ..metrics import Metrics
from ..storage.leases import Change, Lease, after_step
from ..storage.queries import Append
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.daily_challenge import DailyChallenges
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry

TRIES = 12


class Moves:
    """Adds steps to the logs of tables."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        process: str,
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        daily_challenges: DailyChallenges,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._now = now
        self._process = process
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._daily_challenges = daily_challenges
        self._metrics = metrics
        self.bot_is_due: Callable[[TableEntry], None] = lambda entry: None
        """Called when a bot is to move and this process has claimed it."""

    async def act(
        self,
        entry: TableEntry,
        seat: int,
        text: str,
        *,
        at: int | None = None,
        client: str | None = None,
        kind: str = "act",
        delay: int | None = None,
    ) -> tuple[int, bool]:
        """Commit an action of a seat; return its number in the log, and False if it was there already."""
        began = time.perf_counter()
        async with entry.lock:
            for _ in range(TRIES):
                live = entry.live or await self._tables.live(entry)
                if entry.unsent:
                    await self._broadcaster.drain(entry)
                known = live.known(seat, client)
                if known is not None:
                    return known, False
                if at is not None and at > live.head:
                    await self._broadcaster.catch_up(entry)
                    live = await self._tables.live(entry)
                check_question(live, seat, at)
                draw = self._daily_challenges.draw(entry.table, live.drawn)
                now = self._now()
                plan = live.plan(seat, text, now, draw, kind=kind, client=client, delay=delay)
                if await self._commit(entry, live, plan, now):
                    self._metrics.acted(kind)
                    self._metrics.committed(time.perf_counter() - began)
                    return plan.rows[0].number, True
        raise busy("too many processes act at this table at once", 1)

    async def time_out(self, entry: TableEntry) -> None:
        """Act for the seats whose time is up."""
        while True:
            async with entry.lock:
                live = await self._tables.live(entry)
                if entry.unsent:
                    await self._broadcaster.drain(entry)
                now = self._now()
                seats = late(entry.table, live, now, self._config)
                if not seats:
                    return
                actor, text, kind = for_late(live.state, seats[0])
                draw = self._daily_challenges.draw(entry.table, live.drawn)
                plan = live.plan(actor, text, now, draw, kind=kind)
                if await self._commit(entry, live, plan, now):
                    self._metrics.acted(kind)

    async def _commit(self, entry: TableEntry, live: LiveGame, plan: Plan, now: int) -> bool:
        """Commit and announce a planned step; return False if another process was first (its step is taken in)."""
        change = self._change(entry, live, plan, now)
        calls = self._config.notify_at(entry.table, now)
        if not await self._store.append(Append(entry.id, plan.rows, change, calls)):
            self._metrics.conflicts.inc()
            await self._broadcaster.catch_up(entry)
            return False
        live.adopt(plan)
        if live.time > now:  # the machine's clock has been set back
            self._tables.keep_fair(entry, live)
        if change is not None:
            entry.adopt(change)
        entry.used = time.monotonic()
        await self._broadcaster.announce_step(entry, plan.rows, plan.events, change)
        if change is not None and change.lease.by == self._process:
            self.bot_is_due(entry)
        return True

    def _change(self, entry: TableEntry, live: LiveGame, plan: Plan, now: int) -> Change | None:
        """Return what the step changes in the table's row: its status, and when something is due there."""
        if plan.state.over:
            return Change("over", now, Lease())
        timed = entry.table.timer != "off" or plan.state.racers()
        since = clocks_after(live.since, plan.rows[0], plan.state, plan.keeps) if timed else {}
        todo = duty(entry.table, plan.state, since, now, self._config)
        if todo.wake is None and entry.lease.wake is None:
            return None
        until = now + self._config.lease_ms
        return Change("playing", None, after_step(entry.lease, todo, self._process, now, until))
