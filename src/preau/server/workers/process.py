"""A process that answers questions, one at a time, whoever has used least of it lately first.

One that hangs or dies is replaced alone. Waiting for its turn costs a question nothing: the limit counts its own time.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from ...bots.worker_process import Answer, WorkerProcess
from .fair_queue import FairQueue, Ticket

TRIES = 2
"""How many processes may die of a question before it is given up."""
START_SECONDS = 60.0
"""Until when a new process must be ready."""
STEPS_BACK = 10
"""How far a process steps back behind the tables' own where there are not enough cores: to about a tenth of one."""
LAST = 19
"""The same for a process that works only when nobody else wants to."""
_READY = "ready?"


class NoAnswer(Exception):
    """A question that has no answer, and why."""


class RestartingWorker:
    """One process, started when it is first asked and again when it had to be ended."""

    def __init__(self, make: Callable[[], Answer], *, steps_back: int = STEPS_BACK) -> None:
        self.tables = 0
        """Tables whose bots live here."""
        self.queue = FairQueue()
        self.process: WorkerProcess | None = None
        self._make = make
        self._steps_back = steps_back
        self._thread = ThreadPoolExecutor(1, "worker")

    async def ask(self, question: Any, seconds: float, turn: Ticket, patience: float = math.inf) -> Any:
        """The answer, within so many seconds of work once it is this question's turn."""
        await self.queue.enter(turn, patience)
        try:
            return await self._work(question, seconds, turn)
        finally:
            self.queue.leave(turn)

    async def _work(self, question: Any, seconds: float, turn: Ticket) -> Any:
        for _ in range(TRIES):
            try:
                await self._in_thread(START_SECONDS, self._start)
                self.queue.begin(turn)
                return await self._in_thread(seconds, self._exchange, question)
            except EOFError:
                await self._end()
            except OSError as error:
                raise NoAnswer(f"there is no process for it: {error}") from error
        raise NoAnswer(f"{TRIES} processes died of it")

    async def _in_thread(self, seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns that blocks, or `NoAnswer` if that takes too long; the process is ended then."""
        working = asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)
        working.add_done_callback(_retrieve_exception)
        done, _ = await asyncio.wait({working}, timeout=seconds)
        if not done:
            await self._end()
            raise NoAnswer(f"it took more than {seconds:g} seconds")
        return working.result()

    def _start(self) -> None:
        """Have a process that is ready. It loads the rules first, and no question pays for that."""
        if self.process is None:
            self.process = WorkerProcess(_low_priority, self._make, self._steps_back)
            self._exchange(_READY)

    def _exchange(self, question: Any) -> Any:
        assert self.process is not None
        self.process.ask(question)
        return self.process.answer()

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


def _retrieve_exception(working: asyncio.Future[Any]) -> None:
    """What nobody waits for any more may fail without a word."""
    if not working.cancelled():
        working.exception()


# In the other process.


def _low_priority(make: Callable[[], Answer], steps_back: int) -> Answer:
    """Answers what `make` makes, and says first that it is ready."""
    if hasattr(os, "nice"):
        os.nice(steps_back)
    if steps_back >= LAST and hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # not everybody may
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    answer = make()
    return lambda question: _READY if question == _READY else answer(question)
