"""What the other processes have to say, and what this one makes of it."""

from __future__ import annotations

from typing import Any

from ...table import protocol
from ...table.log import Row
from ..storage.leases import Change
from .credentials import Credentials
from .entry import TableEntry
from .moves import adopt_change
from .presence import announce_presence, broadcast_presence
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
        self._credentials = people
        self._undos = undoing
        self._tie_breaks = wrestling
        self._shared_replays = together

    async def hear(self, table: str, news: Json) -> None:
        """Take in news about a table this process has in memory."""
        entry = self._tables.entries.get(table)
        if entry is None:
            return
        kind = news.get("kind")
        if kind == "log":
            await self._log(entry, news)
        elif kind == "table":
            await self._tables.refresh(entry)
        elif kind == "presence":
            if entry.audience.heard(news["from"], news["here"], news["watching"]):
                announce_presence(self._tables, entry)  # it may not know yet who is here
            broadcast_presence(self._tables, entry)
        elif kind == "chat":
            entry.audience.push(protocol.ChatMessage(line=protocol.ChatLine(**news["line"])))
        elif kind == "asks":
            entry.audience.push(protocol.AsksMessage(asks=await self._undos.asking(entry)))
        elif kind == "pulls":
            self._tie_breaks.heard(entry, news["round"], news["counts"])
        elif kind == "led":
            self._shared_replays.heard(entry, news)
        elif kind == "who leads":
            self._shared_replays.asked(entry, news["together"])
        elif kind == "looking":
            self._shared_replays.counted(entry, news)
        elif kind == "moved":
            self._credentials.part(entry, news["holder"], "moved")
        elif kind == "revoked" and news.get("removed"):
            self._credentials.remove(entry, news["holder"], news["token"])
        elif kind == "revoked":
            self._credentials.part(entry, news["holder"], "token")

    async def _log(self, entry: TableEntry, news: Json) -> None:
        async with entry.lock:
            if entry.live is not None:
                await self._tables.catch_up(entry, [Row(*row) for row in news["rows"]])
            if news["change"]:
                adopt_change(entry, Change.read(news["change"]))
        if entry.status == "over":
            self._tables.show(entry)
