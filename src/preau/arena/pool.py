"""Playing in processes on this machine. A process that dies costs nothing but the time of its game."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from ..core.errors import PreauError
from .play import BotFailure, Played, attempt
from .schedule import Plan

CHANCES = 3
"""How many times a game is given to a process before it is held to be what kills them."""


class WorkerFailure(PreauError):
    """A game that ends every process it is played in."""


class _Worker:
    """A process and the line to it; `index` is the game it plays."""

    def __init__(self, plan: Plan, keep_records: bool) -> None:
        context = get_context("spawn")
        self.line, other = context.Pipe()
        self.index: int | None = None
        self.process = context.Process(target=_work, args=(other, plan, keep_records), daemon=True)
        self.process.start()
        other.close()

    def give(self, index: int) -> None:
        """Let it play a game. If it is dead already, that is noticed when its answer is read."""
        self.index = index
        with suppress(OSError):
            self.line.send(index)

    def answer(self) -> Played | BotFailure | None:
        """What it has to say, or None if it died."""
        try:
            answer: Played | BotFailure = self.line.recv()
        except (EOFError, OSError):
            return None
        return answer

    def stop(self) -> None:
        """End it at once; it holds nothing worth waiting for."""
        self.line.close()
        self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def play_in_processes(
    plan: Plan, indices: Sequence[int], workers: int, *, keep_records: bool
) -> Generator[Played, None, None]:
    """Play these games and give each as it ends, in any order."""
    left = deque(indices)
    deaths: Counter[int] = Counter()
    crew: list[_Worker] = []
    with _same_hashes_everywhere():
        try:
            crew += [_Worker(plan, keep_records) for _ in range(min(workers, len(left)))]
            while left or any(worker.index is not None for worker in crew):
                for worker in crew:
                    if worker.index is None and left:
                        worker.give(left.popleft())
                busy: dict[Any, _Worker] = {worker.line: worker for worker in crew if worker.index is not None}
                for line in wait(list(busy)):
                    worker = busy[line]
                    index, answer = worker.index, worker.answer()
                    assert index is not None
                    worker.index = None
                    if isinstance(answer, BotFailure):
                        raise answer
                    if answer is not None:
                        yield answer
                        continue
                    deaths[index] += 1
                    worker.stop()
                    if deaths[index] == CHANCES:
                        raise _killer(plan, index, worker)
                    left.appendleft(index)
                    crew[crew.index(worker)] = _Worker(plan, keep_records)
        finally:
            for worker in crew:
                worker.stop()


def _killer(plan: Plan, index: int, worker: _Worker) -> WorkerFailure:
    seating = plan.seating(index)
    return WorkerFailure(
        f"{CHANCES} processes died of it, the last with exit code {worker.process.exitcode}",
        field=f"game {index} (seed {seating.seed}, {', '.join(seating.names)})",
        hint="One of its bots brings down Python itself, or the machine is out of memory.",
    )


@contextmanager
def _same_hashes_everywhere() -> Iterator[None]:
    """Start processes that order sets alike, so that a bot that goes by such an order plays alike in all of them."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


# In the other process.


def _work(line: Connection[Any, Any], plan: Plan, keep_records: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            index = line.recv()
            line.send(play_alike(plan, index, keep_records))


def play_alike(plan: Plan, index: int, keep_records: bool) -> Played | BotFailure:
    """The game, also if a bot draws from Python's shared generator instead of the one it is given."""
    random.seed(plan.seating(index).seed)
    return attempt(plan, index, keep_records)


def _end_with_parent() -> None:
    """A parent that was killed cannot say so."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
