"""What happened in a game and what is worth saying about it, as a viewer sees it."""

from __future__ import annotations

from .common import Answer, Json


class Step(Answer):
    """What happened in one step, for the log: events as this viewer sees them."""

    number: int
    actor: int
    time: int
    events: list[Json]
    eased: str = ""
    """The bot of this seat had no time or failed: the level that played for it, or `skipped` if none could. `missing`:
    the server does not have that bot, and its stand-in (normal) played for it.
    """
    late: bool = False
    """The time of a person was up: the seat that acts, or the one that the game's own time-out names."""


class Moment(Answer, kw_only=True):
    """How things stood after a step of the opening, as this viewer saw them, and what had happened in it."""

    number: int
    actor: int
    events: list[Json]
    view: Json
    prompt: Json
    to_act: list[int]


class Told(Answer, kw_only=True):
    """An action and what is worth saying about it. `do` and `reasons` are keys of the game's texts with their
    parameters, like events.
    """

    action: str
    do: Json | None = None
    """Null: the game has no words for it."""
    reasons: list[Json] = []
    but: bool = False
    """The last reason speaks against it."""
