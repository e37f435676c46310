"""What follows from a call. Whoever runs the house does it in this order: write down, tell and answer, then ask."""

from __future__ import annotations

import msgspec

from ..host.questions import Question
from ..table import protocol
from ..table.log import Row
from ..table.table import Json, Table


class About(msgspec.Struct, kw_only=True):
    """A table as it is kept beside its log. `people` are the holders by what is kept of their tokens."""

    table: Table
    people: dict[str, str]
    votes: dict[int, tuple[int, ...]] = {}
    """Who agrees to take something back, by the number since when that is asked."""
    chat: list[protocol.ChatLine] = []
    review: str = ""
    """The name of the review of its game, if it is kept."""
    revision: int = 0
    """How often this was written: whoever wants to write the next one must know the last."""


class Write(msgspec.Struct, kw_only=True):
    """What is to be written down of one table, all of it or nothing: rows whose numbers are not taken, and what is kept
    beside them, if that has changed and its `revision` is the next.
    """

    table: str
    rows: list[Row] = []
    about: About | None = None
    review: Json | None = None


class StoreEffect(msgspec.Struct, kw_only=True):
    """A table as it was written down."""

    about: About
    rows: list[Row]
    review: Json | None = None


class Ask(msgspec.Struct):
    """A question for a worker that thinks; a `heavy` one takes longer than a table may wait."""

    number: int
    question: Question
    heavy: bool


class Effects(msgspec.Struct, omit_defaults=True):
    """Everything that follows from a call."""

    writes: list[Write] = []
    gone: list[str] = []
    """Tables to be forgotten."""
    sent: list[tuple[str, str]] = []
    """Messages, each with the line that it goes to."""
    closed: list[str] = []
    """Lines that end after that."""
    asks: list[Ask] = []
    wake: int | None = None
    """When the house wants to look around (`House.look`), in milliseconds since the epoch."""
