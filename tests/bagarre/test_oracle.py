"""The engine against a second, literal reading of the rules, move by move, over all options and both card sets."""

from __future__ import annotations

from random import Random

import pytest

import preau
from tests.oracle.bagarre_oracle import LEAFLET, RECONSTRUCTED, Oracle
from tests.oracle.duel import duel


def play_one(seed: int) -> None:
    rng = Random(seed)
    seats = 2 + seed % 5
    full = rng.random() < 0.7
    first, goal, may_forfeit = rng.randrange(seats), rng.choice([5, 10, 15]), rng.random() < 0.4
    options = {
        "first": first,
        "goal": goal,
        "may_forfeit": may_forfeit,
        "cards": "reconstructed" if full else "leaflet",
    }
    state = preau.game("bagarre").start(seats, options)
    cards = RECONSTRUCTED if full else LEAFLET
    oracle = Oracle(seats, first=first, goal=goal, may_forfeit=may_forfeit, **cards)
    duel(state, oracle, rng, lambda text: text.startswith(("fight", "special", "lay")))


@pytest.mark.parametrize("seed", range(60))
def test_engine_and_oracle_agree(seed):
    play_one(seed)


@pytest.mark.nightly
def test_engine_and_oracle_agree_for_long():
    for seed in range(1000, 3000):
        play_one(seed)
