"""Playing games by their numbers, in this process or in others. A process that dies costs nothing but time."""

from __future__ import annotations

import gc
import random
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from multiprocessing.connection import wait
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from ..bots.worker_process import WorkerProcess
from ..core.errors import PreauError

CHANCES = 3
"""How many times a game is given to a process before it is held to be what kills them."""
SLICE = 0.05
"""Seconds' worth of games that a process is given at a time, and at least one: saves time between short ones."""
MOST = 100
"""How many that may be."""
BRISK = 1.0
"""Where a game takes fewer seconds than this, a process has the next ones in hand while it plays: it need not wait
until the last ones are on the disk."""

SELDOM = 200_000
"""How many more objects there must be before Python looks for those that refer to each other only."""

T = TypeVar("T")
Played_co = TypeVar("Played_co", covariant=True)


class Games(Protocol[Played_co]):
    """Games that anybody can play by number, and that always go the same way. They can be sent to other processes."""

    def play(self, number: int) -> Played_co:
        """Play a game. Raises a `PreauError` if that is not possible."""
        ...

    def seed_of(self, number: int) -> int:
        """The seed of a game."""
        ...

    def name_of(self, number: int) -> str:
        """A game in words, for errors."""
        ...


class WorkerFailure(PreauError):
    """A game that ends every process it is played in."""


def play_games(games: Games[T], numbers: Sequence[int], workers: int = 0) -> Generator[T, None, None]:
    """Play these games and give each as it ends, in any order: in so many processes, or with 0 in this one."""
    with closing(_answers(games, numbers, workers)) as answers:
        for _, answer in answers:
            yield _good(answer)


def play_in_order(games: Games[T], numbers: Sequence[int], workers: int = 0) -> Generator[T, None, None]:
    """The same in the order of `numbers`."""
    early: dict[int, T | PreauError] = {}
    left = deque(numbers)
    with closing(_answers(games, numbers, workers)) as answers:
        for number, answer in answers:
            early[number] = answer
            while left and left[0] in early:
                yield _good(early.pop(left.popleft()))


def _good(answer: T | PreauError) -> T:
    if isinstance(answer, PreauError):
        raise answer
    return answer


def _answers(
    games: Games[T], numbers: Sequence[int], workers: int
) -> Generator[tuple[int, T | PreauError], None, None]:
    if not workers:
        for number in numbers:
            yield number, games.play(number)
        return
    crew = _Crew(games, numbers)
    try:
        crew.start(min(workers, len(numbers)))
        while crew.busy:
            yield from crew.next()
    finally:
        crew.stop()


class _Worker:
    """A process, and the games it was given that have not been answered for."""

    def __init__(self, games: Games[Any]) -> None:
        self.process = WorkerProcess(player, games)
        self.given: deque[tuple[int, ...]] = deque()
        self.portion = 1
        """How many games it is given at a time."""
        self.brisk = False

    @property
    def room(self) -> bool:
        """Whether it can take more: unless games are long it has some in hand while it plays."""
        return len(self.given) < (2 if self.brisk else 1)

    def give(self, numbers: tuple[int, ...]) -> None:
        self.given.append(numbers)
        self.process.ask(numbers)


class _Crew(Generic[T]):
    """The processes, and what is left for them to play."""

    def __init__(self, games: Games[T], numbers: Sequence[int]) -> None:
        self._games = games
        self._left = deque(numbers)
        self._alone: set[int] = set()
        """Games that were in hand, with others, where a process died: each is given by itself now."""
        self._deaths: Counter[int] = Counter()
        self._workers: list[_Worker] = []

    def start(self, workers: int) -> None:
        for _ in range(workers):
            self._workers.append(_Worker(self._games))
            self._feed(self._workers[-1])

    @property
    def busy(self) -> bool:
        return any(worker.given for worker in self._workers)

    def next(self) -> Iterator[tuple[int, T | PreauError]]:
        """Whatever ends next."""
        busy: dict[Any, _Worker] = {worker.process.line: worker for worker in self._workers if worker.given}
        for line in wait(list(busy)):
            worker = busy[line]
            try:
                answers, seconds = worker.process.answer()
            except EOFError:
                self._replace(worker)
                continue
            numbers = worker.given.popleft()
            worker.portion = max(1, min(MOST, int(SLICE * len(numbers) / max(seconds, 1e-6))))
            worker.brisk = seconds < BRISK * len(numbers)
            self._feed(worker)
            yield from zip(numbers, answers, strict=True)

    def _feed(self, worker: _Worker) -> None:
        """Give a process something to play, but towards the end no more than its share."""
        while self._left and worker.room:
            share = 1 + len(self._left) // (2 * len(self._workers))
            worker.give(self._portion(min(worker.portion, share)))

    def _portion(self, most: int) -> tuple[int, ...]:
        if self._left[0] in self._alone:
            return (self._left.popleft(),)
        numbers = [self._left.popleft()]
        while len(numbers) < most and self._left and self._left[0] not in self._alone:
            numbers.append(self._left.popleft())
        return tuple(numbers)

    def _replace(self, worker: _Worker) -> None:
        """Let another process play what this one had in hand, and count what it died of if that is certain."""
        worker.process.stop()
        first = worker.given[0]
        if len(first) == 1:
            self._deaths[first[0]] += 1
            if self._deaths[first[0]] == CHANCES:
                raise self._killer(first[0], worker)
        self._alone.update(first)
        for numbers in reversed(worker.given):
            self._left.extendleft(reversed(numbers))
        fresh = _Worker(self._games)
        self._workers[self._workers.index(worker)] = fresh
        self._feed(fresh)

    def _killer(self, number: int, worker: _Worker) -> WorkerFailure:
        return WorkerFailure(
            f"{CHANCES} processes died of it, the last with exit code {worker.process.exit_code}",
            field=self._games.name_of(number),
            hint="One of its bots brings down Python itself, or the machine is out of memory.",
        )

    def stop(self) -> None:
        for worker in self._workers:
            worker.process.stop()


# In the other process.


def player(games: Games[T]) -> Callable[[Sequence[int]], tuple[list[T | PreauError], float]]:
    """What plays games, or says what went wrong with them, as something that can be sent to another process; and how
    many seconds that took.
    """

    gc.freeze()  # what was loaded stays, and searches leave nothing behind that refers to itself
    gc.set_threshold(SELDOM)

    def play(numbers: Sequence[int]) -> tuple[list[T | PreauError], float]:
        begun = perf_counter()
        return [attempt(games, number) for number in numbers], perf_counter() - begun

    return play


def attempt(games: Games[T], number: int) -> T | PreauError:
    """A game, or what went wrong with it."""
    random.seed(games.seed_of(number))  # some bots draw from Python's shared generator instead of their own
    try:
        return games.play(number)
    except PreauError as error:
        error.__cause__ = None  # the other process may not know its class
        return error
