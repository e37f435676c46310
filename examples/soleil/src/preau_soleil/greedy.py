"""Rules of thumb: the card that gets furthest on average, as if the others played any card."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from preau.core import Action
from preau.core.state import Json

from .deck import CARDS, COUNTS, WORDS

TOUCH = 5.0
"""What touching the wall is worth beside the steps."""


def choose(seat: int, view: Json, legal: Sequence[Action], rng: Random) -> Action:
    """The card with the best prospect; one of the best at random."""
    best = max(prospect(seat, view, _steps(action)) for action in legal)
    fits = [action for action in legal if prospect(seat, view, _steps(action)) == best]
    return fits[int(rng.random() * len(fits))]


def prospect(seat: int, view: Json, steps: int) -> float:
    """Where the seat will be on average: seen if nobody is quicker (S5) and the caller turns too soon (S4)."""
    here, wall = view["places"][seat], view["options"]["steps"]
    nobody_quicker = (sum(COUNTS[: steps + 1]) / sum(COUNTS)) ** (view["seats"] - 1)
    seen = nobody_quicker * steps / len(WORDS)
    there = min(wall, here + steps)
    back = 0 if view["options"]["back"] == "line" else max(0, here - 3)
    return float(seen * back + (1 - seen) * (there + TOUCH * (there == wall)))


def _steps(action: Action) -> int:
    return CARDS.index(action.text.split()[1])
