"""The compiled rules and the same source as plain Python play alike, action by action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import preau
from tests.cour.positions import OPTION_SETS, per_card
from tests.support import plain_twin, refusal, same_position, twins_differ

CARDS: list[Any] = ["reconstructed", per_card()]


def test_there_is_something_to_compare():
    twins_differ("cour")


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_game_on_both(options, seats):
    rng = Random(f"twin {options} {seats}")
    chosen = {**options, "cards": rng.choice(CARDS)}
    one = preau.game("cour").start(seats, chosen)
    two = plain_twin().game("cour").start(seats, chosen)
    actions = preau.game("cour").actions(chosen)
    same_position(one, two)
    while not one.over:
        actor = rng.choice(one.to_act)
        wrong = rng.choice(actions).text
        assert refusal(one, wrong) == refusal(two, wrong)
        text = one.draw(rng).text if actor == preau.NATURE else rng.choice(one.legal(actor)).text
        said = [event.to_json() for event in one.apply(actor, text)]
        assert said == [event.to_json() for event in two.apply(actor, text)]
        same_position(one, two)
        seat = rng.choice([None, *range(seats)])
        assert one.view(seat) == two.view(seat)
        assert one.diagram(seat) == two.diagram(seat)


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_the_same_random_game_on_both(options):
    for seed in range(4):
        one = preau.game("cour").start(5, options)
        two = plain_twin().game("cour").start(5, options)
        assert one.playout(Random(seed)) == two.playout(Random(seed))
        same_position(one, two)
        assert hash(one.key()) == hash(two.key())


def test_the_same_positions_are_drawn_on_both():
    """From a view in the middle of a game, by the same chance."""
    one: Any = preau.game("cour").start(4, {"slap_pick": "choose"})
    rng = Random(3)
    drawn = 0
    while not one.over:
        actor = one.to_act[0]
        one.advance(actor, one.draw(rng) if actor == preau.NATURE else rng.choice(one.legal(actor)))
        if one.turn > 8 and rng.random() < 0.1:
            view = one.view(2)
            seed = rng.random()
            ours = preau.game("cour").sampler(view).draw(Random(seed))
            theirs = plain_twin().game("cour").sampler(view).draw(Random(seed))
            assert ours.to_json() == theirs.to_json()
            drawn += 1
    assert drawn > 5
