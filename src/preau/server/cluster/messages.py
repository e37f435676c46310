"""The messages between the processes that serve the same tables: one type each, JSON on the bus.

A message says what has changed at a table. The database has what is needed to catch up, so a process may miss any
message. Processes of two versions may run side by side for a while: a message that does not decode is ignored.
"""

from __future__ import annotations

import msgspec

from ...table import protocol
from ...table.log import Row
from ..storage.leases import Change


class StepsCommitted(msgspec.Struct, frozen=True, tag=True):
    """Rows were added to the log: a step, or an undo."""

    rows: list[Row]
    change: Change | None = None
    """What the step changed in the table's row."""


class TableChanged(msgspec.Struct, frozen=True, tag=True):
    """The table or its seats were changed."""


class PresenceChanged(msgspec.Struct, frozen=True, tag=True):
    """Which seats are connected to the sending process, and how many others watch there."""

    here: list[int]
    watching: int


class ChatLineAdded(msgspec.Struct, frozen=True, tag=True):
    """A chat message was written."""

    line: protocol.ChatLine


class UndoRequestChanged(msgspec.Struct, frozen=True, tag=True):
    """An undo was asked for, agreed to, declined or withdrawn."""


class TapsCounted(msgspec.Struct, frozen=True, tag=True):
    """The taps of a tie-break round so far, by seat, as the sending process measured them."""

    round: int
    counts: dict[int, int]


class SharedStepShown(msgspec.Struct, frozen=True, tag=True):
    """What the leader of a shared replay shows, or that there is no leader at the sending process any more."""

    led: protocol.LedMessage


class LeaderWanted(msgspec.Struct, frozen=True, tag=True):
    """A viewer opened a shared replay and the sending process does not know what its leader shows."""

    together: str


class SharedViewersCounted(msgspec.Struct, frozen=True, tag=True):
    """How many viewers of a shared replay are connected to the sending process."""

    together: str
    here: int


class TokenMoved(msgspec.Struct, frozen=True, tag=True):
    """A holder's seats were moved to another device; the old token has ended."""

    holder: str


class HolderLeft(msgspec.Struct, frozen=True, tag=True):
    """A holder gave up all seats; the token has ended."""

    holder: str


class HolderRemoved(msgspec.Struct, frozen=True, tag=True):
    """The host removed a holder, who cannot come back for a while."""

    holder: str
    token_hash: str


BusMessage = (
    StepsCommitted
    | TableChanged
    | PresenceChanged
    | ChatLineAdded
    | UndoRequestChanged
    | TapsCounted
    | SharedStepShown
    | LeaderWanted
    | SharedViewersCounted
    | TokenMoved
    | HolderLeft
    | HolderRemoved
)


class Envelope(msgspec.Struct, frozen=True):
    """A message and the id of the process that sent it."""

    sender: str
    message: BusMessage


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Envelope)


def encode(sender: str, message: BusMessage) -> bytes:
    """Encode a message for the bus.

    >>> encode("p1", TokenMoved("h1"))
    b'{"sender":"p1","message":{"type":"TokenMoved","holder":"h1"}}'
    """
    return _encoder.encode(Envelope(sender, message))


def decode(data: bytes) -> Envelope:
    """Decode what another process sent; raises `msgspec.MsgspecError` if it is no message of this version.

    >>> decode(b'{"sender": "p1", "message": {"type": "TokenMoved", "holder": "h1"}}').message
    TokenMoved(holder='h1')
    """
    return _decoder.decode(data)
