"""How likely every seat is to win: by a search where everything is known, else by playing on many times.

A game is played on for some decisions by the policy of its judge, everybody alike, and then judged, or played on to its
end if nothing is known of how well the judge judges. What a judge says is sharpened first by what was measured: if the
seats that it gave one chance in three have won every second time, it was too careful.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from random import Random

from ..bots.evaluate import judges
from ..bots.evaluate.base import Judge
from ..bots.search.hidden import HiddenSearch
from ..core.state import State
from .strength import Known

Chances = list[float]
TINY = 1e-12
"""What is left of a sum of squares where all are alike, for numbers are rounded."""


def seed_of(seed: int, purpose: str, about: object) -> int:
    """A seed that follows from what is looked at, and from nothing else."""
    text = json.dumps([seed, purpose, about], sort_keys=True, separators=(",", ":"))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def sharpened(chances: Sequence[float], state: State, sharpness: Sequence[float]) -> Chances:
    """What a judge says of a position, made to come true: the power grows or falls from one end of the game to the
    other, evenly between the numbers given.

    >>> import preau
    >>> start = preau.game("recess").start(seats=3)
    >>> [round(one, 2) for one in sharpened([0.5, 0.3, 0.2], start, (2.0, 1.0))]
    [0.66, 0.24, 0.11]
    """
    at = state.progress() * (len(sharpness) - 1)
    before = min(int(at), len(sharpness) - 2) if len(sharpness) > 1 else 0
    after = min(before + 1, len(sharpness) - 1)
    power = sharpness[before] + (at - before) * (sharpness[after] - sharpness[before])
    grown = [one**power for one in chances]
    total = sum(grown)
    return [one / total for one in grown]


class Ahead:
    """Plays positions on and judges them, the same way for the same luck."""

    def __init__(self, game: str, known: Known) -> None:
        self._judge: Judge = judges.judge(game)
        self._known = known

    def values(self, state: State, luck: int) -> Chances:
        """What becomes of a position, which is used up."""
        if state.to_act:
            HiddenSearch(0, self._judge, 0.0, self._known.horizon, Random(luck)).play_on(state)
        values = self._judge.values(state)
        return sharpened(values, state, self._known.sharpness) if state.to_act else values


class Mean:
    """Means of chances, seat by seat, and their standard errors."""

    def __init__(self, seats: int) -> None:
        self.count = 0
        self._sums = [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, values: Sequence[float]) -> None:
        """Count one more."""
        self.count += 1
        for seat, value in enumerate(values):
            self._sums[seat] += value
            self._squares[seat] += value * value

    def means(self) -> Chances:
        """The mean of every seat."""
        return [one / self.count for one in self._sums]

    def errors(self) -> list[float]:
        """The standard error of every mean. What always came to the same, and not to nothing, may still be otherwise
        once in so many times.
        """
        return [self._error(total, square) for total, square in zip(self._sums, self._squares, strict=True)]

    def _error(self, total: float, square: float) -> float:
        if self.count < 2:
            return 1.0
        spread = square - total * total / self.count
        if spread <= TINY * square:
            return 1.0 / self.count if total else 0.0
        return sqrt(spread / (self.count - 1) / self.count)
