"""The chat of a table, as it is kept."""

from __future__ import annotations

import sqlalchemy as sa
from msgspec.structs import asdict, replace

from ...table import protocol
from ...table.chat import LINES
from ..cluster.messages import ChatLineAdded
from ..storage import schema
from .entry import TableEntry
from .repository import TableRepository

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
"""Delete what nobody is shown any more."""


def newest(connection: sa.Connection, table: str) -> list[protocol.ChatLine]:
    """The last lines, oldest first."""
    rows = connection.execute(_NEWEST, {"table": table}).mappings().all()
    return [protocol.ChatLine(**row) for row in reversed(rows)]


def keep(connection: sa.Connection, table: str, line: protocol.ChatLine) -> protocol.ChatLine:
    """Write a new line down, and forget what is no longer shown to whoever comes in; the line with its id."""
    row = {"table_id": table, **asdict(line)}
    del row["id"]
    number: int = connection.execute(sa.insert(schema.chat).returning(schema.chat.c.id), row).scalar_one()
    connection.execute(_FORGET, {"table": table})
    return replace(line, id=number)


def tell(tables: TableRepository, entry: TableEntry, line: protocol.ChatLine) -> None:
    """Tell everybody a line that is written down."""
    entry.audience.push(protocol.ChatMessage(line=line))
    tables.bus.publish(entry.id, ChatLineAdded(line))


async def say(tables: TableRepository, entry: TableEntry, line: protocol.ChatLine) -> None:
    """Keep a new line of chat, then tell everybody."""
    tell(tables, entry, await tables.store.write(lambda connection: keep(connection, entry.id, line)))
