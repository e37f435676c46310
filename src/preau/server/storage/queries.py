"""Queries: tables, their logs and settings, read and written in a transaction of the caller.

Most statements are made once, because making one costs more than running it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy.engine import RowMapping
from sqlalchemy.sql.compiler import SQLCompiler

from ...table.log import Row
from ...table.protocol import Origin
from ...table.refusals import Unknown
from ...table.series import Series
from ...table.table import Seat, Table, TieBreak
from . import schema
from .leases import Change, Lease


class Append(NamedTuple):
    """Rows to add to one table's log, together with what changes in the table's own row."""

    table: str
    rows: Sequence[Row]
    change: Change | None = None
    calls: int | None = None
    """When the turn notifications of this table are due to be checked; None: they need no check."""


class StoredTable(NamedTuple):
    """A table as it stands in the database."""

    table: Table
    revision: int
    """Raised by every change of the table or its seats, but not by steps of the game."""
    lease: Lease


# Logs.

_LOG = (
    sa.select(*(schema.log.c[name] for name in Row._fields))
    .where(schema.log.c.table_id == sa.bindparam("table"), schema.log.c.number > sa.bindparam("after"))
    .order_by(schema.log.c.number)
)


def load_log(connection: sa.Connection, table: str, after: int = 0) -> list[Row]:
    """Return the rows of a log after a number."""
    return [Row(*row) for row in connection.execute(_LOG, {"table": table, "after": after})]


def heads(connection: sa.Connection, ids: Iterable[str]) -> dict[str, int]:
    """Return the last number of each of these logs."""
    log = schema.log
    wanted = list(ids)
    found: dict[str, int] = {}
    for start in range(0, len(wanted), 500):
        rows = connection.execute(
            sa.select(log.c.table_id, sa.func.max(log.c.number))
            .where(log.c.table_id.in_(wanted[start : start + 500]))
            .group_by(log.c.table_id)
        )
        found.update({row[0]: row[1] for row in rows})
    return found


def insert_appends(connection: sa.Connection, appends: Sequence[Append]) -> bool:
    """Add rows to logs, and make the changes in the tables' rows that come with them."""
    rows = [(append.table, *row) for append in appends for row in append.rows]
    insert, positional = _insert_for(connection.dialect)
    if positional:
        connection.exec_driver_sql(insert, rows)
    else:
        connection.exec_driver_sql(insert, [dict(zip(_COLUMNS, row, strict=True)) for row in rows])
    changes = [{"the_id": one.table, **one.change.values()} for one in appends if one.change is not None]
    if changes:
        connection.execute(_CHANGE, changes)
    for append in appends:
        if append.calls is not None:
            mark_calls(connection, append.table, append.calls)
    return True


_COLUMNS = ("table_id", *Row._fields)


@lru_cache(maxsize=4)
def _insert_for(dialect: sa.Dialect) -> tuple[str, bool]:
    """Return the insert of log rows, compiled for the driver, and whether it takes values by position."""
    compiled = sa.insert(schema.log).compile(dialect=dialect, column_keys=_COLUMNS)
    assert isinstance(compiled, SQLCompiler)
    return str(compiled), bool(compiled.positional)


_CHANGED = ("status", "over", "wake", "lease_by", "lease_until")
_CHANGE = (
    sa.update(schema.tables)
    .where(schema.tables.c.id == sa.bindparam("the_id"))
    .values({name: sa.bindparam(name) for name in _CHANGED})
)

_MARK = (
    sa.update(schema.calls)
    .where(schema.calls.c.table_id == sa.bindparam("the_table"))
    .values(due=sa.bindparam("the_due"), marks=schema.calls.c.marks + 1)
)


def mark_calls(connection: sa.Connection, table: str, due: int) -> None:
    """Mark that something has happened at a table, so that its turn notifications are checked when they are `due`."""
    connection.execute(_MARK, {"the_table": table, "the_due": due})


# Tables and seats.

_TABLE = sa.select(schema.tables).where(schema.tables.c.id == sa.bindparam("table"))
_LOCKED = _TABLE.with_for_update()
_SEATS = (
    sa.select(*(schema.seats.c[name] for name in Seat.__struct_fields__))
    .where(schema.seats.c.table_id == sa.bindparam("table"))
    .order_by(schema.seats.c.seat)
)
_PACKED = ("wish", "options")
_TYPED: dict[str, Any] = {"contest": TieBreak, "origin": Origin, "series": Series}
"""The columns that may be empty, by the type of their JSON."""
_PLAIN = tuple(name for name in Table.__struct_fields__ if name not in (*_PACKED, *_TYPED, "seats"))
_CHANGING = ("options", "status", "host", "started", "over", "rematch", "hinted", "contest")
"""The columns that may change once a table is made."""


