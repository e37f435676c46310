"""Take in what other processes tell on the bus."""

from __future__ import annotations

from ...table import protocol
from ..cluster import messages
from .credentials import Credentials
from .entry import TableEntry
from .moves import adopt_change
from .presence import announce_presence, broadcast_presence
from .repository import TableRepository
from .shared_replay import SharedReplays
from .tie_break import TieBreaks
from .undo import Undos


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

    async def hear(self, table: str, message: messages.BusMessage, process: str) -> None:
        """Take in a message of another process about a table, if this process has the table in memory."""
        entry = self._tables.entries.get(table)
        if entry is None:
            return
        match message:
            case messages.StepsCommitted():
                await self._catch_up(entry, message)
            case messages.TableChanged():
                await self._tables.refresh(entry)
            case messages.PresenceChanged():
                if entry.audience.heard(process, message.here, message.watching):
                    announce_presence(self._tables, entry)  # it may not know yet who is here
                broadcast_presence(self._tables, entry)
            case messages.ChatLineAdded():
                entry.audience.push(protocol.ChatMessage(line=message.line))
            case messages.UndoRequestChanged():
                entry.audience.push(protocol.AsksMessage(asks=await self._undos.asking(entry)))
            case messages.TapsCounted():
                self._tie_breaks.heard(entry, message)
            case messages.SharedStepShown():
                self._shared_replays.heard(entry, message.led, process)
            case messages.LeaderWanted():
                self._shared_replays.asked(entry, message.together)
            case messages.SharedViewersCounted():
                self._shared_replays.counted(entry, message, process)
            case messages.TokenMoved():
                self._credentials.part(entry, message.holder, "moved")
            case messages.HolderLeft():
                self._credentials.part(entry, message.holder, "token")
            case messages.HolderRemoved():
                self._credentials.remove(entry, message.holder, message.token_hash)

    async def _catch_up(self, entry: TableEntry, message: messages.StepsCommitted) -> None:
        async with entry.lock:
            if entry.live is not None:
                await self._tables.catch_up(entry, message.rows)
            if message.change is not None:
                adopt_change(entry, message.change)
        if entry.status == "over":
            self._tables.show(entry)
