"""A table with three players who have days for a move."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from preau.server.config import Config
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.tables.table_entry import TableEntry
from preau.table import protocol
from preau.table.live_game import LiveGame
from tests.server.running_services import FakeClock

Json = dict[str, Any]
DAYS = {"kind": "days", "amount": 3}
AFTER = Config().call_after_ms


class Three(NamedTuple):
    """Ann, Bo and Cléo at a table."""

    services: Services
    clock: FakeClock
    table: TableEntry
    holders: list[str]
    tokens: list[str]

    async def call(self, seat: int, browser: Json, maker: str = "school") -> None:
        await self.services.notifications.ask(self.table, self.holders[seat], protocol.CallMe(**browser), maker)

    async def write(self, seat: int, address: str, language: protocol.Language = "en") -> None:
        wish = protocol.WriteMe(address=address, language=language)
        await self.services.notifications.ask_mail(self.table, self.holders[seat], wish, "school")

    async def act(self, seat: int, text: str = "pass") -> None:
        self.clock.ms += 1
        await self.services.moves.act(self.table, seat, text)

    @property
    def live(self) -> LiveGame:
        assert self.table.live is not None
        return self.table.live

    def first(self, seat: int) -> str:
        return next(action.text for action in self.live.state.legal(seat) if action.text != "pass")

    async def later(self, ms: int = AFTER) -> None:
        self.clock.ms += ms
        await self.services.notifications.settle()

    async def rows(self) -> list[Any]:
        return await self.services.store.read(lambda connection: list(connection.execute(sa.select(schema.calls))))


async def three(services: Services, clock: FakeClock, timer: Json = DAYS, *, start: bool = True) -> Three:
    seats = [protocol.SeatWish(kind="me", name="Ann"), protocol.SeatWish(kind="open"), protocol.SeatWish(kind="open")]
    options = {"first": 0, "turns": 9}
    table, token, host = await services.creation.create(
        protocol.NewTable(game="recess", seats=seats, options=options, timer=protocol.Timer(**timer))
    )
    tokens, holders = [token], [host]
    for name in ("Bo", "Cléo"):
        token, holder = await services.seats.join(table, protocol.TakeSeat(name=name), None)
        tokens.append(token)
        holders.append(holder)
    if start:
        await services.game_start.start(table)
    return Three(services, clock, table, holders, tokens)
