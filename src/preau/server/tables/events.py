"""What happens at tables, told to whoever has something to do about it. In a server that is the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .entry import TableEntry


class TableEvents(Protocol):
    """Hears of what concerns other parts of the server than the one it happens in."""

    def bot_is_due(self, entry: TableEntry) -> None:
        """A bot owes a decision at this table, and this process has claimed it."""

    def seats_changed(self, entry: TableEntry) -> None:
        """Seats changed or a game began: there may be something for bots or clocks to do."""

    def contest_changed(self, entry: TableEntry) -> None:
        """Seats or answers changed at a table whose game is over: those who are equal may have something to wrestle."""

    def viewer_came(self, entry: TableEntry) -> None:
        """Somebody has come to look at a table."""

    async def game_began(self, entry: TableEntry) -> None:
        """A game has begun: whoever saw the table wait needs to see all of it."""

    def sweep_begins(self) -> None:
        """It is time to look after what nobody asks for."""
