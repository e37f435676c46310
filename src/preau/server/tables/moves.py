"""Playing: how an action gets from somebody's message into the log and to everybody's eyes.

The order is always the same: check, work out on a copy, commit, take over, tell. Whoever loses the race for a number
takes in what the winner wrote and tries again, if the question it answered is still being asked.
"""

from __future__ import annotations

import time

from msgspec.structs import replace

from ...host.refusals import busy
from ...table.clocks import clocks_after, duty, for_late, late
from ...table.live_game import LiveGame, Plan
from ...table.permissions import check_question
from ..cluster.messages import StepsCommitted
from ..storage.leases import Change, Lease, after_step
from ..storage.queries import Append
from .entry import TableEntry
from .repository import TableRepository

TRIES = 12


class Moves:
    """Everything that is added to a log."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables
        self._config = tables.config

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
        """Do something for a seat; returns its number and whether it was new. It returns once that is committed."""
        began = time.perf_counter()
        async with entry.lock:
            for _ in range(TRIES):
                live = entry.live or await self._tables.live(entry)
                known = live.known(seat, client)
                if known is not None:
                    return known, False
                if at is not None and at > live.head:
                    await self._tables.catch_up(entry)
                    live = await self._tables.live(entry)
                check_question(live, seat, at)
                draw = self._tables.daily_challenges.draw(entry.table, live.drawn)
                now = self._tables.now()
                plan = live.plan(seat, text, now, draw, kind=kind, client=client, delay=delay)
                if await self._commit(entry, live, plan, now):
                    self._tables.metrics.acted(kind)
                    self._tables.metrics.committed(time.perf_counter() - began)
                    return plan.rows[0].number, True
        raise busy("too many processes act at this table at once", 1)

    async def time_out(self, entry: TableEntry) -> None:
        """Act for the seats whose time is up."""
        while True:
            async with entry.lock:
                live = await self._tables.live(entry)
                now = self._tables.now()
                seats = late(entry.table, live, now, self._config)
                if not seats:
                    return
                actor, text, kind = for_late(live.state, seats[0])
                draw = self._tables.daily_challenges.draw(entry.table, live.drawn)
                plan = live.plan(actor, text, now, draw, kind=kind)
                if await self._commit(entry, live, plan, now):
                    self._tables.metrics.acted(kind)

    async def _commit(self, entry: TableEntry, live: LiveGame, plan: Plan, now: int) -> bool:
        """Write a planned step and tell everybody; False if another process was first (its step is taken in)."""
        change = self._change(entry, live, plan, now)
        calls = self._config.notify_at(entry.table, now)
        if not await self._tables.store.append(Append(entry.id, plan.rows, change, calls)):
            self._tables.metrics.conflicts.inc()
            await self._tables.catch_up(entry)
            return False
        live.adopt(plan)
        if live.time > now:  # the machine's clock has been set back
            self._tables.keep_fair(entry, live)
        if change is not None:
            adopt_change(entry, change)
        entry.used = time.monotonic()
        self._tables.tell(entry, plan.rows, plan.events)
        self._tables.bus.publish(entry.id, StepsCommitted(plan.rows, change))
        if live.state.over:
            self._tables.show(entry)
        elif change is not None and change.lease.by == self._tables.process:
            self._tables.observer.bot_is_due(entry)
        return True

    def _change(self, entry: TableEntry, live: LiveGame, plan: Plan, now: int) -> Change | None:
        """What the step changes in the table's row: its status, and when somebody must look at it again."""
        if plan.state.over:
            return Change("over", now, Lease())
        timed = entry.table.timer != "off" or plan.state.racers()
        since = clocks_after(live.since, plan.rows[0], plan.state, plan.keeps) if timed else {}
        todo = duty(entry.table, plan.state, since, now, self._config)
        if todo.wake is None and entry.lease.wake is None:
            return None
        until = now + self._config.lease_ms
        return Change("playing", None, after_step(entry.lease, todo, self._tables.process, now, until))


def adopt_change(entry: TableEntry, change: Change) -> None:
    """Take over what a committed step changed in the table's row."""
    entry.lease = change.lease
    if (change.status, change.over) != (entry.table.status, entry.table.over):
        entry.table = replace(entry.table, status=change.status, over=change.over)
