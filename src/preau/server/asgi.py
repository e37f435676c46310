"""The shapes of ASGI, as loosely as the standard has them, and what our own end of a socket adds to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

LINE = "preau.line"
"""The name of the line among a scope's extensions, where the server's end of a socket is our own (`line`)."""


class Line(Protocol):
    """What our own end of a socket can do besides ASGI."""

    def push(self, data: bytes) -> bool:
        """Send a text message at once; False if it has to wait, or cannot be sent any more."""

    def rest(self) -> None:
        """Give memory back if nothing long was sent for a while."""

    def settle(self) -> None:
        """The handshake is over."""
