"""Seating: making tables, who sits where, starting, and playing once more."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from ..bots import BOTS
from ..core.errors import SetupError
from ..core.registry import find_game
from . import schema, wire
from .logs import log, short
from .people import People
from .play import begin
from .refusals import Forbidden, TooLate, Unknown
from .security import clean, hashed, new_code, new_id, new_token
from .store import load_table, pack
from .table import DAY_MS, Table
from .tables import Tables

Json = dict[str, Any]


class Seating:
    """What happens around the game."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people
        self._store = tables.store

    # Making and filling.

    async def create(self, wish: wire.NewTable) -> tuple[Table, str, str]:
        """A new table; returns it with the host's token and holder id."""
        game = find_game(wish.game)
        if any(option.name == "first" for option in game.options):
            wish.options.setdefault("first", "random")  # the seats are not alike: a live table draws who begins
        game.start(len(wish.seats), wish.options)  # refuses wrong seats and options, in the game's own words
        for seat in wish.seats:
            if seat.kind == "bot":
                check_level(seat.level)
        if wish.start and any(seat.kind == "open" for seat in wish.seats):
            raise SetupError("a seat is still open", field="start", hint="Give it to a bot, or start later.")
        token, host = new_token(), new_id()
        row = self._new_row(wish, game.rules_version, host)
        seats = [_new_seat(row["id"], number, seat, host) for number, seat in enumerate(wish.seats)]
        person = {"id": host, "table_id": row["id"], "token_hash": hashed(token), "created": row["created"]}
        await self._insert_table(row, seats, [person])
        table = await self._tables.get(row["id"])
        log.info("table", table=short(table.id), game=game.id, seats=len(seats))
        if wish.start:
            await self.start(table)
        return table, token, host

    def _new_row(self, wish: wire.NewTable, rules: str, host: str) -> Json:
        unit = {"off": 0, "turn": 1000, "days": DAY_MS}[wish.timer.kind]
        if wish.timer.kind == "days" and wish.timer.amount > 30:
            raise SetupError("a move may take 30 days at most", field="timer.amount")
        return {
            "id": new_id(),
            "code": new_code(),
            "game": find_game(wish.game).id,
            "rules": rules,
            "wish": pack(wish.options),
            "options": pack(wish.options),
            "visibility": wish.visibility,
            "timer": wish.timer.kind,
            "timer_ms": unit * wish.timer.amount,
            "status": "waiting",
            "host": host,
            "created": self._tables.now(),
        }

    async def _insert_table(self, row: Json, seats: list[Json], people: list[Json]) -> None:
        def work(connection: sa.Connection) -> None:
            taken = sa.select(schema.tables.c.id).where(schema.tables.c.code == row["code"])
            while connection.execute(taken).first() is not None:
                row["code"] = new_code()
                taken = sa.select(schema.tables.c.id).where(schema.tables.c.code == row["code"])
            known = sa.select(schema.tables.c.id).where(schema.tables.c.id == row["id"])
            if connection.execute(known).first() is not None:
                return  # written already, by a try whose answer was lost
            connection.execute(sa.insert(schema.tables), [row])
            connection.execute(sa.insert(schema.seats), seats)
            connection.execute(sa.insert(schema.holders), people)

        await self._store.write(work)

    async def join(self, table: Table, wish: wire.Join, token: str | None) -> tuple[str, str]:
        """Take an open seat; returns the token and holder id. With a token, the same person takes one more."""
        holder = await self._people.holder(table, token)
        new = holder is None
        token = token or new_token()
        holder = holder or new_id()
        person = {"id": holder, "table_id": table.id, "token_hash": hashed(token), "created": self._tables.now()}

        def work(connection: sa.Connection) -> bool:
            mine = sa.select(schema.seats.c.seat).where(schema.seats.c.holder == holder)
            if new and connection.execute(mine).first() is not None:
                return True  # taken already, by a try whose answer was lost
            free = sa.select(schema.seats.c.seat).where(
                schema.seats.c.table_id == table.id, schema.seats.c.kind == "open"
            )
            if wish.seat is not None:
                free = free.where(schema.seats.c.seat == wish.seat)
            seat = connection.execute(free.order_by(schema.seats.c.seat)).scalar()
            if seat is None:
                return False
            taken = connection.execute(
                sa.update(schema.seats)
                .where(
                    schema.seats.c.table_id == table.id,
                    schema.seats.c.seat == seat,
                    schema.seats.c.kind == "open",
                )
                .values(kind="person", name=clean(wish.name), holder=holder, stand_in=None, level="")
            ).rowcount
            if not taken:
                return False
            if new:
                connection.execute(sa.insert(schema.holders), [person])
            _raise_revision(connection, table.id)
            return True

        if table.status == "over":
            raise TooLate("the game is over", key="over")
        if not await self._store.write(work):
            raise TooLate("no such seat is free", field="seat", key="no_seat", hint="Watch, or ask the host.")
        await self._tables.changed(table)
        return token, holder

    async def leave(self, table: Table, holder: str) -> None:
        """Give up one's seats for good. In a game under way a bot plays on until somebody comes."""

        def work(connection: sa.Connection) -> None:
            connection.execute(
                sa.update(schema.seats)
                .where(schema.seats.c.table_id == table.id, schema.seats.c.holder == holder)
                .values(kind="open", name="", holder=None, stand_in=None)
            )
            connection.execute(sa.delete(schema.holders).where(schema.holders.c.id == holder))
            heir = connection.execute(
                sa.select(schema.seats.c.holder)
                .where(schema.seats.c.table_id == table.id, schema.seats.c.holder.is_not(None))
                .order_by(schema.seats.c.seat)
            ).scalar()
            if heir is not None:
                connection.execute(
                    sa.update(schema.tables)
                    .where(schema.tables.c.id == table.id, schema.tables.c.host == holder)
                    .values(host=heir)
                )
            connection.execute(sa.delete(schema.links).where(schema.links.c.holder == holder))
            _raise_revision(connection, table.id)

        await self._store.write(work)
        for viewer in [viewer for viewer in table.room.viewers if viewer.holder == holder]:
            viewer.leave("token", again=False)
        self._tables.bus.publish(table.id, {"kind": "revoked", "holder": holder})
        await self._tables.changed(table)

    async def set_seat(self, table: Table, seat: int, wish: wire.SetSeat, holder: str) -> None:
        """Before the start the host gives a seat to a bot or opens it; later, bots sit in and people come back."""
        if seat >= len(table.seats):
            raise Unknown("there is no such seat", field="seat")
        if wish.kind == "bot":
            check_level(wish.level)
        mine = seat in table.seats_of(holder)
        values: Json
        if table.status == "waiting":
            if not table.is_host(holder):
                raise Forbidden("only the host may do this", key="host_only")
            if wish.kind == "back":
                raise TooLate("the game has not begun", key="not_begun")
            bot = wish.kind == "bot"
            values = {
                "kind": wish.kind,
                "level": wish.level if bot else "",
                "name": "",
                "holder": None,
                "stand_in": None,
            }
        elif not table.seats_of(holder):
            raise Forbidden("only people at the table may do this", key="seat_needed", hint="Take a seat first.")
        elif wish.kind == "back":
            if not mine:
                raise Forbidden("that is somebody else's seat", field="seat", key="not_yours")
            values = {"stand_in": None}
        elif wish.kind == "bot":
            here = table.room.everywhere(table.holders).here
            if not mine and (seat in here or table.seats[seat]["kind"] != "person"):
                raise Forbidden("somebody plays that seat", field="seat", key="not_yours")
            values = {"stand_in": wish.level}
        else:
            raise TooLate("the game has begun", key="begun", hint="A person leaves by leaving the table.")
        await self._write_seat(table, seat, values)

    async def stand_in(self, table: Table, seat: int, level: str | None) -> None:
        """A bot sits in for somebody who is away, or (None) the person is back."""
        await self._write_seat(table, seat, {"stand_in": level})

    async def _write_seat(self, table: Table, seat: int, values: Json) -> None:
        def work(connection: sa.Connection) -> None:
            connection.execute(
                sa.update(schema.seats)
                .where(schema.seats.c.table_id == table.id, schema.seats.c.seat == seat)
                .values(**values)
            )
            _raise_revision(connection, table.id)

        await self._store.write(work)
        await self._tables.changed(table)

    async def swap(self, table: Table, wish: wire.Swap) -> None:
        """Exchange two seats before the start."""
        if table.status != "waiting":
            raise TooLate("the game has begun", key="begun")
        if max(wish.one, wish.other) >= len(table.seats):
            raise Unknown("there is no such seat", field="seat")

        def work(connection: sa.Connection) -> None:
            fields = ("kind", "name", "level", "holder", "stand_in")
            rows = load_table(connection, table.id)
            assert rows is not None
            for to, come in ((wish.one, wish.other), (wish.other, wish.one)):
                connection.execute(
                    sa.update(schema.seats)
                    .where(schema.seats.c.table_id == table.id, schema.seats.c.seat == to)
                    .values({field: rows[1][come][field] for field in fields})
                )
            _raise_revision(connection, table.id)

        await self._store.write(work)
        await self._tables.changed(table)

    # Starting and starting over.

    async def start(self, table: Table) -> None:
        """Begin the game: what is random in the options is drawn, chance does the opening, all in one transaction."""
        if table.status != "waiting":
            raise TooLate("the game has begun already", key="begun")
        if any(seat["kind"] == "open" for seat in table.seats):
            raise TooLate("a seat is still open", key="open_seat", hint="Wait, or give it to a bot.")
        game = find_game(table.row["game"])
        live, rows, options = begin(game, len(table.seats), json.loads(table.row["wish"]), self._tables.now())

        def work(connection: sa.Connection) -> bool:
            begun = connection.execute(
                sa.update(schema.tables)
                .where(schema.tables.c.id == table.id, schema.tables.c.status == "waiting")
                .values(status="playing", started=self._tables.now(), options=pack(options), wake=self._tables.now())
            ).rowcount
            if begun and rows:
                values = [{"table_id": table.id, **row._asdict()} for row in rows]
                connection.execute(sa.insert(schema.log), values)
            if begun:
                _raise_revision(connection, table.id)
            return bool(begun)

        won = await self._store.write(work)
        async with table.lock:
            begun = await self._tables.reread(table)
            if table.live is None and won:
                table.live = live
        self._tables.bus.publish(table.id, {"kind": "table"})
        if begun:
            await self._tables.greet_all(table)
        self._tables.after_change(table)

    async def rematch(self, table: Table) -> str:
        """The same people, bots and options once more; returns the new table's id. All tokens work there too."""
        if table.status != "over":
            raise TooLate("the game is not over", key="not_over")
        if table.row["rematch"]:
            return str(table.row["rematch"])
        row = {name: table.row[name] for name in ("game", "wish", "visibility", "timer", "timer_ms")}
        row |= {
            "id": new_id(),
            "code": new_code(),
            "options": row["wish"],
            "status": "waiting",
            "created": self._tables.now(),
        }
        row["rules"] = find_game(row["game"]).rules_version
        renamed: dict[str, str] = {}
        seats = []
        for seat in table.seats:
            holder = seat["holder"] and renamed.setdefault(seat["holder"], new_id())
            seats.append({**seat, "table_id": row["id"], "holder": holder, "stand_in": None})
        row["host"] = renamed.get(table.row["host"]) or next(iter(renamed.values()), table.row["host"])

        def work(connection: sa.Connection) -> str:
            won = connection.execute(
                sa.update(schema.tables)
                .where(schema.tables.c.id == table.id, schema.tables.c.rematch.is_(None))
                .values(rematch=row["id"], revision=schema.tables.c.revision + 1)
            ).rowcount
            if not won:
                found = sa.select(schema.tables.c.rematch).where(schema.tables.c.id == table.id)
                return str(connection.execute(found).scalar())
            connection.execute(sa.insert(schema.tables), [row])
            connection.execute(sa.insert(schema.seats), seats)
            old = connection.execute(sa.select(schema.holders).where(schema.holders.c.table_id == table.id)).mappings()
            people = [
                {**dict(one), "id": renamed[one["id"]], "table_id": row["id"]} for one in old if one["id"] in renamed
            ]
            if people:
                connection.execute(sa.insert(schema.holders), people)
            return str(row["id"])

        new = await self._store.write(work)
        await self._tables.changed(table)
        if new == row["id"] and not any(seat["kind"] == "open" for seat in seats):
            await self.start(await self._tables.get(new))
        return new


def check_level(level: str) -> None:
    """Only bots that ship may be asked for over the network: other names can mean programs to be run."""
    if level not in BOTS:
        raise SetupError(f"there is no bot {level!r}", field="bot", hint="There are " + ", ".join(BOTS) + ".")


def _new_seat(table: str, number: int, wish: wire.SeatWish, host: str) -> Json:
    return {
        "table_id": table,
        "seat": number,
        "kind": "person" if wish.kind == "me" else wish.kind,
        "name": clean(wish.name) if wish.kind == "me" else "",
        "level": wish.level if wish.kind == "bot" else "",
        "holder": host if wish.kind == "me" else None,
        "stand_in": None,
    }


def _raise_revision(connection: sa.Connection, table: str) -> None:
    tables = schema.tables
    connection.execute(sa.update(tables).where(tables.c.id == table).values(revision=tables.c.revision + 1))
