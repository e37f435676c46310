"""Bots as seats: their moves are worked out in other processes and played by whichever server claimed them.

A claim is a lease in the table's row, taken with the step that made the bot's move due, or by the sweep (`clocks`) when
the process that held it has died. The log's numbers see to it that even two claims play one move. A bot is handed what
its seat sees, as plain data, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from random import Random
from typing import Any

from ..bots import Bot, Seen, make_bot
from ..core.errors import PreauError
from ..core.registry import find_game
from ..core.state import Action
from ..table import chance
from ..table.live import Live
from ..table.log import history
from .loaded import Loaded
from .logs import log, short
from .play import Play
from .store import pack
from .tables import Tables

Json = dict[str, Any]


class BotRunner:
    """Plays the bots' moves of this process's share of the tables."""

    def __init__(self, tables: Tables, play: Play) -> None:
        self._tables = tables
        self._play = play
        self._config = tables.config
        self._pool = self._new_pool()
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop thinking."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._end_pool()

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
            owed = list(loaded.table.bots_among(live.state.to_act, self._config).items())
            questions = [await self._question(loaded, live, seat, level) for seat, level in owed]
            head = live.head
            zombies = {seat: live.state.zombie(seat).text for seat, _ in owed}
            taps = {seat: chance.bot_delay() for seat, _ in owed if seat in live.state.racers()}
        if not owed:
            return False
        began = time.monotonic()
        answers = await asyncio.gather(*(self._ask(question) for question in questions))
        await self._pause(loaded, time.monotonic() - began)
        for (seat, _), answer in zip(owed, answers, strict=True):
            text = answer if answer is not None else zombies[seat]
            try:
                await self._play.act(loaded, seat, text, at=head, kind="bot", delay=taps.get(seat))
            except PreauError as error:
                log.info("bot too late", table=short(loaded.id), error=error.key or type(error).__name__)
                await asyncio.sleep(0.05)
        return True

    async def _question(self, loaded: Loaded, live: Live, seat: int, level: str) -> Json:
        state = live.state
        bot = _bot(level)
        happened: list[Json] = []
        known = 0
        if bot.wants_view and bot.wants_events:  # few bots do, so it is found out when it is wanted
            first = find_game(loaded.table.game).start(len(loaded.table.seats), loaded.table.options)
            happened, known = history(first, await self._tables.log(loaded), seat)
        return {
            "game": loaded.table.game,
            "options": pack(loaded.table.options),
            "seat": seat,
            "level": level,
            "view": state.view(seat) if bot.wants_view else None,
            "legal": [action.text for action in state.legal(seat)],
            "history": happened,
            "known": known,
            "seed": secrets.randbits(62),
        }

    async def _ask(self, question: Json) -> str | None:
        """The bot's choice, or None if it failed or took too long.

        Bots share a pool of processes, and one that fails brings it down for all: the others are asked once more.
        """
        began = time.monotonic()
        for _ in range(2):
            pool = self._pool
            try:
                future = asyncio.get_running_loop().run_in_executor(pool, choose, question)
                text = await asyncio.wait_for(future, self._config.bot_limit_ms / 1000)
            except (BrokenProcessPool, asyncio.CancelledError) as error:
                if self._pool is not pool and not _is_cancelled():
                    continue
                if isinstance(error, asyncio.CancelledError):
                    raise
                self._failed(question, error)
                self._replace_pool()
                return None
            except TimeoutError as error:
                self._failed(question, error)
                if self._pool is pool:
                    self._replace_pool()
                return None
            except (PreauError, ValueError, ArithmeticError, LookupError, TypeError) as error:
                self._failed(question, error)
                return None
            self._tables.metrics.bot_seconds.observe(time.monotonic() - began)
            return text if text in question["legal"] else None
        self._failed(question, BrokenProcessPool("twice"))
        return None

    def _failed(self, question: Json, error: BaseException) -> None:
        self._tables.metrics.bot_failures.inc()
        log.warning("bot failed", game=question["game"], level=question["level"], error=repr(error)[:200])

    async def _pause(self, loaded: Loaded, thought: float) -> None:
        """Let people follow, and let no thinking time tell anything: answers come at multiples of the pause."""
        pause = self._config.bot_pause_ms / 1000
        if pause and (loaded.room.viewers or loaded.room.elsewhere):
            await asyncio.sleep(pause - thought % pause)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._config.bot_workers,
            mp_context=get_context("spawn"),
            initializer=_follow_parent,
            initargs=(os.getpid(),),
        )

    def _replace_pool(self) -> None:
        self._end_pool()
        self._pool = self._new_pool()

    def _end_pool(self) -> None:
        processes: Mapping[int, Any] = dict(getattr(self._pool, "_processes", None) or {})
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.terminate()


def _is_cancelled() -> bool:
    """Whether this very task is to end, rather than something it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


# In the other process.


def choose(question: Json) -> str:
    """A bot's choice among the legal actions, from what its seat sees."""
    game = find_game(question["game"])
    actions = _actions(question["game"], question["options"])
    legal = [actions[text] for text in question["legal"]]
    happened, chance = question["history"], Random(question["seed"])
    events = happened[question["known"] :]
    seen = Seen(game, question["seat"], question["view"], legal, events, chance, happened)
    return make_bot(question["level"]).choose(seen).text


@lru_cache(maxsize=64)
def _actions(game: str, options: str) -> dict[str, Action]:
    return {action.text: action for action in find_game(game).actions(json.loads(options))}


@lru_cache(maxsize=64)
def _bot(level: str) -> Bot:
    return make_bot(level)


def _follow_parent(parent: int) -> None:
    """End with the server, also when it was killed and could not say so."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
