"""The connections of all clients of this process: serve each until it ends, and sweep the silent ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from ...core.errors import PreauError, RecordError
from ...host.refusals import Busy, retry_after
from ...table import protocol
from ...table.refusals import Forbidden
from ..client_address import client_address
from ..config import Config
from ..metrics import Metrics
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..transport.asgi_types import TRANSPORT, Receive, Scope, Send, WebSocketTransport
from .admission import Admission
from .connection import PING_SECONDS, ClientLimits, Connection, Disconnected, MalformedMessage
from .dispatcher import Dispatcher


class Connections:
    """The open connections of this process."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        tables: TableRepository,
        admission: Admission,
        dispatcher: Dispatcher,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._limits = config.limits
        self._tables = tables
        self._admission = admission
        self._dispatcher = dispatcher
        self._metrics = metrics
        self._clients = ClientLimits(config.limits, now)
        self._ping_seconds = min(PING_SECONDS, config.silence_ms / 3_000)
        self.open: set[Connection] = set()

    def make(self, receive: Receive, send: Send, where: str, transport: WebSocketTransport | None = None) -> Connection:
        """Return a connection of a client at this address."""
        return Connection(self._clients, receive, send, self._admission.address_quota(where), transport)

    async def serve(self, scope: Scope, receive: Receive, send: Send, table_id: str) -> None:
        """Serve one connection until it ends."""
        where = client_address(scope)
        connection = self.make(receive, send, where, scope.get("extensions", {}).get(TRANSPORT))
        address_quota = connection.address_quota
        address_quota.lines += 1
        self.open.add(connection)
        entry: TableEntry | None = None
        try:
            await connection.accept()
            scope.clear()  # it is not needed any more, and would be kept as long as the connection
            if address_quota.lines > self._limits.sockets_per_address > 0:
                connection.leave("full", again=True, seconds=self._config.silence_ms / 1000)
            elif (wish := await self._first_message(connection)) is not None:
                connection.busy = True
                entry = await self._tables.get(table_id)
                await self._admission.enter(connection, entry, wish)
                entry.came(connection.holder, where)
                connection.busy = False
                await self._listen(connection, entry)
        except (Disconnected, OSError):
            pass
        except PreauError as error:
            reason, again = _bye_reason(error)
            connection.leave(reason, again=again, seconds=retry_after(error))
        finally:
            address_quota.lines -= 1
            self.open.discard(connection)
            if entry is not None and connection in entry.audience.viewers:
                self._admission.leave(connection, entry)
            if connection.bye not in (None, "gone"):
                self._metrics.dropped.labels(connection.bye).inc()
            await connection.finish()

    async def _first_message(self, connection: Connection) -> protocol.Join | None:
        """Return the message that says as what the client joins."""
        wish = await connection.next()
        if isinstance(wish, protocol.Join):
            return wish
        connection.leave("protocol", again=False)
        return None

    async def _listen(self, connection: Connection, entry: TableEntry) -> None:
        malformed = 0
        while connection.bye is None:
            message = await connection.next()
            if connection.bye is not None:
                break
            if isinstance(message, MalformedMessage):
                malformed += 1
                if malformed > self._limits.malformed_messages:
                    connection.leave("protocol", again=False)
                    return
                connection.push(
                    protocol.encode(protocol.RefusedMessage(error="Malformed", message=message.why, key="malformed"))
                )
            else:
                connection.busy = True
                await self._dispatcher.handle(connection, entry, message)
                connection.busy = False
            if connection.more:
                await asyncio.sleep(0)  # let other connections run

    def sweep(self) -> None:
        """Close the connections that have been silent for too long, and ping the others in time, so that a client that
        answers pings is never silent. A new connection has less time for its first message.
        """
        self._metrics.messages.inc(self._clients.messages_heard)
        self._clients.messages_heard = 0
        now = time.monotonic()
        for connection in list(self.open):
            most = self._config.join_ms if connection.joining else self._config.silence_ms
            silent = connection.silent_since(now)
            if silent > most / 1000 and (connection.joining or connection.unanswered):
                connection.leave("silent", again=True)
                continue
            if not connection.joining and connection.wants_ping(now, silent, self._ping_seconds):
                connection.ping()
            connection.rest()

    def say_bye(self) -> None:
        """Close all connections, because the server stops."""
        self._dispatcher.close()
        for connection in list(self.open):
            connection.leave("restart", again=True)


def _bye_reason(error: PreauError) -> tuple[str, bool]:
    """Return why a client could not be let in, and whether trying again makes sense."""
    if isinstance(error, Busy):
        return "busy", True
    if isinstance(error, Forbidden):
        return "removed" if error.key == "removed" else "token", False
    return ("rules" if isinstance(error, RecordError) else "unknown"), False
