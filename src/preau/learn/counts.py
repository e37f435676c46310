"""What each choice is worth on average over all positions that agree with what the seat knows, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..core.state import Action, Json, State
from ..core.themes import Cases, Count

Worlds = list[tuple[State, State, int]]
"""Positions as they were, as they are after the seat's actions so far, and how likely each is."""


def begin(cases: Cases) -> Worlds:
    """The positions before anything was done."""
    return [(state, state, weight) for state, weight in cases]


def after(worlds: Worlds, seat: int, action: Action) -> Worlds:
    """All the positions after an action of the seat."""
    moved: Worlds = []
    for before, state, weight in worlds:
        child = state.copy()
        child.advance(seat, action)
        moved.append((before, child, weight))
    return moved


class Choice(NamedTuple):
    """An action, what it is worth if the rest of the choice is made as well as can be, and that rest."""

    action: Action
    worth: Fraction
    rest: tuple[Action, ...] = ()


def choices(theme: Count, worlds: Worlds, seat: int, task: Json) -> list[Choice]:
    """Every action that is open, in its order.

    The seat decides without knowing which of the positions is the true one, so what is best is best over all of them.
    """
    found: list[Choice] = []
    total = sum(weight for _, _, weight in worlds)
    for action in worlds[0][1].legal(seat):
        moved = after(worlds, seat, action)
        if goes_on(theme, moved, seat):
            best = max(choices(theme, moved, seat, task), key=lambda one: one.worth)
            found.append(Choice(action, best.worth, (best.action, *best.rest)))
        else:
            gains = (weight * theme.worth(before, state, seat, task, action) for before, state, weight in moved)
            found.append(Choice(action, sum(gains, Fraction(0)) / total))
    return found


def goes_on(theme: Count, worlds: Worlds, seat: int) -> bool:
    """Whether the seat has more to decide; that is the same in all positions, for it cannot tell them apart."""
    return all(seat in state.to_act and theme.goes_on(state, seat) for _, state, _ in worlds)
