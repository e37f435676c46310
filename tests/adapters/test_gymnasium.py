"""Every game at Gymnasium, with one learner, held to Gymnasium's own check."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import preau
from preau.adapters.gymnasium import OneLearner, env_id, register_games
from preau.bots import RandomBot
from preau.core import SetupError
from tests.core.auction import GAME as AUCTION


@pytest.mark.parametrize("game", preau.game_ids())
def test_its_check(game):
    """With the first number of seats and the last, greedy bots and random ones, pieces and flat."""
    first, *_, last = preau.game(game).seats
    check_env(gymnasium.make(env_id(game), seats=first, bots="greedy", render_mode="ansi").unwrapped)
    check_env(gymnasium.make(env_id(game), seats=last, seat=None, pieces=True).unwrapped, skip_render_check=True)


def test_its_check_of_a_game_that_brings_nothing_for_it():
    check_env(OneLearner(AUCTION, seats=2), skip_render_check=True)


def test_all_games_are_registered():
    register_games()
    assert {env_id(game) for game in preau.game_ids()} <= set(gymnasium.registry)
    assert "preau/Recess-v0" in gymnasium.registry


def play(env: Any, seed: int) -> list[Any]:
    """A game at random: what was done, and how it ended."""
    rng = Random(seed)
    _, info = env.reset(seed=seed)
    done: list[Any] = []
    while True:
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        _, reward, terminated, truncated, info = env.step(action)
        done.append(action)
        if terminated or truncated:
            return [*done, reward, terminated, truncated, info.get("result")]


@pytest.mark.parametrize("bots", ["greedy", "easy@5", RandomBot, ["random", "greedy"]])
def test_the_same_seed_gives_the_same_game(bots):
    one: Any
    one, two = (gymnasium.make("preau/Cour-v0", seats=3, bots=bots, seat=1) for _ in range(2))
    assert play(one, 4) == play(two, 4)
    assert one.unwrapped.table.match.record.verify().over


def test_the_learner_gets_what_the_game_is_worth_to_its_seat():
    env = gymnasium.make("preau/Recess-v0", seats=3, seat=2)
    for seed in range(3):
        *_, reward, terminated, truncated, result = play(env, seed)
        assert terminated
        assert not truncated
        assert (reward > 0) == (2 in result["ranking"][0])


def test_the_learner_may_move_on_from_seat_to_seat():
    env = gymnasium.make("preau/Bagarre-v0", seats=4, seat=None)
    seats = [env.reset(seed=1)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(4))]
    assert seats == [0, 1, 2, 3, 0]


def test_a_game_can_be_broken_off():
    *done, reward, terminated, truncated, result = play(gymnasium.make("preau/Recess-v0", limit=3), 1)
    assert (len(done), reward, terminated, truncated, result) == (3, 0.0, False, True, None)


def test_what_is_wrong_is_said_in_their_way():
    env: Any = gymnasium.make("preau/Recess-v0", seats=3, illegal="raise").unwrapped
    with pytest.raises(ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[5])
    before = env.table.match.state.copy()
    with pytest.raises(InvalidAction, match=r"\[R"):
        env.step(wrong)
    with pytest.raises(InvalidAction, match="0 to 1587"):
        env.step(99_999)
    assert env.table.match.state == before
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.step(0)
    with pytest.raises(ClosedEnvironmentError):
        env.reset()
    lenient = gymnasium.make("preau/Recess-v0", seats=3).unwrapped
    lenient.reset(seed=1)
    _, reward, terminated, _, info = lenient.step(wrong)
    assert (reward, terminated) == (-1.0, True)
    assert "[R" in info["illegal"]
    with pytest.raises(ResetNeeded):
        lenient.step(wrong)
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("preau/Chess-v0")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"bots": "genius"}, "greedy"),
        ({"bots": ["random"]}, "3 seats"),
        ({"seat": 7}, "0 to 3"),
        ({"seats": 2}, "3 to 5"),
        ({"options": {"weather": "rain"}}, "layout"),
    ],
)
def test_wrong_words_are_refused_at_once(settings, said):
    with pytest.raises(SetupError, match=said):
        gymnasium.make("preau/Recess-v0", **settings)


def test_a_seat_that_is_never_asked_is_no_place_for_a_learner():
    env = gymnasium.make("preau/Recess-v0", seats=3, seat=2, options={"turns": 1})
    with pytest.raises(SetupError, match="asked nothing"):
        env.reset(seed=1)


def test_it_can_be_copied_to_another_process():
    env = pickle.loads(pickle.dumps(gymnasium.make("preau/Cour-v0", seats=5).unwrapped))
    assert env.setting.seats == 5
