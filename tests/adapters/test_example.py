"""The example of learning by self-play runs, and learns."""

from __future__ import annotations

import numpy as np
import pytest

from examples.self_play import learn, wins


def test_self_play_runs():
    weights = learn("cour", 2, rows=4, steps=150, seed=1)
    assert weights.any()
    share, games = wins("cour", 2, weights, rows=4, steps=120, seed=2)
    assert games > 1
    assert 0 <= share <= 1


@pytest.mark.nightly
def test_self_play_learns_to_win():
    weights = learn("bagarre", 2, rows=16, steps=700, seed=1)
    share, games = wins("bagarre", 2, weights, rows=16, steps=250, seed=2)
    before, _ = wins("bagarre", 2, np.zeros_like(weights), rows=16, steps=250, seed=2)
    assert games > 30
    assert share > before + 0.15
