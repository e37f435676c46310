"""Rows of games shared out among processes, which write into memory that all of them see."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import pickle
import select
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreauError
from .env_block import Ended, EnvBlock, Plan
from .env_config import Numbers

_CONTEXT = multiprocessing.get_context("spawn")  # a fork would take the threads of others along, half dead

PATIENCE = 5.0
"""Seconds that a process gets to end by itself."""

AWAKE = 0.0005
"""Seconds that a process looks out for what comes next before it sleeps."""

STEP = b"step"
DONE = b"done"
"""What is said at nearly every step, which needs no packing: go on, and that there is nothing to tell."""


class Board:
    """The memory that all see: observations, masks, turns and the numbers of actions, row by row."""

    def __init__(self, rows: int, width: int, actions: int, memory: Any = None) -> None:
        sizes = [rows * 8, rows * width, rows * actions, rows]
        self.memory = _CONTEXT.RawArray("B", sum(sizes)) if memory is None else memory
        starts = np.cumsum([0, *sizes]).tolist()

        def part(at: int, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
            return np.ndarray(shape, kind, self.memory, starts[at])

        self.numbers: NDArray[np.int64] = part(0, (rows,), np.int64)
        self.observations: Numbers = part(1, (rows, width), np.uint8)
        self.masks: NDArray[np.bool_] = part(2, (rows, actions), np.bool_)
        self.turns: Numbers = part(3, (rows,), np.uint8)

    def show(self, block: EnvBlock, rows: slice) -> None:
        """Put down what is seen in some rows."""
        self.observations[rows] = block.observations
        self.masks[rows] = block.masks
        self.turns[rows] = block.turns


class ProcessPool:
    """As many processes as asked for, this one among them, each with its share of the rows."""

    def __init__(self, plan: Plan, count: int, processes: int) -> None:
        borders = np.linspace(0, count, processes + 1).astype(int).tolist()
        mine, *self._shares = pairwise(borders)
        self._own = EnvBlock(plan, *mine)
        self._mine = slice(*mine)
        self.setting = setting = self._own.setting
        self._board = Board(count, setting.layout.size, len(setting.actions))
        self.observations = self._board.observations
        self.masks = self._board.masks
        self.turns = self._board.turns
        self._every = np.arange(count)
        self._lines: list[Connection] = []
        self.workers = workers = list[BaseProcess]()
        self._dismiss = weakref.finalize(self, _dismiss, self._lines, workers)
        for first, end in self._shares:
            line, theirs = _CONTEXT.Pipe()
            work = (theirs, plan, self._board.memory, count, first, end - first)
            worker = _CONTEXT.Process(target=_work, args=work, daemon=True)
            worker.start()
            theirs.close()
            self._lines.append(line)
            workers.append(worker)
        for line in self._lines:
            _answer(line)

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Begin all rows anew."""
        for line, (first, end) in zip(self._lines, self._shares, strict=True):
            _say(line, pickle.dumps(("reset", list(seeds[first:end]))))
        self._all(lambda: self._own.reset(seeds[self._mine]))

    def legal(self, numbers: NDArray[np.int64]) -> bool:
        """Whether all these are numbers of actions that are legal in their rows."""
        if numbers.min() < 0 or numbers.max() >= self.masks.shape[1]:
            return False
        return bool(self.masks[self._every, numbers].all())

    def step(self, numbers: NDArray[np.int64]) -> list[Ended]:
        """One decision in every row; the games that ended."""
        self._board.numbers[:] = numbers
        for line in self._lines:
            _say(line, STEP)
        own, *others = self._all(lambda: self._own.step(numbers[self._mine]))
        return [*own, *(Ended(*end) for ends in others if ends for end in ends)]

    def why(self, row: int, number: int) -> str:
        """Why an action is not legal in a row."""
        for line, (first, end) in zip(self._lines, self._shares, strict=True):
            if first <= row < end:
                _say(line, pickle.dumps(("why", (row, number))))
                return str(_answer(line))
        return self._own.why(row, number)

    def close(self) -> None:
        """End the other processes, and let the bots go."""
        self._dismiss()
        self._own.close()

    def _all(self, play: Callable[[], Any]) -> list[Any]:
        """What comes of it here and elsewhere; all are heard before one that failed is spoken of."""
        heard: list[Any] = []
        failed: Exception | None = None
        for hear in (partial(self._played, play), *(partial(_answer, line) for line in self._lines)):
            try:
                heard.append(hear())
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return heard

    def _played(self, play: Callable[[], Any]) -> Any:
        """Play the own rows, for all to see."""
        played = play()
        self._board.show(self._own, self._mine)
        return played


def _say(line: Connection, what: bytes) -> None:
    """Tell a process something; that it is gone shows when it does not answer."""
    with contextlib.suppress(OSError):
        line.send_bytes(what)


def _answer(line: Connection) -> Any:
    try:
        said = _hear(line)
    except (EOFError, OSError):
        raise RuntimeError("a process that played games is gone; make the environment anew") from None
    if said == DONE:
        return None
    fine, what = pickle.loads(said)
    if not fine:
        raise what
    return what


def _hear(line: Connection) -> bytes:
    """What is said next. It looks out for it for a moment: who sleeps at once is woken late, often where the one who
    woke it is at work, and with cold caches.
    """
    fileno = line.fileno()
    end = perf_counter() + AWAKE
    while perf_counter() < end and not _ready(fileno):
        pass
    return line.recv_bytes()


def _ready(fileno: int) -> bool:
    """Whether there is something to read. (`Connection.poll` takes ten times as long, and Windows knows none.)"""
    poll = getattr(select, "poll", None)
    if poll is None:
        return True
    asked = poll()
    asked.register(fileno, select.POLLIN)
    return bool(asked.poll(0))


def _dismiss(lines: list[Connection], workers: list[BaseProcess]) -> None:
    """End the processes."""
    for line in lines:
        with contextlib.suppress(OSError):
            line.send(("close", None))
            line.close()
    for worker in workers:
        worker.join(PATIENCE)
        if worker.is_alive():
            worker.terminate()
            worker.join(PATIENCE)


def _work(line: Connection, plan: Plan, memory: Any, count: int, first: int, rows: int) -> None:
    """What a process does until it is dismissed: take orders, play, write down what is seen."""
    try:
        block = EnvBlock(plan, first, rows)
        board = Board(count, block.setting.layout.size, len(block.setting.actions), memory)
    except Exception as error:
        line.send((False, _sendable(error)))
        return
    line.send_bytes(DONE)
    if all(bot == "random" for bot in plan.bots):
        gc.disable()  # positions make no rings, and this process does nothing else; it is a fifth of the time
    mine = slice(first, first + rows)
    while True:
        try:
            said = _hear(line)
        except (EOFError, OSError, KeyboardInterrupt):
            break
        order, what = ("step", ()) if said == STEP else pickle.loads(said)
        if order == "close":
            break
        try:
            answer: Any = None
            if order == "why":
                answer = block.why(*what)
            elif order == "reset":
                block.reset(what)
            else:
                answer = [tuple(end) for end in block.step(board.numbers[mine])]
            if order != "why":
                board.show(block, mine)
            line.send_bytes(pickle.dumps((True, answer)) if answer else DONE)
        except Exception as error:
            line.send((False, _sendable(error)))
    block.close()


def _sendable(error: Exception) -> Exception:
    """An error as it can be told to another process."""
    if isinstance(error, PreauError):
        return PreauError(error.message, rule=error.rule, field=error.field, hint=error.hint)
    return RuntimeError(f"{type(error).__name__}: {error}")
