"""People without accounts: tokens that open seats, and one-time links that carry them to another device."""

from __future__ import annotations

import sqlalchemy as sa

from ..table import seating
from ..table.refusals import Forbidden, Unknown
from . import schema
from .loaded import Loaded
from .security import hashed, new_token
from .tables import Tables

LINK_MS = 600_000
"""How long a one-time link can be used."""


_HOLDER = sa.select(schema.holders.c.id).where(
    schema.holders.c.table_id == sa.bindparam("table"), schema.holders.c.token_hash == sa.bindparam("token")
)


class People:
    """Who is who at a table."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def holder(self, loaded: Loaded, token: str | None) -> str | None:
        """Whose token this is at this table; None without one. A wrong one is refused."""
        if token is None:
            return None
        found = await self._store.read(lambda connection: _holder(connection, loaded.id, hashed(token)))
        if found is None:
            raise Forbidden("this token opens no seat here", field="token", key="token")
        return found

    async def must_hold(self, loaded: Loaded, token: str | None) -> str:
        """Whose token this is; a spectator is refused."""
        return seating.must_sit(await self.holder(loaded, token))

    async def must_host(self, loaded: Loaded, token: str | None) -> str:
        """The same, for what only the host may do."""
        return seating.must_host(loaded.table, await self.holder(loaded, token))

    # Another device.

    async def make_link(self, loaded: Loaded, holder: str) -> tuple[str, int]:
        """A one-time code that moves a holder's seats to another device, and when it ends."""
        code, expires = new_token(), self._tables.now() + LINK_MS

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(schema.links).where(schema.links.c.holder == holder))
            value = {"code_hash": hashed(code), "holder": holder, "table_id": loaded.id, "expires": expires}
            connection.execute(sa.insert(schema.links), [value])

        await self._store.write(work)
        return code, expires

    async def use_link(self, code: str) -> tuple[Loaded, str, str]:
        """Use a one-time code: a new token for the same seats; the old one ends at once."""
        token, now = new_token(), self._tables.now()

        def work(connection: sa.Connection) -> tuple[str, str] | None:
            links = schema.links
            found = connection.execute(
                sa.select(links.c.holder, links.c.table_id).where(
                    links.c.code_hash == hashed(code), links.c.expires > now
                )
            ).first()
            if found is None:
                return None
            gone = connection.execute(sa.delete(links).where(links.c.code_hash == hashed(code))).rowcount
            if not gone:
                return None
            connection.execute(
                sa.update(schema.holders).where(schema.holders.c.id == found[0]).values(token_hash=hashed(token))
            )
            return found[0], found[1]

        moved = await self._store.write(work)
        if moved is None:
            raise Unknown("this link was used already or is too old", field="code", key="link", hint="Make a new one.")
        holder, table_id = moved
        loaded = await self._tables.get(table_id)
        self.part(loaded, holder)
        self._tables.bus.publish(loaded.id, {"kind": "moved", "holder": holder})
        return loaded, token, holder

    def part(self, loaded: Loaded, holder: str) -> None:
        """Close the sockets of a holder that moved to another device."""
        for viewer in [viewer for viewer in loaded.room.viewers if viewer.holder == holder]:
            viewer.leave("moved", again=False)


def _holder(connection: sa.Connection, table: str, token_hash: str) -> str | None:
    return connection.execute(_HOLDER, {"table": table, "token": token_hash}).scalar()
