"""Compose `hello`, the message that shows a viewer the whole table."""

from __future__ import annotations

from collections.abc import Callable

from ...table import messages, protocol
from ...table.permissions import same_viewpoint
from ...table.viewpoint import Viewpoint
from ..config import Config
from ..storage.store import Store
from .audience import Viewer
from .chat_rows import newest
from .presence import Presence
from .repository import TableRepository
from .table_entry import TableEntry
from .votes import asking_at


class HelloMessages:
    """Compose the `hello` of tables in this process."""

    def __init__(
        self, config: Config, now: Callable[[], int], tables: TableRepository, store: Store, presence: Presence
    ) -> None:
        self._config = config
        self._now = now
        self._tables = tables
        self._store = store
        self._presence = presence

    async def compose(
        self, entry: TableEntry, viewer: Viewer, last: int | None = None, *, opening: bool = False
    ) -> protocol.HelloMessage:
        """Compose the message for a viewer who has seen the log up to the number `last`; with `opening` it shows how
        the game began. The viewer's viewpoint changes if its seat is another player's now. Call with the lock held.
        """
        live = await self._tables.live(entry) if entry.status != "waiting" else None
        table, head = entry.table, live.head if live is not None else 0
        chat, asks = await self._store.read(
            lambda connection: (newest(connection, table.id), asking_at(connection, table, head) if live else None)
        )
        viewer.viewpoint = same_viewpoint(entry.table, viewer.holder, viewer.viewpoint)
        began = await self._opening(entry, viewer.holder, viewer.viewpoint) if opening else []
        measured, now = entry.measured_round, self._now()
        return messages.hello(
            entry.table,
            live,
            self._config,
            holder=viewer.holder,
            viewpoint=viewer.viewpoint,
            last=last,
            chat=chat,
            asks=asks,
            presence=self._presence.snapshot(entry),
            now=now,
            began=began,
            pulls=measured.running(now) if measured is not None else None,
        )

    async def _opening(self, entry: TableEntry, holder: str | None, viewpoint: Viewpoint) -> list[protocol.Moment]:
        if entry.live is None or not messages.has_opening(entry.table, entry.live, holder):
            return []
        return messages.opening(entry.table, await self._tables.log(entry), viewpoint)
