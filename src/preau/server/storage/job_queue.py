"""The jobs that wait for the database, their deadlines, and what is logged when the database is stuck.

A job's timeout starts when it is submitted, not when it is dequeued. Once the database is known to be away, it counts
from the begin of the outage: all jobs fail at about the same time, and later ones at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ..logs import log
from .errors import busy

if TYPE_CHECKING:
    from .queries import Append

STUCK_SECONDS = 2.0
"""If a job waits longer than this, the database is stuck."""
TRY_SECONDS = 0.5
"""A job with less time left is not tried: it could be written although its caller was told `Busy`."""

Work = Callable[[sa.Connection], Any]


class Job:
    """A piece of work for the database, and the future of its result."""

    __slots__ = ("again", "append", "began", "deadline", "done", "error", "future", "held", "loop", "result", "work")

    def __init__(self, append: Append | None = None, work: Work | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        self.append = append
        self.work = work
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.began = monotonic()
        self.deadline = 0.0
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
        """Whether it was tried and is decided."""
        self.again = False
        """Whether it was tried and has to be tried again."""
        self.held = False
        """Whether another process held its rows when it was last tried."""

    def too_late(self, now: float | None = None) -> bool:
        """Return whether it must not be tried any more: its caller was told `Busy`, or will be in a moment."""
        return self.future.done() or (monotonic() if now is None else now) > self.deadline - TRY_SECONDS

    def settle(self) -> None:
        """Set the result or error of the future, unless the caller has cancelled it."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class JobQueue:
    """All jobs that wait to write, or all that wait to read."""

    def __init__(self, what: str, timeout: float) -> None:
        self.what = what
        self.timeout = timeout
        self.open: dict[Job, None] = {}
        """The unsettled jobs, in the order of their submission."""
        self.away_since: float | None = None
        """Since when the database is known to be away."""
        self._said: float | None = None
        """Since when it has been stuck, once that was logged."""
        self._well: float | None = None
        """Since when it has worked again."""

    @property
    def quiet(self) -> bool:
        """Whether no job waits and no outage is known or logged."""
        return not self.open and self.away_since is None and self._said is None

    def enter(self, job: Job) -> bool:
        """Add a job; refuse it and return False if the database has been stuck for longer than its timeout."""
        stuck = self._stuck_for(job.began)
        job.deadline = job.began - stuck + self.timeout
        if stuck and job.too_late():
            job.future.set_exception(busy())
            return False
        self.open[job] = None
        return True

    def enter_probe(self, job: Job) -> None:
        """Add a job even during an outage, to see whether the database is back."""
        job.deadline = job.began + self.timeout
        self.open[job] = None

    def leave(self, job: Job) -> None:
        """Remove and settle a job that is done."""
        self.open.pop(job, None)
        job.settle()

    def worked(self) -> None:
        """Note that the database has done something; called from any thread."""
        if self.away_since is not None:
            self.away_since = None

    def failed(self, job: Job) -> None:
        """Note that the database could not be reached for this job; called from any thread."""
        if self.away_since is None:
            self.away_since = job.began

    def is_stuck(self) -> bool:
        """Return whether the database has answered nothing for too long."""
        return self._stuck_for(monotonic()) > 0

    def expire(self) -> None:
        """Fail the jobs whose deadline has passed; log it if the database has got stuck or works again."""
        now = monotonic()
        for job in [job for job in self.open if now >= job.deadline or job.future.done()]:
            if not job.future.done():
                job.future.set_exception(busy())
                if not job.held:
                    self.failed(job)
            del self.open[job]
        self._log_state(now, self._stuck_for(now))

    def _log_state(self, now: float, stuck: float) -> None:
        """Log one line when the database gets stuck, and one when it has worked again for a while."""
        if stuck:
            self._well = None
            if self._said is None:
                self._said = now - stuck
                log.warning("database stuck", what=self.what)
        elif self._said is not None:
            self._well = self._well or now
            if now - self._well >= STUCK_SECONDS:
                log.warning("database works again", what=self.what, seconds=round(self._well - self._said, 1))
                self._said = None

    def _stuck_for(self, now: float) -> float:
        """Return for how many seconds it has been stuck; 0 if for less than `STUCK_SECONDS`."""
        since = now if self.away_since is None else self.away_since
        for oldest in self.open:
            since = min(since, oldest.began)
            break
        return now - since if now - since >= STUCK_SECONDS else 0.0
