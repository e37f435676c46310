"""The viewers of one table in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...table import protocol
from ...table.messages import StepMessages
from ...table.viewpoint import Viewpoint
from .lag import Races

if TYPE_CHECKING:
    from .shared_replay import SharedReplay


class Viewer(Protocol):
    """A connection, as the audience knows it."""

    holder: str | None
    viewpoint: Viewpoint

    def push(self, data: bytes) -> None:
        """Send, without waiting."""

    def leave(self, reason: str, *, again: bool) -> None:
        """Say bye and close."""


class Audience:
    """The viewers of one table in this process, and what other processes said about theirs."""

    __slots__ = ("elsewhere", "races", "together", "viewers")

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self.elsewhere: dict[str, tuple[list[int], int, float]] = {}
        """By process: the seats connected there, how many others watch, and until when that holds (`presence`)."""
        self.races = Races()
        self.together: dict[str, SharedReplay] | None = None
        """The shared replays of the game, by the name of their link."""

    def enter(self, viewer: Viewer) -> None:
        """Add a viewer."""
        self.viewers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.viewers.discard(viewer)

    def push(self, message: object) -> None:
        """Send the same message to all viewers."""
        if self.viewers:
            data = protocol.encode(message)
            for viewer in list(self.viewers):
                viewer.push(data)

    def step(self, happened: StepMessages) -> None:
        """Send a step to all viewers, to each what its viewpoint may see."""
        groups: dict[Viewpoint, list[Viewer]] = {}
        for viewer in self.viewers:
            groups.setdefault(viewer.viewpoint, []).append(viewer)
        for viewers, data in zip(groups.values(), happened.told(list(groups)), strict=True):
            for viewer in viewers:
                viewer.push(data)
