"""Looking at a finished game together: one leads, and whoever opened the same link sees the same step.

Nothing of it is kept but what is shown now, in memory, while somebody is there. Whoever made a link has a key that lets
them lead; it follows from the link's name and a secret of the house, so every process knows it and none has to keep it.
Other processes hear what is shown over the bus, and every few seconds that somebody still leads, and how many look.
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
from ..cluster.messages import LeaderWanted, SharedStepShown, SharedViewersCounted
from ..config import Limits
from ..token_buckets import Bucket
from .audience import Viewer
from .entry import TableEntry
from .repository import TableRepository

HEARD_SECONDS = 40.0
"""So long somebody leads or looks who is connected to another process, if nothing is heard of them."""
FULL_SECONDS = 60
"""When to try again where too many replays are shared: groups come and go."""
COUNT_SECONDS = 1.0
"""How often all are told how many look, at most: people come and go at once."""


class SharedReplay:
    """Those in this process who look at a game together."""

    __slots__ = ("bucket", "counted", "elsewhere", "followers", "heard", "leader", "led", "source", "timer", "told")

    def __init__(self, name: str, limits: Limits) -> None:
        self.led = protocol.LedMessage(together=name, step=0, leading=False)
        """What is shown now."""
        self.leader: Viewer | None = None
        """Whoever leads, if they are connected to this process."""
        self.followers: set[Viewer] = set()
        self.heard = 0.0
        """When another process said that somebody leads there; 0 if none has."""
        self.source = ""
        """Which process said so last."""
        self.elsewhere: dict[str, tuple[int, float]] = {}
        """How many look at each other process, and when it said so."""
        self.told = 0
        """How many look, as other processes were told."""
        self.counted = float("-inf")
        """When all were told last how many look."""
        self.timer: asyncio.TimerHandle | None = None
        self.bucket = Bucket(limits.leads_per_second, limits.leads_burst)

    def here(self) -> int:
        """How many look in this process, whoever leads among them."""
        return len(self.followers) + (self.leader is not None and self.leader not in self.followers)

    def looking(self) -> int:
        """How many look, here and elsewhere, as far as one has heard."""
        late = time.monotonic() - HEARD_SECONDS
        self.elsewhere = {one: heard for one, heard in self.elsewhere.items() if heard[1] > late}
        return self.here() + sum(many for many, _ in self.elsewhere.values())

    def same(self, led: protocol.LedMessage) -> bool:
        """Whether this is shown already, whoever counted how often and how many look."""
        return replace(led, number=self.led.number, looking=self.led.looking) == self.led

    def show(self, led: protocol.LedMessage) -> None:
        """Show something to all who follow. Each process numbers what it shows: the same has the same number."""
        number = self.led.number if self.same(led) else self.led.number + 1
        self.led = replace(led, number=number, looking=self.looking())
        data = protocol.encode(self.led)
        for viewer in list(self.followers):
            viewer.push(data)


class SharedReplays:
    """Whoever looks at games together in this process."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables
        self._limits = tables.config.limits
        self._secret = b""

    def open(self, secret: bytes) -> None:
        """Take in the secret that all keys follow from."""
        self._secret = secret

    async def make(self, entry: TableEntry) -> tuple[str, str]:
        """The name of a new link to a finished game, and the key of whoever leads there."""
        await self._tables.check_over(entry)
        name = new_id()
        return name, self._key(entry, name)

    def _key(self, entry: TableEntry, name: str) -> str:
        return hmac.digest(self._secret, f"{entry.id} {name}".encode(), "sha256").hex()[:40]

    # What people say.

    def follow(self, entry: TableEntry, viewer: Viewer, name: str | None) -> None:
        """See what is shown under a link from now on, or (None) nothing any more."""
        if name is None:
            self._go(entry, viewer, leading=False)
            return
        party = self._party(entry, name)
        party.followers.add(viewer)
        viewer.push(protocol.encode(replace(party.led, looking=party.looking())))
        if not party.led.leading:
            self._tables.bus.publish(entry.id, LeaderWanted(name))
        self._count(entry, party)

    def lead(self, entry: TableEntry, viewer: Viewer, message: protocol.Lead) -> None:
        """Show something to all who follow, here and elsewhere."""
        if not hmac.compare_digest(self._key(entry, message.together).encode(), message.key.encode()):
            raise Forbidden("only whoever made the link leads", field="key", key="not_leading", hint="Follow instead.")
        if isinstance(message.eyes, int) and message.eyes >= len(entry.table.seats):
            raise Unknown("there is no such seat", field="eyes")
        if any((mark.kind == "arrow") != (mark.to is not None) for mark in message.marks):
            raise Refusal("only an arrow has `to`, and it always has", field="marks", key="malformed")
        party = self._party(entry, message.together, leads=True)
        if not party.bucket.take():
            raise too_many("messages", party.bucket.wait(), of="")
        party.leader, party.heard = viewer, 0.0
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
        party.show(led)
        self._tell(entry, led)
        self._count(entry, party)

    def left(self, entry: TableEntry, viewer: Viewer) -> None:
        """A line is closed: it follows nobody any more, and leads nobody."""
        self._go(entry, viewer, leading=True)

    def _go(self, entry: TableEntry, viewer: Viewer, *, leading: bool) -> None:
        for party in list((entry.audience.together or {}).values()):
            party.followers.discard(viewer)
            if leading and party.leader is viewer:
                party.leader = None
                self._nobody_leads(party)
                self._tell(entry, party.led)
            self._count(entry, party)
        self._tidy(entry)

    def _nobody_leads(self, party: SharedReplay) -> None:
        party.heard = 0.0
        party.show(replace(party.led, leading=False, playing=False))

    # Other processes.

    def heard(self, entry: TableEntry, led: protocol.LedMessage, process: str) -> None:
        """Show what the leader at another process shows, or that there is no leader there any more."""
        party = (entry.audience.together or {}).get(led.together)
        if party is None:
            return  # nobody follows here; whoever comes asks
        if not led.leading and (party.leader is not None or party.source != process):
            return  # whoever led there leads here or elsewhere by now
        party.heard, party.source = (time.monotonic(), process) if led.leading else (0.0, "")
        if not party.same(led):
            party.leader = None  # whoever led here leads there now
            party.show(led)
            self._count(entry, party)

    def asked(self, entry: TableEntry, name: str) -> None:
        """Somebody came to another process, which does not know what is shown."""
        party = (entry.audience.together or {}).get(name)
        if party is not None and party.leader is not None:
            self._tell(entry, party.led)

    def counted(self, entry: TableEntry, message: SharedViewersCounted, process: str) -> None:
        """Take in how many viewers another process has."""
        party = (entry.audience.together or {}).get(message.together)
        if party is None:
            return
        if process not in party.elsewhere:
            self._tell_count(entry, party)  # it may not know yet who looks here
        party.elsewhere[process] = (message.here, time.monotonic())
        self._count(entry, party)

    def announce(self, entry: TableEntry) -> None:
        """Say again what is shown by whoever leads here, and how many look; and see who is not heard of any more."""
        for party in list((entry.audience.together or {}).values()):
            if party.leader is not None:
                self._tell(entry, party.led)
            elif party.heard and time.monotonic() - party.heard > HEARD_SECONDS:
                self._nobody_leads(party)
            self._tell_count(entry, party)
            self._count(entry, party)
        self._tidy(entry)

    def _tell(self, entry: TableEntry, led: protocol.LedMessage) -> None:
        self._tables.bus.publish(entry.id, SharedStepShown(led))

    # How many look.

    def _count(self, entry: TableEntry, party: SharedReplay) -> None:
        """Tell all how many look, if that is news; soon, and not too often."""
        if party.timer is not None or (party.here() == party.told and party.looking() == party.led.looking):
            return
        wait = party.counted + COUNT_SECONDS - time.monotonic()
        if wait > 0:
            party.timer = asyncio.get_running_loop().call_later(wait, self._count_now, entry, party)
        else:
            self._count_now(entry, party)

    def _count_now(self, entry: TableEntry, party: SharedReplay) -> None:
        party.timer, party.counted = None, time.monotonic()
        if party.here() != party.told:
            self._tell_count(entry, party)
        if party.looking() != party.led.looking:
            party.show(party.led)

    def _tell_count(self, entry: TableEntry, party: SharedReplay) -> None:
        party.told = party.here()
        self._tables.bus.publish(entry.id, SharedViewersCounted(party.led.together, party.told))

    # Keeping.

    def _party(self, entry: TableEntry, name: str, *, leads: bool = False) -> SharedReplay:
        """Those under a link. Where there are too many, those whom nobody leads make room for somebody who leads."""
        parties = entry.audience.together
        if parties is None:
            parties = entry.audience.together = {}
        if name not in parties:
            idle = [one for one, party in parties.items() if not party.led.leading] if leads else []
            most = self._limits.shared_replays_per_table
            if len(parties) >= most and not idle:
                raise too_many("shared", FULL_SECONDS, of="of this game", key="together_full", most=most)
            if len(parties) >= most:
                del parties[idle[0]]
            parties[name] = SharedReplay(name, self._limits)
        return parties[name]

    def _tidy(self, entry: TableEntry) -> None:
        """Forget what nobody looks at."""
        kept = {
            name: party
            for name, party in (entry.audience.together or {}).items()
            if party.followers or party.leader is not None
        }
        entry.audience.together = kept or None
