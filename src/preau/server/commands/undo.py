"""Undo steps at a live table: the votes, the row in the log, and what the viewers are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...table import protocol, undo
from ...table.clocks import duty
from ...table.live_game import LiveGame
from ...table.log import Row
from ...table.refusals import TooLate
from ...table.table import Table
from ..cluster.messages import UndoRequestChanged
from ..config import Config
from ..metrics import Metrics
from ..storage.leases import Change, Lease
from ..storage.queries import Append
from ..storage.store import Store
from ..tables.broadcaster import Broadcaster
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..tables.votes import asking_at, delete_votes, vote


class Undos:
    """Takes back steps, alone or by agreement."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        process: str,
        tables: TableRepository,
        store: Store,
        broadcaster: Broadcaster,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._now = now
        self._process = process
        self._tables = tables
        self._store = store
        self._broadcaster = broadcaster
        self._metrics = metrics
        self.bot_is_due: Callable[[TableEntry], None] = lambda entry: None
        """Called when a bot is to move and this process has claimed it."""

    async def undo(self, entry: TableEntry, seat: int, at: int) -> protocol.Asking | None:
        """Take back the seat's own last decision if that reveals nothing; else ask all seats it concerns. Return what
        is asked, or None if it is done.
        """
        async with entry.lock:
            live = await self._current(entry)
            if at > live.head:
                await self._broadcaster.catch_up(entry)
                live = await self._tables.live(entry)
            undo.check_undo(entry.table, live, at)
            rows = await self._tables.log(entry)
            undo.check_room(rows)
            back_to = undo.last_decision(rows, seat)
            if undo.is_free(live, seat):
                await self._take_back(entry, rows, undo.back(live, seat, back_to, self._now()))
                return None
        return await self.agree(entry, seat, at, first=True)

    async def agree(self, entry: TableEntry, seat: int, at: int, *, first: bool = False) -> protocol.Asking | None:
        """A seat agrees that the asking seat's last decision is taken back; it is when all seats it concerns agree."""
        async with entry.lock:
            live = await self._current(entry)
            if at != live.head or live.state.over:
                raise undo.something_since(live)
            rows = await self._tables.log(entry)
            if first:
                undo.check_asking(entry.table, _asking(entry.table, rows, at, (seat,)))
            agreed = await self._store.write(lambda connection: vote(connection, entry.id, at, seat, first=first))
            asking = _asking(entry.table, rows, at, agreed)
            if await self._settle(entry, live, rows, asking):
                return None
        self._broadcaster.announce_undo_request(entry, asking)
        return asking

    async def check_again(self, entry: TableEntry) -> None:
        """Seats have changed, and perhaps whom a request concerns: send it again, or grant it if all who are left
        agree.
        """
        async with entry.lock:
            if entry.status != "playing":
                return
            live = await self._current(entry)
            asking = await self.asking(entry)
            if asking is None or await self._settle(entry, live, await self._tables.log(entry), asking):
                return
        self._broadcaster.announce_undo_request(entry, asking)

    async def _current(self, entry: TableEntry) -> LiveGame:
        """Return the game, after the viewers have been sent all that is known of it."""
        live = await self._tables.live(entry)
        if entry.unsent:
            await self._broadcaster.drain(entry)
        return live

    async def _settle(self, entry: TableEntry, live: LiveGame, rows: Sequence[Row], asking: protocol.Asking) -> bool:
        """Grant a request if all seats it concerns agree; return whether it was. Call with the table's lock held."""
        if not undo.is_settled(asking):
            return False
        back_to = undo.last_decision(rows, asking.by)
        await self._take_back(entry, rows, undo.back(live, asking.by, back_to, self._now()))
        return True

    async def decline(self, entry: TableEntry, at: int) -> None:
        """A seat does not agree: the request ends."""
        await self._store.write(lambda connection: delete_votes(connection, entry.id, at))
        self._broadcaster.announce_undo_request(entry, await self.asking(entry))

    async def asking(self, entry: TableEntry) -> protocol.Asking | None:
        """Return what is asked at the table now."""
        if entry.live is None:
            return None
        table, head = entry.table, entry.live.head
        return await self._store.read(lambda connection: asking_at(connection, table, head))

    async def hear(self, entry: TableEntry, message: UndoRequestChanged, process: str) -> None:
        """Send what is asked at the table now, as another process has changed it."""
        entry.audience.push(protocol.AsksMessage(asks=await self.asking(entry)))

    async def _take_back(self, entry: TableEntry, rows: Sequence[Row], row: Row) -> None:
        whole = [*rows, row]
        after = self._tables.rebuild(entry, whole)
        now = self._now()
        todo = duty(entry.table, after.state, after.since, now, self._config)
        mine = Lease(todo.wake, self._process, now + self._config.lease_ms)
        change = Change("playing", None, mine if todo.bot else Lease(todo.wake))
        calls = self._config.notify_at(entry.table, now)
        if not await self._store.append(Append(entry.id, [row], change, calls)):
            await self._broadcaster.catch_up(entry)
            raise TooLate("something has happened since", key="stale")
        entry.live = after
        entry.adopt(change)
        await self._broadcaster.announce_undo(entry, whole, change)
        self._metrics.acted("undo")
        if todo.bot:
            self.bot_is_due(entry)


def _asking(table: Table, rows: Sequence[Row], at: int, agreed: Sequence[int]) -> protocol.Asking:
    found = undo.asking(table, rows, at, agreed)
    assert found is not None
    return found
