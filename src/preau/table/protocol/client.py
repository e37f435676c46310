"""Messages from clients, on the WebSocket."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .common import (
    TEXT,
    ActId,
    ActionText,
    LinkName,
    Message,
    Name,
    Number,
    Phrase,
    PlaceName,
    Seat,
    StepNumber,
    Token,
)


class Join(Message, tag="join"):
    """The first message. Without a token: a spectator. `last`: the last number seen, to get only what was missed.
    `opening`: show how the game began, if this person has not decided anything yet.
    """

    token: Token | None = None
    seat: Seat | None = None
    last: Number | None = None
    opening: bool = False


class Act(Message, tag="act"):
    """An action. `at` is the last number the client has seen; `id` makes sending it again harmless."""

    id: ActId
    at: Number
    action: ActionText
    seat: Seat | None = None
    delay: Annotated[int, Meta(ge=0, le=60_000)] | None = None
    """In a race: milliseconds from when the question was shown to the answer, on the client's clock."""


class Undo(Message, tag="undo"):
    """Take back the own last decision, or ask the others to agree to that, if more than it would be undone."""

    at: Number
    seat: Seat | None = None


class Agree(Message, tag="agree"):
    """Yes or no to what is asked (`asks`)."""

    at: Number
    yes: bool
    seat: Seat | None = None


class Wrestle(Message, tag="wrestle"):
    """Yes or no to arm wrestling for the first place that several share (`contest`)."""

    yes: bool
    seat: Seat | None = None


class Pull(Message, tag="pull"):
    """How often a seat has tapped so far in a round of arm wrestling, on the client's own clock. Send it at most five
    times a second, and once at the end.
    """

    round: Annotated[int, Meta(ge=1, le=9)]
    count: Annotated[int, Meta(ge=0, le=10_000)]
    seat: Seat | None = None


class AskHint(Message, tag="hint"):
    """Ask for a hint, where everybody else at the table is a bot: the best idea, or with a higher `rank` the next best.
    Answered by `hinted`.
    """

    at: Number
    seat: Seat | None = None
    rank: Annotated[int, Meta(ge=0, le=15)] = 0


class Look(Message, tag="look"):
    """Pass and play: look through the eyes of another of one's own seats, or, without a seat, at what everybody may
    see while the device goes from hand to hand. Answered by `hello`.
    """

    seat: Seat | None = None


class Resync(Message, tag="resync"):
    """Ask for `hello` again."""

    last: Number | None = None


class Say(Message, tag="say"):
    """Chat: a text, or a ready-made phrase."""

    text: Annotated[str, Meta(min_length=1, max_length=TEXT)] | None = None
    phrase: Phrase | None = None


class Ping(Message, tag="ping"):
    """Are you there? Send it 2.5 s after the last answer; without an answer for 9 s, reconnect."""

    n: Number


class Pong(Message, tag="pong"):
    """The answer to the server's ping; the server measures the line with it."""

    n: Number


class Mark(Message):
    """Something shown on the board: an `arrow` from one place to another, or a `ring` round one. Places are called as
    in the game's views and actions; never is there anything else in it.
    """

    kind: Literal["arrow", "ring"]
    at: PlaceName
    to: PlaceName | None = None


class Follow(Message, tag="follow"):
    """Look at a finished game together with others who have the same link (`together`): whatever is shown comes as
    `led`. Without a link: no longer.
    """

    together: LinkName | None = None


class Lead(Message, tag="lead"):
    """Show a step of a finished game to all who follow, through whose eyes (`all`: every hand is open), and with which
    marks; for whoever has the `key` of the link.
    """

    together: LinkName
    key: Token
    step: StepNumber
    eyes: Seat | Literal["all"] | None = None
    marks: Annotated[list[Mark], Meta(max_length=24)] = []
    name: Name = ""
    """What whoever leads is called."""
    review: bool = False
    """They look at a review of the game."""
    playing: bool = False
    """Step follows step by itself."""


ClientMessage = Join | Act | Undo | Agree | Wrestle | Pull | AskHint | Look | Resync | Say | Follow | Lead | Ping | Pong
