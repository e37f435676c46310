"""What players send: moves, undos, tie-breaks and requests for hints."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...table import protocol
from ...table.permissions import must_own
from ..commands.hints import Hints
from ..commands.moves import Moves
from ..commands.tie_break import TieBreaks
from ..commands.undo import Undos
from ..tables.table_entry import TableEntry
from .connection import Connection
from .dispatcher import Handler, Later


class GameMessages:
    """Handles the messages of players."""

    def __init__(self, now: Callable[[], int], moves: Moves, undos: Undos, tie_breaks: TieBreaks, hints: Hints) -> None:
        self._now = now
        self._moves = moves
        self._undos = undos
        self._tie_breaks = tie_breaks
        self._hints = hints

    def handlers(self) -> Mapping[type[protocol.ClientMessage], Handler]:
        """Return the handlers by the type of their messages."""
        return {
            protocol.Act: self.act,
            protocol.Undo: self._undo,
            protocol.Agree: self._agree,
            protocol.Wrestle: self._wrestle,
            protocol.Pull: self._pull,
            protocol.AskHint: self._ask_hint,
        }

    async def act(self, connection: Connection, entry: TableEntry, message: protocol.Act) -> None:
        """Commit an action, and acknowledge it if the step alone does not tell the client."""
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        live = entry.live
        tap = None
        if live is not None and live.state.racers():
            tap = entry.audience.races.tap(live, seat, connection.meter, message.delay, self._now())
        delay = tap.delay if tap is not None else None
        number, new = await self._moves.act(entry, seat, message.action, at=message.at, client=message.id, delay=delay)
        if new and tap is not None:
            connection.meter.spend(tap)
        if not new or connection.viewpoint != seat:
            connection.push(protocol.encode(protocol.AckMessage(id=message.id, number=number)))

    async def _undo(self, connection: Connection, entry: TableEntry, message: protocol.Undo) -> None:
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        connection.spend("undo")
        await self._undos.undo(entry, seat, message.at)

    async def _agree(self, connection: Connection, entry: TableEntry, message: protocol.Agree) -> None:
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        if message.yes:
            await self._undos.agree(entry, seat, message.at)
        else:
            await self._undos.decline(entry, message.at)

    async def _wrestle(self, connection: Connection, entry: TableEntry, message: protocol.Wrestle) -> None:
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        await self._tie_breaks.answer(entry, seat, yes=message.yes)

    async def _pull(self, connection: Connection, entry: TableEntry, message: protocol.Pull) -> None:
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        self._tie_breaks.pull(entry, seat, message, connection.meter.trip)

    async def _ask_hint(self, connection: Connection, entry: TableEntry, message: protocol.AskHint) -> Later:
        """Have a hint worked out. The client may act meanwhile."""
        seat = must_own(entry.table, connection.holder, message.seat, connection.viewpoint)
        connection.spend("hints")
        return self._send_hint(connection, entry, seat, message)

    async def _send_hint(self, connection: Connection, entry: TableEntry, seat: int, message: protocol.AskHint) -> None:
        connection.push(protocol.encode(await self._hints.ask(entry, seat, message.at, message.rank)))
