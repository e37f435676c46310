"""What the other processes have to say, and what this one makes of it."""

from __future__ import annotations

from typing import Any

from . import wire
from .clocks import announce, show_presence
from .people import People
from .play import Play
from .store import Row
from .table import Table
from .tables import Tables

Json = dict[str, Any]


class News:
    """The listener of the bus."""

    def __init__(self, tables: Tables, people: People, play: Play) -> None:
        self._tables = tables
        self._people = people
        self._play = play

    async def hear(self, table_id: str, news: Json) -> None:
        """Take in news about a table this process has in memory."""
        table = self._tables.loaded.get(table_id)
        if table is None:
            return
        kind = news.get("kind")
        if kind == "log":
            await self._log(table, news)
        elif kind == "table":
            await self._tables.refresh(table)
        elif kind == "presence":
            if table.room.heard(news["from"], news["here"], news["watching"]):
                announce(self._tables, table)  # it may not know yet who is here
            show_presence(self._tables, table)
        elif kind == "chat":
            table.room.push(wire.ChatMessage(line=wire.Line(**news["line"])))
        elif kind == "asks":
            table.room.push(wire.AsksMessage(asks=await self._play.asking(table)))
        elif kind in ("moved", "revoked"):
            self._people.part(table, news["holder"])

    async def _log(self, table: Table, news: Json) -> None:
        async with table.lock:
            if table.live is not None:
                await self._tables.catch_up(table, [Row(*row) for row in news["rows"]])
            table.row.update(news["change"])
        if table.status == "over":
            self._tables.show(table)
