"""The compiled rules and the same source as plain Python play alike, action by action."""

from __future__ import annotations

from random import Random

import pytest

import preau
from tests.recess.positions import crowd, lively, random_options, start
from tests.support import plain_twin, refusal, same_position, twins_differ


def test_there_is_something_to_compare():
    twins_differ("recess")


@pytest.mark.parametrize("seed", range(18))
def test_the_same_game_on_both(seed):
    rng = Random(f"twin {seed}")
    seats = rng.choice([3, 4, 5])
    options = random_options(rng, seats)
    data = crowd(rng, seats, options) if seed % 2 else start(seats, options).to_json()
    one = preau.game("recess").load(data)
    two = plain_twin().game("recess").load(data)
    same_position(one, two)
    while not one.over:
        if rng.random() < 0.04:
            actor, text = preau.REFEREE, "timeout"
        else:
            actor, text = one.to_act[0], lively(one, rng).text  # type: ignore[arg-type]
        wrong = rng.choice(preau.game("recess").actions()).text
        assert refusal(one, wrong) == refusal(two, wrong)
        said = [event.to_json() for event in one.apply(actor, text)]
        assert said == [event.to_json() for event in two.apply(actor, text)]
        same_position(one, two)
        assert one.view(0) == two.view(0)
        assert one.diagram() == two.diagram()


def test_the_same_random_game_on_both():
    for seed in range(20):
        one = preau.game("recess").start(4, {"layout": "random"}, seed=seed)
        two = plain_twin().game("recess").start(4, {"layout": "random"}, seed=seed)
        assert one.playout(Random(seed)) == two.playout(Random(seed))
        same_position(one, two)
        assert hash(one.key()) == hash(two.key())
