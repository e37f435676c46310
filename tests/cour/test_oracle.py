"""The engine against a second, literal reading of the rules, move by move, over all options."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import preau
from tests.oracle.cour_oracle import Oracle
from tests.oracle.duel import duel

TASTY = ("leaf", "chestnut", "friend", "glue")


def lively(text: str) -> bool:
    words = text.split()
    return words[-1] == "yes" or (words[0] in ("keep", "give") and words[1] in TASTY)


def play_one(seed: int) -> None:
    rng = Random(seed)
    seats = 2 + seed % 7
    options: dict[str, Any] = {
        "first": rng.randrange(seats),
        "pile": rng.choice(["queue", "queue", "bag"]),
        "slap_pick": rng.choice(["blind", "blind", "choose"]),
        "reaction": rng.choice(["random", "random", "off", "live"]),
        "agent_min": rng.choice([1, 2]),
    }
    state = preau.game("cour").start(seats, options)
    oracle = Oracle(seats, **options)
    duel(state, oracle, rng, lively)
    assert list(state.scores()) == oracle.scores()
    assert state.result().reason == oracle.reason


@pytest.mark.parametrize("seed", range(21))
def test_engine_and_oracle_agree(seed):
    play_one(seed)


@pytest.mark.nightly
def test_engine_and_oracle_agree_for_long():
    for seed in range(1000, 1300):
        play_one(seed)
