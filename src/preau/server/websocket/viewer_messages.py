"""What any viewer sends: another viewpoint, a resync, chat and shared replays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...host.refusals import too_many
from ...table import protocol
from ...table.chat import said
from ...table.permissions import other_viewpoint
from ..commands.chat import Chat
from ..tables.broadcaster import Broadcaster
from ..tables.repository import TableRepository
from ..tables.shared_replay import SharedReplays
from ..tables.table_entry import TableEntry
from .connection import Connection
from .dispatcher import Handler
from .rate_limits import HEAVY_MESSAGES


class ViewerMessages:
    """Handles the messages of viewers."""

    def __init__(
        self,
        now: Callable[[], int],
        tables: TableRepository,
        chat: Chat,
        broadcaster: Broadcaster,
        shared_replays: SharedReplays,
    ) -> None:
        self._now = now
        self._tables = tables
        self._chat = chat
        self._broadcaster = broadcaster
        self._shared_replays = shared_replays

    def handlers(self) -> Mapping[type[protocol.ClientMessage], Handler]:
        """Return the handlers by the type of their messages."""
        return {
            protocol.Look: self._look,
            protocol.Resync: self._resync,
            protocol.Say: self._say,
            protocol.Follow: self._follow,
            protocol.Lead: self._lead,
        }

    async def _look(self, connection: Connection, entry: TableEntry, message: protocol.Look) -> None:
        _weigh_hello(connection)
        connection.viewpoint = other_viewpoint(entry.table, connection.holder, message.seat)
        await self._broadcaster.send_hello(entry, connection)

    async def _resync(self, connection: Connection, entry: TableEntry, message: protocol.Resync) -> None:
        _weigh_hello(connection)
        await self._broadcaster.send_hello(entry, connection, message.last)

    async def _say(self, connection: Connection, entry: TableEntry, message: protocol.Say) -> None:
        line = said(entry.table, connection.holder, connection.viewpoint, message, self._now())
        connection.spend("chat")
        await self._chat.say(entry, line)

    async def _follow(self, connection: Connection, entry: TableEntry, message: protocol.Follow) -> None:
        await self._tables.check_over(entry)
        self._shared_replays.follow(entry, connection, message.together)

    async def _lead(self, connection: Connection, entry: TableEntry, message: protocol.Lead) -> None:
        await self._tables.check_over(entry)
        self._shared_replays.lead(entry, connection, message)


def _weigh_hello(connection: Connection) -> None:
    """Count a request for a `hello` as several messages; it has been counted as one already."""
    if not connection.pace.take(HEAVY_MESSAGES - 1):
        raise too_many("messages", connection.pace.wait(HEAVY_MESSAGES - 1), of="")
