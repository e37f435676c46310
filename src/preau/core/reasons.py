"""What a game may say about an action, for whoever asks for a hint or looks at a finished game: why it is good or bad.

A game says so in its `reasons.py`, from a tale: an action carried out on a position, and what was done after it. What
is not known to the asking seat differs from one tale to another; whoever puts hints together tells several tales and
says only what holds in most of them. Reasons are data, and become words by the game's texts: `do.` and `because.`.
These get one parameter more than was given, `seat`: whose choice it is. A hint says "you" to that seat, a review its
name, unless it reads the review itself: `{seat, person, you {you win} other {{seat, seat} wins}}`.
"""

from __future__ import annotations

from typing import NamedTuple

from .state import Action, Event, Json, State


class Step(NamedTuple):
    """One action of a tale: the positions before and after it, and what happened."""

    before: State
    actor: int
    action: Action
    events: list[Event]
    after: State


class Reason(NamedTuple):
    """Something that speaks for an action (`weight` above 0) or against it, and the more the further from 0.

    `said` is a key of the game's texts, `because....`, with its parameters. Only what is `certain` from what the seat
    sees is said as such; all else is said to be probable, with the parameter `odds` (`certain` or `likely`).
    """

    weight: float
    said: Json
    certain: bool = True


def because(weight: float, key: str, **params: object) -> Reason:
    """A reason that follows from what the seat sees.

    >>> because(6.0, "coin", owner=2)
    Reason(weight=6.0, said={'key': 'because.coin', 'owner': 2}, certain=True)
    """
    return Reason(weight, {"key": f"because.{key}", **params})


def perhaps(weight: float, key: str, **params: object) -> Reason:
    """A reason that depends on what the seat does not know."""
    return Reason(weight, {"key": f"because.{key}", **params}, certain=False)


def do(key: str, **params: object) -> Json:
    """What a hint tells somebody to do."""
    return {"key": f"do.{key}", **params}
