"""Delete old tables with everything that belongs to them. Who made a table is forgotten after a month.

A table's age counts from the last of these: it is created, a seat is taken, an action, a chat message, the end of the
game. A table with viewers in this process is kept.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ...table.table import DAY_MS
from ..config import Config
from ..logs import log
from ..notifications.service import forget_mailboxes
from ..storage import schema
from ..storage.store import Store
from ..tables.credentials import MAKER_DAYS
from ..tables.repository import TableRepository
from .review_jobs import forget_reviews

EVERY_SECONDS = 3_600
AT_ONCE = 100
"""Tables deleted in one transaction, so that nobody waits for it."""

PARTS = (schema.log, schema.seats, schema.holders, schema.links, schema.chat, schema.votes, schema.calls)
"""What belongs to a table and goes with it."""

_FORGET_MAKERS = [
    sa.update(made).where(made.c.maker != "", made.c.created < sa.bindparam("long_ago")).values(maker="")
    for made in (schema.tables, schema.reviews, schema.calls)
]


class Retention:
    """Looks for old tables every hour."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        clock: Callable[[], float],
        tables: TableRepository,
        store: Store,
    ) -> None:
        """`clock` counts seconds and is never set."""
        self._config = config
        self._now = now
        self._tables = tables
        self._store = store
        self._clock = clock
        self._next = clock() + 60  # not while a server is starting

    async def sweep(self) -> None:
        """Delete what is too old, if it is time to look; if there is much of it, the rest at the next sweep."""
        if self._clock() >= self._next and await self.tidy() < AT_ONCE:
            self._next = self._clock() + EVERY_SECONDS

    async def tidy(self) -> int:
        """Delete what is too old now; returns how many tables that were, at most `AT_ONCE`."""
        now = self._now()
        watched = [entry.id for entry in self._tables.entries.values() if entry.audience.viewers]
        old = too_old(self._config, now, watched)

        def work(connection: sa.Connection) -> list[str]:
            connection.execute(sa.delete(schema.links).where(schema.links.c.expires < now))
            for forget in _FORGET_MAKERS:
                connection.execute(forget, {"long_ago": now - MAKER_DAYS * DAY_MS})
            ids = list(connection.execute(old).scalars())
            for part in PARTS:
                connection.execute(sa.delete(part).where(part.c.table_id.in_(ids)))
            forget_mailboxes(connection, now)
            forget_reviews(connection, ids, now)
            connection.execute(sa.delete(schema.tables).where(schema.tables.c.id.in_(ids)))
            return ids

        gone = await self._store.write(work)
        for one in gone:
            entry = self._tables.entries.get(one)
            if entry is not None:
                self._tables.forget(entry)
        if gone:
            log.info("old tables deleted", tables=len(gone))
        return len(gone)


def too_old(config: Config, now: int, watched: list[str]) -> sa.Select[str]:
    """The tables to delete. They are locked, so that nobody takes a seat at one in the same moment."""
    tables = schema.tables.c
    kinds = [
        _untouched("waiting", tables.created, now - config.keep_waiting_days * DAY_MS, config.keep_waiting_days),
        _untouched("playing", tables.started, now - config.keep_unfinished_days * DAY_MS, config.keep_unfinished_days),
        _untouched("over", tables.over, now - config.keep_finished_days * DAY_MS, config.keep_finished_days),
    ]
    return (
        sa.select(tables.id)
        .where(sa.or_(*kinds), tables.id.not_in(watched))
        .order_by(tables.created)
        .limit(AT_ONCE)
        .with_for_update(skip_locked=True)
    )


def _untouched(status: str, since: sa.Column[int], limit: int, days: int) -> sa.ColumnElement[bool]:
    """Tables of this status without a touch since `limit`; none if they are kept for ever (0 days)."""
    if not days:
        return sa.false()
    touches = [
        sa.exists().where(part.c.table_id == schema.tables.c.id, at >= limit)
        for part, at in (
            (schema.log, schema.log.c.time),
            (schema.holders, schema.holders.c.created),
            (schema.chat, schema.chat.c.time),
        )
    ]
    return sa.and_(schema.tables.c.status == status, since < limit, *(~touch for touch in touches))
