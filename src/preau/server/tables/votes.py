"""The votes on an undo, as the database keeps them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from ...table import protocol, undo
from ...table.table import Table
from ..storage import schema
from ..storage.queries import load_log

_VOTES = (
    sa.select(schema.votes.c.seat)
    .where(schema.votes.c.table_id == sa.bindparam("table"), schema.votes.c.number == sa.bindparam("at"))
    .order_by(schema.votes.c.first.desc(), schema.votes.c.seat)
)


def agreed(connection: sa.Connection, table: str, number: int) -> list[int]:
    """Return the seats that agree to an undo at this number of the log, first the one that asked."""
    return list(connection.execute(_VOTES, {"table": table, "at": number}).scalars())


def asking_at(connection: sa.Connection, table: Table, number: int) -> protocol.Asking | None:
    """Return what is asked at a table since this number, and who agrees."""
    seats = agreed(connection, table.id, number)
    return undo.asking(table, load_log(connection, table.id), number, seats) if seats else None


def forget_votes(connection: sa.Connection, table: str, seats: Sequence[int]) -> bool:
    """Delete the votes of seats whose holder leaves, and what they asked for. Return whether there were any."""
    votes, gone = schema.votes, 0
    numbers = sa.select(votes.c.number).where(votes.c.table_id == table).distinct()
    for number in connection.execute(numbers).scalars().all():
        kept = undo.without(agreed(connection, table, number), seats)
        where = votes.c.table_id == table, votes.c.number == number, votes.c.seat.not_in(kept)
        gone += connection.execute(sa.delete(votes).where(*where)).rowcount
    return gone > 0


def delete_votes(connection: sa.Connection, table: str, number: int) -> None:
    """Delete the votes on the undo that was asked for at this number of the log."""
    connection.execute(sa.delete(schema.votes).where(schema.votes.c.table_id == table, schema.votes.c.number == number))


def vote(connection: sa.Connection, table: str, number: int, seat: int, *, first: bool) -> tuple[int, ...]:
    """Keep a vote and return which seats agree now. A second vote of a seat changes nothing. Votes on earlier numbers
    are deleted: those requests are settled.
    """
    before = agreed(connection, table, number)
    after = undo.agree(before, seat, first=first)
    if len(after) > len(before):
        votes = schema.votes.c
        connection.execute(sa.delete(schema.votes).where(votes.table_id == table, votes.number < number))
        value = {"table_id": table, "number": number, "seat": seat, "first": int(not before)}
        connection.execute(sa.insert(schema.votes), [value])
    return after
