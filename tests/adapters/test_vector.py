"""Many games at once: the very games that are played one by one, compiled and plain, in one process and in two."""

from __future__ import annotations

import importlib
import subprocess
import sys
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import preau
from preau.adapters.env_config import array_on, make_slate
from preau.adapters.gymnasium import OneLearner, env_id
from preau.adapters.vector import Games, LearnerGames
from preau.bots import Bot, Seen
from preau.core import Action, SetupError, Slate
from tests.core.auction import GAME as AUCTION
from tests.support import plain_twin


def pick(masks: Any, rng: Random) -> np.ndarray:
    """A legal action in every row."""
    return np.array([rng.choice(np.flatnonzero(mask).tolist()) for mask in masks])


# Slates.

WIDTH = 97
HELD = [(1, [4]), (2, [0, 4, 9]), (3, []), (4, [1, 2, 3, 4, 5])]
"""What parts of a row are held under which key."""


def test_a_slate_in_plain_memory_is_as_the_other():
    """Whatever is written on both, in any order, both show the same, and it is the same as on a new one."""
    rng = Random(1)
    fast, slow = make_slate(3, WIDTH), Slate(3, WIDTH)
    if preau.compiled:
        assert type(fast) is not Slate
    for _ in range(300):
        row, fresh = rng.randrange(3), Slate(1, WIDTH)
        held = [rng.choice(HELD) for _ in range(3)]
        writing = [(rng.randrange(4), 20 + rng.randrange(20), rng.randrange(300)) for _ in range(12)]
        for slate in (fast, slow, fresh):
            slate.turn_to(0 if slate is fresh else row)
            for level, (key, places) in enumerate(held):
                if not slate.holds(key, level):
                    slate.ones(50 + 10 * level, places)
                    slate.hold(level)
            for how, at, number in writing:
                if how == 0:
                    slate.one(at)
                elif how == 1:
                    slate.put(at, number)
                elif how == 2:
                    slate.add(at, number // 50)
                else:
                    slate.ones(10, [at - 10, at - 12])
            slate.around(41, [3, writing[0][2], 0, 1], row)
            slate.set(45, writing[0][2])
            slate.share(46, writing[0][2] / 300)
            slate.fill(47, [9, 0, writing[0][2], 300, 9], 1, 3)
            slate.more(47)
            slate.more(49)
            slate.ones_free(80, [0, 3, 5], bytes([row, 9, 9, 0, 9, how]))
            slate.bits(86, number, 4)
            slate.again(90, 47, 2)
            slate.rest(92, bytes([255, 7]), 86)
            slate.less(92)
            slate.eight(94, row + 256 * number + 65536 * 77, 3)
        assert (array_on(fast) == array_on(slow)).all()
        assert (array_on(slow)[row] == array_on(fresh)[0]).all()
        assert [fast.read(row, at) for at in range(WIDTH)] == [fresh.read(0, at) for at in range(WIDTH)]


def test_without_librt_core_does_the_same():
    """Slower, and nothing else: the rules need no package, compiled or not."""
    program = """if True:
        import sys
        sys.modules["librt"] = sys.modules["librt.vecs"] = None
        import preau
        from preau.adapters.vector import Games
        games = Games("recess", 2, seats=3)
        games.reset(seed=1)
        print(preau.compiled, type(games._rows.block._looks).__name__, int(games.observations.sum()))
    """
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    with Games("recess", 2, seats=3) as games:
        games.reset(seed=1)
        assert done.stdout.split() == [str(preau.compiled), "Slate", str(games.observations.sum())]


# Games.


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("recess", 3, {}),
        ("recess", 5, {"layout": "random", "first": "random"}),
        ("bagarre", 2, {"goal": 3}),
        ("bagarre", 6, {"goal": 4, "may_forfeit": True}),
        ("cour", 2, {}),
        ("cour", 4, {"slap_pick": "choose", "first": "random"}),
        ("cour", 8, {}),
    ],
)
def test_rows_are_the_games_that_are_played_one_by_one(game, seats, options):
    """Observations, masks, turns, rewards: all as a match with the same seed and actions says; compiled and plain."""
    played = [Games(game, 3, seats=seats, options=options, reward="rank")]
    played.append(importlib.import_module(f"{plain_twin().__name__}.adapters.vector").Games(
        game, 3, seats=seats, options=options, reward="rank"
    ))  # fmt: skip
    for games in played:
        games.reset(seed=7)
    matches = [preau.new(game, seats, options, seed=7 + row) for row in range(3)]
    rng = Random(1)
    lengths = [0] * 3
    over = [False] * 3
    for number in range(1_000):
        games, twin = played
        assert (games.observations == twin.observations).all()
        assert (games.masks == twin.masks).all()
        for row, match in enumerate(matches):
            if not over[row]:
                seat = match.to_act[0]
                assert games.turns[row] == seat
                if number % 5 == 0:
                    seen = match.game.observe(match.state, seat)
                    assert games.floats()[row].tolist() == pytest.approx(list(seen.values))
                    assert (games.setting.floats(games.observations[row]) == games.floats()[row]).all()
                    assert games.masks[row].tolist() == [bool(one) for one in seen.mask]
        actions = pick(games.masks, rng)
        for one in played:
            one.step(actions)
        for row, match in enumerate(matches):
            if over[row]:
                continue
            match.apply(match.to_act[0], games.setting.actions[actions[row]])
            lengths[row] += 1
            over[row] = match.over
            assert games.terminated[row] == match.over
            if match.over:
                assert games.lengths[row] == lengths[row]
                assert games.rewards[row].tolist() == pytest.approx(games.setting.rewards(match.state))
        if all(over):
            break
    assert all(over)
    for one in played:
        one.close()


