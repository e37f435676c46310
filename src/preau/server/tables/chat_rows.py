"""The chat of a table, as the database keeps it."""

from __future__ import annotations

import sqlalchemy as sa
from msgspec.structs import asdict, replace

from ...table import protocol
from ...table.chat import LINES
from ..storage import schema

_NEWEST = (
    sa.select(*(schema.chat.c[name] for name in protocol.ChatLine.__struct_fields__))
    .where(schema.chat.c.table_id == sa.bindparam("table"))
    .order_by(schema.chat.c.id.desc())
    .limit(LINES)
)


_OLD = (
    sa.select(schema.chat.c.id)
    .where(schema.chat.c.table_id == sa.bindparam("table"))
    .order_by(schema.chat.c.id.desc())
    .limit(1)
    .offset(LINES)
    .scalar_subquery()
)
_FORGET = sa.delete(schema.chat).where(schema.chat.c.table_id == sa.bindparam("table"), schema.chat.c.id <= _OLD)
"""Delete the messages that are not shown any more."""


def newest(connection: sa.Connection, table: str) -> list[protocol.ChatLine]:
    """Return the newest messages, oldest first."""
    rows = connection.execute(_NEWEST, {"table": table}).mappings().all()
    return [protocol.ChatLine(**row) for row in reversed(rows)]


def keep(connection: sa.Connection, table: str, line: protocol.ChatLine) -> protocol.ChatLine:
    """Insert a message and delete those that are not shown any more; return the message with its id."""
    row = {"table_id": table, **asdict(line)}
    del row["id"]
    number: int = connection.execute(sa.insert(schema.chat).returning(schema.chat.c.id), row).scalar_one()
    connection.execute(_FORGET, {"table": table})
    return replace(line, id=number)
