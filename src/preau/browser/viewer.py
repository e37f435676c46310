"""A viewer of a table in the browser."""

from __future__ import annotations

from collections.abc import Callable

from ..table import protocol

Push = Callable[[str, bytes], None]
"""Sends a message over a connection."""


class Viewer:
    """A connection that views a table, and what it may see."""

    def __init__(self, line: str, push: Push, holder: str | None, viewpoint: int | None) -> None:
        self.line, self.holder, self.viewpoint = line, holder, viewpoint
        self._push = push

    def push(self, message: object) -> None:
        """Send a message."""
        self._push(self.line, protocol.encode(message))

    def hear(self, data: bytes) -> None:
        """Send a message that is encoded already."""
        self._push(self.line, data)
