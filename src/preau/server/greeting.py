"""Greeting: the `hello` that tells a viewer all it may know, or fills the gap since it was last here."""

from __future__ import annotations

import sqlalchemy as sa

from . import schema, wire
from .live import Live
from .play import asking_at
from .rooms import Viewer
from .table import Table
from .tables import Tables

CHAT_LINES = 50
_CHAT = (
    sa.select(schema.chat)
    .where(schema.chat.c.table_id == sa.bindparam("table"))
    .order_by(schema.chat.c.id.desc())
    .limit(CHAT_LINES)
)


async def greet(tables: Tables, table: Table, viewer: Viewer, last: int | None = None) -> None:
    """Let a viewer in, or tell one that is in all of it anew; `last` is the number it has seen already.

    With the table's lock held, so that no step gets lost between the greeting and what follows it.
    """
    async with table.lock:
        live = await tables.live(table) if table.status != "waiting" else None
        head = live.head if live is not None else 0
        chat, asks = await tables.store.read(
            lambda connection: (_chat(connection, table.id), asking_at(connection, table, head) if live else None)
        )
        message = _hello(tables, table, viewer, live, last, chat, asks)
        table.room.enter(viewer)
        viewer.push(wire.encode(message))


async def greet_all(tables: Tables, table: Table) -> None:
    """A game has begun: everybody at the table needs to see all of it."""
    for viewer in list(table.room.viewers):
        await greet(tables, table, viewer)


def _hello(
    tables: Tables,
    table: Table,
    viewer: Viewer,
    live: Live | None,
    last: int | None,
    chat: list[wire.Line],
    asks: wire.Asking | None,
) -> wire.HelloMessage:
    eyes = viewer.eyes
    state = live.state if live is not None else None
    to_act = list(state.to_act) if state is not None else []
    log, gap = _log(live, eyes, last)
    viewer.shown = tables.now()
    return wire.HelloMessage(
        protocol=wire.PROTOCOL,
        table=table.info(),
        seat=eyes,
        seats=table.seats_of(viewer.holder),
        host=table.is_host(viewer.holder),
        number=live.head if live is not None else 0,
        view=state.view(eyes) if state is not None else None,
        prompt=state.prompt(eyes) if state is not None else None,
        legal=[action.text for action in state.legal(eyes)] if state is not None and eyes in to_act else [],
        to_act=to_act,
        asked=live.asked.get(eyes, 0) if live is not None and eyes is not None else 0,
        log=log,
        gap=gap,
        clocks=tables.clocks(table),
        presence=table.room.everywhere(table.holders),
        chat=chat,
        asks=asks,
        undo=live is not None and eyes is not None and live.free == eyes,
        now=tables.now(),
        result=state.result().to_json() if state is not None and state.over else None,
    )


def _log(live: Live | None, eyes: int | None, last: int | None) -> tuple[list[wire.Step], bool]:
    """The steps after `last`, and whether some are missing in between."""
    if live is None:
        return [], False
    missing = bool(live.tail) and len(live.tail) == live.tail.maxlen
    reaches_back = not missing or (last is not None and last >= live.tail[0].number)
    steps = [
        wire.Step(number=past.number, actor=past.actor, time=past.time, events=past.seen_by(eyes))
        for past in live.tail
        if last is None or past.number > last
    ]
    return steps, not reaches_back


def _chat(connection: sa.Connection, table: str) -> list[wire.Line]:
    rows = connection.execute(_CHAT, {"table": table}).mappings()
    return [line_of(dict(row)) for row in reversed(rows.all())]


def line_of(row: dict[str, object]) -> wire.Line:
    """A line of chat from its row."""
    return wire.Line(
        id=row["id"],  # type: ignore[arg-type]
        seat=row["seat"],  # type: ignore[arg-type]
        name=str(row["name"]),
        time=row["time"],  # type: ignore[arg-type]
        text=str(row["text"]),
        phrase=str(row["phrase"]),
    )
