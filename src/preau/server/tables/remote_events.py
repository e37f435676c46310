"""What the other processes have to say, and what this one makes of it."""

from __future__ import annotations

from typing import Any

from ...table import protocol
from ...table.log import Row
from ..background.sweeper import announce, show_presence
from ..storage.leases import Change
from .credentials import People
from .entry import Loaded
from .moves import adopt
from .repository import Tables
from .shared_replay import Together
from .tie_break import Wrestling
from .undo import Undoing

Json = dict[str, Any]


class News:
    """The listener of the bus."""

    def __init__(
        self, tables: Tables, people: People, undoing: Undoing, wrestling: Wrestling, together: Together
    ) -> None:
        self._tables = tables
        self._people = people
        self._undoing = undoing
        self._wrestling = wrestling
        self._together = together

    async def hear(self, table: str, news: Json) -> None:
        """Take in news about a table this process has in memory."""
        loaded = self._tables.loaded.get(table)
        if loaded is None:
            return
        kind = news.get("kind")
        if kind == "log":
            await self._log(loaded, news)
        elif kind == "table":
            await self._tables.refresh(loaded)
        elif kind == "presence":
            if loaded.room.heard(news["from"], news["here"], news["watching"]):
                announce(self._tables, loaded)  # it may not know yet who is here
            show_presence(self._tables, loaded)
        elif kind == "chat":
            loaded.room.push(protocol.ChatMessage(line=protocol.ChatLine(**news["line"])))
        elif kind == "asks":
            loaded.room.push(protocol.AsksMessage(asks=await self._undoing.asking(loaded)))
        elif kind == "pulls":
            self._wrestling.heard(loaded, news["round"], news["counts"])
        elif kind == "led":
            self._together.heard(loaded, news)
        elif kind == "who leads":
            self._together.asked(loaded, news["together"])
        elif kind == "looking":
            self._together.counted(loaded, news)
        elif kind == "moved":
            self._people.part(loaded, news["holder"], "moved")
        elif kind == "revoked" and news.get("removed"):
            self._people.remove(loaded, news["holder"], news["token"])
        elif kind == "revoked":
            self._people.part(loaded, news["holder"], "token")

    async def _log(self, loaded: Loaded, news: Json) -> None:
        async with loaded.lock:
            if loaded.live is not None:
                await self._tables.catch_up(loaded, [Row(*row) for row in news["rows"]])
            if news["change"]:
                adopt(loaded, Change.read(news["change"]))
        if loaded.status == "over":
            self._tables.show(loaded)
