"""Intervals: as wide as they must be, and no wider."""

from __future__ import annotations

import numpy as np
import pytest

from preau.core.intervals import wilson
from preau.lab.estimates import Ratio, alike


def test_a_share_of_independent_games_has_wilsons_interval():
    rng = np.random.default_rng(1)
    won = rng.random(4000) < 0.3
    (found,) = Ratio.of(won, np.ones(4000), 1, share=True).estimates()
    assert found is not None
    low, high = wilson(won.sum(), 4000)
    assert found.low == pytest.approx(low, abs=2e-4)
    assert found.high == pytest.approx(high, abs=2e-4)


def test_games_of_one_deal_that_end_alike_count_once():
    rng = np.random.default_rng(2)
    won = np.repeat(rng.random(1000) < 0.3, 4)
    (alone,) = Ratio.of(won[::4], np.ones(1000), 1, share=True).estimates()
    (found,) = Ratio.of(won, np.ones(4000), 4, share=True).estimates()
    assert alone is not None
    assert found is not None
    assert found.high - found.low == pytest.approx(alone.high - alone.low, rel=0.02)


def test_intervals_hold_the_truth_19_times_out_of_20():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        luck = np.repeat(rng.normal(size=120), 3)
        values = 5 + luck + rng.normal(size=360)
        seats = rng.integers(1, 4, size=360)
        (found,) = Ratio.of(values * seats, seats, 3).estimates()
        assert found is not None
        held += found.low < 5 < found.high
    assert 368 <= held <= 392


def test_a_difference_on_the_same_luck_is_surer():
    rng = np.random.default_rng(4)
    luck = np.repeat(rng.normal(size=200), 2)
    first = Ratio.of(luck + 0.1 * rng.normal(size=400), np.ones(400), 2)
    second = Ratio.of(luck + 0.5 + 0.1 * rng.normal(size=400), np.ones(400), 2)
    (paired,) = second.minus(first)
    (apart,) = Ratio.of(second.above[:-1, 0], second.below[:-1, 0], 1).minus(first)
    assert paired is not None
    assert apart is not None
    assert paired.low < 0.5 < paired.high
    assert paired.high - paired.low < (apart.high - apart.low) / 4


def test_what_never_happens_has_no_figure():
    assert Ratio.of(np.zeros((4, 1)), np.zeros((4, 1)), 2).estimates() == [None]


@pytest.mark.parametrize("truth", [0.0, 0.5, 1.0])
def test_how_much_goes_with_the_deal_is_found_again(truth):
    """A deal has a winner of its own, who wins each game of it with some probability, else anybody."""
    rng = np.random.default_rng(5)
    deals, block, seats = 3000, 3, 4
    favourite = np.repeat(rng.integers(seats, size=deals), block)
    chosen = np.where(rng.random(deals * block) < truth**0.5, favourite, rng.integers(seats, size=deals * block))
    found = alike(np.eye(seats)[chosen], block)
    assert found is not None
    assert found.low - 0.01 <= truth <= found.high + 0.01
    assert found.high - found.low < 0.1


def test_too_few_deals_say_nothing_of_luck():
    assert alike(np.eye(3)[[0, 1, 2]], 3) is None
