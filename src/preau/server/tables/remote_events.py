"""Take in what other processes tell on the bus: each type of message goes to the service that it concerns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ...core.errors import PreauError
from ..cluster.messages import BusMessage, TableChanged
from ..logs import log, short
from .broadcaster import Broadcaster
from .repository import TableRepository
from .table_entry import TableEntry

Handler = Callable[[TableEntry, Any, str], Awaitable[None] | None]
"""Takes the table, a message of its type and the id of the process that sent it."""


class RemoteEvents:
    """The listener of the bus."""

    def __init__(
        self, tables: TableRepository, broadcaster: Broadcaster, handlers: Mapping[type[BusMessage], Handler]
    ) -> None:
        self._tables = tables
        self._broadcaster = broadcaster
        self._handlers = handlers

    async def hear(self, table: str, message: BusMessage, process: str) -> None:
        """Take in a message of another process about a table, if this process has the table in memory. If that fails,
        the sweep finds the change in the database.
        """
        entry = self._tables.entries.get(table)
        if entry is None:
            return
        try:
            if not isinstance(message, TableChanged):  # that one is sent together with what was found before
                await self._broadcaster.send_unsent(entry)
            done = self._handlers[type(message)](entry, message, process)
            if done is not None:
                await done
        except PreauError as error:
            log.warning("bus message put off", table=short(table), error=str(error))
