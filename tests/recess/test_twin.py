"""The compiled rules and the same source as plain Python play alike, action by action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import preau
from setup import plain_wanted, why_plain
from tests.recess.positions import crowd, lively, random_options, start
from tests.support import plain_twin


def test_there_is_something_to_compare():
    """Where the rules can be compiled they are, so that the games below compare two different things."""
    twin = plain_twin()
    assert not twin.compiled
    assert twin.State is not preau.State
    assert twin.game("recess") is not preau.game("recess")
    if not preau.compiled and not plain_wanted():
        reason = why_plain()
        if reason is not None:
            pytest.skip(f"{reason}: the rules run as plain Python on both sides")
        pytest.fail("the rules are not compiled; make build does that")


def same(one: Any, two: Any) -> None:
    assert one.to_json() == two.to_json()
    assert one.to_act == two.to_act
    assert one.progress() == two.progress()
    for seat in range(one.seats):
        assert [action.text for action in one.legal(seat)] == [action.text for action in two.legal(seat)]
        assert [action.number for action in one.legal(seat)] == [action.number for action in two.legal(seat)]
    assert one.result().to_json() == two.result().to_json()


@pytest.mark.parametrize("seed", range(18))
def test_the_same_game_on_both(seed):
    rng = Random(f"twin {seed}")
    seats = rng.choice([3, 4, 5])
    options = random_options(rng, seats)
    data = crowd(rng, seats, options) if seed % 2 else start(seats, options).to_json()
    one = preau.game("recess").load(data)
    two = plain_twin().game("recess").load(data)
    same(one, two)
    while not one.over:
        if rng.random() < 0.04:
            actor, text = preau.REFEREE, "timeout"
        else:
            actor, text = one.to_act[0], lively(one, rng).text  # type: ignore[arg-type]
        wrong = rng.choice(preau.game("recess").actions()).text
        assert refusal(one, wrong) == refusal(two, wrong)
        said = [event.to_json() for event in one.apply(actor, text)]
        assert said == [event.to_json() for event in two.apply(actor, text)]
        same(one, two)
        assert one.view(0) == two.view(0)
        assert one.diagram() == two.diagram()


def refusal(state: Any, text: str) -> object:
    """What a wrong action is answered with; None if it is legal."""
    try:
        state.check(state.to_act[0], text)
    except ValueError as error:
        return error.to_json()  # type: ignore[attr-defined]
    return None


def test_the_same_random_game_on_both():
    for seed in range(20):
        one = preau.game("recess").start(4, {"layout": "random"}, seed=seed)
        two = plain_twin().game("recess").start(4, {"layout": "random"}, seed=seed)
        assert one.playout(Random(seed)) == two.playout(Random(seed))
        same(one, two)
        assert hash(one.key()) == hash(two.key())