def test_a_row_follows_from_its_seed_alone():
    """However many rows there are; and the games that come after the first do, too."""
    few, many = Games("bagarre", 2, seats=2, options={"goal": 1}), Games("bagarre", 5, seats=2, options={"goal": 1})
    few.reset(seed=[11, 12])
    many.reset(seed=[3, 11, 5, 12, 8])
    rng = Random(1)
    ended = 0
    for _ in range(300):
        actions = pick(many.masks, rng)
        assert (few.observations == many.observations[[1, 3]]).all()
        few.step(actions[[1, 3]])
        many.step(actions)
        assert (few.rewards == many.rewards[[1, 3]]).all()
        ended += int(few.terminated.sum())
    assert ended > 4


def test_two_processes_play_the_same_games():
    one, two = (Games("cour", 5, seats=3, processes=processes, limit=60) for processes in (1, 2))
    rng = Random(1)
    with one, two:
        crew: Any = two._rows.block
        assert len(crew.workers) == 1  # and this process
        for games in (one, two):
            games.reset(seed=1)
        for _ in range(150):
            for name in ("observations", "masks", "turns", "rewards", "terminated", "truncated", "lengths"):
                assert (getattr(one, name) == getattr(two, name)).all()
            actions = pick(one.masks, rng)
            one.step(actions)
            two.step(actions)
        for row in (0, 4):  # one is played in this process, the other elsewhere
            wrong = pick(one.masks, rng)
            wrong[row] = int(np.flatnonzero(~one.masks[row])[0])
            for games in (one, two):
                with pytest.raises(InvalidAction, match=rf"row {row}: action \d+ .*\[C"):
                    games.step(wrong)
                wrong_number = wrong.copy()
                wrong_number[row] = games.masks.shape[1]
                with pytest.raises(InvalidAction, match=rf"row {row}: \d+ is no action number"):
                    games.step(wrong_number)
    with pytest.raises(ClosedEnvironmentError):
        two.step(actions)


def test_a_process_that_is_gone_is_spoken_of():
    with Games("cour", 2, processes=2) as games:
        games.reset(seed=1)
        crew: Any = games._rows.block
        crew._lines[0].send(("close", None))
        with pytest.raises(RuntimeError, match="gone"):
            games.step(pick(games.masks, Random(1)))


def test_a_game_can_be_broken_off():
    with Games("recess", 2, limit=4) as games:
        games.reset(seed=1)
        rng = Random(1)
        for _ in range(4):
            assert not games.truncated.any()
            games.step(pick(games.masks, rng))
        assert games.truncated.all()
        assert not games.terminated.any()
        assert not games.rewards.any()


def test_pieces_by_name():
    with Games("recess", 4, seats=3) as games:
        games.reset(seed=1)
        pieces = games.pieces()
        assert pieces["boys"].shape == (4, 5, 12, 12)
        assert (pieces["coins"][:, :3] == 10).all()
        assert (games.floats()[:, games.layout["coins"].start] == 1.0).all()


