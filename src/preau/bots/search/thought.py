"""A thought: what came of thinking about one decision, and how to think on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import exp
from random import Random
from time import perf_counter
from typing import NamedTuple

from ...core.game import Sampler
from ...core.state import Action, Json, State
from ..base import Budget
from ..evaluate.base import UNSEEN, Judge
from .hidden import Arm, HiddenSearch, Spot
from .open import CERTAIN, Edge, Node, OpenSearch

Clock = Callable[[], float]
"""Seconds, from any beginning."""

PORTION = 16
"""Simulations between two looks at the clock."""


class Opinion(NamedTuple):
    """What is thought of one action: `value` is the chance to win, for the seat that thinks."""

    action: Action
    visits: int
    value: float
    proven: bool

    def rank(self) -> tuple[bool, int, float]:
        """What makes one action better than another: a certain win first, then how much it was looked at."""
        return (self.proven and self.value > CERTAIN, self.visits, self.value)


def choose(opinions: Sequence[Opinion], temperature: float, rng: Random) -> Action:
    """One of the actions: those that were looked at most, the likelier the closer their value is to the best.

    A certain win is never passed by, and a certain loss never chosen while there is anything else.
    """
    best = opinions[0]
    first = best.rank()
    for one in opinions:
        rank = one.rank()
        if rank > first:
            best = one
            first = rank
    if first[0]:
        return best.action
    total = 0.0
    sums: list[float] = []
    for one in opinions:
        if one.proven or one.value <= best.value or one.visits >= best.visits / 4:
            total += (one.visits + 0.1) * exp(min(0.0, one.value - best.value) / temperature)
        sums.append(total)
    point = rng.random() * total
    for at in range(len(sums) - 1):
        if point < sums[at]:
            return opinions[at].action
    return opinions[-1].action


class Thought(ABC):
    """The result of thinking about one decision."""

    seat: int
    simulations: int

    @abstractmethod
    def opinions(self) -> list[Opinion]:
        """What is thought of each action."""

    @abstractmethod
    def line(self, action: Action) -> list[tuple[int, Action]]:
        """Who is expected to do what, from this action on."""

    @abstractmethod
    def chances(self) -> list[float]:
        """How likely each seat is to win, as it stands."""

    @abstractmethod
    def run(self, simulations: int) -> bool:
        """Think on; returns whether more would be of use."""

    def after(self, action: Action) -> Node | None:
        """What is known of the position after an action, to go on from there; most searches start afresh."""
        return None

    def spend(self, budget: Budget, clock: Clock = perf_counter) -> None:
        """Think until the budget is used up or everything is certain."""
        end = clock() + budget.seconds
        while not budget.simulations or self.simulations < budget.simulations:
            left = budget.simulations - self.simulations if budget.simulations else PORTION
            portion = min(PORTION, left) if budget.seconds else left
            more = self.run(portion)
            self.simulations += portion
            if not more or (budget.seconds and clock() >= end):
                break

    def to_json(self) -> Json:
        """All of it as JSON data, the best action first."""
        opinions = sorted(self.opinions(), key=Opinion.rank, reverse=True)
        return {
            "seat": self.seat,
            "simulations": self.simulations,
            "chances": [round(chance, 4) for chance in self.chances()],
            "best": opinions[0].action.text,
            "actions": [
                {
                    "action": opinion.action.text,
                    "value": round(opinion.value, 4),
                    "visits": opinion.visits,
                    "proven": opinion.proven,
                    "line": [[actor, action.text] for actor, action in self.line(opinion.action)],
                }
                for opinion in opinions
            ],
        }


class OpenThought(Thought):
    """Thinking where everything is known."""

    def __init__(self, state: State, judge: Judge, explore: float, focus: float, kept: Node | None) -> None:
        self.simulations = 0
        root = kept if kept is not None and kept.state == state else Node(state, judge, focus)
        self.search = OpenSearch(root, judge, explore, focus)
        self.seat = self.search.root.seat

    def run(self, simulations: int) -> bool:
        """Go through some more positions."""
        self.search.run(simulations)
        return self.search.root.proven is None

    def opinions(self) -> list[Opinion]:
        """The edges of the root."""
        return [
            Opinion(edge.action, edge.visits, edge.value(self.seat), edge.proven is not None)
            for edge in self.search.root.edges
        ]

    def after(self, action: Action) -> Node | None:
        """The part of the tree behind the action."""
        return self.search.follow(action)

    def line(self, action: Action) -> list[tuple[int, Action]]:
        """The most visited way down."""
        node: Node | None = self.search.root
        edge: Edge | None = next(edge for edge in self.search.root.edges if edge.action is action)
        line: list[tuple[int, Action]] = []
        while node is not None and edge is not None:
            line.append((node.seat, edge.action))
            node = edge.child
            edge = _favourite(node) if node is not None else None
        return line

    def average(self) -> list[float]:
        """What all simulations came to on average: less sharp than what is expected, and it comes true more often."""
        root = self.search.root
        if root.proven is not None:
            return root.proven
        sums, visits = _summed(root)
        return [one / visits for one in sums] if visits else root.values

    def chances(self) -> list[float]:
        """The values of what the search expects."""
        root = self.search.root
        if root.proven is not None:
            return root.proven
        node = root
        while (edge := _favourite(node)) is not None:
            if edge.proven is not None:
                return edge.proven
            if edge.child is None:
                break
            node = edge.child
        return node.values


def _summed(node: Node) -> tuple[list[float], int]:
    """The values of all simulations through the actions of a node, seat by seat, and how many those were."""
    sums, visits = [0.0] * len(node.values), 0
    for edge in node.edges:
        if edge.proven is not None:
            many = int(edge.visits)
            below = [many * one for one in edge.proven]
        elif edge.child is not None:
            below, many = _summed(edge.child)
            below = [one + first for one, first in zip(below, edge.child.values, strict=True)]
            many += 1
        else:
            continue
        sums, visits = [one + more for one, more in zip(sums, below, strict=True)], visits + many
    return sums, visits


def _favourite(node: Node) -> Edge | None:
    """The edge the search likes best, if it has looked at any."""
    if node.proven is not None:
        return max(node.edges, key=lambda edge: (edge.proven is not None, edge.value(node.seat)))
    best = max(node.edges, key=lambda edge: (edge.visits, edge.value(node.seat)))
    return best if best.visits else None


class HiddenThought(Thought):
    """Thinking where much is not known: every simulation takes another position that agrees with what is."""

    def __init__(self, seat: int, sampler: Sampler, rng: Random, search: HiddenSearch) -> None:
        self.simulations = 0
        self.seat = seat
        self.search = search
        self._sampler = sampler
        self._rng = rng

    def run(self, simulations: int) -> bool:
        """Draw some more positions and play them on."""
        for _ in range(simulations):
            self.search.simulate(self._sampler.draw(self._rng))
        return True

    def opinions(self) -> list[Opinion]:
        """The arms of the root."""
        return [Opinion(arm.action, arm.visits, arm.value(), False) for arm in self.search.root.arms.values()]

    def line(self, action: Action) -> list[tuple[int, Action]]:
        """The most visited way down, through what everybody sees."""
        line = [(self.seat, action)]
        spot = _below(self.search.root, action)
        while spot is not None and (arm := _busiest(spot)) is not None:
            line.append((arm.seat, arm.action))
            spot = _below(spot, arm.action)
        return line

    def chances(self) -> list[float]:
        """What all simulations came to on average."""
        total = sum(self.search.sums)
        return [one / total for one in self.search.sums]


def _below(spot: Spot, action: Action) -> Spot | None:
    """The next spot below an action where somebody had a choice; draws of nature and forced actions are passed over."""
    below = spot.children.get(action.number) or spot.children.get(UNSEEN)
    while below is not None and not below.arms and below.children:
        below = max(below.children.values(), key=lambda one: one.visits)
    return below


def _busiest(spot: Spot) -> Arm | None:
    """The arm looked at most, if any was looked at more than once."""
    best = max(spot.arms.values(), key=lambda arm: arm.visits, default=None)
    return best if best is not None and best.visits > 1 else None
