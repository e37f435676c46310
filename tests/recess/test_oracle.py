"""The engine against a second, independent reading of the rules, move by move."""

from __future__ import annotations

from random import Random

import pytest

from preau import REFEREE
from tests.recess.positions import assert_same, crowd, lively, load, oracle_of, random_options, start


def compare(seed: int, *, crowded: bool, decisions: int) -> None:
    """One random game on both, with a time-out now and then."""
    rng = Random(f"oracle {seed} {crowded}")
    seats = rng.choice([3, 4, 5])
    options = random_options(rng, seats)
    data = crowd(rng, seats, options) if crowded else start(seats, options).to_json()
    state = load(data)
    oracle = oracle_of(data)
    assert_same(state, oracle)
    while not state.over and decisions:
        decisions -= 1
        if rng.random() < 0.03:
            state.apply(REFEREE, "timeout")
            oracle.timeout()
        else:
            action = lively(state, rng)
            state.apply(state.active, action)
            oracle.apply(action.text)
        assert_same(state, oracle)


@pytest.mark.parametrize("seed", range(12))
def test_whole_games_agree(seed):
    compare(seed, crowded=False, decisions=1000)


@pytest.mark.parametrize("seed", range(60))
def test_crowded_turns_agree(seed):
    compare(seed, crowded=True, decisions=40)


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(10))
def test_five_hundred_games_agree(block):
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        compare(seed, crowded=bool(seed % 2), decisions=1000)
