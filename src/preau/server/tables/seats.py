"""Seating: making tables, who sits where, starting, and playing once more.

Who may do what stands in `preau.table.seating`. Here a table is read from the database, changed by one of those
functions and written back, all in one transaction, so that of two who want one seat one gets it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from ...bots import BOTS
from ...host.identifiers import hash_secret, new_code, new_id, new_token
from ...host.queries import PositionQuery, StartPosition, fork_query
from ...host.refusals import TooMuch, too_many
from ...table import protocol, seating
from ...table.chat import arrivals
from ...table.clocks import AT_ONCE
from ...table.fork import Start, check_wish, origin_of
from ...table.live_game import begin
from ...table.table import DAY_MS, Table
from ..cluster.messages import HolderLeft, HolderRemoved, TableChanged, UndoRequestChanged
from ..custom_bots import check_bots, names_for
from ..logs import log, short
from ..storage import schema
from ..storage.queries import insert_table, load_table, load_to_change, mark_calls, update_table
from ..workers.lookups import LookupService, has_data
from . import chat
from .credentials import MAKER_DAYS, Credentials, room_in
from .entry import TableEntry
from .presence import who_is_here
from .repository import TableRepository
from .undo import forget_votes

Json = dict[str, Any]


class Seats:
    """What happens around the game."""

    def __init__(self, tables: TableRepository, people: Credentials, desk: LookupService) -> None:
        self._tables = tables
        self._credentials = people
        self._lookups = desk
        self._store = tables.store

    # Making and filling.

    async def create(
        self, wish: protocol.NewTable, maker: str = "", challenge: str = ""
    ) -> tuple[TableEntry, str, str]:
        """A new table, for the challenge of a day or any other game; returns it with the host's token and holder id."""
        start = await self._start(wish, maker) if wish.origin is not None else None
        heavy = has_data(wish.options)
        if heavy:
            await self._lookups.check(maker, wish.game, len(wish.seats), wish.options)
        token, host, now = new_token(), new_id(), self._tables.now()
        names = {"id": new_id(), "code": new_code(), "host": host, "maker": maker}
        levels = self._levels(wish.game)
        table = seating.new_table(wish, levels, **names, now=now, checked=heavy, challenge=challenge, start=start)
        check_bots(self._tables.config.bots, table)

        def work(connection: sa.Connection) -> None:
            if load_table(connection, table.id) is None:  # else it was written by a try whose answer was lost
                self._check_room(connection, maker, now)
                insert_table(connection, replace(table, code=_free_code(connection, table.code)))
                connection.execute(sa.insert(schema.holders), [_person(table, host, token, now)])

        await self._store.write(work)
        entry = await self._tables.get(table.id)
        log.info("table", table=short(table.id), game=table.game, seats=len(table.seats))
        if wish.start:
            await self.start(entry)
        return entry, token, host

    async def _start(self, wish: protocol.NewTable, maker: str) -> Start:
        """What somebody wants to play on from. Of a game under way there is no record, so nobody can do that there."""
        origin = check_wish(wish)
        record: str | Json | None = origin.record
        if origin.table is not None:
            record = await self._tables.record_text(await self._tables.get(origin.table))
        found = await self._position(maker, fork_query(wish, origin, record))
        return Start(found.position, found.options, origin_of(origin, found.eyes))

    async def _position(self, maker: str, query: PositionQuery) -> StartPosition:
        """A position, with what is hidden drawn anew if it is to be; by chance of its own each time."""
        drawn = query.eyes is not None or query.puzzle is not None
        seed = secrets.randbits(62) if drawn else 0
        query = msgspec.structs.replace(query, seed=seed, today=self._tables.daily_challenges.today())
        return msgspec.json.decode(await self._lookups.position(maker, query), type=StartPosition)

    async def join(
        self, entry: TableEntry, wish: protocol.TakeSeat, token: str | None, address: str = ""
    ) -> tuple[str, str]:
        """Take an open seat; returns the token and holder id. With a token, the same person takes one more, or whoever
        left comes back. Whoever the host has removed is refused for a while.
        """
        proof = hash_secret(token) if token else ""
        left = seating.left_by(entry.table, range(len(entry.table.seats)), proof)
        known = await self._credentials.find(entry, token) if left else await self._credentials.holder(entry, token)
        if known is None and not left:
            self._credentials.check_removed(entry, address=address)
        token = token or new_token()
        holder = known or new_id()
        now = self._tables.now()
        seating.join(entry.table, wish, holder, proof)  # what is refused troubles no database

        def work(connection: sa.Connection) -> list[protocol.ChatLine]:
            before = load_to_change(connection, entry.id)
            if known is None and before.seats_of(holder):
                return []  # taken already, by a try whose answer was lost
            after = seating.join(before, wish, holder, proof)
            update_table(connection, before, after)
            if known is None:
                _check_people(connection, entry.id, self._tables.config.limits.people_per_table)
                connection.execute(sa.insert(schema.holders), [_person(before, holder, token, now)])
            return _kept_arrivals(connection, before, after, proof, now)

        lines = await self._store.write(work)
        entry.came(holder, address)
        await self._tables.changed(entry)
        self._tell(entry, lines)
        return token, holder

    async def leave(self, entry: TableEntry, holder: str) -> None:
        """Give up one's seats for good; the token ends at this table, but opens the way back to a seat that a bot plays
        until somebody takes it.
        """
        now = self._tables.now()

        def work(connection: sa.Connection) -> tuple[bool, list[protocol.ChatLine]]:
            before = load_to_change(connection, entry.id)
            after = seating.leave(before, holder, self._tables.config, _end_token(connection, holder))
            update_table(connection, before, after)
            forgotten = forget_votes(connection, entry.id, before.seats_of(holder))
            return forgotten, _kept_arrivals(connection, before, after, "", now)

        forgotten, lines = await self._store.write(work)
        self._credentials.part(entry, holder, "token")
        self._tables.bus.publish(entry.id, HolderLeft(holder))
        if forgotten:
            entry.audience.push(protocol.AsksMessage(asks=None))
            self._tables.bus.publish(entry.id, UndoRequestChanged())
        await self._tables.changed(entry)
        self._tell(entry, lines)

    def _tell(self, entry: TableEntry, lines: list[protocol.ChatLine]) -> None:
        for line in lines:
            chat.tell(self._tables, entry, line)

    def _levels(self, game: str) -> list[str]:
        """The bots that may be asked for."""
        return [*BOTS, *names_for(game, self._tables.config.bots)]

    async def set_seat(self, entry: TableEntry, seat: int, wish: protocol.SetSeat, holder: str) -> None:
        """Give a seat to a bot, open it, take it back from a bot, or agree about one that was left. Whom the host has
        removed that way is told, and cannot come back for a while.
        """
        now = await who_is_here(self._tables, entry)

        def change(table: Table) -> Table:
            levels = self._levels(table.game)
            after = seating.set_seat(table, seat, wish, holder, now, self._tables.config, levels)
            if wish.kind == "bot":
                check_bots(self._tables.config.bots, after)
            return after

        def work(connection: sa.Connection) -> tuple[str, str] | None:
            before = load_to_change(connection, entry.id)
            after = change(before)
            update_table(connection, before, after)
            gone = seating.removed(before, after)
            return (gone, _end_token(connection, gone)) if gone else None

        change(entry.table)  # what is refused troubles no database
        removed = await self._store.write(work)
        if removed is not None:
            self._credentials.remove(entry, *removed)
            self._tables.bus.publish(entry.id, HolderRemoved(*removed))
        await self._tables.changed(entry)

    async def stand_in(self, entry: TableEntry, seat: int, level: str | None) -> None:
        """A bot sits in for somebody who is away, or (None) the person is back."""
        await self._change(entry, lambda table: seating.stand_in(table, seat, level))

    async def swap(self, entry: TableEntry, wish: protocol.Swap) -> None:
        """Exchange two seats before the start."""
        await self._change(entry, lambda table: seating.swap(table, wish))

    async def _change(self, entry: TableEntry, change: Callable[[Table], Table]) -> None:
        change(entry.table)  # what is refused troubles no database

        def work(connection: sa.Connection) -> None:
            before = load_to_change(connection, entry.id)
            update_table(connection, before, change(before))

        await self._store.write(work)
        await self._tables.changed(entry)

    # Starting and starting over.

    async def start(self, entry: TableEntry) -> None:
        """Begin the game: what is random in the options is drawn, chance does the opening, all in one transaction."""
        seating.check_start(entry.table)
        now = self._tables.now()
        challenges = self._tables.daily_challenges
        draw, seed = challenges.draw(entry.table, 0), challenges.start_seed(entry.table)
        live, rows, options = begin(entry.table, now, draw, seed)

        def work(connection: sa.Connection) -> bool:
            before = load_to_change(connection, entry.id)
            if before.status != "waiting":
                return False  # somebody else was quicker
            update_table(connection, before, seating.start(before, options, now))
            connection.execute(sa.update(schema.tables).where(schema.tables.c.id == entry.id).values(wake=AT_ONCE))
            calls = self._tables.config.notify_at(before, now)
            if calls is not None:
                mark_calls(connection, entry.id, calls)
            if rows:
                connection.execute(sa.insert(schema.log), [{"table_id": entry.id, **row._asdict()} for row in rows])
            return True

        won = await self._store.write(work)
        async with entry.lock:
            begun = await self._tables.reread(entry)
            if entry.live is None and won:
                entry.live = live
        self._tables.bus.publish(entry.id, TableChanged())
        if begun:
            await self._tables.observer.game_began(entry)
        self._tables.observer.seats_changed(entry)

    async def rematch(self, entry: TableEntry, maker: str = "") -> str:
        """The same people, bots and options once more; returns the new table's id. All tokens work there too. The table
        counts as made by whoever asks first.
        """
        seating.check_rematch(entry.table)
        if entry.table.rematch:
            return entry.table.rematch
        id, code, now = new_id(), new_code(), self._tables.now()
        result = await self._tables.result(entry)
        start = await self._once_more(entry.table, maker)

        def work(connection: sa.Connection) -> str:
            before = load_to_change(connection, entry.id)
            if before.rematch:
                return before.rematch
            self._check_room(connection, maker, now)
            names = {"id": id, "code": _free_code(connection, code)}
            made = seating.rematch(before, result, **names, now=now, new_holder=new_id, start=start)
            update_table(connection, before, made.old)
            insert_table(connection, replace(made.new, maker=maker))
            people = [
                {**one, "id": made.renamed[one["id"]], "table_id": id}
                for one in connection.execute(_PEOPLE, {"table": entry.id}).mappings()
                if one["id"] in made.renamed
            ]
            if people:
                connection.execute(sa.insert(schema.holders), people)
            return id

        new = await self._store.write(work)
        await self._tables.changed(entry)
        if new == id:
            again = await self._tables.get(new)
            if not any(seat.kind == "open" for seat in again.table.seats):
                await self.start(again)
        return new

    async def _once_more(self, table: Table, maker: str) -> str | None:
        """What a rematch is played on from, if that is not the same: what was drawn anew from somebody's knowledge is
        drawn once more, for by now all have seen it. Those eyes see the same in what was drawn.
        """
        eyes = table.origin.eyes if table.origin is not None else None
        if eyes is None:
            return None
        position = json.loads(table.start)
        query = PositionQuery(game=table.game, seats=len(table.seats), position=position, eyes=eyes)
        return (await self._position(maker, query)).position

    def _check_room(self, connection: sa.Connection, maker: str, now: int) -> None:
        """Refuse one more table to whoever has made too many of those that are kept."""
        most = self._tables.config.limits.tables_kept_per_address
        since = now - MAKER_DAYS * DAY_MS
        if not maker or not most:
            return
        made = connection.execute(_MADE, {"maker": maker, "since": since}).scalar_one()
        if made >= most:
            seconds = room_in(connection, schema.tables, maker, since, made - most)
            raise too_many("tables", seconds, key="tables_kept", most=most, days=MAKER_DAYS)


