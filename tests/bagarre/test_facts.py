"""Facts about the game as a whole: how long it lasts, and who wins."""

from __future__ import annotations

from random import Random

import pytest

from preau.bots.greedy.bagarre import choose
from preau.core.state import NATURE

from .helpers import start


def greedy_game(seats: int, seed: int):
    rng = Random(seed)
    state = start(seats)
    while not state.over:
        actor = state.to_act[0]
        if actor == NATURE:
            state.advance(actor, state.draw(rng))
        else:
            chosen = choose(actor, state.view(actor), state.legal(actor), rng)
            assert chosen in state.legal(actor)
            state.advance(actor, chosen)
    return state


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_greedy_games_end(seats):
    for seed in range(5):
        assert greedy_game(seats, seed).result().reason == "goal"


def test_greedy_beats_random():
    won = 0
    for seed in range(60):
        rng = Random(seed)
        state = start(2, first=seed % 2)
        while not state.over:
            actor = state.to_act[0]
            if actor == NATURE:
                action = state.draw(rng)
            elif actor == 0:
                action = choose(0, state.view(0), state.legal(0), rng)
            else:
                action = rng.choice(state.legal(1))
            state.advance(actor, action)
        won += state.result().winners == (0,)
    assert won > 54


@pytest.mark.nightly
@pytest.mark.parametrize(("seats", "turns"), [(2, 55), (3, 72), (4, 86), (5, 101), (6, 116)])
def test_random_games_last(seats, turns):
    lengths = []
    for seed in range(2000):
        state = start(seats)
        state.playout(Random(seed))
        lengths.append(state.turn)
    assert sum(lengths) / len(lengths) == pytest.approx(turns, rel=0.06)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("seats", "turns", "share"), [(2, 21, 0.54), (3, 28, 0.38), (4, 35, 0.29), (5, 43, 0.22), (6, 51, 0.18)]
)
def test_greedy_games_last_and_favour_the_first_seat_a_little(seats, turns, share):
    games = [greedy_game(seats, seed) for seed in range(1200)]
    assert sum(state.turn for state in games) / len(games) == pytest.approx(turns, rel=0.12)
    won = sum(1 / len(state.result().winners) for state in games if 0 in state.result().winners)
    assert won / len(games) == pytest.approx(share, abs=0.06)
