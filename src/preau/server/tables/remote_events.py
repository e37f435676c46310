"""What the other processes have to say, and what this one makes of it."""

from __future__ import annotations

from typing import Any

from ...table import protocol
from ...table.log import Row
from ..background.sweeper import announce_presence, broadcast_presence
from ..storage.leases import Change
from .credentials import Credentials
from .entry import TableEntry
from .moves import adopt_change
from .repository import TableRepository
from .shared_replay import SharedReplays
from .tie_break import TieBreaks
from .undo import Undos

Json = dict[str, Any]


class RemoteEvents:
    """The listener of the bus."""

    def __init__(
        self,
        tables: TableRepository,
        people: Credentials,
        undoing: Undos,
        wrestling: TieBreaks,
        together: SharedReplays,
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
                announce_presence(self._tables, loaded)  # it may not know yet who is here
            broadcast_presence(self._tables, loaded)
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

    async def _log(self, loaded: TableEntry, news: Json) -> None:
        async with loaded.lock:
            if loaded.live is not None:
                await self._tables.catch_up(loaded, [Row(*row) for row in news["rows"]])
            if news["change"]:
                adopt_change(loaded, Change.read(news["change"]))
        if loaded.status == "over":
            self._tables.show(loaded)
