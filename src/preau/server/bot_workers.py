"""The processes that think for bots, and which of them thinks for which table.

The bots of a table stay in one process and keep what they thought there (`kept_bots`). A process that hangs or dies is
replaced alone: those beside it think on, and its own bots start anew.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ..bots.base import BotError
from ..bots.worker_process import Answer, WorkerProcess
from ..core.state import Json
from .kept_bots import KeptBots

MOST_TABLES = 10_000
"""Tables whose process and seed are remembered."""
TRIES = 2
"""How many processes may die of a question before it is given up."""


class Home(NamedTuple):
    """Where the bots of a table live, and the seed of their chance, drawn once."""

    worker: Worker
    seed: int


class BotWorkers:
    """The processes of one server process."""

    def __init__(self, count: int, make: Callable[[], Answer] | None = None) -> None:
        self.new_seed: Callable[[], int] = lambda: secrets.randbits(62)
        self._workers = [Worker(make or keep_bots) for _ in range(count)]
        self._homes: OrderedDict[str, Home] = OrderedDict()

    async def ask(self, question: Json, seconds: float) -> str:
        """The text of a bot's choice. Raises a `BotError` if it failed, or thought for longer than these seconds."""
        home = self.home(question["table"])
        answer = await home.worker.ask({**question, "seed": home.seed}, seconds)
        if "error" in answer:
            raise BotError(answer["error"], field="bot")
        return str(answer["action"])

    def home(self, table: str) -> Home:
        """Where the bots of a table live: always the same, as long as it is remembered."""
        found = self._homes.get(table)
        if found is None:
            idlest = min(self._workers, key=lambda worker: (worker.waiting, worker.tables))
            found = self._homes[table] = Home(idlest, self.new_seed())
            idlest.tables += 1
        self._homes.move_to_end(table)
        if len(self._homes) > MOST_TABLES:
            _, old = self._homes.popitem(last=False)
            old.worker.tables -= 1
        return found

    async def close(self) -> None:
        """Stop thinking."""
        await asyncio.gather(*(worker.close() for worker in self._workers))


class Worker:
    """One process, started when it is first asked and again when it had to be ended."""

    def __init__(self, make: Callable[[], Answer]) -> None:
        self.tables = 0
        """Tables whose bots live here."""
        self.waiting = 0
        """Questions that have no answer yet."""
        self.process: WorkerProcess | None = None
        self._make = make
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "bots")

    async def ask(self, question: Json, seconds: float) -> Json:
        """The answer, within so many seconds of thinking. This is the queue: first come, first served."""
        self.waiting += 1
        try:
            async with self._turn:
                return await self._think(question, seconds)
        finally:
            self.waiting -= 1

    async def _think(self, question: Json, seconds: float) -> Json:
        for _ in range(TRIES):
            thinking = asyncio.get_running_loop().run_in_executor(self._thread, self._exchange, question)
            thinking.add_done_callback(_heard)
            done, _ = await asyncio.wait({thinking}, timeout=seconds)
            if not done:
                await self._end()
                raise BotError(f"it thought for more than {seconds:g} seconds", field="bot", hint="It was stopped.")
            try:
                return thinking.result()
            except EOFError:
                await self._end()
            except OSError as error:
                raise BotError(f"there is no process for it: {error}", field="bot") from error
        raise BotError(f"{TRIES} processes died of it", field="bot")

    def _exchange(self, question: Json) -> Json:
        """In a thread, for it blocks."""
        if self.process is None:
            self.process = WorkerProcess(self._make)
        self.process.ask(question)
        answer: Json = self.process.answer()
        return answer

    async def _end(self) -> None:
        """End the process. The thread that listens to it hears so; once it is free, nobody uses the line any more."""
        free = asyncio.get_running_loop().run_in_executor(self._thread, _nothing)
        while not free.done():
            if self.process is not None:
                self.process.kill()
            await asyncio.wait({free}, timeout=0.1)
        process, self.process = self.process, None
        if process is not None:
            await asyncio.to_thread(process.stop)

    async def close(self) -> None:
        """End the process for good."""
        await self._end()
        self._thread.shutdown(wait=False)


def _nothing() -> None:
    """What a thread does to show that it has nothing else to do."""


def _heard(thinking: asyncio.Future[Json]) -> None:
    """What nobody waits for any more may fail without a word."""
    if not thinking.cancelled():
        thinking.exception()


# In the other process.


def keep_bots() -> Answer:
    """What answers there."""
    return KeptBots().answer
