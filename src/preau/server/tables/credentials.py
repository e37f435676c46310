"""People without accounts: tokens that open seats, and one-time links that carry them to another device."""

from __future__ import annotations

import hmac
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import partial

import sqlalchemy as sa

from ...core.state import Json
from ...host.identifiers import hash_secret, new_token
from ...table import seating
from ...table.refusals import Forbidden, Unknown
from ...table.table import Table
from ..cluster.bus import Bus
from ..cluster.messages import HolderLeft, HolderRemoved, TokenMoved
from ..storage import schema
from ..storage.store import Store
from .repository import TableRepository
from .table_entry import TableEntry

LINK_MS = 600_000
"""How long a one-time link can be used."""
MAKER_DAYS = 30
"""How long it is kept who made a table."""
AWAY_SECONDS = 600
"""How long a holder who was removed from a table is kept away from it."""
MOST = 20_000
"""How many such people are remembered."""


_HOLDER = sa.select(schema.holders.c.id).where(
    schema.holders.c.table_id == sa.bindparam("table"), schema.holders.c.token_hash == sa.bindparam("token")
)


class RemovedPlayers:
    """Who was removed from which table not long ago, known by their token or where they came from. That is kept in this
    process's memory and nowhere else.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: OrderedDict[tuple[str, str], float] = OrderedDict()

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._until)

    def add(self, table: str, who: str) -> None:
        """Keep a token or an address away from a table for a while."""
        self._until[table, who] = self._clock() + AWAY_SECONDS
        self._until.move_to_end((table, who))
        while len(self._until) > MOST or next(iter(self._until.values())) <= self._clock():
            self._until.popitem(last=False)

    def seconds(self, table: str, who: str) -> float:
        """Return for how long a token or an address is still kept away from a table; not any more if 0 or less."""
        return self._until.get((table, who), 0.0) - self._clock()


class Credentials:
    """Who is who at a table."""

    def __init__(self, now: Callable[[], int], tables: TableRepository, store: Store, bus: Bus) -> None:
        self._removed = RemovedPlayers()
        self._now = now
        self._tables = tables
        self._store = store
        self._bus = bus
        self._key = b""

    async def open(self) -> None:
        """Read the server's secret; draw it the first time."""
        self._key = bytes.fromhex(await self._store.setting("secret", partial(secrets.token_hex, 32)))

    def secret_of(self, what: str) -> bytes:
        """Derive a secret of the server for one purpose; it reveals nothing of the others."""
        return hmac.digest(self._key, f"secret of {what}".encode(), "sha256")

    def maker(self, address: str) -> str:
        """What is kept of an address that makes tables: whether two are the same can be told by it, and no more."""
        return hmac.digest(self._key, address.encode(), "sha256").hex()[:32]

    async def find(self, entry: TableEntry, token: str | None) -> str | None:
        """Whose token this is at this table; None without one, or if it opens no seat here."""
        if token is None:
            return None
        return await self._store.read(lambda connection: _holder(connection, entry.id, hash_secret(token)))

    async def holder(self, entry: TableEntry, token: str | None) -> str | None:
        """Whose token this is at this table; None without one. A wrong one is refused."""
        found = await self.find(entry, token)
        if token is not None and found is None:
            self.check_removed(entry, token)
            raise Forbidden("this token opens no seat here", field="token", key="token")
        return found

    async def must_hold(self, entry: TableEntry, token: str | None) -> str:
        """Whose token this is; a spectator is refused."""
        return seating.must_sit(await self.holder(entry, token))

    async def must_host(self, entry: TableEntry, token: str | None) -> str:
        """The same, for what only the host may do."""
        return seating.must_host(entry.table, await self.holder(entry, token))

    # Who has left, and who was removed.

    def leave(self, entry: TableEntry, holder: str) -> None:
        """A holder has given up all seats: close their connections, at all processes."""
        self._disconnect(entry, holder, "token")
        self._bus.publish(entry.id, HolderLeft(holder))

    def remove(self, entry: TableEntry, holder: str, token_hash: str) -> None:
        """The host has removed a holder: close their connections and keep them away for a while, at all processes."""
        self._keep_away(entry, holder, token_hash)
        self._bus.publish(entry.id, HolderRemoved(holder, token_hash))

    def _keep_away(self, entry: TableEntry, holder: str, token_hash: str) -> None:
        """For a while the holder cannot sit down again with the same token, nor from the same address, unless another
        holder who stays comes from there, too.
        """
        self._disconnect(entry, holder, "removed")
        theirs = entry.addresses.pop(holder, set())
        others = set().union(*entry.addresses.values())
        for who in filter(None, (token_hash, *(theirs - others))):
            self._removed.add(entry.id, who)

    def check_removed(self, entry: TableEntry, token: str = "", address: str = "") -> None:
        """Refuse a client that was removed from the table not long ago, with this token or from this address."""
        left = max(self._removed.seconds(entry.id, who) for who in (hash_secret(token), address))
        if left > 0:
            raise Forbidden(
                "the host has removed you from this table",
                key="removed",
                params={"minutes": math.ceil(left / 60)},
                hint="You may watch, and sit down at other tables.",
            )

    def _disconnect(self, entry: TableEntry, holder: str, reason: str) -> None:
        """Close the connections of a holder whose token has ended."""
        for viewer in [viewer for viewer in entry.audience.viewers if viewer.holder == holder]:
            viewer.leave(reason, again=False)

    def hear_moved(self, entry: TableEntry, message: TokenMoved, process: str) -> None:
        """Another process has moved a holder's seats to another device."""
        self._disconnect(entry, message.holder, "moved")

    def hear_left(self, entry: TableEntry, message: HolderLeft, process: str) -> None:
        """A holder has given up all seats at another process."""
        self._disconnect(entry, message.holder, "token")

    def hear_removed(self, entry: TableEntry, message: HolderRemoved, process: str) -> None:
        """The host has removed a holder at another process."""
        self._keep_away(entry, message.holder, message.token_hash)

    # Another device.

    async def make_link(self, entry: TableEntry, holder: str) -> tuple[str, int]:
        """A one-time code that moves a holder's seats to another device, and when it ends."""
        code, expires = new_token(), self._now() + LINK_MS

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(schema.links).where(schema.links.c.holder == holder))
            value = {"code_hash": hash_secret(code), "holder": holder, "table_id": entry.id, "expires": expires}
            connection.execute(sa.insert(schema.links), [value])

        await self._store.write(work)
        return code, expires

    async def use_link(self, code: str) -> tuple[TableEntry, str, str]:
        """Use a one-time code: a new token for the same seats, at this table and at those that were played with the old
        token before and after it (rematches); the old one ends at once.
        """
        token, now = new_token(), self._now()

        def work(connection: sa.Connection) -> tuple[str, dict[str, str]] | None:
            link = schema.links.c.code_hash == hash_secret(code), schema.links.c.expires > now
            holder = connection.execute(sa.select(schema.links.c.holder).where(*link)).scalar()
            if holder is None:
                return None
            same = _same_person(connection, holder)
            if not connection.execute(sa.delete(schema.links).where(*link)).rowcount:
                return None
            _change_token(connection, same, hash_secret(token))
            return holder, same

        moved = await self._store.write(work)
        if moved is None or moved[0] not in moved[1]:
            raise Unknown("this link was used already or is too old", field="code", key="link", hint="Make a new one.")
        holder, tables = moved
        for one, table in tables.items():
            if table in self._tables.entries:
                self._disconnect(self._tables.entries[table], one, "moved")
            self._bus.publish(table, TokenMoved(one))
        return await self._tables.get(tables[holder]), token, holder


