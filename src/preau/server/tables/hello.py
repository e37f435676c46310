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
    tables: TableRepository, loaded: TableEntry, viewer: Viewer, last: int | None = None, *, opening: bool = False
) -> None:
    """Let a viewer in, or tell one that is in all of it anew; `last` is the number it has seen already. With `opening`
    it is shown how the game began.

    With the table's lock held, so that no step gets lost between the greeting and what follows it.
    """
    async with loaded.lock:
        live = await tables.live(loaded) if loaded.status != "waiting" else None
        table, head = loaded.table, live.head if live is not None else 0
        chat, asks = await tables.store.read(
            lambda connection: (newest(connection, table.id), asking_at(connection, table, head) if live else None)
        )
        viewer.eyes = same_viewpoint(loaded.table, viewer.holder, viewer.eyes)  # seats may have changed on the way here
        began: list[protocol.Moment] = []
        if opening and live is not None and messages.has_opening(table, live, viewer.holder):
            began = messages.opening(table, await tables.log(loaded), viewer.eyes)
        message = messages.hello(
            loaded.table,
            live,
            tables.config,
            holder=viewer.holder,
            eyes=viewer.eyes,
            last=last,
            chat=chat,
            asks=asks,
            presence=presence(tables, loaded),
            now=tables.now(),
            began=began,
            pulls=loaded.pulling.running(tables.now()) if loaded.pulling is not None else None,
        )
        loaded.room.enter(viewer)
        viewer.push(protocol.encode(message))
        tables.observer.somebody_looks(loaded)


async def send_hello_to_all(tables: TableRepository, loaded: TableEntry) -> None:
    """A game has begun: everybody at the table needs to see all of it."""
    for viewer in list(loaded.room.viewers):
        await send_hello(tables, loaded, viewer)
