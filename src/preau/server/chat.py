"""The chat of a table, as it is kept."""

from __future__ import annotations

import sqlalchemy as sa
from msgspec.structs import asdict, replace

from ..table import wire
from ..table.chat import LINES
from . import schema
from .loaded import Loaded
from .tables import Tables

_NEWEST = (
    sa.select(*(schema.chat.c[name] for name in wire.ChatLine.__struct_fields__))
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


def newest(connection: sa.Connection, table: str) -> list[wire.ChatLine]:
    """The last lines, oldest first."""
    rows = connection.execute(_NEWEST, {"table": table}).mappings().all()
    return [wire.ChatLine(**row) for row in reversed(rows)]


async def say(tables: Tables, loaded: Loaded, line: wire.ChatLine) -> None:
    """Keep a new line of chat, and as many before it as are shown to whoever comes in; then tell everybody."""
    row = {"table_id": loaded.id, **asdict(line)}
    del row["id"]

    def work(connection: sa.Connection) -> int:
        number: int = connection.execute(sa.insert(schema.chat).returning(schema.chat.c.id), row).scalar_one()
        connection.execute(_FORGET, {"table": loaded.id})
        return number

    kept = replace(line, id=await tables.store.write(work))
    loaded.room.push(wire.ChatMessage(line=kept))
    tables.bus.publish(loaded.id, {"kind": "chat", "line": asdict(kept)})
