"""Looking at a finished game together: one leads, and whoever opened the same link sees the same step.

Nothing of it is kept but what is shown now, in memory, while somebody is there. Whoever made a link has a key that lets
them lead; it follows from the link's name and a secret of the house, so every process knows it and none has to keep it.
Other processes hear what is shown over the bus, and every few seconds that somebody still leads.
"""

from __future__ import annotations

import hmac
import time
from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from ..table import wire
from ..table.refusals import Forbidden, Unknown
from .loaded import Loaded
from .refusals import TooMuch
from .rooms import Viewer
from .security import Bucket, new_id
from .tables import Tables

Json = dict[str, Any]

MOST = 16
"""Links of one table that somebody uses at the same time, in one process."""
PER_SECOND, BURST = 5.0, 20
"""How often whoever leads may show something else."""
HEARD_SECONDS = 40.0
"""So long somebody leads who is connected to another process, if nothing is heard of them."""


class Party:
    """Those in this process who look at a game together."""

    __slots__ = ("bucket", "followers", "heard", "leader", "led")

    def __init__(self, name: str) -> None:
        self.led = wire.LedMessage(together=name, step=0, leading=False)
        """What is shown now."""
        self.leader: Viewer | None = None
        """Whoever leads, if they are connected to this process."""
        self.followers: set[Viewer] = set()
        self.heard = 0.0
        """When another process said that somebody leads there; 0 if none has."""
        self.bucket = Bucket(PER_SECOND, BURST)

    def show(self, led: wire.LedMessage) -> None:
        """Show something to all who follow."""
        self.led = led
        data = wire.encode(led)
        for viewer in list(self.followers):
            viewer.push(data)


class Together:
    """Whoever looks at games together in this process."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._secret = b""

    def open(self, secret: bytes) -> None:
        """Take in the secret that all keys follow from."""
        self._secret = secret

    async def make(self, loaded: Loaded) -> tuple[str, str]:
        """The name of a new link to a finished game, and the key of whoever leads there."""
        await self._tables.check_over(loaded)
        name = new_id()
        return name, self._key(loaded, name)

    def _key(self, loaded: Loaded, name: str) -> str:
        return hmac.digest(self._secret, f"{loaded.id} {name}".encode(), "sha256").hex()[:40]

    # What people say.

    def follow(self, loaded: Loaded, viewer: Viewer, name: str | None) -> None:
        """See what is shown under a link from now on, or (None) nothing any more."""
        if name is None:
            self._go(loaded, viewer, leading=False)
            return
        party = self._party(loaded, name)
        party.followers.add(viewer)
        viewer.push(wire.encode(party.led))
        if not party.led.leading and self._tables.bus.shared:
            self._tables.bus.publish(loaded.id, {"kind": "who leads", "together": name})

    def lead(self, loaded: Loaded, viewer: Viewer, message: wire.Lead) -> None:
        """Show something to all who follow, here and elsewhere."""
        if not hmac.compare_digest(self._key(loaded, message.together).encode(), message.key.encode()):
            raise Forbidden("only whoever made the link leads", field="key", key="not_leading", hint="Follow instead.")
        if message.eyes is not None and message.eyes >= len(loaded.table.seats):
            raise Unknown("there is no such seat", field="eyes")
        party = self._party(loaded, message.together, leads=True)
        if not party.bucket.take():
            raise TooMuch("you are showing too much at once", key="rate", hint="Wait a little.")
        party.leader, party.heard = viewer, 0.0
        number = party.led.number + 1
        led = wire.LedMessage(
            together=message.together,
            step=message.step,
            eyes=message.eyes,
            marks=message.marks,
            leading=True,
            number=number,
        )
        party.show(led)
        self._tell(loaded, led)

    def left(self, loaded: Loaded, viewer: Viewer) -> None:
        """A line is closed: it follows nobody any more, and leads nobody."""
        self._go(loaded, viewer, leading=True)

    def _go(self, loaded: Loaded, viewer: Viewer, *, leading: bool) -> None:
        for party in list((loaded.room.together or {}).values()):
            party.followers.discard(viewer)
            if leading and party.leader is viewer:
                party.leader = None
                self._nobody_leads(party)
                self._tell(loaded, party.led)
        self._tidy(loaded)

    def _nobody_leads(self, party: Party) -> None:
        party.heard = 0.0
        party.show(replace(party.led, leading=False, number=party.led.number + 1))

    # Other processes.

    def heard(self, loaded: Loaded, news: Json) -> None:
        """Another process shows something, or says that nobody leads there any more."""
        led = convert(news["led"], wire.LedMessage)
        party = (loaded.room.together or {}).get(led.together)
        if party is None:
            return  # nobody follows here; whoever comes asks
        party.heard = time.monotonic() if led.leading else 0.0
        if led != party.led and (led.leading or party.leader is None):
            party.leader = None  # whoever led here leads there now
            party.show(led)

    def asked(self, loaded: Loaded, name: str) -> None:
        """Somebody came to another process, which does not know what is shown."""
        party = (loaded.room.together or {}).get(name)
        if party is not None and party.leader is not None:
            self._tell(loaded, party.led)

    def announce(self, loaded: Loaded) -> None:
        """Say again what is shown by whoever leads here; and see who is not heard of any more."""
        for party in list((loaded.room.together or {}).values()):
            if party.leader is not None:
                self._tell(loaded, party.led)
            elif party.heard and time.monotonic() - party.heard > HEARD_SECONDS:
                self._nobody_leads(party)
        self._tidy(loaded)

    def _tell(self, loaded: Loaded, led: wire.LedMessage) -> None:
        if self._tables.bus.shared:
            self._tables.bus.publish(loaded.id, {"kind": "led", "led": to_builtins(led)})

    # Keeping.

    def _party(self, loaded: Loaded, name: str, *, leads: bool = False) -> Party:
        """Those under a link. Where there are too many, those whom nobody leads make room for somebody who leads."""
        parties = loaded.room.together
        if parties is None:
            parties = loaded.room.together = {}
        if name not in parties:
            idle = [one for one, party in parties.items() if not party.led.leading] if leads else []
            if len(parties) >= MOST and not idle:
                raise TooMuch("this game is looked at together by too many", key="together_full", hint="Come later.")
            if len(parties) >= MOST:
                del parties[idle[0]]
            parties[name] = Party(name)
        return parties[name]

    def _tidy(self, loaded: Loaded) -> None:
        """Forget what nobody looks at."""
        kept = {
            name: party
            for name, party in (loaded.room.together or {}).items()
            if party.followers or party.leader is not None
        }
        loaded.room.together = kept or None
