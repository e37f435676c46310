"""Every game at PettingZoo, held to PettingZoo's own checks."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import preau
from preau.adapters import pettingzoo
from preau.core import IllegalAction, SetupError, UnknownGame
from tests.core.auction import GAME as AUCTION

TABLES = [(name, seats) for name in preau.game_ids() for seats in preau.game(name).seats]

their_warnings = pytest.mark.filterwarnings("ignore::UserWarning")
"""PettingZoo warns of all observations that are not among its own games', and of masks of agents that are done."""


@their_warnings
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_their_checks(game, seats):
    api_test(pettingzoo.env(game, seats=seats), num_cycles=60)
    parallel_api_test(pettingzoo.parallel_env(game, seats=seats), num_cycles=60)
    seed_test(lambda: pettingzoo.env(game, seats=seats), num_cycles=20)
    parallel_seed_test(lambda: pettingzoo.parallel_env(game, seats=seats), num_cycles=20)
    if seats == min(preau.game(game).seats):
        render_test(lambda render_mode: pettingzoo.env(game, seats=seats, render_mode=render_mode))


@their_warnings
def test_a_game_that_brings_nothing_for_it_and_named_pieces():
    api_test(pettingzoo.env(AUCTION, seats=3, pieces=True), num_cycles=40)
    parallel_api_test(pettingzoo.parallel_env(AUCTION, seats=3), num_cycles=40)


@pytest.mark.nightly
@their_warnings
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_their_checks_at_length(game, seats):
    render_test(lambda render_mode: pettingzoo.env(game, seats=seats, render_mode=render_mode))
    api_test(pettingzoo.env(game, seats=seats), num_cycles=2_000)
    parallel_api_test(pettingzoo.parallel_env(game, seats=seats), num_cycles=2_000)
    seed_test(lambda: pettingzoo.env(game, seats=seats), num_cycles=500)


def play(env: Any, rng: Random, most: int = 100_000) -> Iterator[tuple[str, Any]]:
    """Play at random; yields every agent that acts, with what it saw, before it does."""
    for agent in env.agent_iter(most):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        yield agent, seen
        env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))


@pytest.mark.parametrize("game", preau.game_ids())
def test_it_is_the_game_that_everybody_plays(game):
    """The same luck as a match with this seed, the same numbers as `observe`, and a record that replays."""
    env = pettingzoo.env(game, seats=3)
    env.reset(seed=5)
    match = preau.new(game, seats=3, seed=5)
    rng, same = Random(3), Random(3)
    for agent, seen in play(env, rng):
        seat = int(agent[-1])
        assert match.to_act[0] == seat
        numbers = match.game.observe(match.state, seat)
        assert seen["observation"].tolist() == pytest.approx(list(numbers.values))
        assert seen["action_mask"].tolist() == list(numbers.mask)
        assert not env.observe(f"player_{(seat + 1) % 3}")["action_mask"].any()
        match.apply(seat, match.game.actions(match.state.options)[same.choice(np.flatnonzero(numbers.mask).tolist())])
    assert match.over
    table = env.unwrapped.match
    assert table.record.verify() == match.state
    worth = [env._cumulative_rewards[agent] for agent in env.possible_agents]
    winners = match.result().winners
    assert sum(worth) == pytest.approx(0)
    assert [one for one in range(3) if worth[one] == max(worth)] == list(winners)
    assert env.infos["player_0"]["result"] == match.result().to_json()


@pytest.mark.parametrize(("reward", "worth"), [("win", [1.0, -0.5, -0.5]), ("rank", [1.0, -0.5, -0.5])])
def test_what_a_game_is_worth(reward, worth):
    setting = pettingzoo.raw_env("recess", seats=3, reward=reward).setting
    state = preau.game("recess").load({"seats": 3, "coins": [12, 9, 9]})
    assert setting.rewards(state) == worth
    by_score = pettingzoo.raw_env("recess", seats=3, reward="score").setting
    assert by_score.rewards(state) == [3.0, -1.5, -1.5]


def test_seats_that_choose_at_once_do_so_without_seeing_each_other():
    env = pettingzoo.parallel_env("bagarre", seats=3, options={"cards": "reconstructed"})
    seen, _ = env.reset(seed=1)
    rng = Random(1)
    together = 0
    while env.agents:
        asked = [agent for agent in env.agents if not seen[agent]["action_mask"][env.wait]]
        assert asked == [f"player_{seat}" for seat in env.match.to_act]
        together += len(asked) > 1
        actions = {agent: rng.choice(np.flatnonzero(seen[agent]["action_mask"]).tolist()) for agent in env.agents}
        seen, rewards, terminated, _, infos = env.step(actions)
    assert together > 3
    assert all(terminated.values())
    assert sum(rewards.values()) == pytest.approx(0)
    assert "result" in infos["player_0"]


