"""Nature at an arena's tables: the same luck for everyone who plays the same deal.

When two games of one deal go different ways, nature is asked different questions at different times, so the same
sequence of random numbers would soon stand for different luck. Here every outcome has a clock of its own instead (the
card F6 for seat 2, the marble turned up): it rings after a random waiting time that depends on the deal and on the
outcome alone. The clocks of all outcomes that are possible now run on, each as fast as its outcome is likely, until
one rings: that outcome happens, and its clock is wound up again. Clocks of impossible outcomes stand still.

Waiting times are exponential, so each draw has exactly the probabilities of the rules, whatever happened before. And
an outcome that is possible in both games tends to happen in both, in the same order relative to the others.
"""

from __future__ import annotations

from hashlib import blake2b
from math import log
from random import Random

from ..core.game import Game
from ..core.match import Match
from ..core.record import Record
from ..core.state import Action, State


class Clocks:
    """A source of draws that gives every outcome its own waiting times.

    >>> Clocks(7).waiting("deal 2 F6", 0) == Clocks(7).waiting("deal 2 F6", 0)
    True
    """

    def __init__(self, deal: int) -> None:
        self._deal = deal
        self._left: dict[str, float] = {}
        self._rung: dict[str, int] = {}

    def waiting(self, text: str, times: int) -> float:
        """How long the clock of an outcome waits once it has rung so many times; 1 on average."""
        drawn = blake2b(f"{self._deal}/{times}/{text}".encode(), digest_size=8).digest()
        return -log((int.from_bytes(drawn) + 0.5) / 2.0**64)

    def draw(self, outcomes: list[tuple[Action, float]]) -> Action:
        """One of the outcomes, with its probability."""
        left = self._left
        first, soonest = "", float("inf")
        chosen: Action | None = None
        for action, chance in outcomes:
            text = action.text
            if text not in left:
                left[text] = self.waiting(text, 0)
            if chance > 0 and left[text] / chance < soonest:
                chosen, first, soonest = action, text, left[text] / chance
        assert chosen is not None, "nature has nothing to do"
        for action, chance in outcomes:
            left[action.text] -= chance * soonest
        self._rung[first] = self._rung.get(first, 0) + 1
        left[first] = self.waiting(first, self._rung[first])
        return chosen


class DealtMatch(Match):
    """A match in which nature draws by the clocks of a deal."""

    def __init__(self, game: Game, state: State, deal: int) -> None:
        self._clocks = Clocks(deal)
        super().__init__(game, state, Random(deal), Record.begin(state))

    def chance(self) -> Action:
        """What the clocks say."""
        return self._clocks.draw(self.state.outcomes())
