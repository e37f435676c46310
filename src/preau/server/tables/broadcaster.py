"""Show the viewers of this process what happens at their tables, and tell the other processes of it.

Loading a table and catching up with other processes send nothing: what they find waits in the table's entry (`unsent`).
The broadcaster sends it before it sends anything newer. It does so with the table's lock held, so that viewers see each
change once and in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.errors import RecordError
from ...core.state import Event
from ...table import messages, protocol, tie_break
from ...table.log import Row
from ...table.permissions import same_viewpoint
from ..cluster.bus import Bus
from ..cluster.messages import ChatLineAdded, StepsCommitted, TableChanged, UndoRequestChanged
from ..config import Config
from ..logs import log, short
from ..storage.leases import Change as RowChange
from .audience import Viewer
from .changes import Change, StepsUndone, StepTaken, TableDeleted, TableReread, without_steps
from .hello import HelloMessages
from .repository import TableRepository
from .table_entry import TableEntry

Handler = Callable[[TableEntry], None]


class Broadcaster:
    """Sends to the viewers of this process's tables."""

    def __init__(
        self, config: Config, now: Callable[[], int], tables: TableRepository, bus: Bus, hellos: HelloMessages
    ) -> None:
        self._config = config
        self._now = now
        self._tables = tables
        self._bus = bus
        self._hellos = hellos
        self.measure_tie_break: Handler = _ignore
        """Called when the tie-break of a table, or its viewers, may have changed."""
        self.seats_changed: Handler = _ignore
        """Called when this process has changed seats or started a game: bots or alarms may be due."""
        self.viewer_entered: Handler = _ignore
        """Called when a viewer has been sent the whole table."""

    # What other processes did.

    async def drain(self, entry: TableEntry) -> None:
        """Send the viewers what they have not been sent yet; call with the table's lock held."""
        while entry.unsent:
            if any(isinstance(change, TableReread) and change.holders for change in entry.unsent):
                _end_old_viewpoints(entry)  # before anything is sent: those seats are other players' now
            change = entry.unsent.pop(0)
            try:
                await self._show(entry, change)
            except RecordError:  # a game this program cannot replay is shown to no one
                raise
            except BaseException:
                entry.unsent.insert(0, change)
                raise

    async def send_unsent(self, entry: TableEntry) -> None:
        """Do so if there is anything to send; call without the lock."""
        if entry.unsent:
            async with entry.lock:
                await self.drain(entry)

    async def catch_up(self, entry: TableEntry, rows: list[Row] | None = None) -> None:
        """Take in what other processes wrote and send it; call with the lock held."""
        await self._tables.catch_up(entry, rows)
        if entry.unsent:
            await self.drain(entry)

    async def _show(self, entry: TableEntry, change: Change) -> None:
        match change:
            case StepTaken(rows, events):
                self._send_step(entry, rows, events)
            case StepsUndone(rows):
                self._send_undo(entry, rows)
            case TableReread():
                self._send_table(entry)
                if entry.status == "over":
                    self.send_tie_break(entry)
                if change.began:
                    await self._send_hello_to_all(entry)
            case TableDeleted():
                for viewer in list(entry.audience.viewers):
                    viewer.leave("unknown", again=False)
                self._tables.forget(entry)

    # What this process did.

    async def announce_step(
        self, entry: TableEntry, rows: list[Row], events: Sequence[Event], change: RowChange | None
    ) -> None:
        """Tell of a step that this process has committed; call with the lock held."""
        if entry.unsent:
            await self.drain(entry)
        self._send_step(entry, rows, events)
        self._bus.publish(entry.id, StepsCommitted(rows, change))
        if entry.status == "over":
            self._send_table(entry)

    async def announce_undo(self, entry: TableEntry, rows: Sequence[Row], change: RowChange) -> None:
        """Tell of an undo that this process has committed, the last row of the log; call with the lock held."""
        if entry.unsent:
            await self.drain(entry)
        self._send_undo(entry, rows)
        self._bus.publish(entry.id, StepsCommitted([rows[-1]], change))

    async def announce_table(self, entry: TableEntry) -> None:
        """Read a table again that this process has changed in the database, and tell of it; call without the lock."""
        await self._tables.refresh(entry)
        await self.send_unsent(entry)
        self._bus.publish(entry.id, TableChanged())
        self.seats_changed(entry)

    async def announce_start(self, entry: TableEntry) -> None:
        """Tell of a game that this process has started and read again; call with the lock held."""
        self._bus.publish(entry.id, TableChanged())
        await self.drain(entry)
        self.seats_changed(entry)

    def announce_undo_request(self, entry: TableEntry, asking: protocol.Asking | None) -> None:
        """Tell what is asked at a table now."""
        entry.audience.push(protocol.AsksMessage(asks=asking))
        self._bus.publish(entry.id, UndoRequestChanged())

    def announce_chat(self, entry: TableEntry, line: protocol.ChatLine) -> None:
        """Tell of a chat message that is in the database."""
        entry.audience.push(protocol.ChatMessage(line=line))
        self._bus.publish(entry.id, ChatLineAdded(line))

    # What other processes tell.

    async def hear_steps(self, entry: TableEntry, message: StepsCommitted, process: str) -> None:
        """Take in rows that another process has added to the log."""
        async with entry.lock:
            if entry.live is not None:
                await self._tables.catch_up(entry, message.rows)
            await self.drain(entry)
            if message.change is not None:
                entry.adopt(message.change)
            if entry.status == "over":
                self._send_table(entry)

    async def hear_table(self, entry: TableEntry, message: TableChanged, process: str) -> None:
        """Read a table again that another process has changed."""
        await self._tables.refresh(entry)
        await self.send_unsent(entry)

    def hear_chat(self, entry: TableEntry, message: ChatLineAdded, process: str) -> None:
        """Send a chat message that another process has written."""
        entry.audience.push(protocol.ChatMessage(line=message.line))

    async def sweep(self) -> None:
        """Send what the bus did not bring, and what was found before and not sent."""
        if self._bus.shared:
            await self.poll()
        else:
            await self._send_all_unsent()

    async def poll(self) -> None:
        """Look in the database for what other processes changed, and send it."""
        for entry in await self._tables.poll():
            self.seats_changed(entry)
        await self._send_all_unsent()

    async def _send_all_unsent(self) -> None:
        for entry in list(self._tables.entries.values()):
            try:
                await self.send_unsent(entry)
            except RecordError as error:  # a game this program cannot replay must not keep the others waiting
                log.warning("table put off", table=short(entry.id), error=str(error))

    # Hello.

    async def send_hello(
        self, entry: TableEntry, viewer: Viewer, last: int | None = None, *, opening: bool = False
    ) -> None:
        """Let a viewer in, or show the whole table again to one who is in; `last` is the number it has seen already.
        With `opening` it is shown how the game began.

        It holds the table's lock, so that no step gets lost between the hello and what follows it.
        """
        async with entry.lock:
            await self.drain(entry)
            hello = await self._hellos.compose(entry, viewer, last, opening=opening)
            entry.audience.enter(viewer)
            viewer.push(protocol.encode(hello))
            self.viewer_came(entry)

    async def _send_hello_to_all(self, entry: TableEntry) -> None:
        """A game has begun: show all of it to the viewers who saw the table wait."""
        for viewer in list(entry.audience.viewers):
            hello = await self._hellos.compose(entry, viewer)
            viewer.push(protocol.encode(hello))
            self.viewer_came(entry)
        entry.unsent = without_steps(entry.unsent)  # a hello shows the newest position

    def viewer_came(self, entry: TableEntry) -> None:
        """A viewer has been sent the whole table."""
        self.measure_tie_break(entry)
        self.viewer_entered(entry)

    # Messages.

    def send_tie_break(self, entry: TableEntry) -> None:
        """Measure the tie-break of a table whose game is over as it stands now, and send that."""
        self.measure_tie_break(entry)
        now, measured = self._now(), entry.measured_round
        state = entry.live.state if entry.live is not None else None
        running = measured.running(now) if measured is not None else None
        found = tie_break.seen(entry.table, state, self._config, now, running)
        if found is not None:
            entry.audience.push(protocol.ContestMessage(contest=found, now=now))

    def _send_table(self, entry: TableEntry) -> None:
        """Send the table, to each viewer with the seats it holds."""
        for viewer in list(entry.audience.viewers):
            viewer.push(protocol.encode(messages.about(entry.table, viewer.holder)))

    def _send_step(self, entry: TableEntry, rows: Sequence[Row], events: Sequence[Event]) -> None:
        assert entry.live is not None
        if entry.audience.viewers:
            if entry.live.state.racers():
                entry.audience.races.told(entry.live, rows, self._now())
            entry.audience.step(messages.StepMessages(entry.table, entry.live, rows, events, self._config))

    def _send_undo(self, entry: TableEntry, rows: Sequence[Row]) -> None:
        assert entry.live is not None
        entry.audience.step(messages.StepMessages.undone(entry.table, entry.live, rows, self._config))


def _end_old_viewpoints(entry: TableEntry) -> None:
    """Let no viewer see through a seat that another player holds now."""
    for viewer in entry.audience.viewers:
        viewer.viewpoint = same_viewpoint(entry.table, viewer.holder, viewer.viewpoint)


def _ignore(entry: TableEntry) -> None:
    """Do nothing."""
