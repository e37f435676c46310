"""Trying actions side by side, for games in which luck outweighs most choices.

Actions are tried on the same drawn positions and the same luck, and after each round the worse half is left out. That
tells them apart sooner than looking at each by itself.
"""

from __future__ import annotations

from math import ceil, log2
from random import Random
from time import perf_counter

from ...core.game import Sampler
from ...core.state import Action
from ..base import Budget
from ..evaluate.base import Player
from .thought import PORTION, Clock, Opinion, Thought

TRUST = 0.025
"""What a star by the policy is taken to change in the chance to win, until simulations say otherwise."""
DOUBT = 50
"""How many simulations it takes to outweigh that."""
FEW = 60
"""Simulations for a decision that does not matter much."""
TOO_FEW = 20
"""With fewer than this it is left to the policy, which so few would not outweigh."""


class Tried:
    """An action that is tried side by side with others."""

    def __init__(self, action: Action, first: float) -> None:
        self.action = action
        self.visits = 0
        self.total = 0.0
        self.first = first
        """What the policy thinks of it, as a chance to win more or less than usual."""


class SideBySide(Thought):
    """What comes of trying actions side by side."""

    def __init__(self, seat: int, sampler: Sampler, rng: Random, judge: Player) -> None:
        self.simulations = 0
        self.seat = seat
        self._sampler = sampler
        self._rng = rng
        self._judge = judge
        state = sampler.draw(rng)
        legal = state.legal(seat)
        likings = judge.policy(state, seat, legal)
        middle = sum(likings) / len(likings)
        self._tried = [Tried(action, TRUST * (one - middle)) for action, one in zip(legal, likings, strict=True)]
        self._left = list(self._tried)
        self._sums = judge.values(state)
        self._matters = judge.matters(state)

    def spend(self, budget: Budget, clock: Clock = perf_counter) -> None:
        """As many rounds as it takes until one action is left, each with its part of the budget."""
        simulations = budget.simulations if self._matters else min(budget.simulations or FEW, FEW)
        if not self._matters and simulations < TOO_FEW:
            return
        rounds = max(1, ceil(log2(len(self._tried))))
        begun = clock()
        self._left = list(self._tried)
        for number in range(1, rounds + 1):
            part = simulations // rounds if simulations else PORTION
            end = begun + budget.seconds * number / rounds
            while self.run(part) and not simulations and clock() < end:
                pass
            self._left.sort(key=self._value, reverse=True)
            del self._left[(len(self._left) + 1) // 2 :]
            if budget.seconds and clock() >= begun + budget.seconds:
                break

    def run(self, simulations: int) -> bool:
        """Try what is left on some more positions."""
        judge = self._judge
        for _ in range(max(1, simulations // len(self._left))):
            world = self._sampler.draw(self._rng)
            luck = self._rng.getrandbits(32)
            for tried in self._left:
                state = world.copy()
                state.advance(self.seat, tried.action)
                judge.play_out(state, luck)
                values = judge.final(state)
                tried.visits += 1
                tried.total += values[self.seat]
                self._sums = [before + value for before, value in zip(self._sums, values, strict=True)]
                self.simulations += 1
        return True

    def _value(self, tried: Tried) -> float:
        """What simulations say, and the policy as long as they are few."""
        usual = self._sums[self.seat] / (self.simulations + 1)
        return (tried.total + DOUBT * (usual + tried.first)) / (tried.visits + DOUBT)

    def opinions(self) -> list[Opinion]:
        """Everything that was tried."""
        return [Opinion(tried.action, tried.visits, self._value(tried), False) for tried in self._tried]

    def line(self, action: Action) -> list[tuple[int, Action]]:
        """Nothing beyond the action itself is looked at by itself."""
        return [(self.seat, action)]

    def chances(self) -> list[float]:
        """What all simulations came to on average."""
        return [one / (self.simulations + 1) for one in self._sums]
