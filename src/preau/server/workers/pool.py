"""The processes that think for bots, and which of them thinks for which table.

The bots of a table stay in one process and keep what they thought there (`kept_bots`). Bots that do not search need a
moment only: they have a process of their own, so that they never wait for one that thinks. So have reviews, which only
get what time is left over. A process that hangs or dies is replaced alone: those beside it think on, and its own bots
start anew.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from ...bots.base import BotError
from ...bots.worker_process import Answer
from ...core.state import Json
from ...host.questions import (
    AssemblyQuestion,
    BotAnswer,
    BotQuestion,
    FailedAnswer,
    HintAnswer,
    HintQuestion,
    Question,
    ReviewAnswer,
    ReviewQuestion,
    decode_answer,
    encode,
)
from ...host.think_worker import Thinker, searches
from .fair_queue import Ticket, always
from .process import LAST, NoAnswer, RestartingWorker

T = TypeVar("T")

MOST_TABLES = 10_000
"""Tables whose process and seed are remembered."""
EVENTS_KEPT = 0.2
"""How much the time of one more decision counts in what is known about such decisions."""


HINT, REVIEW = "hint", "review"
"""In the place of a level, for what a hint or a piece of a review takes."""


class Placement(NamedTuple):
    """Where the bots of a table live, and the seed of their chance, drawn once."""

    worker: RestartingWorker
    seed: int


class Job(NamedTuple):
    """Where a question goes: the process, the table or review in whose name it waits, and what it takes time for."""

    worker: RestartingWorker
    name: str
    game: str
    level: str


class Requester(NamedTuple):
    """For whom a bot is to think: who made the table, whether people are there now, and how many seconds they wait."""

    maker: str = ""
    urgent: Callable[[], bool] = always
    patience: float = math.inf


class BotChoice(NamedTuple):
    """What a bot chose, and for how many seconds it thought."""

    text: str
    seconds: float


class WorkerPool:
    """The processes of one server process."""

    def __init__(
        self,
        count: int,
        make: Callable[[], Answer] | None = None,
        reviewing: int = LAST,
        files: Mapping[str, str] | None = None,
    ) -> None:
        make = make or partial(serve_bots, files or {})
        self.new_seed: Callable[[], int] = lambda: secrets.randbits(62)
        self._quick = RestartingWorker(make, steps_back=0)
        self._reviewer = RestartingWorker(make, steps_back=reviewing)
        self._workers = [RestartingWorker(make) for _ in range(count)]
        self._homes: OrderedDict[str, Placement] = OrderedDict()
        self._seconds: dict[tuple[str, str], float] = {}
        """What a decision, or a hint, takes of late, by game and level."""

    async def ask(self, question: BotQuestion, seconds: float, asker: Requester | None = None) -> BotChoice:
        """Return a bot's choice. Its chance comes from the `seed` of the question, or from that of the table.

        Raises a `BotError` if the bot failed or took longer than these seconds, and `QueueFull` if players would have
        to wait for too long.
        """
        home = self.home(question.table)
        if question.seed is None:
            question = msgspec.structs.replace(question, seed=home.seed)
        job = Job(
            home.worker if searches(question.level) else self._quick, question.table, question.game, question.level
        )
        answer, used = await self._ask(job, question, BotAnswer, seconds, asker or Requester())
        return BotChoice(answer.action, used)

    async def hint(self, table: str, view: Json, rank: int, seconds: float, asker: Requester) -> Json:
        """Return a hint (`review.hint`) for the seat whose view this is; raises what `ask` does."""
        job = Job(self.home(table).worker, table, view["game"], HINT)
        answer, _ = await self._ask(job, HintQuestion(view, rank), HintAnswer, seconds, asker)
        return answer.hint

    async def review(self, name: str, question: ReviewQuestion | AssemblyQuestion, seconds: float) -> Any:
        """Return a piece of the review of this name, or the whole (`preau.review`); raises what `ask` does.

        A process of its own works on it, at the lowest priority: no table waits for it.
        """
        job = Job(self._reviewer, name, "", REVIEW)
        answer, _ = await self._ask(job, question, ReviewAnswer, seconds, Requester())
        return answer.found

    async def _ask(
        self, job: Job, question: Question, kind: type[T], seconds: float, asker: Requester
    ) -> tuple[T, float]:
        """Return what a process answers, and for how many seconds it worked on that."""
        about = job.game, job.level
        turn = Ticket(asker.maker, job.name, urgent=asker.urgent, cost=self._seconds.get(about, 0.0))
        try:
            data: bytes = await job.worker.ask(encode(question), seconds, turn, asker.patience)
        except NoAnswer as error:
            raise BotError(str(error), field="bot") from error
        self._learn(about, turn.used)
        answer = decode_answer(data)
        if isinstance(answer, FailedAnswer):
            raise BotError(answer.error, field="bot")
        assert isinstance(answer, kind)
        return answer, turn.used

    def home(self, table: str) -> Placement:
        """Where the bots of a table live: always the same, as long as it is remembered."""
        found = self._homes.get(table)
        if found is None:
            idlest = min(self._workers, key=lambda worker: (len(worker.queue), worker.tables))
            found = self._homes[table] = Placement(idlest, self.new_seed())
            idlest.tables += 1
        self._homes.move_to_end(table)
        if len(self._homes) > MOST_TABLES:
            _, old = self._homes.popitem(last=False)
            old.worker.tables -= 1
        return found

    def waiting(self, *, urgent: bool) -> int:
        """How many questions wait for their turn, where people are or elsewhere."""
        return sum(worker.queue.waiting(urgent=urgent) for worker in (self._quick, *self._workers))

    def _learn(self, about: tuple[str, str], used: float) -> None:
        before = self._seconds.get(about, used)
        self._seconds[about] = before + EVENTS_KEPT * (used - before)

    async def close(self) -> None:
        """Stop thinking."""
        await asyncio.gather(*(worker.close() for worker in (self._quick, self._reviewer, *self._workers)))


# In the other process.


def serve_bots(files: Mapping[str, str]) -> Answer:
    """Return the function that answers questions there; `files` are those of bots that do not ship."""
    return Thinker(files).answer_json