def test_named_pieces_are_views_of_the_same_numbers():
    flat, named = pettingzoo.env("recess", seats=3), pettingzoo.env("recess", seats=3, pieces=True)
    flat.reset(seed=1)
    named.reset(seed=1)
    pieces = named.last()[0]["observation"]
    assert pieces["boys"].shape == (5, 12, 12)
    assert named.last()[0] in named.observation_space("player_0")
    whole = np.concatenate([piece.ravel() for piece in pieces.values()])
    assert (whole == flat.last()[0]["observation"]).all()


def test_a_game_can_be_broken_off():
    env = pettingzoo.env("recess", seats=3, limit=7)
    env.reset(seed=1)
    assert len(list(play(env, Random(1)))) == 7
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_it_can_be_copied_to_another_process():
    env = pickle.loads(pickle.dumps(pettingzoo.raw_env("cour", seats=5, options={"pile": "bag"})))
    assert env.setting.first.options["pile"] == "bag"
    assert len(env.possible_agents) == 5


def test_an_illegal_action_loses_the_game_or_is_refused(caplog):
    env = pettingzoo.env("recess", seats=3)
    env.reset(seed=1)
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[5])
    env.step(wrong)
    assert "Illegal move" in caplog.text
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    assert all(env.terminations.values())
    assert "[R" in env.infos["player_0"]["illegal"]
    strict = pettingzoo.env("recess", seats=3, illegal="raise")
    strict.reset(seed=1)
    before = strict.unwrapped.match.state.copy()
    with pytest.raises(IllegalAction, match=r"\[R"):
        strict.step(wrong)
    assert strict.unwrapped.match.state == before


def test_a_mask_holds_for_the_position_it_was_given_of():
    """A decision that comes from elsewhere, or is taken back, makes another position: nothing is taken for legal."""
    table = pettingzoo.env("recess", seats=3, illegal="raise")
    table.reset(seed=7)
    table.last()
    match = table.match
    chosen = match.state.action("b1 a3").number
    match.apply(0, "b1 a3")
    with pytest.raises(IllegalAction, match="R15"):
        table.step(chosen)
    match.undo()
    table.step(chosen)
    assert [entry.text for entry in match.record.entries] == ["b1 a3"]


def test_how_a_game_ended_is_worked_out_anew_when_it_was_taken_back():
    table = pettingzoo.env("bagarre", seats=2)
    table.reset(seed=3)
    list(play(table, Random(3)))
    match = table.match
    assert match.record.result == match.result().to_json()
    match.undo()
    assert match.record.result is None
    assert match.result().reason == ""


@pytest.mark.parametrize("number", [-1, 99_999, 1.5, "b1", None, True, np.array([1, 2])])
def test_what_is_no_action_number_is_refused(number):
    for env in (pettingzoo.env("recess", seats=3), pettingzoo.parallel_env("recess", seats=3)):
        env.reset(seed=1)
        with pytest.raises(IllegalAction, match="0 to 1587"):
            env.step(number if hasattr(env, "last") else {"player_0": number})


def test_wrong_words_are_refused_at_once():
    with pytest.raises(UnknownGame, match="recess"):
        pettingzoo.env("chess")
    with pytest.raises(SetupError, match="3 to 5"):
        pettingzoo.env("recess", seats=9)
    with pytest.raises(SetupError, match="layout"):
        pettingzoo.env("recess", options={"weather": "rain"})
    with pytest.raises(SetupError, match="win, rank, score"):
        pettingzoo.env("recess", reward="coins")
    with pytest.raises(SetupError, match="lose, raise"):
        pettingzoo.env("recess", illegal="warn")
    with pytest.raises(SetupError, match="human, ansi"):
        pettingzoo.env("recess", render_mode="film")
    with pytest.raises(SetupError, match="1 or more"):
        pettingzoo.env("recess", limit=0)


def test_out_of_order(caplog):
    env = pettingzoo.env("cour", seats=2)
    with pytest.raises(AttributeError, match="agent_selection cannot be accessed before reset"):
        env.last()
    with pytest.raises(AttributeError, match="no attribute 'marbles'"):
        _ = env.marbles
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.agent_iter()
    env.reset(seed=1)
    list(play(env, Random(1)))
    while env.agents:
        env.step(None)
    env.step(0)
    assert "step" in caplog.text
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.reset()
    parallel = pettingzoo.parallel_env("cour", seats=2)
    parallel.reset(seed=1)
    with pytest.raises(IllegalAction, match="sent none"):
        parallel.step({})
    parallel.close()
    with pytest.raises(ClosedEnvironmentError):
        parallel.step({})


def test_pictures_without_what_they_need(monkeypatch):
    monkeypatch.setattr("preau.adapters.rendering.find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"pictures need PIL.*preau\[picture\]"):
        pettingzoo.env("recess", render_mode="rgb_array")
