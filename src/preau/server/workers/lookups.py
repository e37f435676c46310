"""The desk: what may take more than some milliseconds and is no bot's thinking, done in a process of its own.

Data that people bring along in options are checked here, finished games replayed, positions to play on from looked up,
reviews planned, puzzles judged and pictures of rule books made, so that nobody's table waits for that. Who has used the
desk least goes first; an address may have so many questions waiting; a question that takes too long is given up, and
its process ended. Answers are kept by what was asked, refusals too: the same file twenty times, also at once, is looked
at once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ...bots.worker_process import Answer
from ...core.errors import (
    DataError,
    IllegalAction,
    MalformedAction,
    NotYourTurn,
    PositionError,
    PreauError,
    RecordError,
    SetupError,
    UnknownGame,
    ViewError,
)
from ...host import queries
from ...host.queries import PlannedReview
from ...host.refusals import TooMuch, too_many, try_again
from ...table import protocol
from ...table.refusals import TooLate, Unknown
from .fair_queue import Ticket
from .process import NoAnswer, RestartingWorker

Json = dict[str, Any]

MOST_BYTES = 4_000_000
"""Size of all answers that are kept."""
WORK_SECONDS = 60
"""When to try again what took too long: the server may be less busy then."""
A_REFUSAL = 1_000
"""What keeping a refusal, or the question, is reckoned to take."""

_ERRORS = {
    kind.__name__: kind
    for kind in (
        SetupError,
        DataError,
        UnknownGame,
        Unknown,
        TooLate,
        IllegalAction,
        MalformedAction,
        NotYourTurn,
        PositionError,
        RecordError,
        ViewError,
    )
}


class LookupService:
    """One process, and what is known of its answers. `most` questions of one address may wait at once (0: any number),
    and each may take so many seconds once it is its turn.
    """

    def __init__(self, most: int, seconds: float, make: Callable[[], Answer] | None = None) -> None:
        self._most = most
        self._seconds = seconds
        self._worker = RestartingWorker(make or serve_lookups)
        self._known: OrderedDict[bytes, Json] = OrderedDict()
        self._size = 0
        self._under_way: dict[bytes, asyncio.Task[Json]] = {}
        self._asked: Counter[str] = Counter()

    async def check(self, who: str, game: str, seats: int, options: Json) -> None:
        """Refuse seats and options with which a game cannot begin, in the game's own words."""
        await self.ask(who, {"do": "check", "game": game, "seats": seats, "options": options})

    async def replay(self, who: str, record: str, seat: int | None, first: int, count: int) -> bytes:
        """Steps of a recorded game through one seat's eyes (`wire.Replay`), as JSON."""
        return await self.ask(who, {"do": "replay", "record": record, "seat": seat, "first": first, "count": count})

    async def replay_file(self, who: str, wish: protocol.AskReplay, today: str) -> bytes:
        """The same of a record that somebody brings along; refuses one that cannot be believed."""
        about = {"record": wish.record, "seat": wish.seat, "first": wish.first, "count": wish.count}
        return await self.ask(who, {"do": "replay_file", **about, "today": today})

    async def puzzle(self, who: str, wish: protocol.Puzzling) -> bytes:
        """How a puzzle stands (`wire.Practised`), as JSON."""
        about = {"game": wish.game, "name": wish.id, "actions": wish.actions, "wish": wish.wish}
        return await self.ask(who, {"do": "puzzle", **about})

    async def position(self, who: str, question: Json) -> bytes:
        """What a table is played on from (`Position`), as JSON."""
        return await self.ask(who, {"do": "position", **question})

    async def plan(self, who: str, record: str | Json, today: str) -> PlannedReview:
        """How a record is to be reviewed; refuses one that cannot be."""
        return msgspec.json.decode(
            await self.ask(who, {"do": "plan", "record": record, "today": today}), type=PlannedReview
        )

    async def book(self, who: str, game: str) -> bytes:
        """The pictures of a game's rule book (`wire.Book`), as JSON: they are played, and rows of stars are counted."""
        return await self.ask(who, {"do": "book", "game": game})

    async def ask(self, who: str, question: Json) -> bytes:
        """The answer to a question of `who`, or the refusal it leads to."""
        text = msgspec.json.encode(question)
        name = hashlib.sha256(text).digest()
        if name in self._known:
            self._known.move_to_end(name)
            found = self._known[name]
        else:
            found = await asyncio.shield(self._under_way.get(name) or self._begin(who, name, text))
        if "refused" in found:
            raise _refusal(found["refused"])
        answer: bytes = found["answer"]
        return answer

    def _begin(self, who: str, name: bytes, text: bytes) -> asyncio.Task[Json]:
        """Have a question looked at. Whoever asks the same meanwhile waits for the same answer."""
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

    async def _run(self, who: str, name: bytes, text: bytes) -> Json:
        try:
            found: Json = await self._worker.ask(text, self._seconds, Ticket(who, name.hex()))
        except NoAnswer as error:
            raise TooMuch(
                f"this is too much work for the server: {error}",
                key="work",
                params={"what": "replays", "seconds": WORK_SECONDS},
                hint=f"Make it simpler, or t{try_again(WORK_SECONDS)[1:]}",
            ) from error
        if "fault" in found:
            raise RuntimeError(found["fault"])
        self._keep(name, found)
        return found

    def _keep(self, name: bytes, found: Json) -> None:
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


def _size(found: Json) -> int:
    return A_REFUSAL + len(found.get("answer", b""))


def _refusal(said: Json) -> PreauError:
    about = dict(said)
    kind = about.pop("error")
    return _ERRORS.get(kind, PreauError)(**about)


# In the other process.


def serve_lookups() -> Answer:
    """What answers there."""
    return answer


def answer(text: bytes) -> Json:
    """The answer to a question, as JSON in `answer`; or what was `refused`; or that it was our `fault`."""
    question = msgspec.json.decode(text)
    try:
        return {"answer": _DOES[question.pop("do")](**question)}
    except PreauError as error:
        said = {"message": error.message, "rule": error.rule, "field": error.field, "hint": error.hint}
        return {"refused": {"error": type(error).__name__, "key": error.key, "params": error.params, **said}}
    except Exception as error:  # the others need this process
        return {"fault": f"{type(error).__name__}: {error}"}


_DOES: Mapping[str, Callable[..., bytes]] = {
    "check": queries.check,
    "replay": queries.replay,
    "replay_file": queries.replay_file,
    "puzzle": queries.puzzle,
    "position": queries.position,
    "plan": queries.plan,
    "book": queries.book,
}
