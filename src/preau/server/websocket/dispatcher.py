"""Hand each message of a client to its handler, and send the refusal if there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from ...core.errors import PreauError
from ...table import protocol
from ...table.messages import refused
from ...table.refusals import Refusal
from ..metrics import Metrics
from ..tables.table_entry import TableEntry
from .connection import Connection

HINT_TASK = "hint"
"""The name of tasks that work out a hint: the only work that goes on while later messages are handled."""

Later = Coroutine[Any, Any, None]
Handler = Callable[[Connection, TableEntry, Any], Awaitable[Later | None]]
"""Handles a message of one type. It may return work that goes on while the client's next messages are handled."""


class Dispatcher:
    """Handles the messages of all clients."""

    def __init__(self, handlers: Mapping[type[protocol.ClientMessage], Handler], metrics: Metrics) -> None:
        self._handlers = handlers
        self._metrics = metrics
        self._tasks: set[asyncio.Task[None]] = set()

    async def handle(self, connection: Connection, entry: TableEntry, message: protocol.ClientMessage) -> None:
        """Handle a message, or refuse it."""
        try:
            handler = self._handlers.get(type(message))
            if handler is None:
                raise Refusal("you are in already", key="protocol")
            later = await handler(connection, entry, message)
        except PreauError as error:
            self._refuse(connection, entry, message, error)
        else:
            if later is not None:
                task = asyncio.create_task(self._finish(later, connection, entry, message), name=HINT_TASK)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _finish(
        self, later: Later, connection: Connection, entry: TableEntry, message: protocol.ClientMessage
    ) -> None:
        try:
            await later
        except PreauError as error:
            self._refuse(connection, entry, message, error)

    def _refuse(
        self, connection: Connection, entry: TableEntry, message: protocol.ClientMessage, error: PreauError
    ) -> None:
        self._metrics.refused.labels(error.key or type(error).__name__).inc()
        connection.push(protocol.encode(refused(error, message, entry.live)))

    def close(self) -> None:
        """Stop the work that goes on in the background."""
        for task in list(self._tasks):
            task.cancel()
