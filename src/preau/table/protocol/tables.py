"""Requests and answers about tables and their seats."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from .common import Answer, Code, Json, Level, Message, Name, Seat, Status, StepNumber, TableName, Visibility


class Timer(Message):
    """How long a seat may take. `turn`: seconds of sand a turn; `days`: days a move; `off`: for ever."""

    kind: Literal["off", "turn", "days"] = "off"
    amount: Annotated[int, Meta(ge=1, le=86_400)] = 60


class SeatWish(Message):
    """What a seat is to be: mine (one per person on this device), a bot of a level, or open to whoever comes."""

    kind: Literal["me", "bot", "open"] = "open"
    level: Level = "greedy"
    name: Name = ""


class PlayOn(Message):
    """Where a new table begins, if not at the beginning: after a `step` of a finished game (of a `table`, or of a
    `record` that is handed in), at a `position` that is handed in, or at a `puzzle` of the game. Exactly one of these.

    Steps are those of the replay: 0 is the start, after what chance did there. With `eyes`, all that this seat does not
    know is drawn anew; without, it is as it was. A puzzle is always played on from what its own seat knows.
    """

    table: TableName | None = None
    record: Json | None = None
    position: Json | None = None
    puzzle: Annotated[str, Meta(min_length=1, max_length=24)] | None = None
    step: StepNumber = 0
    eyes: Seat | None = None


class NewTable(Message):
    """POST /api/tables."""

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=16)]
    options: Json = {}
    visibility: Visibility = "link"
    timer: Timer = msgspec.field(default_factory=Timer)
    start: bool = False
    """Start at once; all seats must be mine or bots'."""
    origin: PlayOn | None = msgspec.field(default=None, name="from")
    """Play on from somewhere; seats and options are those of the position, and options are left out."""
    newcomers: bool = True
    """Whether somebody new may take a seat that was left, if all people agree."""
    hints: bool = True
    """Whether a person who plays with bots alone may ask for hints."""


class TakeSeat(Message):
    """POST /api/tables/{id}/join. With a token, the seat is taken by the same person as before (pass and play); with
    the token of somebody who left, that person comes back.
    """

    name: Name = ""
    seat: Seat | None = None


class SetSeat(Message):
    """PUT /api/tables/{id}/seats/{seat}: before the start, by the host; after it, to ask a bot in or out, and for a
    seat that was left to agree (`open`) or not (`bot`) that somebody takes it.
    """

    kind: Literal["bot", "open", "back"]
    level: Level = "greedy"


class Swap(Message):
    """POST /api/tables/{id}/swap: exchange two seats before the start; the host only."""

    one: Seat
    other: Seat


class Redeem(Message):
    """POST /api/move: use a one-time link; the old device's token ends."""

    code: Code


class SeatInfo(Answer):
    """One seat as everybody sees it. `stand_in` is the level of a bot that plays while the person is away. A seat that
    was left in a game under way is `open`, with the `name` of whoever left and the `level` of the bot that plays on;
    `agreed` are those who agree that it is taken again.
    """

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str = ""
    level: str = ""
    stand_in: str = ""
    host: bool = False
    agreed: list[int] = []


class Origin(Answer):
    """Where the game of a table was played on from: after a `step` of the `table` or the record of a finished game, at
    a position or a `puzzle`. With `eyes`, what this seat did not know was drawn anew.
    """

    kind: Literal["table", "record", "position", "puzzle"]
    table: str = ""
    puzzle: str = ""
    step: int = 0
    eyes: int | None = None


class PlayedInfo(Answer):
    """A game of the evening that is over, seat by seat: who sat there (`levels` are those of bots), who won."""

    table: str
    names: list[str]
    levels: list[str]
    scores: list[int]
    winners: list[int]
    """The seats that shared the first place, or the one that won it by arm wrestling (`wrestled`)."""
    wrestled: bool = False


class Scorer(Answer):
    """What somebody has won in an evening: a person or a bot of a `level`. Whoever is not `here`, at this table, any
    more is known by their name alone. `seat` is where they sat last.
    """

    name: str
    level: str
    here: bool
    seat: int = 0
    played: int = 0
    won: int = 0
    shared: int = 0
    """First places shared with others."""


class Series(Answer):
    """The games of an evening: those of a table and of the tables it is the rematch of, the oldest first, and who has
    won what, the best first. `forgotten` games before these do not count any more.
    """

    games: list[PlayedInfo]
    score: list[Scorer]
    forgotten: int = 0


class TableInfo(Answer):
    """A table as everybody sees it."""

    id: str
    code: str
    game: str
    rules: str
    options: Json
    seats: list[SeatInfo]
    visibility: Visibility
    timer: Timer
    status: Status
    created: int
    rematch: str = ""
    newcomers: bool = True
    """Whether somebody new may take a seat that was left, if all people agree."""
    hints: bool = True
    """Whether a person who plays with bots alone may ask for hints."""
    hinted: int = 0
    """How often somebody did: with any, it is a practice game."""
    challenge: str = ""
    """The day whose challenge is played here, as 2026-11-17. Nothing is taken back there, and there are no hints."""
    origin: Origin | None = None
    """Where this game was played on from, if it did not begin at the beginning."""
    series: Series | None = None
    """At a rematch: the games before this one. They are left out where tables are listed."""
    to_act: list[int] | None = None
    """The seats that owe a decision, as every spectator sees it; told only when one table is asked for over HTTP."""


class Seated(Answer):
    """The answer to creating, joining and moving: the token is told this once."""

    table: TableInfo
    token: str
    seats: list[int]
    host: bool


class Moving(Answer):
    """A one-time link for another device, with `code` behind the `#`, where no log sees it; `qr` is an SVG picture."""

    code: str
    url: str
    expires: int
    qr: str


class Invitation(Answer):
    """GET /api/tables/{id}/invitation: the table's link; `qr` is an SVG picture of it."""

    url: str
    qr: str


class Found(Answer):
    """GET /api/codes/{code}."""

    id: str