_MADE = (
    sa.select(sa.func.count())
    .select_from(schema.tables)
    .where(schema.tables.c.maker == sa.bindparam("maker"), schema.tables.c.created >= sa.bindparam("since"))
)
_PEOPLE = sa.select(schema.holders).where(schema.holders.c.table_id == sa.bindparam("table"))


def _kept_arrivals(
    connection: sa.Connection, before: Table, after: Table, proof: str, now: int
) -> list[protocol.ChatLine]:
    """Write down who has left and who has come."""
    return [chat.keep(connection, after.id, line) for line in arrivals(before, after, proof, now)]


def _check_people(connection: sa.Connection, table: str, most: int) -> None:
    """Refuse one more user. A user who leaves is forgotten, but not one whom the host has removed."""
    count = sa.select(sa.func.count()).select_from(schema.holders).where(schema.holders.c.table_id == table)
    if connection.execute(count).scalar_one() >= most:
        raise TooMuch("too many people have been at this table", key="people", hint="Make another table.")


def _end_token(connection: sa.Connection, holder: str) -> str:
    """Delete a holder of a table, the links to it and whom to call; returns the hash of the token that opened it."""
    holders = schema.holders
    found = connection.execute(sa.select(holders.c.token_hash).where(holders.c.id == holder)).scalar()
    connection.execute(sa.delete(holders).where(holders.c.id == holder))
    for part in (schema.links, schema.calls):
        connection.execute(sa.delete(part).where(part.c.holder == holder))
    return str(found or "")


_CALLED = sa.select(schema.tables.c.id).where(schema.tables.c.code == sa.bindparam("code"))


def _free_code(connection: sa.Connection, code: str) -> str:
    """This code, or another if some table has it."""
    while connection.execute(_CALLED, {"code": code}).first() is not None:
        code = new_code()
    return code


def _person(table: Table, holder: str, token: str, now: int) -> Json:
    return {"id": holder, "table_id": table.id, "token_hash": hash_secret(token), "created": now}
