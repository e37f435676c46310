"""Answers the queries of `preau.host.queries` in a process of its own: they may take more than some milliseconds.

So no table waits for data in options to be checked, for games to be replayed or for reviews to be planned. The address
that has used the process least goes first, and may have a limited number of queries waiting. A query that takes too
long is given up, and its process ended. Answers and refusals are cached by query: a file that is sent twenty times,
even at once, is read once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ...bots.worker_process import Answer
from ...core.errors import PreauError
from ...host.queries import (
    BookQuery,
    CheckQuery,
    PlannedReview,
    PlanQuery,
    PositionQuery,
    PuzzleQuery,
    Query,
    ReplayFileQuery,
    ReplayQuery,
)
from ...host.refusals import TooMuch, too_many, try_again
from ...table import protocol
from .fair_queue import Ticket
from .process import NoAnswer, RestartingWorker
from .refusal_messages import RefusalMessage

Json = dict[str, Any]

MOST_BYTES = 4_000_000
"""Size of all answers that are kept."""
WORK_SECONDS = 60
"""When to try again what took too long: the server may be less busy then."""
A_REFUSAL = 1_000
"""What keeping a refusal, or the question, is reckoned to take."""


class Found(msgspec.Struct, tag="found", frozen=True):
    """What a query has found, as JSON."""

    answer: bytes


class Fault(msgspec.Struct, tag="fault", frozen=True):
    """A query that failed by an error of this program."""

    error: str


Answered = Found | RefusalMessage | Fault

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Answered)
_queries = msgspec.json.Decoder(Query)


class LookupService:
    """One process, and what is known of its answers. `most` questions of one address may wait at once (0: any number),
    and each may take so many seconds once it is its turn.
    """

    def __init__(self, most: int, seconds: float, make: Callable[[], Answer] | None = None) -> None:
        self._most = most
        self._seconds = seconds
        self._worker = RestartingWorker(make or serve_lookups)
        self._known: OrderedDict[bytes, Found | RefusalMessage] = OrderedDict()
        self._size = 0
        self._under_way: dict[bytes, asyncio.Task[Found | RefusalMessage]] = {}
        self._asked: Counter[str] = Counter()

    async def check(self, who: str, game: str, seats: int, options: Json) -> None:
        """Refuse seats and options with which a game cannot begin, in the game's own words."""
        await self.ask(who, CheckQuery(game, seats, options))

    async def replay(self, who: str, record: str, seat: int | None, first: int, count: int) -> bytes:
        """Return steps of a recorded game from one seat's viewpoint (`protocol.Replay`), as JSON."""
        return await self.ask(who, ReplayQuery(record, seat, first, count))

    async def replay_file(self, who: str, wish: protocol.AskReplay, today: str) -> bytes:
        """Return the same of a record that a client sent; refuse a record that is not true."""
        return await self.ask(who, ReplayFileQuery(wish.record, wish.seat, wish.first, wish.count, today))

    async def puzzle(self, who: str, wish: protocol.Puzzling) -> bytes:
        """Return how a puzzle stands (`protocol.Practised`), as JSON."""
        return await self.ask(who, PuzzleQuery(wish.game, wish.id, wish.actions, wish.wish))

    async def position(self, who: str, query: PositionQuery) -> bytes:
        """Return the position from which a table continues (`StartPosition`), as JSON."""
        return await self.ask(who, query)

    async def plan(self, who: str, record: str | Json, today: str) -> PlannedReview:
        """Return how to review a record; refuse a record that cannot be reviewed."""
        return msgspec.json.decode(await self.ask(who, PlanQuery(record, today)), type=PlannedReview)

    async def book(self, who: str, game: str) -> bytes:
        """Return the pictures of a game's rule book (`protocol.Book`), as JSON."""
        return await self.ask(who, BookQuery(game))

    async def ask(self, who: str, query: Query) -> bytes:
        """Return the answer to a query of `who`, or raise the refusal it leads to."""
        text = msgspec.json.encode(query)
        name = hashlib.sha256(text).digest()
        if name in self._known:
            self._known.move_to_end(name)
            found = self._known[name]
        else:
            found = await asyncio.shield(self._under_way.get(name) or self._begin(who, name, text))
        if isinstance(found, RefusalMessage):
            raise found.error()
        return found.answer

    def _begin(self, who: str, name: bytes, text: bytes) -> asyncio.Task[Found | RefusalMessage]:
        """Begin to answer a query. Callers that ask the same meanwhile share the task."""
        if self._most and self._asked[who] >= self._most:
            raise too_many("replays", self._seconds)
        self._asked[who] += 1
        task = self._under_way[name] = asyncio.create_task(self._run(who, name, text), name="desk")
        task.add_done_callback(lambda _: self._done(who, name))
        return task

    def _done(self, who: str, name: bytes) -> None:
        del self._under_way[name]
        self._asked[who] -= 1
        if not self._asked[who]:
            del self._asked[who]

    async def _run(self, who: str, name: bytes, text: bytes) -> Found | RefusalMessage:
        try:
            data: bytes = await self._worker.ask(text, self._seconds, Ticket(who, name.hex()))
        except NoAnswer as error:
            raise TooMuch(
                f"this is too much work for the server: {error}",
                key="work",
                params={"what": "replays", "seconds": WORK_SECONDS},
                hint=f"Make it simpler, or t{try_again(WORK_SECONDS)[1:]}",
            ) from error
        found: Answered = _decoder.decode(data)
        if isinstance(found, Fault):
            raise RuntimeError(found.error)
        self._keep(name, found)
        return found

    def _keep(self, name: bytes, found: Found | RefusalMessage) -> None:
        self._known[name] = found
        self._size += _size(found)
        while self._size > MOST_BYTES:
            self._size -= _size(self._known.popitem(last=False)[1])

    async def close(self) -> None:
        """Look at nothing any more."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._worker.close()


def has_data(options: Mapping[str, Any]) -> bool:
    """Whether there is more in options than names and numbers, which are checked in no time."""
    return any(isinstance(value, (dict, list)) for value in options.values())


def _size(found: Found | RefusalMessage) -> int:
    return A_REFUSAL + (len(found.answer) if isinstance(found, Found) else 0)


# In the other process.


def serve_lookups() -> Answer:
    """Return the function that answers queries there."""
    return answer


def answer(text: bytes) -> bytes:
    """Answer a query, which is JSON; the answer is one of `Answered`, as MessagePack."""
    try:
        return _encoder.encode(_answered(_queries.decode(text)))
    except Exception as error:  # the process goes on with other queries
        return _encoder.encode(Fault(f"{type(error).__name__}: {error}"))


def _answered(query: Query) -> Answered:
    try:
        return Found(query.answer())
    except PreauError as error:
        return RefusalMessage.of(error)
