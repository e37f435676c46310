"""Pinned numbers of action sequences: a change in the rules, or a slip in them, shows up here first."""

from __future__ import annotations

from typing import cast

import pytest

from preau import Record
from preau.games.recess.rules import RecessState
from tests.oracle.recess_oracle import count_sequences
from tests.recess.playthrough import FOLDER
from tests.recess.positions import oracle_of, start


def count(state: RecessState, depth: int) -> int:
    """How many sequences of so many actions there are from here."""
    actions = state.legal(state.active)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = state.copy()
        after.advance(state.active, action)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_from_the_start(seats):
    assert [count(start(seats), depth) for depth in (1, 2, 3)] == [37, 677, 4_517]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_from_the_start_with_corner_exits(seats):
    state = start(seats, {"exits": "corner"})
    assert [count(state, depth) for depth in (1, 2, 3, 4)] == [17, 113, 305, 6_065]


def test_four_deep():
    assert count(start(3), 4) == 119_717


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [4, 5])
def test_four_deep_at_larger_tables(seats):
    assert count(start(seats), 4) == 119_717


@pytest.mark.parametrize(
    ("seats", "at", "counts"),
    [(3, 57, [23, 239]), (4, 118, [36, 528]), (5, 63, [19, 131]), (5, 79, [20, 136])],
)
def test_from_the_middle_of_a_game(seats, at, counts):
    """Positions of the golden records, turns' starts with three fights and more; confirmed by the oracle."""
    state = cast(RecessState, Record.load(FOLDER / f"{seats}-seats.json").replay(at))
    assert [count(state, depth) for depth in (1, 2)] == counts
    assert count_sequences(oracle_of(state.to_json()), 2) == counts[1]
