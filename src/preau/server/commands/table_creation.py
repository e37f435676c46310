"""Create tables: new ones, and the next game of the same players (rematch)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from ...core.state import Json
from ...host.identifiers import new_code, new_id, new_token
from ...host.queries import PositionQuery, StartPosition, fork_query
from ...host.refusals import too_many
from ...learn.challenge import today
from ...table import protocol, seating
from ...table.fork import Start, check_wish, origin_of
from ...table.table import DAY_MS, Table
from ..config import Config
from ..custom_bots import check_bots, levels_for
from ..logs import log, short
from ..storage import schema
from ..storage.queries import insert_table, load_table, load_to_change, update_table
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.credentials import MAKER_DAYS, holder_row, room_in
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..workers.lookups import LookupService, has_data
from .game_start import GameStart


class TableCreation:
    """Creates tables."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        lookups: LookupService,
        game_start: GameStart,
    ) -> None:
        self._config = config
        self._now = now
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._lookups = lookups
        self._game_start = game_start

    async def create(
        self, wish: protocol.NewTable, maker: str = "", challenge: str = ""
    ) -> tuple[TableEntry, str, str]:
        """Create a table, also for the challenge of a day; return it with the host's token and holder id."""
        start = await self._start(wish, maker) if wish.origin is not None else None
        heavy = has_data(wish.options)
        if heavy:
            await self._lookups.check(maker, wish.game, len(wish.seats), wish.options)
        token, host, now = new_token(), new_id(), self._now()
        names = {"id": new_id(), "code": new_code(), "host": host, "maker": maker}
        levels = levels_for(wish.game, self._config.bots)
        table = seating.new_table(wish, levels, **names, now=now, checked=heavy, challenge=challenge, start=start)
        check_bots(self._config.bots, table)

        def work(connection: sa.Connection) -> None:
            if load_table(connection, table.id) is None:  # else it was written by a try whose answer was lost
                self._check_room(connection, maker, now)
                insert_table(connection, replace(table, code=_free_code(connection, table.code)))
                connection.execute(sa.insert(schema.holders), [holder_row(table, host, token, now)])

        await self._store.write(work)
        entry = await self._tables.get(table.id)
        log.info("table", table=short(table.id), game=table.game, seats=len(table.seats))
        if wish.start:
            await self._game_start.start(entry)
        return entry, token, host

    async def _start(self, wish: protocol.NewTable, maker: str) -> Start:
        """Find the position that the new game starts from. A game under way has no record and cannot be forked."""
        origin = check_wish(wish)
        record: str | Json | None = origin.record
        if origin.table is not None:
            record = await self._tables.record_text(await self._tables.get(origin.table))
        found = await self._position(maker, fork_query(wish, origin, record))
        return Start(found.position, found.options, origin_of(origin, found.eyes))

    async def _position(self, maker: str, query: PositionQuery) -> StartPosition:
        """Find a position; what is hidden is drawn again, at random each time, if the request says so."""
        drawn = query.eyes is not None or query.puzzle is not None
        seed = secrets.randbits(62) if drawn else 0
        query = replace(query, seed=seed, today=today(self._now()).isoformat())
        return msgspec.json.decode(await self._lookups.position(maker, query), type=StartPosition)

    async def rematch(self, entry: TableEntry, maker: str = "") -> str:
        """The same people, bots and options once more; returns the new table's id. All tokens work there too. The table
        counts as made by the first player who asks.
        """
        seating.check_rematch(entry.table)
        if entry.table.rematch:
            return entry.table.rematch
        id, code, now = new_id(), new_code(), self._now()
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
        await self._broadcaster.announce_table(entry)
        if new == id:
            again = await self._tables.get(new)
            if not any(seat.kind == "open" for seat in again.table.seats):
                await self._game_start.start(again)
        return new

    async def _once_more(self, table: Table, maker: str) -> str | None:
        """Return the position that a rematch starts from, if it is another one: what was drawn for one viewpoint is
        drawn again, because all have seen it by now. That viewpoint sees the same in both.
        """
        eyes = table.origin.eyes if table.origin is not None else None
        if eyes is None:
            return None
        position = json.loads(table.start)
        query = PositionQuery(game=table.game, seats=len(table.seats), position=position, eyes=eyes)
        return (await self._position(maker, query)).position

    def _check_room(self, connection: sa.Connection, maker: str, now: int) -> None:
        """Refuse one more table to an address that has made too many of those that are kept."""
        most = self._config.limits.tables_kept_per_address
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


_CALLED = sa.select(schema.tables.c.id).where(schema.tables.c.code == sa.bindparam("code"))


def _free_code(connection: sa.Connection, code: str) -> str:
    """This code, or another if some table has it."""
    while connection.execute(_CALLED, {"code": code}).first() is not None:
        code = new_code()
    return code
