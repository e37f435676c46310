"""Facts of the game as a whole, from many games: wide bounds, fixed seeds, run nightly."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from preau.bots.greedy.cour import choose
from preau.core import NATURE
from preau.games.cour.deck import CHARACTERS
from preau.games.cour.game import GAME
from preau.games.cour.rules import CourState
from tests.cour.positions import OPTION_SETS, finished


def greedy_game(seats: int, seed: int, options: dict[str, Any] | None = None) -> CourState:
    rng = Random(seed)
    state = GAME.start(seats, options, seed=seed)
    while not state.over:
        actor = state.to_act[0]
        if actor == NATURE:
            state.advance(actor, state.draw(rng))
        else:
            state.advance(actor, choose(actor, state.view(actor), state.legal(actor), rng))
    return state


def shares(games: int, seats: int, options: dict[str, Any] | None = None) -> dict[str, float]:
    """How often each character wins, over its fair share."""
    won: dict[int, float] = dict.fromkeys(range(len(CHARACTERS)), 0.0)
    dealt = dict.fromkeys(won, 0)
    for seed in range(games):
        state = greedy_game(seats, seed, options)
        winners = state.result().winners
        for seat in range(seats):
            dealt[state.characters[seat]] += 1
            won[state.characters[seat]] += (seat in winners) / len(winners)
    return {name: seats * won[number] / dealt[number] for number, name in enumerate(CHARACTERS)}


def test_the_greedy_player_plays_every_kind_of_game():
    for number, options in enumerate(OPTION_SETS):
        for seats in (2, 5):
            state = greedy_game(seats, number, options)
            assert state.over
            assert 3 <= state.round() <= 12


def test_the_greedy_player_beats_random_ones():
    wins = 0.0
    for seed in range(24):
        rng = Random(seed)
        state = GAME.start(4, seed=seed)
        while not state.over:
            actor = state.to_act[0]
            if actor == NATURE:
                state.advance(actor, state.draw(rng))
            elif actor == 2:
                state.advance(actor, choose(actor, state.view(actor), state.legal(actor), rng))
            else:
                state.advance(actor, rng.choice(state.legal(actor)))
        winners = state.result().winners
        wins += (2 in winners) / len(winners)
    assert wins > 12


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_a_greedy_game_takes_about_five_rounds(seats):
    rounds = [greedy_game(seats, seed).round() for seed in range(300)]
    assert 4.3 < sum(rounds) / len(rounds) < 5.6
    assert max(rounds) < 15


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_a_random_game_takes_five_to_six_rounds(seats):
    rounds = [finished(seats, seed).round() for seed in range(1000)]
    assert 4.6 < sum(rounds) / len(rounds) < 6.6
    assert max(rounds) < 15


@pytest.mark.nightly
def test_how_strong_the_characters_are():
    strength = shares(2000, 4)
    assert 1.1 < strength["herbalist"] < 2.4
    assert 1.4 < strength["agent"] < 2.3
    assert 0.9 < strength["queen"] < 1.6
    for name in ("minx", "lucky", "boss", "architect", "general"):
        assert 0.3 < strength[name] < 1.3, name
    strict = shares(1000, 4, {"agent_min": 2})
    assert 0.6 < strict["agent"] < 1.4
