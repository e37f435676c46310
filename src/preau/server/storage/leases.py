"""Leases: which process looks after a table that needs something done without anybody's message, and until when.

A lease stands in the table's row. It is taken with the step that made a bot's move due, or by the sweep (`clocks`) when
something is due that no living process has claimed. One that reaches further into the future than anybody could have
claimed it is void: the machine's clock has been set back since.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from ...table.clocks import AT_ONCE, Duty
from ...table.protocol import Status
from ...table.table import TablePolicy
from . import schema

_MOST = 200
SKEW_MS = 60_000
"""As far as the clocks of two machines may be apart."""


class Lease(msgspec.Struct, frozen=True):
    """When a table must be looked at, and which process has that to itself until when."""

    wake: int | None = None
    by: str | None = None
    until: int = 0


class Change(msgspec.Struct, frozen=True):
    """What a step changes in its table's row."""

    status: Status
    over: int | None
    lease: Lease

    def values(self) -> dict[str, Any]:
        """Return the values by the names of the columns."""
        return {"status": self.status, "over": self.over, **columns(self.lease)}


def columns(lease: Lease) -> dict[str, Any]:
    """A lease by the names of its columns."""
    return {"wake": lease.wake, "lease_by": lease.by, "lease_until": lease.until}


def after_step(lease: Lease, duty: Duty, process: str, now: int, until: int) -> Lease:
    """The lease after a step: if a bot is to move it is ours, unless another process has it."""
    if not duty.bot:
        return Lease(duty.wake)
    if now < lease.until <= _furthest(now, until) and lease.by not in (None, process):
        return msgspec.structs.replace(lease, wake=duty.wake)
    return Lease(duty.wake, process, until)


def _furthest(now: int, until: int) -> int:
    """How far a lease can reach: as far as one taken now, and as long again for clocks and settings that differ."""
    return until + (until - now)


# In the database.


def unclaimed(connection: sa.Connection, now: int, until: int) -> list[str]:
    """The tables where something is due that no living process has claimed, in one order for all processes."""
    tables = schema.tables
    due = sa.select(tables.c.id).where(tables.c.wake <= now, is_free(tables, now, until)).limit(_MOST)
    return sorted(connection.execute(due).scalars())


def is_free(table: sa.Table, now: int, until: int) -> sa.ColumnElement[bool]:
    """Of rows with a lease: whether no living process has it."""
    return sa.or_(table.c.lease_until < now, table.c.lease_until > _furthest(now, until))


def free_reviews(connection: sa.Connection, now: int, until: int) -> bool:
    """Whether any review waits that no living process works on."""
    reviews = schema.reviews
    free = sa.select(reviews.c.id).where(reviews.c.status == "waiting", is_free(reviews, now, until)).limit(1)
    return connection.execute(free).first() is not None


def claim(connection: sa.Connection, ids: Iterable[str], process: str, now: int, until: int) -> list[str]:
    """Claim tables for a process; returns those it has now."""
    tables = schema.tables
    won = []
    for one in ids:
        claimed = connection.execute(
            sa.update(tables)
            .where(tables.c.id == one, tables.c.status == "playing")
            .where(is_free(tables, now, until) | (tables.c.lease_by == process))
            .values(lease_by=process, lease_until=until)
        ).rowcount
        if claimed:
            won.append(one)
    return won


def bring_near(connection: sa.Connection, now: int, policy: TablePolicy) -> int:
    """Have all tables looked at whose alarm is later than any clock could have set it; returns how many they are."""
    tables = schema.tables
    latest = now + policy.speed_ms + policy.lag_ms + SKEW_MS
    late = sa.and_(tables.c.wake > latest, tables.c.wake - tables.c.timer_ms > latest)
    return connection.execute(sa.update(tables).where(late).values(wake=AT_ONCE)).rowcount


def set_alarm(connection: sa.Connection, table: str, duty: Duty) -> None:
    """Write down when a table must be looked at; unless a bot is to move, nobody needs to keep it to itself."""
    values = {"wake": duty.wake} if duty.bot else columns(Lease(duty.wake))
    connection.execute(sa.update(schema.tables).where(schema.tables.c.id == table).values(**values))


def put_off(connection: sa.Connection, table: str, process: str, wake: int) -> None:
    """Let go of a table that a process has no time for now; it is looked at again at `wake`."""
    mine = (schema.tables.c.id == table) & (schema.tables.c.lease_by == process)
    connection.execute(sa.update(schema.tables).where(mine).values(**columns(Lease(wake))))


def give_back(connection: sa.Connection, process: str) -> None:
    """Let go of everything a process had claimed."""
    for table, more in ((schema.tables, {}), (schema.calls, {}), (schema.reviews, {"tries": 0})):
        free = {"lease_by": None, "lease_until": 0, **more}
        connection.execute(sa.update(table).where(table.c.lease_by == process).values(**free))
