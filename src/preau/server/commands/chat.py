"""The chat of live tables."""

from __future__ import annotations

from ...table import protocol
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.chat_rows import keep
from ..tables.table_entry import TableEntry


class Chat:
    """Keeps and sends chat messages."""

    def __init__(self, store: Store, broadcaster: Broadcaster) -> None:
        self._store = store
        self._broadcaster = broadcaster

    async def say(self, entry: TableEntry, line: protocol.ChatLine) -> None:
        """Write a new message into the database, then send it."""
        self._broadcaster.announce_chat(entry, await self._store.write(lambda database: keep(database, entry.id, line)))
