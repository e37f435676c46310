"""Shared replays: one viewer leads through a finished game; all who opened the same link see the same step.

Only what is shown now is kept, in memory, while there are viewers. The maker of a link has a key that lets them lead.
It is derived from the link's name and a secret of the server, so every process knows it and none stores it. Processes
tell each other over the bus what is shown and, every few seconds, whether there is a leader and how many viewers.
"""

from __future__ import annotations

import asyncio
import hmac
import time

from msgspec.structs import replace

from ...host.identifiers import new_id
from ...host.refusals import too_many
from ...table import protocol
from ...table.refusals import Forbidden, Refusal, Unknown
from ...table.text_cleaning import clean
from ..cluster.bus import Bus
from ..cluster.messages import LeaderWanted, SharedStepShown, SharedViewersCounted
from ..config import Limits
from ..token_buckets import Bucket
from .audience import Viewer
from .repository import TableRepository
from .table_entry import TableEntry

HEARD_SECONDS = 40.0
"""How long a leader or viewers at another process count if nothing more is heard of them."""
FULL_SECONDS = 60
"""When to try again where too many replays are shared: groups come and go."""
COUNT_SECONDS = 1.0
"""Viewers are told at most this often how many they are: many may come and go at once."""


class SharedReplay:
    """One shared replay, with its viewers in this process."""

    __slots__ = ("bucket", "counted", "elsewhere", "followers", "heard", "leader", "led", "source", "timer", "told")

    def __init__(self, name: str, limits: Limits) -> None:
        self.led = protocol.LedMessage(together=name, step=0, leading=False)
        """What is shown now."""
        self.leader: Viewer | None = None
        """The leader, if connected to this process."""
        self.followers: set[Viewer] = set()
        self.heard = 0.0
        """When another process said that the leader is there; 0 if none has."""
        self.source = ""
        """Which process said so last."""
        self.elsewhere: dict[str, tuple[int, float]] = {}
        """How many viewers each other process has, and when it said so."""
        self.told = 0
        """How many viewers this process has, as other processes were told."""
        self.counted = float("-inf")
        """When the viewers were last told how many they are."""
        self.timer: asyncio.TimerHandle | None = None
        self.bucket = Bucket(limits.leads_per_second, limits.leads_burst)

    def here(self) -> int:
        """Return how many viewers there are in this process, the leader included."""
        return len(self.followers) + (self.leader is not None and self.leader not in self.followers)

    def looking(self) -> int:
        """Return how many viewers there are, here and at other processes."""
        late = time.monotonic() - HEARD_SECONDS
        self.elsewhere = {one: heard for one, heard in self.elsewhere.items() if heard[1] > late}
        return self.here() + sum(many for many, _ in self.elsewhere.values())

    def same(self, led: protocol.LedMessage) -> bool:
        """Whether this is shown already, apart from its number and the count of viewers."""
        return replace(led, number=self.led.number, looking=self.led.looking) == self.led

    def show(self, led: protocol.LedMessage) -> None:
        """Show something to all followers. Each process numbers what it shows: the same has the same number."""
        number = self.led.number if self.same(led) else self.led.number + 1
        self.led = replace(led, number=number, looking=self.looking())
        data = protocol.encode(self.led)
        for viewer in list(self.followers):
            viewer.push(data)