def holder_row(table: Table, holder: str, token: str, now: int) -> Json:
    """Return the row of a new holder of seats."""
    return {"id": holder, "table_id": table.id, "token_hash": hash_secret(token), "created": now}


def room_in(connection: sa.Connection, kept: sa.Table, maker: str, since: int, more: int) -> float:
    """Return the seconds until an address may have one more row `kept`, where all its rows since a time are counted and
    there are `more` than the limit.
    """
    own = sa.select(kept.c.created).where(kept.c.maker == maker, kept.c.created >= since)
    return float(connection.execute(own.order_by(kept.c.created).offset(more).limit(1)).scalar_one() - since) / 1_000


def _holder(connection: sa.Connection, table: str, token_hash: str) -> str | None:
    return connection.execute(_HOLDER, {"table": table, "token": token_hash}).scalar()


def _same_person(connection: sa.Connection, holder: str) -> dict[str, str]:
    """All holders with the token of this one, and their tables.

    The tables are locked: a rematch that is being made copies the token, and must be done or not yet begun.
    """
    holders, tables = schema.holders.c, schema.tables.c
    token = sa.select(holders.token_hash).where(holders.id == holder).scalar_subquery()
    same = sa.select(holders.id, holders.table_id).where(holders.token_hash == token)
    ids = {table for _, table in connection.execute(same)}
    connection.execute(sa.select(tables.id).where(tables.id.in_(ids)).order_by(tables.id).with_for_update()).all()
    return {row.id: row.table_id for row in connection.execute(same)}


def _change_token(connection: sa.Connection, people: Collection[str], token_hash: str) -> None:
    """Give these holders a new token; links to other devices that were made with the old one end, and the old
    device gets no more notifications.
    """
    changed = sa.update(schema.holders).where(schema.holders.c.id.in_(people)).values(token_hash=token_hash)
    connection.execute(changed)
    connection.execute(sa.delete(schema.links).where(schema.links.c.holder.in_(people)))
    calls = schema.calls.c
    connection.execute(sa.delete(schema.calls).where(calls.holder.in_(people), calls.kind == "push"))
