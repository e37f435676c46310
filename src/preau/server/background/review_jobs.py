"""Reviews of finished games: asked for by anybody, worked out once, in pieces, when nobody else needs the processor.

What is to be looked at stands in the database, with every piece that was found: a process that dies loses at most the
one it had in hand, and another goes on from there. Which process works on a review is a lease in its row, renewed while
it does, as with tables (`leases`). One review at a time and process; whose turn it is goes round by who asked.

A review is named by what is in its record, so that the same game is looked at once, whether it is asked for at its
table or with a file. It is kept as long as its table, or for some weeks if it came as a file.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ...bots.base import BotError
from ...core.errors import PreauError
from ...host.queries import PlannedReview
from ...host.questions import AssemblyQuestion, ReviewQuestion
from ...host.refusals import too_many
from ...learn.challenge import today
from ...table import protocol
from ...table.refusals import Unknown
from ...table.table import DAY_MS
from ..config import Config
from ..logs import log
from ..storage import leases, schema
from ..storage.store import Store
from ..tables.credentials import MAKER_DAYS, room_in
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..workers.lookups import LookupService
from ..workers.pool import WorkerPool

T = TypeVar("T")
Json = dict[str, Any]
Writing = Callable[[sa.Connection], None]
Questions = ReviewQuestion | AssemblyQuestion

TRIES = 3
"""How often a piece is tried that fails, or whose process dies."""

LATER_SECONDS = 60
"""When to ask again for a review that was refused because too many wait: about as long as one takes."""


class PendingReview(NamedTuple):
    """A review that waits or is being worked on."""

    id: str
    maker: str
    lease_until: int


class ReviewWork(NamedTuple):
    """What is left to do of a review."""

    id: str
    record: str
    plan: list[Any]
    """The pieces (`preau.review.plan`), as JSON data."""
    missing: list[int]
    tries: int


class ReviewJobs:
    """What this process knows and does about reviews."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        process: str,
        tables: TableRepository,
        store: Store,
        workers: WorkerPool,
        lookups: LookupService,
    ) -> None:
        self._config = config
        self._limits = config.limits
        self._now = now
        self._process = process
        self._tables = tables
        self._store = store
        self._workers = workers
        self._lookups = lookups
        self._under_way: dict[str, asyncio.Future[Any]] = {}
        """What is being asked of the database: whoever asks the same meanwhile hears the same."""
        self._running: asyncio.Task[None] | None = None
        self._looked = 0.0
        self._closed = False

    # Asking.

    async def at_table(self, entry: TableEntry) -> protocol.ReviewInfo:
        """How the review of a table's game stands, or what it says."""
        return await self._once(f"table {entry.id}", lambda: self._show(schema.reviews.c.table_id == entry.id))

    async def show(self, name: str) -> protocol.ReviewInfo:
        """The same of a review by its own name."""
        return await self._once(f"show {name}", lambda: self._show(schema.reviews.c.id == name))

    async def ask_at_table(self, entry: TableEntry, maker: str) -> protocol.ReviewInfo:
        """Have the game of a table reviewed, if that was not done already. Refused while it is under way."""
        return await self._once(f"ask {entry.id}", lambda: self._ask_at_table(entry, maker))

    async def ask(self, record: str | Json, maker: str, table: str | None = None) -> protocol.ReviewInfo:
        """Have a record reviewed, if that was not done already."""
        planned = await self._lookups.plan(maker, record, today(self._now()).isoformat())
        return await self._once(f"begin {planned.id}", lambda: self._begin(planned, maker, table))

    async def _ask_at_table(self, entry: TableEntry, maker: str) -> protocol.ReviewInfo:
        try:
            found = await self.at_table(entry)
        except Unknown:
            found = None
        if found is not None and found.status != "failed":
            return found
        return await self.ask(await self._tables.record_text(entry), maker, entry.id)

    async def _begin(self, planned: PlannedReview, maker: str, table: str | None) -> protocol.ReviewInfo:
        now = self._now()

        def work(connection: sa.Connection) -> None:
            self._enter(connection, planned, maker, table, now)

        try:
            await self._store.write(work)
        except IntegrityError:  # another process was asked in the same moment
            await self._store.write(work)
        self.hurry()
        return await self._show(schema.reviews.c.id == planned.id)

    def _enter(
        self, connection: sa.Connection, planned: PlannedReview, maker: str, table: str | None, now: int
    ) -> None:
        """Write down that something is to be reviewed; what is known already stays, and what failed is tried anew."""
        reviews = schema.reviews
        known = connection.execute(_STATUS, {"id": planned.id}).first()
        mine = reviews.c.id == planned.id
        if known is not None:
            if table is not None and known.table_id is None:
                connection.execute(sa.update(reviews).where(mine).values(table_id=table))
            if known.status == "failed":
                self._check_room(connection, maker, now)
                connection.execute(sa.update(reviews).where(mine).values(status="waiting", tries=0, lease_until=0))
            return
        self._check_room(connection, maker, now)
        one = {
            "id": planned.id,
            "table_id": table,
            "maker": maker,
            "created": now,
            "status": "waiting",
            "record": planned.record,
            "plan": msgspec.json.encode(planned.pieces).decode(),
            "pieces": len(planned.pieces),
        }
        connection.execute(sa.insert(reviews), [one])

    def _check_room(self, connection: sa.Connection, maker: str, now: int) -> None:
        """Refuse one more review where too many wait, or too many of one address are kept."""
        limits = self._limits
        waiting = _waiting(connection)
        if limits.reviews_waiting and len(waiting) >= limits.reviews_waiting:
            raise too_many("reviews", LATER_SECONDS, of="are waiting", key="reviews_full")
        own = sum(one.maker == maker for one in waiting)
        if limits.reviews_per_address and own >= limits.reviews_per_address:
            most = limits.reviews_per_address
            raise too_many("reviews", LATER_SECONDS, of="of this address are waiting", key="reviews_waiting", most=most)
        since = now - MAKER_DAYS * DAY_MS
        kept = connection.execute(_KEPT, {"maker": maker, "since": since}).scalar_one()
        if limits.reviews_kept_per_address and kept >= limits.reviews_kept_per_address:
            most = limits.reviews_kept_per_address
            seconds = room_in(connection, schema.reviews, maker, since, kept - most)
            raise too_many("reviews", seconds, key="reviews_kept", most=most, days=MAKER_DAYS)

    async def _show(self, which: sa.ColumnElement[bool]) -> protocol.ReviewInfo:
        found = await self._store.read(lambda connection: _shown(connection, which, self._now()))
        if found is None:
            raise Unknown("nobody has asked for this review", field="review", key="no_review", hint="Ask with POST.")
        return found

    async def _once(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        """What comes of some work, which is done once for all who want it at the same time."""
        if what not in self._under_way:
            self._under_way[what] = asyncio.ensure_future(_awaited(work))
            self._under_way[what].add_done_callback(partial(self._settled, what))
        found: T = await asyncio.shield(self._under_way[what])
        return found

    def _settled(self, what: str, done: asyncio.Future[Any]) -> None:
        del self._under_way[what]
        if not done.cancelled():
            done.exception()  # whoever still waits hears of it

    # Working.

    def poll(self) -> None:
        """See now and then whether something is left to do that nobody does."""
        if time.monotonic() - self._looked > self._config.lease_ms / 2_000:
            self.hurry()

    def hurry(self) -> None:
        """Work, if there is any."""
        self._looked = time.monotonic()
        if self._running is None and not self._closed:
            self._running = asyncio.create_task(self._run(), name="reviews")

    async def close(self) -> None:
        """Stop; what was begun is left to others."""
        self._closed = True
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self) -> None:
        try:
            await self._store.ready()
            while (found := await self._claim()) is not None:
                await self._work(found)
        except PreauError as error:
            log.warning("reviews put off", error=str(error))
        except Exception as error:
            log.error("reviews failed", exc_info=error)
        finally:
            self._running = None

    async def _claim(self) -> ReviewWork | None:
        """The review whose turn it is, for this process alone for a while; None if there is nothing to do."""
        now, process = self._now(), self._process
        until = now + self._config.lease_ms
        if not await self._store.read(lambda connection: leases.free_reviews(connection, now, until)):
            return None
        return await self._store.write(lambda connection: _claimed(connection, process, now, until))

    async def _work(self, work: ReviewWork) -> None:
        """Find out what is missing and put it together; gives up after some tries, and when another has taken over."""
        log.info("review", review=work.id[:6], pieces=len(work.plan), missing=len(work.missing))
        for number in work.missing:
            question = ReviewQuestion(work.record, work.plan[number])
            if not await self._found(work, question, partial(_keep_piece, work.id, number)):
                return
            work = work._replace(tries=1)
        pieces = await self._store.read(lambda connection: _pieces(connection, work.id))
        await self._found(work, AssemblyQuestion(work.record, pieces), partial(_keep_review, work.id))

    async def _found(self, work: ReviewWork, question: Questions, keep: Callable[[Any], Writing]) -> bool:
        """Find something out and write it down; whether this process goes on with the review."""
        tries = work.tries
        while tries <= TRIES:
            try:
                found = await self._holding(work, question)
            except BotError as error:
                log.warning("review failed", review=work.id[:6], tries=tries, error=str(error)[:200])
                tries += 1
                status: Literal["waiting", "failed"] = "failed" if tries > TRIES else "waiting"
                if not await self._renew(work, lambda _: None, tries=tries, status=status):
                    return False
            else:
                return found is not None and await self._renew(work, keep(found), tries=1)
        return False

    async def _holding(self, work: ReviewWork, question: Questions) -> Any:
        """What a process answers, holding on to the review meanwhile; None if another process has taken it."""
        limit = self._config.review_limit_ms / 1000
        answer = asyncio.ensure_future(self._workers.review(work.id, question, limit))
        try:
            while not (await asyncio.wait({answer}, timeout=self._config.lease_ms / 3_000))[0]:
                if not await self._renew(work, lambda _: None):
                    return None
            return answer.result()
        finally:
            answer.cancel()
            await asyncio.gather(answer, return_exceptions=True)

    async def _renew(self, work: ReviewWork, more: Writing, **values: Any) -> bool:
        """Hold on to a review for a while longer and write more down; False if another process has it."""
        process, until = self._process, self._now() + self._config.lease_ms
        reviews = schema.reviews

        def write(connection: sa.Connection) -> bool:
            mine = sa.and_(reviews.c.id == work.id, reviews.c.lease_by == process, reviews.c.status == "waiting")
            held = connection.execute(sa.update(reviews).where(mine).values(lease_until=until, **values)).rowcount
            if held:
                more(connection)
            return bool(held)

        return await self._store.write(write)


