"""Bots as seats: their moves are worked out in other processes and played by whichever server claimed them.

A claim is a lease in the table's row, taken with the step that made the bot's move due, or by the sweep (`clocks`) when
the process that held it has died. The log's numbers see to it that even two claims play one move. A bot is handed what
its seat sees, as plain data, and nothing else.
"""

from __future__ import annotations

import asyncio
import time
from functools import lru_cache
from random import Random
from typing import Any

from ..bots import Bot, Seen, make_bot
from ..bots.base import BotError, plain
from ..bots.seated import listens, shown, told
from ..core.errors import PreauError
from ..core.registry import find_game
from ..core.state import State
from ..table import chance
from ..table.log import history
from .bot_workers import BotWorkers
from .loaded import Loaded
from .logs import log, short
from .play import Play
from .tables import Tables

Json = dict[str, Any]

_ELSEWHERE = Random(0)
"""In the place of a bot's chance, which is where the bot is."""


class BotRunner:
    """Plays the bots' moves of this process's share of the tables."""

    def __init__(self, tables: Tables, play: Play) -> None:
        self._tables = tables
        self._play = play
        self._config = tables.config
        self.workers = BotWorkers(self._config.bot_workers)
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop thinking."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.workers.close()

    def wake(self, loaded: Loaded) -> None:
        """A bot at this table owes a decision and this process has claimed it."""
        if loaded.playing_bots is None:
            task = asyncio.create_task(self._run(loaded), name="bots")
            loaded.playing_bots = task
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, loaded: Loaded) -> None:
        try:
            while await self._round(loaded):
                pass
        except PreauError as error:
            log.warning("bots stopped", table=short(loaded.id), error=str(error))
        finally:
            loaded.playing_bots = None

    async def _round(self, loaded: Loaded) -> bool:
        """One decision of every bot that owes one now; False if none does."""
        async with loaded.lock:
            if loaded.status != "playing":
                return False
            live = await self._tables.live(loaded)
            owed = loaded.table.bots_among(live.state.to_act, self._config)
            pasts = {seat: await self._past(loaded, seat, level) for seat, level in owed.items()}
            state, head = live.state.copy(), live.head
            racers = live.state.racers()
            taps = {seat: chance.bot_delay() for seat in owed if seat in racers}
        if not owed:
            return False
        began = time.monotonic()
        answers = await self._think(loaded, state, owed, pasts)
        await self._pause(loaded, time.monotonic() - began)
        for seat, text in answers.items():
            try:
                number, _ = await self._play.act(loaded, seat, text, at=head, kind="bot", delay=taps.get(seat))
                head = number if number == head + 1 else head  # the next one was asked with this answer in mind
            except PreauError as error:
                log.info("bot too late", table=short(loaded.id), error=error.key or type(error).__name__)
                await asyncio.sleep(0.05)
        return True

    async def _past(self, loaded: Loaded, seat: int, level: str) -> list[Json]:
        """All that a seat has seen happen, if its bot wants to know; few do, so it is found out when it is wanted."""
        if not listens(_bot(level)):
            return []
        first = find_game(loaded.table.game).start(len(loaded.table.seats), loaded.table.options)
        found: list[Json] = plain(history(first, await self._tables.log(loaded), seat)[0])
        return found

    async def _think(
        self, loaded: Loaded, state: State, owed: dict[int, str], pasts: dict[int, list[Json]]
    ) -> dict[int, str]:
        """What these bots do, one after the other, as at any other table: whoever is asked later sees as much of the
        answers before as there is to be seen. The position is used up.
        """
        answers: dict[int, str] = {}
        for seat, level in owed.items():
            if seat not in state.to_act:
                break  # those before it have settled the matter
            text = await self._ask(self._question(loaded, state, seat, level, pasts[seat]))
            answers[seat] = text if text is not None else state.zombie(seat).text
            happened = state.apply(seat, answers[seat])
            for other, its_level in owed.items():
                if listens(_bot(its_level)):
                    pasts[other] += told(happened, other)
        return answers

    def _question(self, loaded: Loaded, state: State, seat: int, level: str, past: list[Json]) -> Json:
        view = shown(state, seat, _bot(level))
        seen = Seen(state.game, seat, view, state.legal(seat), (), _ELSEWHERE, past)
        return {"table": loaded.id, "level": level, "seen": seen.to_json()}

    async def _ask(self, question: Json) -> str | None:
        """The bot's choice, or None if it failed or took too long."""
        began = time.monotonic()
        try:
            text = await self.workers.ask(question, self._config.bot_limit_ms / 1000)
        except BotError as error:
            self._failed(question, error)
            return None
        self._tables.metrics.bot_seconds.observe(time.monotonic() - began)
        return text if text in (legal for _, legal in question["seen"]["legal"]) else None

    def _failed(self, question: Json, error: BotError) -> None:
        self._tables.metrics.bot_failures.inc()
        log.warning("bot failed", game=question["seen"]["game"], level=question["level"], error=str(error)[:200])

    async def _pause(self, loaded: Loaded, thought: float) -> None:
        """Let people follow, and let no thinking time tell anything: answers come at multiples of the pause."""
        pause = self._config.bot_pause_ms / 1000
        if pause and (loaded.room.viewers or loaded.room.elsewhere):
            await asyncio.sleep(pause - thought % pause)


@lru_cache(maxsize=64)
def _bot(level: str) -> Bot:
    """A bot of a level, to see what it wants to be shown; it is never asked."""
    return make_bot(level)
