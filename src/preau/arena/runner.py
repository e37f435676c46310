"""Playing games by their numbers, in this process or in others. A process that dies costs nothing but time."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from multiprocessing.connection import wait
from typing import Any, Generic, Protocol, TypeVar

from ..bots.worker_process import WorkerProcess
from ..core.errors import PreauError

CHANCES = 3
"""How many times a game is given to a process before it is held to be what kills them."""

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


def play_games(games: Games[T], numbers: Sequence[int], workers: int = 0, ahead: int = 1) -> Generator[T, None, None]:
    """Play these games and give each as it ends, in any order: in so many processes, or with 0 in this one.

    A process is given `ahead` games at a time: more than one saves time between games that are short.
    """
    with closing(_answers(games, numbers, workers, ahead)) as answers:
        for _, answer in answers:
            yield _good(answer)


def play_in_order(
    games: Games[T], numbers: Sequence[int], workers: int = 0, ahead: int = 1
) -> Generator[T, None, None]:
    """The same in the order of `numbers`."""
    early: dict[int, T | PreauError] = {}
    left = deque(numbers)
    with closing(_answers(games, numbers, workers, ahead)) as answers:
        for number, answer in answers:
            early[number] = answer
            while left and left[0] in early:
                yield _good(early.pop(left.popleft()))


def _good(answer: T | PreauError) -> T:
    if isinstance(answer, PreauError):
        raise answer
    return answer


def _answers(
    games: Games[T], numbers: Sequence[int], workers: int, ahead: int
) -> Generator[tuple[int, T | PreauError], None, None]:
    if not workers:
        for number in numbers:
            yield number, games.play(number)
        return
    crew = _Crew(games, numbers, ahead)
    try:
        crew.start(min(workers, len(numbers)))
        while crew.busy:
            yield from crew.next()
    finally:
        crew.stop()


class _Worker:
    """A process, and the games it was given that have not ended yet."""

    def __init__(self, games: Games[Any]) -> None:
        self.process = WorkerProcess(player, games)
        self.given: deque[int] = deque()

    def give(self, number: int) -> None:
        self.given.append(number)
        self.process.ask(number)


class _Crew(Generic[T]):
    """The processes, and what is left for them to play."""

    def __init__(self, games: Games[T], numbers: Sequence[int], ahead: int) -> None:
        self._games = games
        self._ahead = ahead
        self._left = deque(numbers)
        self._deaths: Counter[int] = Counter()
        self._workers: list[_Worker] = []

    def start(self, workers: int) -> None:
        for _ in range(workers):
            self._workers.append(_Worker(self._games))
        for _ in range(self._ahead):  # in turn, so that none has two games while another has none
            for worker in self._workers:
                if self._left:
                    worker.give(self._left.popleft())

    @property
    def busy(self) -> bool:
        return any(worker.given for worker in self._workers)

    def next(self) -> Iterator[tuple[int, T | PreauError]]:
        """Whatever ends next."""
        busy: dict[Any, _Worker] = {worker.process.line: worker for worker in self._workers if worker.given}
        for line in wait(list(busy)):
            worker = busy[line]
            try:
                answer = worker.process.answer()
            except EOFError:
                self._replace(worker)
                continue
            number = worker.given.popleft()
            if self._left:
                worker.give(self._left.popleft())
            yield number, answer

    def _replace(self, worker: _Worker) -> None:
        """The first game it had not finished is what it died of, perhaps; others play all of them."""
        number = worker.given[0]
        self._deaths[number] += 1
        worker.process.stop()
        if self._deaths[number] == CHANCES:
            raise WorkerFailure(
                f"{CHANCES} processes died of it, the last with exit code {worker.process.exit_code}",
                field=self._games.name_of(number),
                hint="One of its bots brings down Python itself, or the machine is out of memory.",
            )
        fresh = _Worker(self._games)
        for given in worker.given:
            fresh.give(given)
        self._workers[self._workers.index(worker)] = fresh

    def stop(self) -> None:
        for worker in self._workers:
            worker.process.stop()


# In the other process.


def player(games: Games[T]) -> Callable[[int], T | PreauError]:
    """What plays a game, or says what went wrong with it, as something that can be sent to another process."""

    def play(number: int) -> T | PreauError:
        random.seed(games.seed_of(number))  # some bots draw from Python's shared generator instead of their own
        try:
            return games.play(number)
        except PreauError as error:
            error.__cause__ = None  # the other process may not know its class
            return error

    return play
