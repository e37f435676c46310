"""Monte Carlo tree search for games without secrets or chance, for any number of seats (max^n).

Every node is opened as a whole: all its actions are tried one step deep and judged, which gives each a first value and
a share of attention (PUCT). Values are vectors, a chance to win for each seat; at each node the seat to act looks at
its own. Results that are certain are proven and carried up, so forced wins are found and played as such.
"""

from __future__ import annotations

from math import exp, sqrt

from ...core.mypyc_shims import i64
from ...core.state import Action, State
from ..evaluate.base import Judge

CERTAIN = 0.999
FIRST_WEIGHT = 1.0
"""How many visits the first judgement of an action counts for."""


class Edge:
    """An action at a node, and what is known of it."""

    def __init__(self, action: Action, first: float, proven: list[float] | None) -> None:
        self.action = action
        self.first = first
        """The judgement one step deep, for the seat to act."""
        self.proven = proven
        self.prior = 0.0
        self.visits: i64 = 0
        self.total = 0.0
        self.child: Node | None = None

    def value(self, seat: i64) -> float:
        """The chance to win after this action, for the seat that takes it."""
        if self.proven is not None:
            return self.proven[seat]
        return (FIRST_WEIGHT * self.first + self.total) / (FIRST_WEIGHT + float(self.visits))


class Node:
    """A position, opened: its actions, and the values of the one that looks best."""

    def __init__(self, state: State, judge: Judge, focus: float) -> None:
        self.state = state
        self.seat: i64 = state.to_act[0]
        self.visits: i64 = 0
        self.edges: list[Edge] = []
        self.proven: list[float] | None = None
        self.values: list[float] = []
        self._open(judge, focus)

    def _open(self, judge: Judge, focus: float) -> None:
        seat = self.seat
        state = self.state
        best = -1.0
        for action in state.legal(seat):
            after = state.copy()
            after.advance(seat, action)
            values = judge.values(after)
            over = not after.to_act
            self.edges.append(Edge(action, values[seat], values if over else None))
            if values[seat] > best:
                best = values[seat]
                self.values = values
        spread_attention(self.edges, focus)
        self.prove()

    def prove(self) -> bool:
        """Whether the result of this node is certain by now: a certain win, or all actions known to the end."""
        seat = self.seat
        best: Edge | None = None
        complete = True
        for edge in self.edges:
            if edge.proven is None:
                complete = False
            elif best is None or edge.value(seat) > best.value(seat):
                best = edge
        if best is not None and (complete or best.value(seat) > CERTAIN):
            self.proven = best.proven
            return True
        return False

    def select(self, explore: float) -> Edge:
        """The action to look at next: what is promising, or has been looked at little for what it promised."""
        seat = self.seat
        room = explore * sqrt(float(self.visits) + 1.0)
        chosen = self.edges[0]
        best = -1.0
        for edge in self.edges:
            worth = edge.value(seat)
            if edge.proven is None:
                worth += room * edge.prior / (1.0 + float(edge.visits))
            if worth > best:
                best = worth
                chosen = edge
        return chosen


def spread_attention(edges: list[Edge], focus: float) -> None:
    """Share attention out by first judgements, compared with how much they differ here."""
    count = float(len(edges))
    mean = 0.0
    for edge in edges:
        mean += edge.first
    mean /= count
    deviation = 0.0
    for edge in edges:
        deviation += (edge.first - mean) * (edge.first - mean)
    deviation = sqrt(deviation / count) + 1e-6
    total = 0.0
    for edge in edges:
        edge.prior = exp(focus * (edge.first - mean) / deviation)
        total += edge.prior
    for edge in edges:
        edge.prior /= total


class OpenSearch:
    """A search from one position. It can be continued, and its tree kept for the next decision."""

    def __init__(self, root: Node, judge: Judge, explore: float, focus: float) -> None:
        self.judge = judge
        self.explore = explore
        self.focus = focus
        self.root = root

    def run(self, simulations: i64) -> None:
        """Look at as many more positions; stops early when the result is proven."""
        for _ in range(simulations):
            if self.root.proven is not None:
                return
            self.simulate()

    def simulate(self) -> None:
        """Walk down to an action not looked at yet, open the position behind it, and carry the news up."""
        nodes: list[Node] = []
        edges: list[Edge] = []
        node = self.root
        values: list[float] | None = None
        while values is None:
            edge = node.select(self.explore)
            nodes.append(node)
            edges.append(edge)
            if edge.proven is not None:
                values = edge.proven
            elif edge.child is None:
                after = node.state.copy()
                after.advance(node.seat, edge.action)
                child = Node(after, self.judge, self.focus)
                edge.child = child
                values = child.values
                if child.proven is not None:
                    values = child.proven
                    self._prove(nodes, edges, values)
            else:
                node = edge.child
        for at in range(len(nodes)):
            nodes[at].visits += 1
            edges[at].visits += 1
            edges[at].total += values[nodes[at].seat]

    def _prove(self, nodes: list[Node], edges: list[Edge], proven: list[float]) -> None:
        at = len(nodes) - 1
        certain: list[float] | None = proven
        while at >= 0 and certain is not None:
            edges[at].proven = certain
            certain = nodes[at].proven if nodes[at].prove() else None
            at -= 1

    def follow(self, action: Action) -> Node | None:
        """What is known of the position after an action of the root, to go on from there."""
        for edge in self.root.edges:
            if edge.action is action:
                return edge.child
        return None
