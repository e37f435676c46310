"""The figures against values worked out elsewhere."""

from __future__ import annotations

from random import Random

import pytest

from preau.arena.statistics import Times, design_effect, spread, wilson, z_for


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_against_published_values(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(50, 50)[1] == 1.0
    assert wilson(50, 50)[0] == pytest.approx(1 - wilson(0, 50)[1])


@pytest.mark.parametrize("values", [(0.0, 1.0), (0.0, 0.5, 1.0), (0.0, 0.25, 0.5)])
def test_wilson_holds_the_true_share_also_of_fractions(values):
    rng = Random(1)
    truth = sum(values) / len(values)
    held = 0
    for _ in range(2000):
        low, high = wilson(sum(rng.choice(values) for _ in range(60)), 60)
        held += low <= truth <= high
    assert held / 2000 >= 0.935


def test_z_for_one_and_for_several_comparisons():
    assert z_for(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert z_for(0.99) == pytest.approx(2.575829, abs=1e-6)
    assert z_for(0.95, 5) == pytest.approx(z_for(0.99), abs=1e-12)


def test_games_that_go_together_count_for_less():
    rng = Random(2)
    alike = [[float(rng.random() < 0.5)] * 4 for _ in range(400)]
    alone = [[float(rng.random() < 0.5) for _ in range(4)] for _ in range(400)]
    assert design_effect(alike) == pytest.approx(4, rel=0.05)
    assert design_effect(alone) == pytest.approx(1, abs=0.15)
    assert design_effect([[1.0, 1.0], [1.0]]) == 1.0
    assert design_effect([[1.0, 0.0]]) == 1.0
    assert design_effect([]) == 1.0


def test_spread():
    assert spread(list(range(100, 0, -1))) == {"mean": 50.5, "min": 1, "p5": 5, "p50": 50, "p95": 95, "max": 100}
    assert spread([]) == {}


def test_times_are_exact_in_sum_and_close_in_percentiles():
    rng = Random(3)
    seconds = [10 ** rng.uniform(-6, 1) for _ in range(5000)]
    halves = Times(), Times()
    for number, one in enumerate(seconds):
        halves[number % 2].add(one)
    both = Times()
    for half in halves:
        both.join(Times.from_json(half.to_json()))
    assert both.count == 5000
    assert both.mean == pytest.approx(sum(seconds) / 5000, rel=1e-6)
    for percent in (1, 50, 99, 100):
        assert both.percentile(percent) == pytest.approx(sorted(seconds)[50 * percent - 1], rel=0.05)
    assert Times().percentile(99) == Times().mean == 0.0
