"""The example that trains a network: it learns what it should, and writes what it learned."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from examples.learn import Known, Learner, Legal, Net, Settings, advantages, train
from preau.adapters.vector import Games
from preau.bots.net import load

ROOT = Path(__file__).resolve().parents[2]
SMALL = Settings(rows=8, steps=24, width=8, parts=2)


def test_what_a_decision_led_to_is_the_next_one_of_its_seat_or_the_end():
    turns = np.array([[0], [1], [0], [1]])
    worths = np.array([[0.1], [0.2], [0.3], [0.4]], dtype=np.float32)
    ended = np.array([[False], [False], [True], [False]])
    rewards = np.zeros((4, 1, 2), dtype=np.float32)
    rewards[2, 0] = [1, -1]
    gains, told = advantages(turns, np.ones((4, 1), dtype=np.bool_), worths, ended, rewards, 0.5)
    assert told[:, 0].tolist() == [True, True, True, False], "the game after the end goes on"
    # Seat 0: 0.1, then 0.3, then 1; seat 1: 0.2, then -1.
    assert gains[:, 0].tolist() == pytest.approx([0.2 + 0.5 * 0.7, -1.2, 0.7, 0.0])


def test_where_there_was_but_one_thing_to_do_is_no_decision():
    turns = np.array([[0], [0], [0]])
    asked = np.array([[True], [False], [True]])
    worths = np.array([[0.1], [9.0], [0.3]], dtype=np.float32)
    ended = np.array([[False], [False], [True]])
    rewards = np.zeros((3, 1, 2), dtype=np.float32)
    rewards[2, 0] = [1, -1]
    gains, told = advantages(turns, asked, worths, ended, rewards, 0.5)
    assert told[:, 0].tolist() == [True, False, True]
    assert gains[:, 0].tolist() == pytest.approx([0.2 + 0.5 * 0.7, 0.0, 0.7]), "0.1 led to 0.3"


def test_what_is_illegal_is_never_drawn():
    rng = np.random.default_rng(1)
    masks = rng.random((50, 9)) < 0.3
    masks[:, 4] |= ~masks.any(axis=1)
    legal = Legal(masks)
    likely, logs = legal.chances(rng.standard_normal((50, 10)).astype(np.float32), np.arange(9))
    assert np.add.reduceat(likely, legal.first) == pytest.approx(np.ones(50))
    assert np.exp(logs) == pytest.approx(likely)
    drawn = legal.draw(likely, rng)
    assert legal.row[drawn].tolist() == list(range(50))
    assert masks[np.arange(50), legal.action[drawn]].all()


def test_weights_go_down_the_slope():
    """The change is against the slope of what is wrong, as found by trying."""
    rng = np.random.default_rng(1)
    ones = np.ones(6, dtype=np.float32)
    net = Net(Known(np.arange(6), ones, ones, ones, np.arange(3)), 5, rng)
    seen = rng.integers(0, 4, (7, 6)).astype(np.uint8)
    goal = rng.standard_normal((7, 4)).astype(np.float32)

    def fault() -> float:
        return float(np.square(net.look(seen)[-1] - goal).sum())

    before = fault()
    for _ in range(300):
        layers = net.look(seen)
        net.change(layers, 2 * (layers[-1] - goal), 0.01)
    assert fault() < before / 20


def test_it_learns_and_writes_what_it_learned(tmp_path):
    """The file says what the network says, and the same seed gives the same file."""
    paths = []
    for name in ("one.onnx", "two.onnx"):
        learner = Learner("cour", 2, {}, 5, SMALL)
        before = [one.copy() for one in learner.net.weights]
        train(learner, games=3)
        assert learner.games >= 3
        assert all((old != new).any() for old, new in zip(before, learner.net.weights, strict=True))
        learner.net.save(tmp_path / name, learner.about)
        learner.close()
        paths.append(tmp_path / name)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    net = load(paths[0])
    assert (net.game, net.seats) == ("cour", 2)
    with Games("cour", 3, seats=2) as games:
        games.reset(seed=9)
        known = learner.net.known
        own = learner.net.look(games.observations[:, known.used])[-1][:, known.column]
        for row, likes in zip(games.floats(), own, strict=True):
            assert net.judge(games.layout, row) == pytest.approx(likes.tolist(), abs=1e-4)


def test_all_that_is_looked_at_counts_alike():
    """Rounds, marbles and cards: what varies has its middle at 0 and varies by 1, what is seldom there by less."""
    learner = Learner("bagarre", 4, {}, 1, replace(SMALL, rows=64))
    seen = []
    for _ in range(40):
        learner.play()
        seen.append(learner.net.look(learner._seen.reshape(-1, learner._seen.shape[2]))[0])
    numbers = np.concatenate(seen)
    assert np.abs(numbers.mean(axis=0)).max() < 0.5
    assert 0.7 < numbers.std(axis=0).max() < 1.5
    learner.close()


def test_actions_that_were_never_legal_share_a_place():
    """Only nature deals: nobody learns it, and the file has a number for it all the same."""
    learner = Learner("bagarre", 4, {}, 1, SMALL)
    names = [str(action) for action in learner.env.setting.actions]
    column = learner.net.known.column
    places = [column[names.index(name)] for name in ("draw", "done", "deal 0 F1", "deal 3 T07")]
    assert len(set(places)) == 3
    assert places[2] == places[3] == column.max()
    learner.close()


def test_scores_count_by_how_they_vary():
    learner = Learner("cour", 2, {}, 1, replace(SMALL, reward="score"))
    assert learner.unit > 1
    learner.close()


def test_the_command_learns_measures_and_draws(tmp_path):
    out = tmp_path / "run"
    command = [sys.executable, "examples/learn.py", "cour", "--seats", "2", "--games", "1", "--against", "random"]
    command += ["--match", "8", "--looks", "1", "--width", "8", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    facts = json.loads((out / "curve.json").read_text(encoding="utf-8"))
    assert [one["against"] for one in facts["curve"]] == ["random", "random"]
    assert "<svg" in (out / "curve.svg").read_text(encoding="utf-8")
    assert load(out / "net.onnx").game == "cour"


@pytest.mark.parametrize("words", [["chess"], ["cour", "--seats", "9"], ["cour", "--option", "no=1"]])
def test_a_wrong_command_ends_with_2_and_why(words, tmp_path):
    command = [sys.executable, "examples/learn.py", *words, "--out", str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("learn: ")
    assert not (tmp_path / "run").exists()


@pytest.mark.nightly
def test_from_nothing_it_learns_to_beat_greedy(tmp_path):
    """The command of docs/train-a-bot.md without its match against `hard`: clear of chance, on deals of their own."""
    command = [sys.executable, "examples/learn.py", "bagarre", "--against", "greedy", "--looks", "1"]
    subprocess.run([*command, "--out", str(tmp_path)], cwd=ROOT, check=True)
    first, *_, last = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))["curve"]
    assert first["ratio_high"] < 0.5
    assert last["played"] >= 1000
    assert last["ratio_low"] > 1
