"""What can be wrong with a database, told apart: only what passes by itself is worth waiting for."""

from __future__ import annotations

import sqlite3
from enum import Enum, auto

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ...host import refusals
from ...host.refusals import Busy


class Damaged(Busy):
    """The database cannot be used as it is: somebody has to look after it."""


class DatabaseTrouble(Enum):
    """What an error of the database means for whoever asked."""

    AWAY = auto()
    """It cannot be reached, is locked as a whole or has no room: nobody can do anything just now."""
    HELD = auto()
    """Somebody else holds just these rows."""
    DAMAGED = auto()
    """What is on disk is not what was written there."""
    WRONG = auto()
    """It was asked something it does not understand or cannot do."""


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
    """What an error means; `IntegrityError`s have their own meaning and do not come here."""
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
    """What the database itself says, in a line: without the values it was asked with."""
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def busy() -> Busy:
    """Return the refusal of what has waited for the database for too long."""
    return refusals.busy("the database cannot be reached")


def damaged() -> Damaged:
    """For whoever asked for what the database cannot give, however long one waits."""
    return Damaged(
        "the database is damaged, or not as this program needs it",
        key="damaged",
        hint="Whoever runs this server finds the reason in its log.",
    )
