"""Change who sits where: join, leave, give a seat to a bot or take it back, swap.

The rules are in `preau.table.seating`. Here a table is read from the database, changed by one of those functions and
written, all in one transaction, so that one of two clients that want the same seat gets it.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ...host.identifiers import hash_secret, new_id, new_token
from ...host.refusals import TooMuch
from ...table import protocol, seating
from ...table.chat import arrivals
from ...table.table import Table
from ..config import Config
from ..custom_bots import check_bots, levels_for
from ..storage import schema
from ..storage.queries import load_to_change, update_table
from ..storage.store import Store
from ..tables import chat_rows
from ..tables.broadcaster import Broadcaster
from ..tables.credentials import Credentials, holder_row
from ..tables.presence import Presence
from ..tables.table_entry import TableEntry
from ..tables.votes import forget_votes


class Seats:
    """Changes the seats of tables."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        store: Store,
        credentials: Credentials,
        broadcaster: Broadcaster,
        presence: Presence,
    ) -> None:
        self._config = config
        self._now = now
        self._store = store
        self._credentials = credentials
        self._broadcaster = broadcaster
        self._presence = presence

    async def join(
        self, entry: TableEntry, wish: protocol.TakeSeat, token: str | None, address: str = ""
    ) -> tuple[str, str]:
        """Take an open seat; return the token and holder id. With a token the same holder takes one more seat, or comes
        back to one that was left. A holder whom the host has removed is refused for a while.
        """
        proof = hash_secret(token) if token else ""
        left = seating.left_by(entry.table, range(len(entry.table.seats)), proof)
        known = await self._credentials.find(entry, token) if left else await self._credentials.holder(entry, token)
        if known is None and not left:
            self._credentials.check_removed(entry, address=address)
        token = token or new_token()
        holder = known or new_id()
        now = self._now()
        seating.join(entry.table, wish, holder, proof)  # a refusal needs no write

        def work(connection: sa.Connection) -> list[protocol.ChatLine]:
            before = load_to_change(connection, entry.id)
            if known is None and before.seats_of(holder):
                return []  # taken already, by a try whose answer was lost
            after = seating.join(before, wish, holder, proof)
            update_table(connection, before, after)
            if known is None:
                _check_people(connection, entry.id, self._config.limits.people_per_table)
                connection.execute(sa.insert(schema.holders), [holder_row(before, holder, token, now)])
            return _kept_arrivals(connection, before, after, proof, now)

        lines = await self._store.write(work)
        entry.came(holder, address)
        await self._broadcaster.announce_table(entry)
        self._tell(entry, lines)
        return token, holder

    async def leave(self, entry: TableEntry, holder: str) -> None:
        """Give up the seats of a holder for good. The token ends at this table, but lets its owner come back to a seat
        that a bot plays, until another player takes it.
        """
        now = self._now()

        def work(connection: sa.Connection) -> tuple[bool, list[protocol.ChatLine]]:
            before = load_to_change(connection, entry.id)
            after = seating.leave(before, holder, self._config, _end_token(connection, holder))
            update_table(connection, before, after)
            forgotten = forget_votes(connection, entry.id, before.seats_of(holder))
            return forgotten, _kept_arrivals(connection, before, after, "", now)

        forgotten, lines = await self._store.write(work)
        self._credentials.leave(entry, holder)
        if forgotten:
            self._broadcaster.announce_undo_request(entry, None)
        await self._broadcaster.announce_table(entry)
        self._tell(entry, lines)

    def _tell(self, entry: TableEntry, lines: list[protocol.ChatLine]) -> None:
        for line in lines:
            self._broadcaster.announce_chat(entry, line)

    async def set_seat(self, entry: TableEntry, seat: int, wish: protocol.SetSeat, holder: str) -> None:
        """Give a seat to a bot, open it, take it back from a bot, or agree about one that was left. A holder whom the
        host removes that way is told, and cannot come back for a while.
        """
        now = await self._presence.who_is_here(entry)

        def change(table: Table) -> Table:
            levels = levels_for(table.game, self._config.bots)
            after = seating.set_seat(table, seat, wish, holder, now, self._config, levels)
            if wish.kind == "bot":
                check_bots(self._config.bots, after)
            return after

        def work(connection: sa.Connection) -> tuple[str, str] | None:
            before = load_to_change(connection, entry.id)
            after = change(before)
            update_table(connection, before, after)
            gone = seating.removed(before, after)
            return (gone, _end_token(connection, gone)) if gone else None

        change(entry.table)  # a refusal needs no write
        removed = await self._store.write(work)
        if removed is not None:
            self._credentials.remove(entry, *removed)
        await self._broadcaster.announce_table(entry)

    async def stand_in(self, entry: TableEntry, seat: int, level: str | None) -> None:
        """Let a bot play for a holder who is away, or (None) give the seat back."""
        await self._change(entry, lambda table: seating.stand_in(table, seat, level))

    async def swap(self, entry: TableEntry, wish: protocol.Swap) -> None:
        """Exchange two seats before the start."""
        await self._change(entry, lambda table: seating.swap(table, wish))

    async def _change(self, entry: TableEntry, change: Callable[[Table], Table]) -> None:
        change(entry.table)  # a refusal needs no write

        def work(connection: sa.Connection) -> None:
            before = load_to_change(connection, entry.id)
            update_table(connection, before, change(before))

        await self._store.write(work)
        await self._broadcaster.announce_table(entry)


def _kept_arrivals(
    connection: sa.Connection, before: Table, after: Table, proof: str, now: int
) -> list[protocol.ChatLine]:
    """Write chat messages that say who has left and who has come."""
    return [chat_rows.keep(connection, after.id, line) for line in arrivals(before, after, proof, now)]


def _check_people(connection: sa.Connection, table: str, most: int) -> None:
    """Refuse one more user. A user who leaves is forgotten, but not one whom the host has removed."""
    count = sa.select(sa.func.count()).select_from(schema.holders).where(schema.holders.c.table_id == table)
    if connection.execute(count).scalar_one() >= most:
        raise TooMuch("too many people have been at this table", key="people", hint="Make another table.")


def _end_token(connection: sa.Connection, holder: str) -> str:
    """Delete a holder of a table with the links and notifications; return the hash of the token."""
    holders = schema.holders
    found = connection.execute(sa.select(holders.c.token_hash).where(holders.c.id == holder)).scalar()
    connection.execute(sa.delete(holders).where(holders.c.id == holder))
    for part in (schema.links, schema.calls):
        connection.execute(sa.delete(part).where(part.c.holder == holder))
    return str(found or "")
