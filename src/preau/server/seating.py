"""Seating: making tables, who sits where, starting, and playing once more.

Who may do what stands in `preau.table.seating`. Here a table is read from the database, changed by one of those
functions and written back, all in one transaction, so that of two who want one seat one gets it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from msgspec.structs import replace

from ..bots import BOTS
from ..table import chance, seating, wire
from ..table.live import begin
from ..table.refusals import Unknown
from ..table.table import Table
from . import schema
from .loaded import Loaded
from .logs import log, short
from .people import People
from .security import hashed, new_code, new_id, new_token
from .store import insert_table, load_table, update_table
from .tables import Tables

Json = dict[str, Any]


class Seating:
    """What happens around the game."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people
        self._store = tables.store

    # Making and filling.

    async def create(self, wish: wire.NewTable) -> tuple[Loaded, str, str]:
        """A new table; returns it with the host's token and holder id."""
        token, host, now = new_token(), new_id(), self._tables.now()
        table = seating.new_table(wish, BOTS, id=new_id(), code=new_code(), host=host, now=now)

        def work(connection: sa.Connection) -> None:
            if load_table(connection, table.id) is None:  # else it was written by a try whose answer was lost
                insert_table(connection, replace(table, code=_free_code(connection, table.code)))
                connection.execute(sa.insert(schema.holders), [_person(table, host, token, now)])

        await self._store.write(work)
        loaded = await self._tables.get(table.id)
        log.info("table", table=short(table.id), game=table.game, seats=len(table.seats))
        if wish.start:
            await self.start(loaded)
        return loaded, token, host

    async def join(self, loaded: Loaded, wish: wire.TakeSeat, token: str | None) -> tuple[str, str]:
        """Take an open seat; returns the token and holder id. With a token, the same person takes one more."""
        known = await self._people.holder(loaded, token)
        token = token or new_token()
        holder = known or new_id()
        now = self._tables.now()
        seating.join(loaded.table, wish, holder)  # what is refused troubles no database

        def work(connection: sa.Connection) -> None:
            before = _load(connection, loaded.id)
            if known is None and before.seats_of(holder):
                return  # taken already, by a try whose answer was lost
            update_table(connection, before, seating.join(before, wish, holder))
            if known is None:
                connection.execute(sa.insert(schema.holders), [_person(before, holder, token, now)])

        await self._store.write(work)
        await self._tables.changed(loaded)
        return token, holder

    async def leave(self, loaded: Loaded, holder: str) -> None:
        """Give up one's seats for good; the token ends."""

        def work(connection: sa.Connection) -> None:
            before = _load(connection, loaded.id)
            update_table(connection, before, seating.leave(before, holder))
            connection.execute(sa.delete(schema.holders).where(schema.holders.c.id == holder))
            connection.execute(sa.delete(schema.links).where(schema.links.c.holder == holder))

        await self._store.write(work)
        for viewer in [viewer for viewer in loaded.room.viewers if viewer.holder == holder]:
            viewer.leave("token", again=False)
        self._tables.bus.publish(loaded.id, {"kind": "revoked", "holder": holder})
        await self._tables.changed(loaded)

    async def set_seat(self, loaded: Loaded, seat: int, wish: wire.SetSeat, holder: str) -> None:
        """Give a seat to a bot, open it, or take it back from a bot."""
        here = loaded.room.everywhere(loaded.table.holders).here
        await self._change(loaded, lambda table: seating.set_seat(table, seat, wish, holder, here, BOTS))

    async def stand_in(self, loaded: Loaded, seat: int, level: str | None) -> None:
        """A bot sits in for somebody who is away, or (None) the person is back."""
        await self._change(loaded, lambda table: seating.stand_in(table, seat, level))

    async def swap(self, loaded: Loaded, wish: wire.Swap) -> None:
        """Exchange two seats before the start."""
        await self._change(loaded, lambda table: seating.swap(table, wish))

    async def _change(self, loaded: Loaded, change: Callable[[Table], Table]) -> None:
        change(loaded.table)  # what is refused troubles no database

        def work(connection: sa.Connection) -> None:
            before = _load(connection, loaded.id)
            update_table(connection, before, change(before))

        await self._store.write(work)
        await self._tables.changed(loaded)

    # Starting and starting over.

    async def start(self, loaded: Loaded) -> None:
        """Begin the game: what is random in the options is drawn, chance does the opening, all in one transaction."""
        seating.check_start(loaded.table)
        now = self._tables.now()
        live, rows, options = begin(loaded.table, now, chance.draw)

        def work(connection: sa.Connection) -> bool:
            before = _load(connection, loaded.id)
            if before.status != "waiting":
                return False  # somebody else was quicker
            update_table(connection, before, seating.start(before, options, now))
            connection.execute(sa.update(schema.tables).where(schema.tables.c.id == loaded.id).values(wake=now))
            if rows:
                connection.execute(sa.insert(schema.log), [{"table_id": loaded.id, **row._asdict()} for row in rows])
            return True

        won = await self._store.write(work)
        async with loaded.lock:
            begun = await self._tables.reread(loaded)
            if loaded.live is None and won:
                loaded.live = live
        self._tables.bus.publish(loaded.id, {"kind": "table"})
        if begun:
            await self._tables.observer.game_began(loaded)
        self._tables.observer.seats_changed(loaded)

    async def rematch(self, loaded: Loaded) -> str:
        """The same people, bots and options once more; returns the new table's id. All tokens work there too."""
        seating.check_rematch(loaded.table)
        if loaded.table.rematch:
            return loaded.table.rematch
        id, code, now = new_id(), new_code(), self._tables.now()

        def work(connection: sa.Connection) -> str:
            before = _load(connection, loaded.id)
            if before.rematch:
                return before.rematch
            made = seating.rematch(before, id=id, code=_free_code(connection, code), now=now, new_holder=new_id)
            update_table(connection, before, made.old)
            insert_table(connection, made.new)
            people = [
                {**one, "id": made.renamed[one["id"]], "table_id": id}
                for one in connection.execute(_PEOPLE, {"table": loaded.id}).mappings()
                if one["id"] in made.renamed
            ]
            if people:
                connection.execute(sa.insert(schema.holders), people)
            return id

        new = await self._store.write(work)
        await self._tables.changed(loaded)
        if new == id:
            again = await self._tables.get(new)
            if not any(seat.kind == "open" for seat in again.table.seats):
                await self.start(again)
        return new


_PEOPLE = sa.select(schema.holders).where(schema.holders.c.table_id == sa.bindparam("table"))


def _load(connection: sa.Connection, table: str) -> Table:
    """A table that is about to be changed."""
    stored = load_table(connection, table, to_change=True)
    if stored is None:
        raise Unknown("there is no such table", field="table", key="no_table")
    return stored.table


def _free_code(connection: sa.Connection, code: str) -> str:
    """This code, or another if some table has it."""
    while connection.execute(sa.select(schema.tables.c.id).where(schema.tables.c.code == code)).first() is not None:
        code = new_code()
    return code


def _person(table: Table, holder: str, token: str, now: int) -> Json:
    return {"id": holder, "table_id": table.id, "token_hash": hashed(token), "created": now}
