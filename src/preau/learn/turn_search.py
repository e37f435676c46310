"""Every way through a seat's own turn: which of them reach a goal.

A turn is a chain of the seat's decisions. It is over when somebody else, or nature, is to act: from there on nothing is
certain, so what has not been reached by then counts as not reached. Ways that lead to the same position are one from
there on, and are searched once.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.state import Action, Json, State
from ..core.themes import Goal, Unclear

MOST_POSITIONS = 12_000
"""Positions of a turn that are searched; a wider turn makes no puzzle."""
NEVER = 1_000
"""More decisions than any turn has."""


class Outlook(NamedTuple):
    """What can come of a position within the turn: how many ways there are, how many of them reach the goal, and how
    many decisions the shortest of those takes.
    """

    ways: int
    winning: int
    length: int


_REACHED = Outlook(1, 1, 0)
_MISSED = Outlook(1, 0, NEVER)


class TurnSearch:
    """The search of one turn. Raises `Unclear` beyond `most` positions; what was found out is kept."""

    def __init__(self, goal: Goal, start: State, seat: int, task: Json, most: int) -> None:
        self.goal = goal
        self.start = start
        self.seat = seat
        self.task = task
        self.most = most
        self._known: dict[tuple[object, ...], Outlook] = {}

    @property
    def positions(self) -> int:
        """How many different positions were looked at."""
        return len(self._known)

    def outlook(self, state: State) -> Outlook:
        """What can come of a position of this turn."""
        key = state.key()
        found = self._known.get(key)
        if found is None:
            found = self._search(state)
            self._known[key] = found
            if len(self._known) > self.most:
                raise Unclear(f"more than {self.most} positions")
        return found

    def _search(self, state: State) -> Outlook:
        seat = self.seat
        over = seat not in state.to_act
        if (over or self.goal.at_once) and self.goal.reached(self.start, state, seat, self.task):
            return _REACHED
        if over or self.goal.hopeless(self.start, state, seat, self.task):
            return _MISSED
        ways = winning = 0
        length = NEVER
        for action in state.legal(seat):
            after = self.outlook(self.after(state, action))
            ways += after.ways
            winning += after.winning
            length = min(length, after.length + 1)
        return Outlook(ways, winning, length)

    def after(self, state: State, action: Action) -> State:
        """The position after an action of the seat."""
        child = state.copy()
        child.advance(self.seat, action)
        return child

    def first_actions(self, state: State) -> list[tuple[Action, Outlook]]:
        """Every action that is open, with what can come of it."""
        return [(action, self.outlook(self.after(state, action))) for action in state.legal(self.seat)]

    def line(self) -> list[Action]:
        """The shortest way that reaches the goal, the first on the list among equals."""
        state = self.start
        line: list[Action] = []
        while self.outlook(state).length:
            action, _ = min(self.first_actions(state), key=lambda one: one[1].length)
            line.append(action)
            state = self.after(state, action)
        return line
