"""Positions that several tests of rules begin from."""

from __future__ import annotations

import pytest

from preau.core.errors import IllegalAction

from .helpers import load

PLAIN = ["T02", "T03", "T04", "T05", "T06"]
"""A hand without friends or special moves."""
FRIENDS = ["F1", "F2", "F3", "F4", "F5"]


def refused(state, seat: int, action: str, rule: str, key: str) -> None:
    """The action is refused with this rule, and nothing changes."""
    before = state.copy()
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    assert (caught.value.rule, caught.value.key) == (rule, key)
    assert caught.value.message
    assert state == before


def duel(attacker: list[str], owner: list[str], toy: str = "T12", **fields):
    """Seat 0 has drawn and attacks a toy of seat 1."""
    return load([{"hand": attacker}, {"hand": owner, "front": [toy]}], **fields)


def nobody_calls(state) -> list:
    """Everybody who is asked for Maman says no."""
    events = []
    for seat in state.to_act:
        events += state.apply(seat, "maman no")
    return events
