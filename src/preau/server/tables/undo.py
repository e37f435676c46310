"""Taking back at a live table: the votes that are kept, the row in the log, and who is told."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from ...table import protocol, undo
from ...table.clocks import duty
from ...table.live_game import LiveGame
from ...table.log import Row
from ...table.refusals import TooLate
from ...table.table import Table
from ..cluster.messages import StepsCommitted, UndoRequestChanged
from ..storage import schema
from ..storage.leases import Change, Lease
from ..storage.queries import Append, load_log
from .entry import TableEntry
from .moves import adopt_change
from .repository import TableRepository

_VOTES = (
    sa.select(schema.votes.c.seat)
    .where(schema.votes.c.table_id == sa.bindparam("table"), schema.votes.c.number == sa.bindparam("at"))
    .order_by(schema.votes.c.first.desc(), schema.votes.c.seat)
)


class Undos:
    """Everything that is taken back from a log."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables
        self._config = tables.config
        self._store = tables.store

    async def undo(self, entry: TableEntry, seat: int, at: int) -> protocol.Asking | None:
        """Take back the seat's own last decision if that tells nobody anything; else ask all whom it concerns. Returns
        what is asked, or None if it is done.
        """
        async with entry.lock:
            live = await self._tables.live(entry)
            if at > live.head:
                await self._tables.catch_up(entry)
                live = await self._tables.live(entry)
            undo.check_undo(entry.table, live, at)
            rows = await self._tables.log(entry)
            undo.check_room(rows)
            back_to = undo.last_decision(rows, seat)
            if undo.is_free(live, seat):
                await self._take_back(entry, rows, undo.back(live, seat, back_to, self._tables.now()))
                return None
        return await self.agree(entry, seat, at, first=True)

    async def agree(self, entry: TableEntry, seat: int, at: int, *, first: bool = False) -> protocol.Asking | None:
        """One more agrees that the asking seat's last decision is taken back; when all whom it concerns do, it is."""
        async with entry.lock:
            live = await self._tables.live(entry)
            if at != live.head or live.state.over:
                raise undo.something_since(live)
            rows = await self._tables.log(entry)
            if first:
                undo.check_asking(entry.table, _asking(entry.table, rows, at, (seat,)))
            agreed = await self._store.write(lambda connection: _vote(connection, entry.id, at, seat, first=first))
            asking = _asking(entry.table, rows, at, agreed)
            if await self._settle(entry, live, rows, asking):
                return None
        self._ask(entry, asking)
        return asking

    async def check_again(self, entry: TableEntry) -> None:
        """Seats have changed, and with them perhaps whom the question concerns: it is asked anew, or settled if all who
        are left agree.
        """
        async with entry.lock:
            if entry.status != "playing":
                return
            live = await self._tables.live(entry)
            asking = await self.asking(entry)
            if asking is None or await self._settle(entry, live, await self._tables.log(entry), asking):
                return
        self._ask(entry, asking)

    async def _settle(self, entry: TableEntry, live: LiveGame, rows: Sequence[Row], asking: protocol.Asking) -> bool:
        """Do what is asked if all whom it concerns agree; whether it was done. Call with the table's lock held."""
        if not undo.is_settled(asking):
            return False
        back_to = undo.last_decision(rows, asking.by)
        await self._take_back(entry, rows, undo.back(live, asking.by, back_to, self._tables.now()))
        return True

    async def decline(self, entry: TableEntry, at: int) -> None:
        """Somebody does not agree: the question is settled."""
        gone = sa.delete(schema.votes).where(schema.votes.c.table_id == entry.id, schema.votes.c.number == at)
        await self._store.write(lambda connection: connection.execute(gone).rowcount)
        self._ask(entry, await self.asking(entry))

    async def asking(self, entry: TableEntry) -> protocol.Asking | None:
        """What is asked at the table now."""
        if entry.live is None:
            return None
        table, head = entry.table, entry.live.head
        return await self._store.read(lambda connection: asking_at(connection, table, head))

    def _ask(self, entry: TableEntry, asking: protocol.Asking | None) -> None:
        entry.audience.push(protocol.AsksMessage(asks=asking))
        self._tables.bus.publish(entry.id, UndoRequestChanged())

    async def _take_back(self, entry: TableEntry, rows: Sequence[Row], row: Row) -> None:
        whole = [*rows, row]
        after = self._tables.rebuild(entry, whole)
        now = self._tables.now()
        todo = duty(entry.table, after.state, after.since, now, self._config)
        mine = Lease(todo.wake, self._tables.process, now + self._config.lease_ms)
        change = Change("playing", None, mine if todo.bot else Lease(todo.wake))
        calls = self._config.notify_at(entry.table, now)
        if not await self._store.append(Append(entry.id, [row], change, calls)):
            await self._tables.catch_up(entry)
            raise TooLate("something has happened since", key="stale")
        entry.live = after
        adopt_change(entry, change)
        self._tables.tell_undone(entry, whole)
        self._tables.bus.publish(entry.id, StepsCommitted([row], change))
        self._tables.metrics.acted("undo")
        if todo.bot:
            self._tables.observer.bot_is_due(entry)


def asking_at(connection: sa.Connection, table: Table, number: int) -> protocol.Asking | None:
    """What is asked at a table since this number, and who agrees."""
    agreed = _agreed(connection, table.id, number)
    return undo.asking(table, load_log(connection, table.id), number, agreed) if agreed else None


def forget_votes(connection: sa.Connection, table: str, seats: Sequence[int]) -> bool:
    """The people of these seats leave: they agree to nothing any more, and what they asked is asked no longer. Returns
    whether they had asked or agreed to anything.
    """
    votes, gone = schema.votes, 0
    numbers = sa.select(votes.c.number).where(votes.c.table_id == table).distinct()
    for number in connection.execute(numbers).scalars().all():
        kept = undo.without(_agreed(connection, table, number), seats)
        where = votes.c.table_id == table, votes.c.number == number, votes.c.seat.not_in(kept)
        gone += connection.execute(sa.delete(votes).where(*where)).rowcount
    return gone > 0


def _asking(table: Table, rows: Sequence[Row], at: int, agreed: Sequence[int]) -> protocol.Asking:
    found = undo.asking(table, rows, at, agreed)
    assert found is not None
    return found


def _agreed(connection: sa.Connection, table: str, number: int) -> list[int]:
    return list(connection.execute(_VOTES, {"table": table, "at": number}).scalars())


def _vote(connection: sa.Connection, table: str, number: int, seat: int, *, first: bool) -> tuple[int, ...]:
    """Keep a vote; returns who agrees now. A vote that was kept already stays as it is; of earlier questions, which are
    all settled, nothing is kept.
    """
    before = _agreed(connection, table, number)
    after = undo.agree(before, seat, first=first)
    if len(after) > len(before):
        votes = schema.votes.c
        connection.execute(sa.delete(schema.votes).where(votes.table_id == table, votes.number < number))
        value = {"table_id": table, "number": number, "seat": seat, "first": int(not before)}
        connection.execute(sa.insert(schema.votes), [value])
    return after