class SharedReplays:
    """The shared replays of this process."""

    def __init__(self, limits: Limits, tables: TableRepository, bus: Bus) -> None:
        self._limits = limits
        self._tables = tables
        self._bus = bus
        self._secret = b""

    def open(self, secret: bytes) -> None:
        """Set the secret that all keys are derived from."""
        self._secret = secret

    async def make(self, entry: TableEntry) -> tuple[str, str]:
        """Return the name of a new link to a finished game, and the key of its leader."""
        await self._tables.check_over(entry)
        name = new_id()
        return name, self._key(entry, name)

    def _key(self, entry: TableEntry, name: str) -> str:
        return hmac.digest(self._secret, f"{entry.id} {name}".encode(), "sha256").hex()[:40]

    # Messages of clients.

    def follow(self, entry: TableEntry, viewer: Viewer, name: str | None) -> None:
        """Show a viewer from now on what is shown under a link, or (None) nothing any more."""
        if name is None:
            self._go(entry, viewer, leading=False)
            return
        replay = self._find(entry, name)
        replay.followers.add(viewer)
        viewer.push(protocol.encode(replace(replay.led, looking=replay.looking())))
        if not replay.led.leading:
            self._bus.publish(entry.id, LeaderWanted(name))
        self._count(entry, replay)

    def lead(self, entry: TableEntry, viewer: Viewer, message: protocol.Lead) -> None:
        """Show something to all followers, here and at other processes."""
        if not hmac.compare_digest(self._key(entry, message.together).encode(), message.key.encode()):
            raise Forbidden("only whoever made the link leads", field="key", key="not_leading", hint="Follow instead.")
        if isinstance(message.eyes, int) and message.eyes >= len(entry.table.seats):
            raise Unknown("there is no such seat", field="eyes")
        if any((mark.kind == "arrow") != (mark.to is not None) for mark in message.marks):
            raise Refusal("only an arrow has `to`, and it always has", field="marks", key="malformed")
        replay = self._find(entry, message.together, leads=True)
        if not replay.bucket.take():
            raise too_many("messages", replay.bucket.wait(), of="")
        replay.leader, replay.heard = viewer, 0.0
        led = protocol.LedMessage(
            together=message.together,
            step=message.step,
            eyes=message.eyes,
            marks=message.marks,
            name=clean(message.name, protocol.NAME),
            review=message.review,
            playing=message.playing,
            leading=True,
        )
        replay.show(led)
        self._tell(entry, led)
        self._count(entry, replay)

    def left(self, entry: TableEntry, viewer: Viewer) -> None:
        """A viewer's connection has ended: it follows and leads no more."""
        self._go(entry, viewer, leading=True)

    def _go(self, entry: TableEntry, viewer: Viewer, *, leading: bool) -> None:
        for replay in list((entry.audience.together or {}).values()):
            replay.followers.discard(viewer)
            if leading and replay.leader is viewer:
                replay.leader = None
                self._end_lead(replay)
                self._tell(entry, replay.led)
            self._count(entry, replay)
        self._tidy(entry)

    def _end_lead(self, replay: SharedReplay) -> None:
        replay.heard = 0.0
        replay.show(replace(replay.led, leading=False, playing=False))

    # Other processes.

    def hear_step(self, entry: TableEntry, message: SharedStepShown, process: str) -> None:
        """Show what the leader at another process shows, or that there is no leader there any more."""
        led = message.led
        replay = (entry.audience.together or {}).get(led.together)
        if replay is None:
            return  # no followers here; the first one asks
        if not led.leading and (replay.leader is not None or replay.source != process):
            return  # the leader is here or at a third process by now
        replay.heard, replay.source = (time.monotonic(), process) if led.leading else (0.0, "")
        if not replay.same(led):
            replay.leader = None  # the leader is there now
            replay.show(led)
            self._count(entry, replay)

    def hear_leader_wanted(self, entry: TableEntry, message: LeaderWanted, process: str) -> None:
        """A viewer came to another process, which does not know what the leader shows."""
        replay = (entry.audience.together or {}).get(message.together)
        if replay is not None and replay.leader is not None:
            self._tell(entry, replay.led)

    def hear_count(self, entry: TableEntry, message: SharedViewersCounted, process: str) -> None:
        """Take in how many viewers another process has."""
        replay = (entry.audience.together or {}).get(message.together)
        if replay is None:
            return
        if process not in replay.elsewhere:
            self._tell_count(entry, replay)  # it may not know of the viewers here
        replay.elsewhere[process] = (message.here, time.monotonic())
        self._count(entry, replay)

    def announce(self, entry: TableEntry) -> None:
        """Tell the other processes again what the leader here shows and how many viewers there are; forget a leader
        elsewhere who was not heard of for too long.
        """
        for replay in list((entry.audience.together or {}).values()):
            if replay.leader is not None:
                self._tell(entry, replay.led)
            elif replay.heard and time.monotonic() - replay.heard > HEARD_SECONDS:
                self._end_lead(replay)
            self._tell_count(entry, replay)
            self._count(entry, replay)
        self._tidy(entry)

    def announce_all(self) -> None:
        """Do so at all tables in memory."""
        for entry in list(self._tables.entries.values()):
            if entry.audience.together is not None:
                self.announce(entry)

    def _tell(self, entry: TableEntry, led: protocol.LedMessage) -> None:
        self._bus.publish(entry.id, SharedStepShown(led))

    # The count of viewers.

    def _count(self, entry: TableEntry, replay: SharedReplay) -> None:
        """Tell how many viewers there are if that has changed, but not too often."""
        if replay.timer is not None or (replay.here() == replay.told and replay.looking() == replay.led.looking):
            return
        wait = replay.counted + COUNT_SECONDS - time.monotonic()
        if wait > 0:
            replay.timer = asyncio.get_running_loop().call_later(wait, self._count_now, entry, replay)
        else:
            self._count_now(entry, replay)

    def _count_now(self, entry: TableEntry, replay: SharedReplay) -> None:
        replay.timer, replay.counted = None, time.monotonic()
        if replay.here() != replay.told:
            self._tell_count(entry, replay)
        if replay.looking() != replay.led.looking:
            replay.show(replay.led)

    def _tell_count(self, entry: TableEntry, replay: SharedReplay) -> None:
        replay.told = replay.here()
        self._bus.publish(entry.id, SharedViewersCounted(replay.led.together, replay.told))

    # The links of a table.

    def _find(self, entry: TableEntry, name: str, *, leads: bool = False) -> SharedReplay:
        """Return the shared replay under a link. If there are too many, one without leader makes room for a leader."""
        replays = entry.audience.together
        if replays is None:
            replays = entry.audience.together = {}
        if name not in replays:
            idle = [one for one, replay in replays.items() if not replay.led.leading] if leads else []
            most = self._limits.shared_replays_per_table
            if len(replays) >= most and not idle:
                raise too_many("shared", FULL_SECONDS, of="of this game", key="together_full", most=most)
            if len(replays) >= most:
                del replays[idle[0]]
            replays[name] = SharedReplay(name, self._limits)
        return replays[name]

    def _tidy(self, entry: TableEntry) -> None:
        """Forget the shared replays without viewers."""
        kept = {
            name: replay
            for name, replay in (entry.audience.together or {}).items()
            if replay.followers or replay.leader is not None
        }
        entry.audience.together = kept or None
