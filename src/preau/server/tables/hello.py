"""Greeting: the `hello` that tells a viewer all it may know, or fills the gap since it was last here."""

from __future__ import annotations

from ...table import messages, protocol
from ...table.permissions import same_viewpoint
from .audience import Viewer
from .chat import newest
from .entry import TableEntry
from .presence import presence
from .repository import TableRepository
from .undo import asking_at


async def send_hello(
    tables: TableRepository, entry: TableEntry, viewer: Viewer, last: int | None = None, *, opening: bool = False
) -> None:
    """Let a viewer in, or tell one that is in all of it anew; `last` is the number it has seen already. With `opening`
    it is shown how the game began.

    With the table's lock held, so that no step gets lost between the greeting and what follows it.
    """
    async with entry.lock:
        live = await tables.live(entry) if entry.status != "waiting" else None
        table, head = entry.table, live.head if live is not None else 0
        chat, asks = await tables.store.read(
            lambda connection: (newest(connection, table.id), asking_at(connection, table, head) if live else None)
        )
        viewer.viewpoint = same_viewpoint(
            entry.table, viewer.holder, viewer.viewpoint
        )  # seats may have changed on the way here
        began: list[protocol.Moment] = []
        if opening and live is not None and messages.has_opening(table, live, viewer.holder):
            began = messages.opening(table, await tables.log(entry), viewer.viewpoint)
        message = messages.hello(
            entry.table,
            live,
            tables.config,
            holder=viewer.holder,
            viewpoint=viewer.viewpoint,
            last=last,
            chat=chat,
            asks=asks,
            presence=presence(tables, entry),
            now=tables.now(),
            began=began,
            pulls=entry.pulling.running(tables.now()) if entry.pulling is not None else None,
        )
        entry.audience.enter(viewer)
        viewer.push(protocol.encode(message))
        tables.observer.viewer_came(entry)


async def send_hello_to_all(tables: TableRepository, entry: TableEntry) -> None:
    """A game has begun: everybody at the table needs to see all of it."""
    for viewer in list(entry.audience.viewers):
        await send_hello(tables, entry, viewer)
