"""Thinking about one decision: the right search for the game, within a budget, and what came out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil, log2
from random import Random
from time import perf_counter
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.game import Game, Sampler
from ..core.state import Action, Json, State
from .base import Budget
from .evaluate import shelf
from .evaluate.base import HIDDEN, Judge, Player
from .search.hidden import Arm as Branch
from .search.hidden import HiddenSearch, Spot
from .search.open import CERTAIN, Edge, Node, OpenSearch

TRUST = 0.025
"""What a star by the policy is taken to change in the chance to win, until simulations say otherwise."""
DOUBT = 50
"""How many simulations it takes to outweigh that."""
FEW = 60
"""Simulations for a decision that does not matter much."""
PORTION = 16
"""Simulations between two looks at the clock."""


class Arm(NamedTuple):
    """What is thought of one action: `value` is the chance to win, for the seat that thinks."""

    action: Action
    visits: int
    value: float
    proven: bool

    def rank(self) -> tuple[bool, int, float]:
        """What makes one action better than another: a certain win first, then how much it was looked at."""
        return (self.proven and self.value > CERTAIN, self.visits, self.value)


class Thinking(ABC):
    """The result of thinking about one decision."""

    seat: int
    simulations: int

    @abstractmethod
    def arms(self) -> list[Arm]:
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

    def took(self, action: Action) -> None:  # noqa: B027  # most searches start afresh
        """Remember which action was taken, to go on from there."""

    def spend(self, budget: Budget) -> None:
        """Think until the budget is used up or everything is certain."""
        end = perf_counter() + budget.seconds
        while not budget.simulations or self.simulations < budget.simulations:
            left = budget.simulations - self.simulations if budget.simulations else PORTION
            portion = min(PORTION, left) if budget.seconds else left
            more = self.run(portion)
            self.simulations += portion
            if not more or (budget.seconds and perf_counter() >= end):
                break

    def to_json(self) -> Json:
        """All of it as JSON data, the best action first."""
        arms = sorted(self.arms(), key=Arm.rank, reverse=True)
        return {
            "seat": self.seat,
            "simulations": self.simulations,
            "chances": [round(chance, 4) for chance in self.chances()],
            "best": arms[0].action.text,
            "actions": [
                {
                    "action": arm.action.text,
                    "value": round(arm.value, 4),
                    "visits": arm.visits,
                    "proven": arm.proven,
                    "line": [[actor, action.text] for actor, action in self.line(arm.action)],
                }
                for arm in arms
            ],
        }


class OpenThinking(Thinking):
    """Thinking where everything is known."""

    def __init__(self, state: State, judge: Judge, explore: float, focus: float, last: OpenThinking | None) -> None:
        self.simulations = 0
        self.search = OpenSearch(state, judge, explore, focus)
        known = last.next if last is not None else None
        if known is not None and known.state == state:
            self.search.root = known
        self.seat = self.search.root.seat
        self.next: Node | None = None

    def run(self, simulations: int) -> bool:
        """Go through some more positions."""
        self.search.run(simulations)
        return self.search.root.proven is None

    def arms(self) -> list[Arm]:
        """The edges of the root."""
        return [
            Arm(edge.action, edge.visits, edge.value(self.seat), edge.proven is not None)
            for edge in self.search.root.edges
        ]

    def took(self, action: Action) -> None:
        """Keep the part of the tree behind the action."""
        self.next = self.search.follow(action)

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


def _favourite(node: Node) -> Edge | None:
    """The edge the search likes best, if it has looked at any."""
    if node.proven is not None:
        return max(node.edges, key=lambda edge: (edge.proven is not None, edge.value(node.seat)))
    best = max(node.edges, key=lambda edge: (edge.visits, edge.value(node.seat)))
    return best if best.visits else None


class HiddenThinking(Thinking):
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

    def arms(self) -> list[Arm]:
        """The arms of the root."""
        return [Arm(branch.action, branch.visits, branch.value(), False) for branch in self.search.root.arms.values()]

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
    below = spot.children.get(action.number) or spot.children.get(HIDDEN)
    while below is not None and not below.arms and below.children:
        below = max(below.children.values(), key=lambda one: one.visits)
    return below


def _busiest(spot: Spot) -> Branch | None:
    """The arm looked at most, if any was looked at more than once."""
    best = max(spot.arms.values(), key=lambda arm: arm.visits, default=None)
    return best if best is not None and best.visits > 1 else None


class Tried:
    """An action that is tried side by side with others."""

    def __init__(self, action: Action, first: float) -> None:
        self.action = action
        self.visits = 0
        self.total = 0.0
        self.first = first
        """What the policy thinks of it, as a chance to win more or less than usual."""


class SideBySide(Thinking):
    """Thinking where luck outweighs most choices: actions are tried on the same drawn positions and the same luck, and
    after each round the worse half is left out. That tells them apart sooner than looking at each by itself.
    """

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

    def spend(self, budget: Budget) -> None:
        """As many rounds as it takes until one action is left, each with its part of the budget."""
        simulations = budget.simulations if self._matters else min(budget.simulations or FEW, FEW)
        rounds = max(1, ceil(log2(len(self._tried))))
        begun = perf_counter()
        self._left = list(self._tried)
        for number in range(1, rounds + 1):
            part = simulations // rounds if simulations else PORTION
            end = begun + budget.seconds * number / rounds
            while self.run(part) and not simulations and perf_counter() < end:
                pass
            self._left.sort(key=self._value, reverse=True)
            del self._left[(len(self._left) + 1) // 2 :]
            if budget.seconds and perf_counter() >= begun + budget.seconds:
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

    def arms(self) -> list[Arm]:
        """Everything that was tried."""
        return [Arm(tried.action, tried.visits, self._value(tried), False) for tried in self._tried]

    def line(self, action: Action) -> list[tuple[int, Action]]:
        """Nothing beyond the action itself is looked at by itself."""
        return [(self.seat, action)]

    def chances(self) -> list[float]:
        """What all simulations came to on average."""
        return [one / (self.simulations + 1) for one in self._sums]


def think(
    game: Game, seat: int, view: Json, budget: Budget, rng: Random, judge: Judge, last: Thinking | None
) -> Thinking:
    """Think about the decision a seat owes, from what it knows; `last` is the thought before, to go on from."""
    thought = begin(game.id, seat, game.sampler(view), rng, judge, last)
    thought.spend(budget)
    return thought


def begin(game: str, seat: int, sampler: Sampler, rng: Random, judge: Judge, last: Thinking | None) -> Thinking:
    """The right kind of thinking for a game, not a moment spent yet."""
    settings = shelf.data(game).get("search", {})
    state = sampler.draw(rng)
    if seat not in state.to_act:
        raise SetupError(f"seat {seat} owes no decision in this view", field="view", hint="Wait for its turn.")
    if judge.open:
        known = last if isinstance(last, OpenThinking) else None
        return OpenThinking(state, judge, settings.get("explore", 0.5), settings.get("focus", 1.0), known)
    if isinstance(judge, Player):
        return SideBySide(seat, sampler, rng, judge)
    search = HiddenSearch(seat, judge, settings.get("explore", 0.6), settings.get("horizon", 4), rng)
    return HiddenThinking(seat, sampler, rng, search)
