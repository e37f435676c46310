"""What a review is, as JSON data (`preau-review/1`).

All chances count from 0 to 1 and are rounded to four digits, and so are their errors, each a standard error. Steps are
counted as a replay counts them: step `n` is the action that leads from the position after `n` actions to the next.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from ..core.state import Json

FORMAT = "preau-review/1"
DIGITS = 4

Called = Literal["best", "good", "inaccuracy", "mistake"]
Cause = Literal["choice", "luck", "race", "clock"]


class StrengthSaid(TypedDict):
    """How hard a review has looked; the same strength and seed give the same figures everywhere."""

    name: str
    seed: int
    simulations: int
    """For the search that picks the best action of a decision; in an open game for every position as well."""
    playouts: int
    """Games played on for the chances of one position, and for what chance has changed; 0 in an open game."""
    draws: int
    """Worlds on which the action taken is compared with the best one; 0 in an open game."""
    sampled: bool
    """Whether errors come from sampling; else they were measured once, beside a much deeper search."""


class Decision(TypedDict):
    """What a seat chose, beside what was best by what it could know then."""

    step: int
    seat: int
    action: str
    legal: int
    """How many actions there were to choose from."""
    best: str
    chance: float
    """The chance to win with the best action, as far as the seat could know."""
    stake: float
    """How much less a choice at random would have been worth."""
    gap: float
    """How much more the best action was worth than the one taken, as measured: below 0 where the latter did better."""
    regret: float
    """The same, and 0 where the action taken did as well."""
    error: float
    low: float
    high: float
    """The interval that holds the gap with 95 % confidence."""
    called: Called
    do: Json | None
    """What to do instead, as in a hint; None where the best action was taken, or nobody has words for it."""
    line: list[tuple[int, str]]
    """What the search expects after the best action, which comes first."""
    reasons: list[Json]
    but: bool
    """Whether the last reason speaks against it."""


class Luck(TypedDict):
    """What chance has changed for every seat; `race` where the fastest hand has decided, which counts as chance."""

    step: int
    changes: list[float]
    errors: list[float]
    race: bool


class Parts(TypedDict):
    """Errors of what a seat's game came to."""

    start: float
    play: float
    luck: float
    rest: float


class Standing(TypedDict):
    """A seat's game: `start` + `play` + `luck` + `rest` = `end`."""

    seat: int
    start: float
    end: float
    play: float
    luck: float
    rest: float
    """What the others chose, and what hidden cards have made of its own choices."""
    errors: Parts
    decisions: int
    accuracy: float | None
    """How much was kept of what choices at random would have lost, in per cent; None where nothing was at stake."""
    accuracy_error: float
    called: dict[Called, int]


class Turning(TypedDict):
    """A step that has changed much: `seat` has gained or lost the most, by a choice of `actor` or by chance."""

    step: int
    cause: Cause
    actor: int
    seat: int
    change: float
    error: float
    changes: list[float]


class Review(TypedDict):
    """A whole review."""

    format: str
    game: str
    rules: str
    seats: int
    steps: int
    strength: StrengthSaid
    chances: list[list[float]]
    """After 0, 1, ... `steps` actions the chance of every seat to win; the last of them is how it ended."""
    errors: list[list[float]]
    decisions: list[Decision]
    luck: list[Luck]
    standings: list[Standing]
    turning: list[Turning]


class Piece(TypedDict):
    """The steps from `first` on, up to `end` and without it, to be looked at in one go."""

    first: int
    end: int


class Looked(TypedDict):
    """What was found at one step; the parts come together in `assemble`."""

    step: int
    chances: list[float]
    errors: list[float]
    decision: Decision | None
    behind: list[float]
    """In an open game: the chances after the best action."""
    luck: Luck | None
