"""Kinds of database errors: only some of them pass by themselves, so that waiting helps."""

from __future__ import annotations

import sqlite3
from enum import Enum, auto

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ...host import refusals
from ...host.refusals import Busy


class Damaged(Busy):
    """The database cannot be used as it is: the operator has to act."""


class DatabaseTrouble(Enum):
    """What an error of the database means for the caller."""

    AWAY = auto()
    """It cannot be reached, is locked as a whole or has no room: no job can succeed now."""
    HELD = auto()
    """Another process has locked just these rows."""
    DAMAGED = auto()
    """What is on disk is not what was written there."""
    WRONG = auto()
    """It was asked for something it does not understand or cannot do."""


_SQLITE_AWAY = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_SQLITE_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_POSTGRES_HELD = ("40001", "40P01", "55P03", "57014")
"""Serialization, deadlock, lock and statement time-outs."""
_POSTGRES_DAMAGED = ("XX001", "XX002", "58P01")
_POSTGRES_AWAY = ("08", "25006", "25P03", "28", "3D", "53", "57", "58")
"""Connections, a standby that may not write, time-outs of a session, resources (a full disk too), shutting down."""


def classify(error: DBAPIError) -> DatabaseTrouble:
    """Return what an error means; `IntegrityError`s have their own meaning and do not come here."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _of_sqlite(code & 0xFF)  # the lowest byte is the kind, the others say more about it
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return _of_postgres(state)
    if error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError)):
        return DatabaseTrouble.AWAY
    return DatabaseTrouble.WRONG


def _of_sqlite(code: int) -> DatabaseTrouble:
    if code in _SQLITE_DAMAGED:
        return DatabaseTrouble.DAMAGED
    return DatabaseTrouble.AWAY if code in _SQLITE_AWAY else DatabaseTrouble.WRONG


def _of_postgres(state: str) -> DatabaseTrouble:
    if state in _POSTGRES_HELD:
        return DatabaseTrouble.HELD
    if state in _POSTGRES_DAMAGED:
        return DatabaseTrouble.DAMAGED
    return DatabaseTrouble.AWAY if state.startswith(_POSTGRES_AWAY) else DatabaseTrouble.WRONG


def driver_message(error: Exception) -> str:
    """Return the message of the database itself in one line, without the values of the statement."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def busy() -> Busy:
    """Return the refusal of a job that has waited for the database for too long."""
    return refusals.busy("the database cannot be reached")


def damaged() -> Damaged:
    """Return the refusal of a job that the database cannot do, however long it waits."""
    return Damaged(
        "the database is damaged, or not as this program needs it",
        key="damaged",
        hint="Whoever runs this server finds the reason in its log.",
    )
