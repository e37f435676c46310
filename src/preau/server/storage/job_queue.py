"""Patience: who waits for the database, how long, and what is said about it.

Everybody's patience begins when they ask, whoever is before them. Once the database is known to be away it is counted
from when that began, so that all are told at about the same time, and whoever comes later at once.
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
    from .store import Append

STUCK_SECONDS = 2.0
"""Whoever waits longer than this waits for a database that is stuck."""
TRY_SECONDS = 0.5
"""Nothing is tried that has less time left: whoever is told to be too early should not have been written after all."""

Work = Callable[[sa.Connection], Any]


class Job:
    """Something to ask the database, and the future that waits for it."""

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
        """Whether somebody else held its rows when it was last tried."""

    def too_late(self, now: float | None = None) -> bool:
        """Whether it must not be tried any more: whoever waited has been told, or will be in a moment."""
        return self.future.done() or (monotonic() if now is None else now) > self.deadline - TRY_SECONDS

    def settle(self) -> None:
        """Tell whoever waits; they may have gone."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class JobQueue:
    """All who wait to write, or all who wait to read."""

    def __init__(self, what: str, patience: float) -> None:
        self.what = what
        self.patience = patience
        self.open: dict[Job, None] = {}
        """In the order they came."""
        self.away_since: float | None = None
        """Since when the database is known to be away."""
        self._said: float | None = None
        """Since when it has been stuck, once that was said."""
        self._well: float | None = None
        """Since when it goes on again."""

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to look at."""
        return not self.open and self.away_since is None and self._said is None

    def enter(self, job: Job) -> bool:
        """Begin to wait; False for somebody who is told at once that it makes no sense."""
        stuck = self._stuck_for(job.began)
        job.deadline = job.began - stuck + self.patience
        if stuck and job.too_late():
            job.future.set_exception(busy())
            return False
        self.open[job] = None
        return True

    def enter_to_see(self, job: Job) -> None:
        """Begin to wait whatever is known, to see whether the database is back."""
        job.deadline = job.began + self.patience
        self.open[job] = None

    def leave(self, job: Job) -> None:
        """Its answer is there."""
        self.open.pop(job, None)
        job.settle()

    def worked(self) -> None:
        """The database has done something; called from any thread."""
        if self.away_since is not None:
            self.away_since = None

    def failed(self, job: Job) -> None:
        """The database could not be reached for this job; called from any thread."""
        if self.away_since is None:
            self.away_since = job.began

    def is_stuck(self) -> bool:
        """Whether nothing has come of what was asked for too long."""
        return self._stuck_for(monotonic()) > 0

    def expire(self) -> None:
        """Tell those whose time is up, and say it if things have got stuck or go on again."""
        now = monotonic()
        for job in [job for job in self.open if now >= job.deadline or job.future.done()]:
            if not job.future.done():
                job.future.set_exception(busy())
                if not job.held:
                    self.failed(job)
            del self.open[job]
        self._say(now, self._stuck_for(now))

    def _say(self, now: float, stuck: float) -> None:
        """One line when things get stuck, one when they have gone on for a while."""
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
        """How long it has been stuck; 0 if that is too short to speak of."""
        since = now if self.away_since is None else self.away_since
        for oldest in self.open:
            since = min(since, oldest.began)
            break
        return now - since if now - since >= STUCK_SECONDS else 0.0
