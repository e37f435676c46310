"""Monte Carlo tree search for games with secrets and chance, from what one seat knows (information-set search).

Every simulation draws a full position that agrees with all the seat knows and walks down one tree with it. The tree
branches by what everybody sees: an action that others do not see leads on without a branch, so that nobody in the tree
answers to what it cannot know, and simultaneous choices are made each for itself (decoupled). Chance is drawn, not
branched on. What is legal differs from one drawn position to the next; only what is legal there is compared.
"""

from __future__ import annotations

from math import exp, sqrt
from random import Random

from ...core.mypyc_shims import i64
from ...core.state import NATURE, Action, State
from ..evaluate.base import Judge, shares

SEAT_STEP = 1 << 20
"""Arms are kept by seat and action number: seat * SEAT_STEP + number."""


class Arm:
    """An action at a spot, and what came of it for the seat that took it."""

    def __init__(self, seat: i64, action: Action) -> None:
        self.seat = seat
        self.action = action
        self.visits: i64 = 0
        self.total = 0.0

    def value(self) -> float:
        """The chance to win after this action, for the seat that takes it."""
        if self.visits == 0:
            return 0.0
        return self.total / float(self.visits)


class Spot:
    """A place in the tree: all positions that look alike from outside."""

    def __init__(self) -> None:
        self.visits: i64 = 0
        self.arms: dict[int, Arm] = {}
        self.children: dict[int, Spot] = {}

    def arm(self, seat: i64, action: Action) -> Arm:
        """The arm of an action of a seat, new if it was never tried."""
        key = seat * SEAT_STEP + action.number
        arm = self.arms.get(key)
        if arm is None:
            arm = Arm(seat, action)
            self.arms[key] = arm
        return arm

    def select(self, seat: i64, legal: tuple[Action, ...], prior: list[float], explore: float) -> Arm:
        """The action to look at next, of those that are legal in this drawn position."""
        arms: list[Arm] = []
        visits: i64 = 0
        total = 0.0
        for action in legal:
            arm = self.arm(seat, action)
            arms.append(arm)
            visits += arm.visits
            total += arm.total
        usual = total / float(visits) if visits else 0.0
        room = explore * sqrt(float(visits) + 1.0)
        best = -1.0
        chosen = arms[0]
        for at in range(len(arms)):
            arm = arms[at]
            worth = usual if arm.visits == 0 else arm.total / float(arm.visits)
            worth += room * prior[at] / (1.0 + float(arm.visits))
            if worth > best:
                best = worth
                chosen = arm
        return chosen


class HiddenSearch:
    """A search for the decision of one seat. Drawn positions are handed to it one by one."""

    def __init__(self, seat: int, judge: Judge, explore: float, horizon: int, rng: Random) -> None:
        self.seat = seat
        self.judge = judge
        self.explore = explore
        self.horizon = horizon
        """How many decisions are played on by the judge's policy before a position is judged."""
        self.rng = rng
        self.root = Spot()
        self.sums: list[float] = []
        """The values of all simulations, added up seat by seat."""

    def simulate(self, state: State) -> None:
        """Walk down the tree with a drawn position, which is used up, and carry what came out back up."""
        judge = self.judge
        state.forget()  # nobody looks at it from a seat any more
        taken: list[Arm] = []
        spot = self.root
        fresh = False
        while not fresh:
            actors = state.to_act
            if not actors:
                break
            seat = actors[0]
            if seat == NATURE:
                action = state.draw(self.rng)
            else:
                seat = self.seat if self.seat in actors else seat
                legal = state.legal(seat)
                action = legal[0]
                if len(legal) > 1 or spot is self.root:
                    prior = shares(judge.policy(state, seat, legal))
                    arm = spot.select(seat, legal, prior, self.explore)
                    fresh = arm.visits == 0
                    taken.append(arm)
                    action = arm.action
            label = judge.label(state, seat, action)
            state.advance(seat, action)
            spot.visits += 1
            below = spot.children.get(label)
            if below is None:
                below = Spot()
                spot.children[label] = below
            spot = below
        if state.to_act:
            self.play_on(state)
        values = judge.values(state)
        if not self.sums:
            self.sums = [0.0] * len(values)
        for at in range(len(values)):
            self.sums[at] += values[at]
        for arm in taken:
            arm.visits += 1
            arm.total += values[arm.seat]

    def play_on(self, state: State) -> None:
        """Play on by the policy for some decisions, until a quiet moment."""
        judge = self.judge
        rng = self.rng
        left = self.horizon
        while True:
            actors = state.to_act
            if not actors:
                return
            seat = actors[0]
            if seat == NATURE:
                state.advance(seat, state.draw(self.rng))
                continue
            if left <= 0 and judge.quiet(state):
                return
            left -= 1
            legal = state.legal(seat)
            action = legal[0]
            if len(legal) > 1:
                action = legal[drawn(judge.policy(state, seat, legal), rng.random())]
            state.advance(seat, action)


def drawn(logs: list[float], point: float) -> i64:
    """Where a random point from 0 to 1 falls among the `shares` of logarithms; no more of them are made than needed."""
    best = logs[0]
    for one in logs:
        best = one if one > best else best
    total = 0.0
    parts: list[float] = []
    for one in logs:
        part = exp(one - best)
        parts.append(part)
        total += part
    at: i64 = 0
    for part in parts:
        point -= part / total
        if point < 0.0:
            return at
        at += 1
    return at - 1
