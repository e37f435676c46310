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
import time
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

ALONE = 10
"""Where nobody looks bots pause for so much shorter: they need not be followed, but must leave time for others."""


class BotRunner:
    """Plays the bots' moves of this process's share of the tables."""

    def __init__(self, tables: TableRepository, play: Moves) -> None:
        self._tables = tables
        self._play = play
        self._config = tables.config
        self._own = {bot.name: bot for bot in self._config.bots}
        files = {name: bot.file for name, bot in self._own.items()}
        self.workers = WorkerPool(self._config.bot_workers, reviewing=self._config.review_steps_back, files=files)
        limits = self._config.limits
        self._gate = AdmissionControl(limits.unattended_tables, limits.unattended_per_address, self._call)
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

    def wake(self, loaded: TableEntry) -> None:
        """A bot at this table owes a decision and this process has claimed it."""
        if loaded.playing_bots is None:
            loaded.playing_bots = self._begin(self._run(loaded))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name="bots")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, loaded: TableEntry) -> None:
        try:
            while self._may_think(loaded) and await self._round(loaded):
                pass
        except PreauError as error:
            log.warning("bots stopped", table=short(loaded.id), error=str(error))
        finally:
            loaded.playing_bots = None
            if not self._gate.waits(loaded.id):
                self._gate.leave(loaded.id)
        with suppress(Refusal):  # while the database is away nobody takes it up anyway
            await self.still_waits(loaded.id)

    # Tables nobody looks at.

    def _may_think(self, loaded: TableEntry) -> bool:
        """Whether bots may think for this table now. If not, it is called when its turn has come."""
        if loaded.room.looked_at():
            self._gate.leave(loaded.id)
            return True
        return self._gate.admit(loaded.table.maker, loaded.id)

    async def still_waits(self, table: str) -> bool:
        """Whether a table that this process has claimed is one that waits here. The claim is given back then: any
        process may take the table up, at once where somebody comes to look at it.
        """
        if not self._gate.waits(table):
            return False
        wake = self._tables.now() + self._config.lease_ms
        process = self._tables.process
        await self._tables.store.write(lambda connection: leases.put_off(connection, table, process, wake))
        loaded = self._tables.loaded.get(table)
        if loaded is not None and loaded.playing_bots is None:
            loaded.lease = Lease(wake)
        return True

    def _call(self, table: str) -> None:
        """A table's turn has come."""
        if not self._closed:
            self._begin(self._take_up(table))

    async def _take_up(self, table: str) -> None:
        loaded = None
        try:
            loaded = await self._tables.get(table)
            if await self._tables.claim([table]):
                self.wake(loaded)
        except PreauError as error:
            log.warning("bots stopped", table=short(table), error=str(error))
        finally:
            if loaded is None or loaded.playing_bots is None:
                self._gate.leave(table)

    # Deciding.

    async def _round(self, loaded: TableEntry) -> bool:
        """One decision of every bot that owes one now; False if none does."""
        await self._tables.store.ready()
        async with loaded.lock:
            if loaded.status != "playing":
                return False
            live = await self._tables.live(loaded)
            owed = self._due(loaded, live.state.to_act)
            pasts = {seat: await self._past(loaded, seat, level) for seat, level in owed.items()}
            state, head = live.state.copy(), live.head
            racers = live.state.racers()
            taps = {seat: chance.bot_delay(level) for seat, level in owed.items() if seat in racers}
        if not owed:
            return False
        began = time.monotonic()
        seed = partial(self._tables.challenges.bot_seed, loaded.table)
        due = partial(self._due, loaded)
        decisions = BotRound(
            loaded.id,
            state,
            head,
            owed,
            pasts,
            due=due,
            quick=self._config.quick,
            seed=seed,
            company=self._company(loaded),
        )
        while (question := decisions.question()) is not None:
            decisions.take(await self._ask(loaded, question))
        await self._pause(loaded, time.monotonic() - began)
        for seat, (text, kind) in decisions.answers.items():
            try:
                number, _ = await self._play.act(loaded, seat, text, at=head, kind=kind, delay=taps.get(seat))
                head = number if number == head + 1 else head  # the next one was asked with this answer in mind
            except PreauError as error:
                log.info("bot too late", table=short(loaded.id), error=error.key or type(error).__name__)
                await asyncio.sleep(0.05)
        return True

    def _due(self, loaded: TableEntry, to_act: tuple[int, ...]) -> dict[int, str]:
        return loaded.table.bots_due(to_act, self._config)

    def _company(self, loaded: TableEntry) -> AvailableBots:
        """The bots there are for a table's game."""
        files = {name: bot.file for name, bot in self._own.items() if bot.game == loaded.table.game}
        return AvailableBots(files, self._config.stand_in)

    async def _past(self, loaded: TableEntry, seat: int, level: str) -> list[Json]:
        """All that a seat has seen happen, if its bot wants to know."""
        if not self._company(loaded).hears(level):
            return []
        first = first_position(loaded.table)
        found: list[Json] = plain(history(first, await self._tables.log(loaded), seat)[0])
        return found

    async def _ask(self, loaded: TableEntry, question: Json) -> str | None:
        """The bot's choice, or None if it failed, took too long or has too much before it."""
        wait = self._config.bot_wait_ms / 1000
        in_time = wait and searches(question["level"]) and not loaded.table.challenge
        patience = wait if in_time else math.inf
        asker = Requester(loaded.table.maker, loaded.room.looked_at, patience)
        try:
            choice = await self.workers.ask(question, self._config.bot_limit_ms / 1000, asker)
        except QueueFull:
            return None
        except BotError as error:
            self._failed(question, error)
            return None
        self._tables.metrics.bot_seconds.observe(choice.seconds)
        return chosen(question, choice.text)

    def _failed(self, question: Json, error: BotError) -> None:
        self._tables.metrics.bot_failures.inc()
        log.warning("bot failed", game=question["seen"]["game"], level=question["level"], error=str(error)[:200])

    async def _pause(self, loaded: TableEntry, thought: float) -> None:
        """Let people follow, and let no thinking time tell anything: answers come at multiples of the pause."""
        pause = self._config.bot_pause_ms / 1000 / (1 if loaded.room.looked_at() else ALONE)
        if pause:
            await asyncio.sleep(pause - thought % pause)
