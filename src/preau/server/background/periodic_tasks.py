"""Run the periodic tasks of one process, one after the other, every second or two."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence

from ...host.refusals import Busy
from ...table.refusals import Refusal
from ..logs import log

PeriodicTask = Callable[[], Awaitable[None] | None]


class PeriodicTasks:
    """Runs tasks in the order in which they are given. If one fails, the rest waits for the next sweep."""

    def __init__(self, sweep_ms: int, tasks: Sequence[PeriodicTask]) -> None:
        self._seconds = sweep_ms / 1000
        self._tasks = tasks
        self._task: asyncio.Task[None] | None = None
        self._late = asyncio.Event()

    def open(self) -> None:
        """Begin to sweep."""
        self._task = asyncio.create_task(self._sweep_on(), name="sweep")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hurry(self) -> None:
        """Sweep now: messages may have been missed."""
        self._late.set()

    async def _sweep_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await self._late.wait()
            self._late.clear()
            try:
                await self.sweep()
            except Busy:
                pass  # the store has logged that, once
            except Refusal as error:
                log.warning("sweep put off", error=str(error))
            except Exception as error:
                log.error("sweep failed", exc_info=error)

    async def sweep(self) -> None:
        """Run all tasks once."""
        for task in self._tasks:
            done = task()
            if done is not None:
                await done


def every(seconds: float, tasks: Sequence[PeriodicTask]) -> PeriodicTask:
    """Return a task that runs these tasks, but not more often than once in so many seconds."""
    last = 0.0

    async def run() -> None:
        nonlocal last
        if time.monotonic() - last > seconds:
            last = time.monotonic()
            for task in tasks:
                done = task()
                if done is not None:
                    await done

    return run
