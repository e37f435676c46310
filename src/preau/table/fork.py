"""What if: playing on from a position of another game, with hidden things as they were or drawn anew."""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

from ..core.errors import SetupError
from ..core.plain import plain
from ..core.record import Record
from ..core.state import NATURE, State
from . import protocol
from .refusals import TooLate, Unknown

Json = dict[str, Any]

MOST_LETTERS = 32_000
"""Length of a position as JSON, with its options: five times the largest with a board or deck that ships."""


class Start(NamedTuple):
    """What a table is played on from."""

    position: str
    """The position as JSON."""
    options: Json
    origin: protocol.Origin


def check_wish(wish: protocol.NewTable) -> protocol.PlayOn:
    """What somebody wants to play on from; refuses a wish that names nothing, or several things, or more than there is
    to choose.
    """
    origin = wish.origin
    assert origin is not None
    named = [name for name in ("table", "record", "position", "puzzle") if getattr(origin, name) is not None]
    if len(named) != 1:
        said = " and ".join(named) or "nothing"
        hint = "Name one: a table, a record, a position or a puzzle."
        raise SetupError(f"it names {said} to play on from", field="from", hint=hint)
    if wish.options:
        raise SetupError("a position has its options already", field="options", hint="Leave them out.")
    if origin.step and named[0] in ("position", "puzzle"):
        raise SetupError(f"a {named[0]} has no steps", field="from.step", hint="Leave it out.")
    return origin


def origin_of(wish: protocol.PlayOn, eyes: int | None) -> protocol.Origin:
    """What a table says of where it is played on from, through these `eyes`."""
    kind: Any = next(name for name in ("table", "record", "position", "puzzle") if getattr(wish, name) is not None)
    return protocol.Origin(kind=kind, table=wish.table or "", puzzle=wish.puzzle or "", step=wish.step, eyes=eyes)


def position_after(record: Record, step: int) -> State:
    """The position after a step of a recorded game, as its replay counts them: 0 is the start, after what chance did
    there, and chance belongs to the step before.
    """
    begins = [at for at, entry in enumerate(record.entries) if entry.actor != NATURE]
    if step > len(begins):
        raise Unknown(
            f"the game has no step {step}",
            field="from.step",
            key="no_step",
            params={"steps": len(begins)},
            hint=f"There are 0 to {len(begins)}.",
        )
    return record.replay(begins[step] if step < len(begins) else len(record.entries))


def check_day(record: Record, today: str) -> None:
    """Refuse the record of a try at a challenge whose day is not over: others are still trying it, and whoever played
    on from it would practise what everybody is to find out.
    """
    challenge = record.challenge
    if challenge is not None and challenge[1] == "server" and challenge[0] >= today:
        raise TooLate(
            "the day of this challenge is not over",
            key="challenge_open",
            params={"day": challenge[0]},
            hint="Come back tomorrow.",
        )


def check_open(state: State, seats: int) -> None:
    """Refuse a position from which nothing can be played on, or not by so many."""
    if state.over:
        raise TooLate("the game is over there", field="from.step", key="over_there", hint="Choose an earlier step.")
    if state.seats != seats:
        raise SetupError(
            f"{seats} seats for a position with {state.seats}",
            field="seats",
            hint=f"Name {state.seats} seats.",
        )


def redrawn(state: State, eyes: int | None, seed: int) -> State:
    """The position with all that a seat does not know drawn anew; the same for nobody's eyes."""
    if eyes is None:
        return state
    if eyes >= state.seats:
        raise Unknown("there is no such seat", field="from.eyes", hint=f"There are 0 to {state.seats - 1}.")
    return state.game.sampler(plain(state.view(eyes))).draw(Random(seed))


def packed_position(state: State) -> str:
    """A position as it is kept; refuses one that is too large."""
    text = json.dumps(state.to_json(), ensure_ascii=False, separators=(",", ":"))
    if len(text) > MOST_LETTERS:
        raise SetupError(f"the position is longer than {MOST_LETTERS} letters", field="from", key="size")
    return text
