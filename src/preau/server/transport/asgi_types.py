"""The shapes of ASGI, as loosely as the standard has them, and what our own end of a socket adds to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

ABORT = "preau.abort"
"""Among a request's extensions: a function that ends the connection at once, for an answer that cannot be completed."""
REFUSED = "preau.refused"
"""Among a request's extensions if the connection itself has answered it with a refusal (`door`)."""
TRANSPORT = "preau.line"
"""The name of the line among a scope's extensions, where the server's end of a socket is our own (`line`)."""


class RateMeter(Protocol):
    """What says how much a line may send."""

    def take(self, amount: float = 1.0) -> bool:
        """Whether so much may be sent now."""

    def wait(self, amount: float = 1.0) -> float:
        """Return the seconds until so much may be sent."""


class MessageListener(Protocol):
    """Who listens to a line."""

    def hear(self, data: bytes) -> object | None:
        """Take a message in at the moment it arrives; what is to be dealt with later, in order, is returned."""

    def alive(self) -> None:
        """Take note of a ping of the WebSocket protocol."""

    def leave(self, reason: str, *, again: bool) -> None:
        """Say bye and close."""


class WebSocketTransport(Protocol):
    """What our own end of a socket can do besides ASGI."""

    pace: RateMeter
    """Every frame is taken from it before anything else is done with it."""
    ear: MessageListener | None
    """Without one, messages wait as they came."""

    @property
    def unread(self) -> int:
        """How many messages wait to be dealt with."""

    @property
    def unsent(self) -> int:
        """How many bytes have been sent by us, but have not left yet."""

    def push(self, data: bytes) -> bool:
        """Send a text message at once; False if it has to wait, or cannot be sent any more."""

    def rest(self) -> None:
        """Give memory back if nothing long was sent for a while."""

    def settle(self) -> None:
        """The handshake is over."""

    def end(self) -> None:
        """The last message is on its way: it gets a moment, then the line is cut."""
