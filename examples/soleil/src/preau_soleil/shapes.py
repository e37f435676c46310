"""The shapes of all that leaves the game. The names of the fields are a promise to pages, bots and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

Card = Literal["still", "tiptoe", "walk", "run"]
CallersWord = Literal["un", "deux", "trois", "soleil"]
Phase = Literal["dealing", "choosing", "turning", "over"]
Ending = Literal["wall", "bell", ""]
"""Why the game is over; nothing while it is not."""
Hidden = Literal["hidden"]


class Options(TypedDict):
    """The options in force."""

    steps: int
    rounds: int
    back: Literal["line", "three"]


class View(TypedDict):
    """What a seat knows; `seat` and `hand` are null for somebody who watches."""

    game: Literal["soleil"]
    rules: str
    seats: int
    options: Options
    seat: int | None
    round: int
    phase: Phase
    places: list[int]
    caught: list[int]
    cards: list[int]
    """How many cards each seat holds."""
    chosen: list[Card | Hidden | None]
    """The cards that lie face down; one's own is known."""
    played: list[Card | None]
    """The cards of the round before."""
    word: CallersWord | None
    """What the caller turned round on then."""
    hand: list[Card] | None
    prompt: Prompt
    """What the seat is asked, or whom it waits for."""


class Detail(TypedDict):
    """How the score came about."""

    caught: list[int]


class Turn(TypedDict):
    """S3: a round begins."""

    round: int
    hand: list[Card] | Hidden


class Chosen(TypedDict):
    """S3: a card lies face down."""

    seat: int
    card: Card | Hidden


class Word(TypedDict):
    """S4: the caller turns round."""

    word: CallersWord


class Caught(TypedDict):
    """S5: a child was seen and goes back to `place`."""

    seat: int
    card: Card
    place: int


class Walk(TypedDict):
    """S6: a child has come to `place`."""

    seat: int
    card: Card
    place: int


class Wall(TypedDict):
    """S8: these touch the wall."""

    seats: list[int]


class Bell(TypedDict):
    """S8: the bell rings after this round."""

    round: int


class Waiting(TypedDict):
    """Those who have still to choose."""

    seats: list[int]


class Ended(TypedDict):
    """How it ended."""

    winners: list[int]
    reason: Ending


class Asked(Waiting):
    """What a seat is asked while the game goes on."""

    key: str


class Told(Ended):
    """What it is told when the game is over."""

    key: str


Prompt = Asked | Told


class Refused(TypedDict):
    """Who wanted to do what."""

    seat: int
    action: str


class NotInHand(Refused):
    """A card that the seat does not hold."""

    card: Card


EVENTS: Final[Mapping[str, Any]] = {
    "turn": Turn,
    "chosen": Chosen,
    "word": Word,
    "caught": Caught,
    "walk": Walk,
    "wall": Wall,
    "bell": Bell,
}
PROMPTS: Final[Mapping[str, Any]] = {
    "prompt.choosing": Waiting,
    "wait.choosing": Waiting,
    "wait.dealing": Waiting,
    "wait.turning": Waiting,
    "prompt.over": Ended,
}
REASONS: Final[Mapping[str, Any]] = {
    "not_in_hand": NotInHand,
    "nature": Refused,
    "not_next": Refused,
    "not_counting": Refused,
}
