"""The database of a process: one writer thread with group commit, and a few reader threads.

The writer has one connection and commits all waiting jobs in one transaction (group commit): a thousand tables cost as
many commits as the disk can do, not a thousand. An append whose first number is taken fails as a whole. Rows of a log
are never changed.

During an outage no job waits behind others: each has one try at a time and its own deadline, after which its caller
gets `Busy` (`job_queue`) and it is not tried again. The try that was under way at the deadline may still have been
written; a client that sends the action again is answered by the action's id.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from ..logs import log
from . import queries
from .engine import make_engine, migrate, opened
from .errors import DatabaseTrouble, busy, classify, damaged, driver_message
from .job_queue import STUCK_SECONDS, Job, JobQueue
from .queries import Append

T = TypeVar("T")

_SWEEP = 0.25
"""Seconds between two sweeps over the waiting jobs."""
_RETRY = 0.2
"""Seconds between a failed try and the next."""
_WAIT = 0.25
"""Seconds that one try waits for a lock on an SQLite file."""
_PASS = 1.0
"""Seconds for which the writer tries one job after another before it takes new jobs."""
_CLOSING = 5.0
"""Seconds that closing waits for the threads."""
CHECK_SECONDS = 1.0
"""Seconds between two tries whether the database can be written to, at least."""


class Store:
    """The database of one server process."""

    def __init__(self, url: str, *, timeout: float = 20.0) -> None:
        self.url = sa.engine.make_url(url)
        self.engine = make_engine(self.url, "BEGIN IMMEDIATE", wait=_WAIT)
        self._reading = make_engine(self.url, "BEGIN", wait=_WAIT)
        self.commits = 0
        self.damaged = False
        """Whether the database was found damaged. It stays so until the process starts again."""
        self._writes = JobQueue("writing", timeout)
        self._reads = JobQueue("reading", timeout)
        self._waiting: list[Job] = []
        self._busy = False
        self._to_write: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._to_read: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._write_loop, name="preau-write", daemon=True)]
        self._threads += [threading.Thread(target=self._read_loop, name="preau-read", daemon=True) for _ in range(4)]
        self._sweeping = False
        self._check: asyncio.Future[Any] | None = None
        self._checked = 0.0
        self._logged: set[str] = set()
        self._closed = False

    def open(self) -> None:
        """Bring the schema up to date and begin to work."""
        with opened(self.url) as engine:
            migrate(engine)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Write the waiting jobs, then stop; after a few seconds at most, if the database does not answer."""
        if not self._closed:
            self._closed = True
            self._to_write.put(None)
            for _ in self._threads[1:]:
                self._to_read.put(None)
            end = time.monotonic() + _CLOSING
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(max(0.0, end - time.monotonic()))
            self.engine.dispose()
            self._reading.dispose()

    # What callers use.

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a reading function in a thread; it waits through a short outage of the database."""
        job = Job(work=work)
        if self._admit(self._reads, job):
            self._to_read.put(job)
        found: T = await job.future
        return found

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a writing function in a transaction of its own. `work` may run again after an outage."""
        done: T = await self._put(Job(work=work))
        return done

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """Return a setting, made once; of several processes that start at once, one makes it."""
        try:
            return await self.write(lambda connection: queries.load_setting(connection, name, make))
        except IntegrityError:
            return await self.write(lambda connection: queries.load_setting(connection, name, make))

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Add rows to a log. False: another process was first, nothing was written.

        After an outage it may be False although the rows were written: look for the action's id before trying again.
        """
        return self._put(Job(append))

    @property
    def is_away(self) -> bool:
        """Whether the database is known to be away, for reading or for writing."""
        return self._writes.away_since is not None or self._reads.away_since is not None

    async def works(self) -> bool:
        """Return whether the database takes a small write now, within `STUCK_SECONDS`.

        It is tried once in `CHECK_SECONDS` at most, however often this is called.
        """
        if self.damaged or self._writes.is_stuck() or self._reads.is_stuck():
            return False
        if self._check is None or (self._check.done() and time.monotonic() - self._checked > CHECK_SECONDS):
            self._checked = time.monotonic()
            self._check = self._put(Job(work=queries.touch))
            self._check.add_done_callback(_retrieve_error)
        await asyncio.wait([self._check], timeout=STUCK_SECONDS)
        return self._check.done() and self._check.exception() is None

    async def ready(self) -> None:
        """Wait until no outage is known, before something long is begun."""
        while self._writes.away_since is not None and not self._closed:
            await asyncio.sleep(_SWEEP)

    # In the event loop.

    def _admit(self, waiting: JobQueue, job: Job, *, as_probe: bool = False) -> bool:
        """Put a job into a queue and schedule the sweep that expires it; False if the job was refused."""
        if self._closed:
            job.future.set_exception(busy())
            return False
        if as_probe:
            waiting.enter_probe(job)
        elif not waiting.enter(job):
            return False
        if not self._sweeping:
            self._sweeping = True
            job.loop.call_later(_SWEEP, self._sweep, job.loop)
        return True

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Expire jobs, and probe a database that is away; four times a second while any job waits."""
        self._sweeping = False
        for waiting in (self._writes, self._reads):
            waiting.expire()
            if waiting.away_since is not None and not waiting.open:
                self._probe(waiting)
        if not self._sweeping and not (self._closed or (self._writes.quiet and self._reads.quiet)):
            self._sweeping = True
            loop.call_later(_SWEEP, self._sweep, loop)

    def _probe(self, waiting: JobQueue) -> None:
        """Try something small, to see whether the database is back."""
        job = Job(work=queries.touch if waiting is self._writes else queries.probe)
        job.future.add_done_callback(_retrieve_error)
        if self._admit(waiting, job, as_probe=True):
            if waiting is self._writes:
                self._queue(job)
            else:
                self._to_read.put(job)

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._admit(self._writes, job):
            self._queue(job)
        return job.future

    def _queue(self, job: Job) -> None:
        """Hand a job to the writer with all others of this turn of the event loop, or that came while it wrote."""
        self._waiting.append(job)
        if len(self._waiting) == 1 and not self._busy:
            job.loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._waiting and not self._busy:
            self._busy = True
            jobs, self._waiting = self._waiting, []
            self._to_write.put(jobs)

    def _written(self, jobs: list[Job]) -> None:
        """Settle the jobs that are done, and write the next ones; jobs to try again wait for a moment."""
        self._busy = False
        again = []
        for job in jobs:
            if job.done:
                self._writes.leave(job)
            elif job.again and not job.future.done():
                again.append(job)
        if again:
            self._waiting[:0] = again
            again[0].loop.call_later(_RETRY, self._flush)
        else:
            self._flush()

    def _was_read(self, job: Job) -> None:
        if job.done:
            self._reads.leave(job)
        elif job.again:
            job.loop.call_later(_RETRY, self._to_read.put, job)

    # In threads of their own.

    def _write_loop(self) -> None:
        while (jobs := self._to_write.get()) is not None:
            self._write(jobs)
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                jobs[0].loop.call_soon_threadsafe(self._written, jobs)

    def _write(self, jobs: list[Job]) -> None:
        """Try each job that has time left once: appends in one transaction if possible, then each job in its own."""
        end = time.monotonic() + _PASS
        away = not self._write_together([job for job in jobs if job.append is not None and not job.held])
        for job in jobs:
            job.again = not job.done and not job.too_late()
            if job.again and not away and time.monotonic() < end:
                away = not self._write_one(job)

    def _write_together(self, jobs: list[Job]) -> bool:
        """Write several appends in one transaction and note it in the jobs. Return False if the database is away."""
        now = time.monotonic()
        jobs = sorted((job for job in jobs if not job.too_late(now)), key=_table)  # one order for all: no deadlocks
        appends = [job.append for job in jobs if job.append is not None]
        if not jobs or len({append.table for append in appends}) < len(appends):
            return True
        try:
            self._commit(lambda connection: queries.insert_appends(connection, appends))
        except DBAPIError as error:
            if not isinstance(error, IntegrityError) and classify(error) is DatabaseTrouble.AWAY:
                self._writes.failed(jobs[0])
                return False
        else:
            for job in jobs:
                job.result, job.done = True, True
        return True

    def _write_one(self, job: Job) -> bool:
        """Write one job in its own transaction and note the outcome in it. Return False if the database is away."""
        try:
            job.result, job.done = self._commit(job.work or _inserting(job.append)), True
        except IntegrityError as error:
            job.result, job.error, job.done = False, None if job.append is not None else error, True
        except Exception as error:
            return self._note_error(job, error, self._writes)
        return True

    def _commit(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.begin() as connection:
            done = work(connection)
        self.commits += 1
        self._writes.worked()
        return done

    def _read_loop(self) -> None:
        while (job := self._to_read.get()) is not None:
            job.again = False
            if not job.too_late():
                self._read_one(job)
            with contextlib.suppress(RuntimeError):
                job.loop.call_soon_threadsafe(self._was_read, job)

    def _read_one(self, job: Job) -> None:
        assert job.work is not None
        try:
            with self._reading.connect() as connection:
                job.result, job.done = job.work(connection), True
                connection.rollback()
            self._reads.worked()
        except Exception as error:
            self._note_error(job, error, self._reads)

    def _note_error(self, job: Job, error: Exception, waiting: JobQueue) -> bool:
        """Note in a job what an error means for it. Return False if the database is away."""
        kind = classify(error) if isinstance(error, DBAPIError) else None
        if kind in (DatabaseTrouble.AWAY, DatabaseTrouble.HELD):
            job.done, job.again, job.held = False, True, kind is DatabaseTrouble.HELD
            if kind is DatabaseTrouble.AWAY:
                waiting.failed(job)
                return False
        elif kind is None:
            job.error, job.done = error, True
        else:
            self._log_once(error, kind)
            job.error, job.done = damaged(), True
        return True

    def _log_once(self, error: Exception, kind: DatabaseTrouble) -> None:
        """Log an error that waiting cannot mend; each text once."""
        self.damaged = self.damaged or kind is DatabaseTrouble.DAMAGED
        text = driver_message(error)
        if text not in self._logged and len(self._logged) < 100:
            self._logged.add(text)
            asked = str(getattr(error, "statement", None))[:500]
            log.error("database", trouble=kind.name.lower(), error=text, asked=asked)


def _retrieve_error(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception, so that asyncio does not log it as unhandled."""
    if not future.cancelled():
        future.exception()


def _table(job: Job) -> str:
    return job.append.table if job.append is not None else ""


def _inserting(append: Append | None) -> Callable[[sa.Connection], bool]:
    assert append is not None
    return lambda connection: queries.insert_appends(connection, [append])
