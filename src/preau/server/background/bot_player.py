"""Bots as seats: their moves are worked out in other processes and played by whichever server claimed them.

A claim is a lease in the table's row, taken with the step that made the bot's move due, or by the sweep (`clocks`) when
the process that held it has died. The log's numbers see to it that even two claims play one move. A bot is handed what
its seat sees, as plain data, and nothing else.

People come first. Of the tables nobody looks at some are played on at a time, fewer of one maker; the others wait by
name (`fair.Gate`), their claims given back. Where people would wait too long for a bot that searches, a quick one makes
the decision for it, and everybody is told so.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from ...bots.base import BotError
from ...core.errors import PreauError
from ...core.plain import plain
from ...host.bot_round import AvailableBots, BotRound, chosen
from ...host.think_worker import searches
from ...table import chance
from ...table.live_game import first_position
from ...table.log import history
from ...table.refusals import Refusal
from ..logs import log, short
from ..storage import leases
from ..storage.leases import Lease
from ..tables.entry import TableEntry
from ..tables.moves import Moves
from ..tables.repository import TableRepository
from ..workers.fair_queue import AdmissionControl, QueueFull
from ..workers.pool import Requester, WorkerPool

Json = dict[str, Any]

BOT_TASK = "bots"
"""The name of tasks that play for bots."""
ALONE = 10
"""Where nobody looks bots pause for so much shorter: they need not be followed, but must leave time for others."""


class BotRunner:
    """Plays the bots' moves of this process's share of the tables."""

    def __init__(self, tables: TableRepository, play: Moves) -> None:
        self._tables = tables
        self._moves = play
        self._config = tables.config
        self._own = {bot.name: bot for bot in self._config.bots}
        files = {name: bot.file for name, bot in self._own.items()}
        self.workers = WorkerPool(self._config.bot_workers, reviewing=self._config.review_steps_back, files=files)
        limits = self._config.limits
        places, each = limits.unattended_tables, limits.unattended_per_address
        self._gate = AdmissionControl(places, each, self._call, self._now)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def close(self) -> None:
        """Stop thinking."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.workers.close()

    def waiting(self, *, people: bool) -> int:
        """How many decisions wait, at tables where people are or at the others."""
        return self.workers.waiting(urgent=people) + (0 if people else self._gate.waiting)

    def wake(self, entry: TableEntry) -> None:
        """A bot at this table owes a decision and this process has claimed it."""
        if entry.playing_bots is None:
            entry.playing_bots = self._begin(self._run(entry))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=BOT_TASK)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, entry: TableEntry) -> None:
        try:
            while self._may_think(entry) and await self._round(entry):
                pass
        except PreauError as error:
            log.warning("bots stopped", table=short(entry.id), error=str(error))
        finally:
            entry.playing_bots = None
            if not self._gate.waits(entry.id):
                self._gate.leave(entry.id)
        with suppress(Refusal):  # while the database is away nobody takes it up anyway
            await self.still_waits(entry.id)

    # Tables nobody looks at.

    def _may_think(self, entry: TableEntry) -> bool:
        """Whether bots may think for this table now. If not, it is called when its turn has come."""
        if entry.audience.has_viewers():
            self._gate.leave(entry.id)
            return True
        return self._gate.admit(entry.table.maker, entry.id)

    async def still_waits(self, table: str) -> bool:
        """Whether a table that this process has claimed is one that waits here. The claim is given back then: any
        process may take the table up, at once where somebody comes to look at it.
        """
        if not self._gate.waits(table):
            return False
        wake = self._tables.now() + self._config.lease_ms
        process = self._tables.process
        await self._tables.store.write(lambda connection: leases.put_off(connection, table, process, wake))
        entry = self._tables.entries.get(table)
        if entry is not None and entry.playing_bots is None:
            entry.lease = Lease(wake)
        return True

    def _call(self, table: str) -> None:
        """A table's turn has come."""
        if not self._closed:
            self._begin(self._take_up(table))

    async def _take_up(self, table: str) -> None:
        entry = None
        try:
            entry = await self._tables.get(table)
            if await self._tables.claim([table]):
                self.wake(entry)
        except PreauError as error:
            log.warning("bots stopped", table=short(table), error=str(error))
        finally:
            if entry is None or entry.playing_bots is None:
                self._gate.leave(table)

    # Deciding.

    async def _round(self, entry: TableEntry) -> bool:
        """One decision of every bot that owes one now; False if none does."""
        await self._tables.store.ready()
        async with entry.lock:
            if entry.status != "playing":
                return False
            live = await self._tables.live(entry)
            owed = self._due(entry, live.state.to_act)
            pasts = {seat: await self._past(entry, seat, level) for seat, level in owed.items()}
            state, head = live.state.copy(), live.head
            racers = live.state.racers()
            taps = {seat: chance.bot_delay(level) for seat, level in owed.items() if seat in racers}
        if not owed:
            return False
        began = self._now()
        seed = partial(self._tables.daily_challenges.bot_seed, entry.table)
        due = partial(self._due, entry)
        decisions = BotRound(
            entry.id,
            state,
            head,
            owed,
            pasts,
            due=due,
            quick=self._config.quick,
            seed=seed,
            company=self._company(entry),
        )
        while (question := decisions.question()) is not None:
            decisions.take(await self._ask(entry, question))
        await self._pause(entry, self._now() - began)
        for seat, (text, kind) in decisions.answers.items():
            try:
                number, _ = await self._moves.act(entry, seat, text, at=head, kind=kind, delay=taps.get(seat))
                head = number if number == head + 1 else head  # the next one was asked with this answer in mind
            except PreauError as error:
                log.info("bot too late", table=short(entry.id), error=error.key or type(error).__name__)
                await asyncio.sleep(0.05)
        return True

    def _due(self, entry: TableEntry, to_act: tuple[int, ...]) -> dict[int, str]:
        return entry.table.bots_due(to_act, self._config)

    def _company(self, entry: TableEntry) -> AvailableBots:
        """The bots there are for a table's game."""
        files = {name: bot.file for name, bot in self._own.items() if bot.game == entry.table.game}
        return AvailableBots(files, self._config.stand_in)

    async def _past(self, entry: TableEntry, seat: int, level: str) -> list[Json]:
        """All that a seat has seen happen, if its bot wants to know."""
        if not self._company(entry).hears(level):
            return []
        first = first_position(entry.table)
        found: list[Json] = plain(history(first, await self._tables.log(entry), seat)[0])
        return found

    async def _ask(self, entry: TableEntry, question: Json) -> str | None:
        """The bot's choice, or None if it failed, took too long or has too much before it."""
        wait = self._config.bot_wait_ms / 1000
        in_time = wait and searches(question["level"]) and not entry.table.challenge
        patience = wait if in_time else math.inf
        asker = Requester(entry.table.maker, entry.audience.has_viewers, patience)
        try:
            choice = await self.workers.ask(question, self._config.bot_limit_ms / 1000, asker)
        except QueueFull:
            return None
        except BotError as error:
            self._failed(question, error)
            return None
        self._tables.metrics.bot_seconds.observe(choice.seconds)
        return chosen(question, choice.text)

    def _now(self) -> float:
        return self._tables.clock()

    def _failed(self, question: Json, error: BotError) -> None:
        self._tables.metrics.bot_failures.inc()
        log.warning("bot failed", game=question["seen"]["game"], level=question["level"], error=str(error)[:200])

    async def _pause(self, entry: TableEntry, thought: float) -> None:
        """Let people follow, and let no thinking time tell anything: answers come at multiples of the pause."""
        pause = self._config.bot_pause_ms / 1000 / (1 if entry.audience.has_viewers() else ALONE)
        if pause:
            await asyncio.sleep(pause - thought % pause)
