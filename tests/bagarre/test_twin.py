"""The compiled rules and the same source as plain Python play alike, action by action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import preau
from tests.support import plain_twin, refusal, same_position, twins_differ

from .helpers import card_set

SMALL = card_set({1: 9, 5: 6, 8: 9}, [(1, 2, True), (4, 4, False), (2, 3, True)], {"maman": 3, "cloche": 2, "mamie": 2})
"""A set of cards of one's own, enough for two seats."""


def random_options(rng: Random, seats: int) -> dict[str, Any]:
    sets = ["reconstructed", "reconstructed", "leaflet", SMALL if seats == 2 else "leaflet"]
    return {
        "cards": rng.choice(sets),
        "first": rng.randrange(seats),
        "goal": rng.choice([4, 7, 10]),
        "may_forfeit": rng.random() < 0.5,
    }


def lively(state: Any, actor: int, rng: Random) -> str:
    """What somebody does: fights and special moves more often than by mere chance."""
    if actor == preau.NATURE:
        text: str = state.draw(rng).text
        return text
    texts: list[str] = [action.text for action in state.legal(actor)]
    bold = [text for text in texts if text.startswith(("fight", "special", "maman yes", "forfeit"))]
    return rng.choice(bold if bold and rng.random() < 0.5 else texts)


def test_there_is_something_to_compare():
    twins_differ("bagarre")


@pytest.mark.parametrize("seed", range(10))
def test_the_same_game_on_both(seed):
    rng = Random(f"twin {seed}")
    seats = 2 + seed % 5
    options = random_options(rng, seats)
    ours, plain = preau.game("bagarre"), plain_twin().game("bagarre")
    one, two = ours.start(seats, options), plain.start(seats, options)
    actions = ours.actions(options)
    same_position(one, two)
    while not one.over:
        actor = rng.choice(one.to_act)
        if actor == preau.NATURE:
            chance = rng.random()
            assert one.draw(Random(chance)).text == two.draw(Random(chance)).text
            assert [(action.text, odds) for action, odds in one.outcomes()] == [
                (action.text, odds) for action, odds in two.outcomes()
            ]
        wrong = rng.choice(actions).text
        assert refusal(one, wrong) == refusal(two, wrong)
        text = lively(one, actor, rng)
        said = [event.to_json() for event in one.apply(actor, text)]
        assert said == [event.to_json() for event in two.apply(actor, text)]
        same_position(one, two)
        eyes = rng.choice([None, *range(seats)])
        assert one.view(eyes) == two.view(eyes)
        assert one.diagram(eyes) == two.diagram(eyes)
        if seats < 4 and rng.random() < 0.02:
            drawn = [game.sampler(one.view(eyes)).draw(Random(seed)) for game in (ours, plain)]
            same_position(*drawn)


def test_the_same_random_game_on_both():
    for seed in range(20):
        seats = 2 + seed % 5
        one, two = preau.game("bagarre").start(seats), plain_twin().game("bagarre").start(seats)
        assert one.playout(Random(seed)) == two.playout(Random(seed))
        same_position(one, two)
        assert hash(one.key()) == hash(two.key())
        assert hash(one.copy().key()) == hash(one.key())