async def _awaited(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


# In the database.

_STATUS = sa.select(schema.reviews.c.status, schema.reviews.c.table_id).where(schema.reviews.c.id == sa.bindparam("id"))
_KEPT = (
    sa.select(sa.func.count())
    .select_from(schema.reviews)
    .where(schema.reviews.c.maker == sa.bindparam("maker"), schema.reviews.c.created >= sa.bindparam("since"))
)
_WAITING = (
    sa.select(*(schema.reviews.c[name] for name in PendingReview._fields))
    .where(schema.reviews.c.status == "waiting")
    .order_by(schema.reviews.c.created, schema.reviews.c.id)
)


def _waiting(connection: sa.Connection) -> list[PendingReview]:
    return [PendingReview(*row) for row in connection.execute(_WAITING)]


def in_turn(waiting: Sequence[PendingReview]) -> list[PendingReview]:
    """Those that wait, in the order of their turns: the first of everybody who asked, then the second of everybody."""
    before: Counter[str] = Counter()
    ranks = {}
    for one in waiting:
        ranks[one.id] = before[one.maker]
        before[one.maker] += 1
    return sorted(waiting, key=lambda one: ranks[one.id])


def _claimed(connection: sa.Connection, process: str, now: int, until: int) -> ReviewWork | None:
    """Claim the review whose turn it is. Of one that was claimed before and is not done, a try has come to nothing."""
    reviews = schema.reviews
    for one in in_turn(_waiting(connection)):
        mine = sa.and_(reviews.c.id == one.id, reviews.c.status == "waiting", leases.is_free(reviews, now, until))
        values = {"lease_by": process, "lease_until": until, "tries": reviews.c.tries + 1}
        if not connection.execute(sa.update(reviews).where(mine).values(**values)).rowcount:
            continue
        row = connection.execute(sa.select(reviews).where(reviews.c.id == one.id)).mappings().one()
        if row["tries"] > TRIES:
            connection.execute(sa.update(reviews).where(reviews.c.id == one.id).values(status="failed"))
            continue
        plan: list[Any] = msgspec.json.decode(row["plan"])
        known = set(connection.execute(_NUMBERS, {"review": one.id}).scalars())
        missing = [number for number in range(len(plan)) if number not in known]
        return ReviewWork(one.id, row["record"], plan, missing, row["tries"])
    return None


_NUMBERS = sa.select(schema.review_pieces.c.number).where(schema.review_pieces.c.review_id == sa.bindparam("review"))
_PIECES = (
    sa.select(schema.review_pieces.c.found)
    .where(schema.review_pieces.c.review_id == sa.bindparam("review"))
    .order_by(schema.review_pieces.c.number)
)


def _pieces(connection: sa.Connection, review: str) -> list[Any]:
    return [_unpacked(found) for found in connection.execute(_PIECES, {"review": review}).scalars()]


def _keep_piece(review: str, number: int, found: Any) -> Writing:
    def work(connection: sa.Connection) -> None:
        known = set(connection.execute(_NUMBERS, {"review": review}).scalars())
        if number not in known:  # else it was written by a try whose answer was lost
            one = {"review_id": review, "number": number, "found": _packed(found)}
            connection.execute(sa.insert(schema.review_pieces), [one])

    return work


def _keep_review(review: str, found: Any) -> Writing:
    """Write down the whole, and drop what it was made of."""

    def work(connection: sa.Connection) -> None:
        mine = schema.reviews.c.id == review
        values = {"status": "done", "found": _packed(found), "record": "", "plan": "", "lease_until": 0}
        connection.execute(sa.update(schema.reviews).where(mine).values(**values))
        connection.execute(sa.delete(schema.review_pieces).where(schema.review_pieces.c.review_id == review))

    return work


def _packed(found: Any) -> bytes:
    return zlib.compress(msgspec.json.encode(found))


def _unpacked(found: bytes) -> Any:
    return msgspec.json.decode(zlib.decompress(found))


def _shown(connection: sa.Connection, which: sa.ColumnElement[bool], now: int) -> protocol.ReviewInfo | None:
    """How a review stands, for whoever asked for it."""
    row = connection.execute(sa.select(schema.reviews).where(which)).mappings().first()
    if row is None:
        return None
    info = protocol.ReviewInfo(id=row["id"], status=row["status"], of=row["pieces"])
    if info.status == "done":
        info.done = info.of
        info.review = cast("Json", msgspec.Raw(zlib.decompress(row["found"])))
    elif info.status == "waiting":
        info.done = len(connection.execute(_NUMBERS, {"review": info.id}).all())
        info.status = "working" if row["lease_until"] > now else "waiting"
        turns = [one.id for one in in_turn(_waiting(connection))]
        info.place = turns.index(info.id) if info.id in turns else 0
    return info


def forget_reviews(connection: sa.Connection, tables: Sequence[str], now: int) -> None:
    """Delete the reviews of tables that are deleted, and those of files that nobody needs any more."""
    reviews, pieces = schema.reviews, schema.review_pieces
    old = sa.and_(reviews.c.table_id.is_(None), reviews.c.created < now - MAKER_DAYS * DAY_MS)
    gone = sa.select(reviews.c.id).where(sa.or_(reviews.c.table_id.in_(tables), old))
    connection.execute(sa.delete(pieces).where(pieces.c.review_id.in_(gone)))
    connection.execute(sa.delete(reviews).where(reviews.c.id.in_(gone)))
