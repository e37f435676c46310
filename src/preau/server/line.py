"""uvicorn's end of a socket, with a short way out: a message that can leave at once needs no task to wait for it."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

PUSH = "preau.push"
"""The name of the short way among the scope's extensions."""


class Line(WebSocketsSansIOProtocol):
    """One connection."""

    def handle_connect(self, event: Request) -> None:
        """A handshake: offer the short way."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][PUSH] = self.push  # type: ignore[assignment]

    def push(self, data: bytes) -> bool:
        """Send a text message at once; False if it has to wait, or cannot be sent any more."""
        if not self.writable.is_set() or self.disconnected or self.close_sent:
            return False
        try:
            self.conn.send_text(data)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
