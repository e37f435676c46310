"""A table's room: the sockets of this process that look at it, and what each of them is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from ...table import protocol
from ...table.messages import StepMessages
from ...table.viewpoint import Viewpoint
from .lag import Races

if TYPE_CHECKING:
    from .shared_replay import SharedReplay

PRESENCE_MS = 40_000


class Viewer(Protocol):
    """A socket, as its room knows it."""

    holder: str | None
    viewpoint: Viewpoint

    def push(self, data: bytes) -> None:
        """Send, without waiting."""

    def leave(self, reason: str, *, again: bool) -> None:
        """Say bye and close."""


class Audience:
    """The viewers of one table in this process, and who is at the table elsewhere."""

    __slots__ = ("elsewhere", "races", "together", "viewers")

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self.elsewhere: dict[str, tuple[list[int], int, float]] = {}
        self.races = Races()
        self.together: dict[str, SharedReplay] | None = None
        """Those who look at the game together, by the name of their link (`together`)."""

    def enter(self, viewer: Viewer) -> None:
        """A new viewer."""
        self.viewers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """A viewer has gone."""
        self.viewers.discard(viewer)

    def push(self, message: object) -> None:
        """Tell everybody the same."""
        if self.viewers:
            data = protocol.encode(message)
            for viewer in list(self.viewers):
                viewer.push(data)

    # Presence.

    def here(self, holders: dict[int, str]) -> protocol.Presence:
        """Which seats are connected to this process, and how many others watch."""
        present = {viewer.holder for viewer in self.viewers if viewer.holder}
        seats = [seat for seat, holder in holders.items() if holder in present]
        seated = set(holders.values())
        return protocol.Presence(here=seats, watching=sum(viewer.holder not in seated for viewer in self.viewers))

    def everywhere(self, holders: dict[int, str]) -> protocol.Presence:
        """The same of all processes."""
        local = self.here(holders)
        seats, watching = set(local.here), local.watching
        now = time.monotonic()
        for process, (others, more, until) in list(self.elsewhere.items()):
            if until < now:
                del self.elsewhere[process]
                continue
            seats.update(others)
            watching += more
        return protocol.Presence(here=sorted(seats), watching=watching)

    def has_viewers(self) -> bool:
        """Whether anybody looks at the table, here or elsewhere."""
        if self.viewers:
            return True
        now = time.monotonic()
        return any((seats or watching) and until >= now for seats, watching, until in self.elsewhere.values())

    def heard(self, process: str, here: list[int], watching: int) -> bool:
        """News of who is connected elsewhere, and whether nothing was known of that process; it holds for a while only,
        for processes die.
        """
        new = process not in self.elsewhere
        self.elsewhere[process] = (here, watching, time.monotonic() + PRESENCE_MS / 1000)
        return new

    # Steps.

    def step(self, happened: StepMessages) -> None:
        """Tell everybody of a step, each what its eyes may see."""
        groups: dict[Viewpoint, list[Viewer]] = {}
        for viewer in self.viewers:
            groups.setdefault(viewer.viewpoint, []).append(viewer)
        for viewers, data in zip(groups.values(), happened.told(list(groups)), strict=True):
            for viewer in viewers:
                viewer.push(data)