def test_a_game_that_brings_nothing_for_it():
    with Games(AUCTION, 4, seats=3) as games:
        games.reset(seed=1)
        rng, ended = Random(1), 0
        for _ in range(60):
            games.step(pick(games.masks, rng))
            ended += int(games.terminated.sum())
        assert ended > 10


def test_what_is_wrong_is_said_and_nothing_done():
    games = Games("recess", 2, seats=3)
    with pytest.raises(ResetNeeded):
        games.step([0, 0])
    games.reset(seed=1)
    before = games.observations.copy()
    good = int(np.flatnonzero(games.masks[0])[0])
    bad = int(np.flatnonzero(~games.masks[1])[5])
    actions: Any
    for actions, said in [
        ([good, bad], r"row 1: action \d+ .*\[R"),
        ([good, 99_999], "row 1: 99999 is no action number; it takes 0 to 1587"),
        ([good, -1], "row 1"),
        ([good], r"shape \(2,\)"),
        ([0.5, 1.5], "whole numbers"),
    ]:
        with pytest.raises(InvalidAction, match=said):
            games.step(actions)
    assert (games.observations == before).all()
    games.step([good, good])
    with pytest.raises(SetupError, match="one for each"):
        games.reset(seed=[1, 2, 3])
    games.close()
    with pytest.raises(ClosedEnvironmentError):
        games.reset()


@pytest.mark.parametrize(
    "settings",
    [{"count": 0}, {"count": True}, {"processes": 0}, {"seats": 9}, {"options": {"weather": 1}}, {"reward": "x"}],
)
def test_wrong_words_are_refused_at_once(settings):
    with pytest.raises(SetupError):
        Games("recess", **{"count": 2, **settings})


# One learner.


@pytest.mark.parametrize("game", preau.game_ids())
def test_gymnasium_takes_it_for_one_of_its_own(game):
    """Spaces hold what comes, infos say it as Gymnasium's own do, and its wrappers find what they look for."""
    env = RecordEpisodeStatistics(gymnasium.make_vec(env_id(game), num_envs=3, seat=None, bots="random"))
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    alone: Any = OneLearner(game, seat=0)
    seen, infos = env.reset(seed=4)
    assert seen[0].tolist() == alone.reset(seed=4)[0].tolist()
    rng = Random(2)
    counted = 0
    for _ in range(250):
        assert seen in env.observation_space
        assert seen.dtype == np.float32
        assert infos["_action_mask"].all()
        seen, rewards, terminated, truncated, infos = env.step(pick(infos["action_mask"], rng))
        assert not truncated.any()
        assert not rewards[~terminated].any()
        for row in np.flatnonzero(terminated):
            counted += 1
            assert infos["final_obs"][row] in env.single_observation_space
            assert infos["final_info"]["length"][row] == infos["episode"]["l"][row]
            assert rewards[row] == pytest.approx(infos["episode"]["r"][row])
    assert counted > 3
    env.close()


def test_an_illegal_action_loses_or_is_refused():
    env = gymnasium.make_vec("preau/Recess-v0", num_envs=2, seats=3, numbers=True)
    seen, infos = env.reset(seed=1)
    assert seen in env.observation_space
    bad = int(np.flatnonzero(infos["action_mask"][1] == 0)[5])
    good = int(np.flatnonzero(infos["action_mask"][0])[0])
    _, rewards, terminated, _, infos = env.step(np.array([good, bad]))
    assert rewards.tolist() == [0.0, -1.0]
    assert terminated.tolist() == [False, True]
    assert "[R" in infos["final_info"]["illegal"][1]
    strict = LearnerGames("recess", 2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(InvalidAction, match=r"row 1: action .*\[R"):
        strict.step([good, bad])


class Listening(Bot):
    def choose(self, seen: Seen) -> Action:
        return seen.legal[0]


def test_bots_of_all_kinds_but_those_that_listen():
    env = LearnerGames("recess", 2, seats=3, bots=["greedy", "easy@5"], seat=1)
    _, infos = env.reset(seed=1)
    rng = Random(1)
    for _ in range(40):
        *_, infos = env.step(pick(infos["action_mask"], rng))
    env.close()
    with pytest.raises(SetupError, match="sync"):
        LearnerGames("recess", 2, bots=Listening)
    with pytest.raises(SetupError, match="asked nothing"):
        LearnerGames("recess", 2, seats=3, seat=2, options={"turns": 1}).reset(seed=1)
    with pytest.raises(SetupError, match="render_mode"):
        gymnasium.make_vec("preau/Recess-v0", num_envs=2, render_mode="ansi")
