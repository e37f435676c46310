"""Play the moves of bots. Worker processes work them out; the server process that has claimed the table plays them.

A claim is a lease in the table's row. It is taken with the step that made the bot's move due, or by the sweep
(`alarms`) when the process that held it has died. The numbers of the log ensure that even two claims play one move. A
bot gets what its seat sees, as plain data, and nothing else.

Tables with viewers come first. Of the tables without viewers a few are played at a time, fewer of one maker; the others
wait (`AdmissionControl`), their claims given back. Where players would wait too long for a bot that searches, a quick
bot makes the decision for it, and the viewers are told so.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from ...bots.base import BotError
from ...core.errors import PreauError
from ...core.plain import plain
from ...host.bot_round import AvailableBots, BotRound, chosen
from ...host.questions import BotQuestion
from ...host.think_worker import searches
from ...table import chance
from ...table.live_game import first_position
from ...table.log import history
from ...table.refusals import Refusal
from ..commands.moves import Moves
from ..config import Config
from ..logs import log, short
from ..metrics import Metrics
from ..tables.daily_challenge import DailyChallenges
from ..tables.presence import has_viewers
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..workers.fair_queue import AdmissionControl, QueueFull
from ..workers.pool import Requester, WorkerPool

Json = dict[str, Any]

BOT_TASK = "bots"
"""The name of tasks that play for bots."""
ALONE = 10
"""At tables without viewers bots pause for a time so much shorter, to leave time for other tables."""


class BotPlayer:
    """Plays the bots' moves at the tables that this process has claimed."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        clock: Callable[[], float],
        tables: TableRepository,
        moves: Moves,
        workers: WorkerPool,
        daily_challenges: DailyChallenges,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._now = now
        self._clock = clock
        self._tables = tables
        self._moves = moves
        self._workers = workers
        self._daily_challenges = daily_challenges
        self._metrics = metrics
        self._own = {bot.name: bot for bot in config.bots}
        limits = config.limits
        self._gate = AdmissionControl(limits.unattended_tables, limits.unattended_per_address, self._call, clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def close(self) -> None:
        """Stop thinking."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def waiting(self, *, people: bool) -> int:
        """How many decisions wait, at tables where people are or at the others."""
        return self._workers.waiting(urgent=people) + (0 if people else self._gate.waiting)

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
        with suppress(Refusal):  # while the database is away no process can claim it anyway
            await self.still_waits(entry.id)

    # Tables without viewers.

    def _may_think(self, entry: TableEntry) -> bool:
        """Whether bots may think for this table now. If not, it is called when its turn has come."""
        if has_viewers(entry.audience):
            self._gate.leave(entry.id)
            return True
        return self._gate.admit(entry.table.maker, entry.id)

    async def still_waits(self, table: str) -> bool:
        """Whether a table that this process has claimed is one that waits here. The claim is given back then: any
        process may claim the table, at once when a viewer comes.
        """
        if not self._gate.waits(table):
            return False
        await self._tables.release(table, self._now() + self._config.lease_ms)
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
        await self._tables.ready()
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
        began = self._clock()
        seed = partial(self._daily_challenges.bot_seed, entry.table)
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
        await self._pause(entry, self._clock() - began)
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

    async def _ask(self, entry: TableEntry, question: BotQuestion) -> str | None:
        """The bot's choice, or None if it failed, took too long or has too much before it."""
        wait = self._config.bot_wait_ms / 1000
        in_time = wait and searches(question.level) and not entry.table.challenge
        patience = wait if in_time else math.inf
        asker = Requester(entry.table.maker, partial(has_viewers, entry.audience), patience)
        try:
            choice = await self._workers.ask(question, self._config.bot_limit_ms / 1000, asker)
        except QueueFull:
            return None
        except BotError as error:
            self._failed(question, error)
            return None
        self._metrics.bot_seconds.observe(choice.seconds)
        return chosen(question, choice.text)

    def _failed(self, question: BotQuestion, error: BotError) -> None:
        self._metrics.bot_failures.inc()
        log.warning("bot failed", game=question.game, level=question.level, error=str(error)[:200])

    async def _pause(self, entry: TableEntry, thought: float) -> None:
        """Let people follow, and let no thinking time tell anything: answers come at multiples of the pause."""
        pause = self._config.bot_pause_ms / 1000 / (1 if has_viewers(entry.audience) else ALONE)
        if pause:
            await asyncio.sleep(pause - thought % pause)