def load_table(connection: sa.Connection, table: str, *, to_change: bool = False) -> StoredTable | None:
    """Return a table with its seats, or None. `to_change` locks its row until this transaction ends."""
    row = connection.execute(_LOCKED if to_change else _TABLE, {"table": table}).mappings().first()
    if row is None:
        return None
    return _stored(row, (Seat(*seat) for seat in connection.execute(_SEATS, {"table": table})))


def load_to_change(connection: sa.Connection, table: str) -> Table:
    """Return a table and lock its row; raise `Unknown` if there is none."""
    stored = load_table(connection, table, to_change=True)
    if stored is None:
        raise Unknown("there is no such table", field="table", key="no_table")
    return stored.table


def load_listed(connection: sa.Connection, most: int) -> list[Table]:
    """Return the listed tables whose game is not over, newest first."""
    tables, seats = schema.tables, schema.seats
    wanted = (tables.c.visibility == "listed") & (tables.c.status != "over")
    rows = connection.execute(sa.select(tables).where(wanted).order_by(tables.c.created.desc()).limit(most)).mappings()
    found = {row["id"]: row for row in rows}
    at = dict[str, list[Seat]]()
    those = sa.select(seats.c.table_id, *(seats.c[name] for name in Seat.__struct_fields__))
    for table, *seat in connection.execute(those.where(seats.c.table_id.in_(found)).order_by(seats.c.seat)):
        at.setdefault(table, []).append(Seat(*seat))
    return [_stored(row, at[id]).table for id, row in found.items()]


def _stored(row: RowMapping, seats: Iterable[Seat]) -> StoredTable:
    found = {name: row[name] for name in _PLAIN}
    found |= {name: json.loads(row[name]) for name in _PACKED}
    found |= {name: msgspec.json.decode(row[name], type=kind) for name, kind in _TYPED.items() if row[name]}
    lease = Lease(row["wake"], row["lease_by"], row["lease_until"])
    return StoredTable(Table(seats=tuple(seats), **found), row["revision"], lease)


def insert_table(connection: sa.Connection, table: Table) -> None:
    """Write a new table and its seats."""
    connection.execute(
        sa.insert(schema.tables), [{name: _column(table, name) for name in (*_PLAIN, *_PACKED, *_TYPED)}]
    )
    seats = [{"table_id": table.id, "seat": at, **asdict(seat)} for at, seat in enumerate(table.seats)]
    connection.execute(sa.insert(schema.seats), seats)


def update_table(connection: sa.Connection, before: Table, after: Table) -> None:
    """Write what has changed in a table and its seats, and raise its revision."""
    values = {name: _column(after, name) for name in _CHANGING if getattr(before, name) != getattr(after, name)}
    tables, seats = schema.tables, schema.seats
    connection.execute(
        sa.update(tables).where(tables.c.id == after.id).values(revision=tables.c.revision + 1, **values)
    )
    for at, seat in enumerate(after.seats):
        if seat != before.seats[at]:
            where = sa.and_(seats.c.table_id == after.id, seats.c.seat == at)
            connection.execute(sa.update(seats).where(where).values(**asdict(seat)))


def _column(table: Table, name: str) -> Any:
    value = getattr(table, name)
    if name in _TYPED:
        return msgspec.json.encode(value).decode() if value is not None else None
    return pack(value) if name in _PACKED else value


def pack(data: Any) -> str:
    """Return data as JSON for a text column."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


# Settings, and trying whether the database works.

_SETTING = sa.select(schema.settings.c.value).where(schema.settings.c.name == sa.bindparam("the_name"))


def load_setting(connection: sa.Connection, name: str, make: Callable[[], str]) -> str:
    """Return a setting; make and write it first if there is none. It fails if another process does so meanwhile."""
    found = connection.execute(_SETTING, {"the_name": name}).scalar()
    if found is None:
        found = make()
        connection.execute(sa.insert(schema.settings), [{"name": name, "value": found}])
    return str(found)


def probe(connection: sa.Connection) -> None:
    """Read nothing, to see whether the database answers."""
    connection.execute(sa.text("SELECT 1"))


def touch(connection: sa.Connection) -> None:
    """Write without changing anything, to see whether the database takes writes."""
    settings = schema.settings.c
    connection.execute(sa.update(schema.settings).where(settings.name == "secret").values(value=settings.value))
