from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

import preau
from preau.cli import bench


def count(state: preau.State, depth: int) -> int:
    """Slow and sure: every sequence one by one, through `apply`."""
    if depth == 0:
        return 1
    total = 0
    for actor in state.to_act[:1]:
        for action in state.legal(actor):
            child = state.copy()
            child.apply(actor, action)
            total += count(child, depth - 1)
    return total


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_counts_of_a_board(run, depth):
    data = json.loads(run("perft", "recess", "--seats", "3", "--depth", depth, "--json").stdout)
    assert data["nodes"] == count(preau.game("recess").start(3), depth)


@pytest.mark.parametrize("depth", range(8))
def test_counts_with_chance_and_simultaneous_choices(run, auction, depth):
    words = ["--seats", "2", "--depth", depth, "--option", "apples=2", "--json"]
    data = json.loads(run("perft", auction, *words).stdout)
    assert data["nodes"] == count(preau.game(auction).start(2, {"apples": 2}), depth)
    assert depth < 7 or data["nodes"] == 0  # after six actions the game is over


def test_divide(run):
    out = run("perft", "recess", "--seats", "3", "--depth", "2", "--divide").stdout
    lines = out.splitlines()
    assert lines[0].split() == ["pass", "37"]
    assert sum(int(line.split()[-1].replace(",", "")) for line in lines[:-1]) == int(
        lines[-1].split()[0].replace(",", "")
    )
    data = json.loads(run("perft", "recess", "--seats", "3", "--depth", "2", "--divide", "--json").stdout)
    assert sum(data["divide"].values()) == data["nodes"]


def test_the_short_measure(run, auction):
    data = json.loads(run("bench", "--short", "--seconds", "0.02", "--json", "recess", auction).stdout)
    assert set(data) == {"recess", auction}
    assert all(speed > 0 for speeds in data.values() for speed in speeds.values())
    assert "driven decisions/s" in run("bench", "--short", "--seconds", "0.02", "recess").stdout


def test_a_checkout_runs_its_benchmarks(run, monkeypatch, tmp_path):
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__main__.py").touch()
    calls = []

    def execute(command, **how):
        calls.append((command[1:], how["cwd"]))
        return SimpleNamespace(returncode=3)

    monkeypatch.setattr(bench, "CHECKOUT", tmp_path)
    monkeypatch.setattr("subprocess.run", execute)
    assert run("bench", "ours", "--quick").exit_code == 3
    assert calls == [(["-m", "benchmarks", "ours", "--quick"], tmp_path)]


def test_elsewhere_the_short_measure_runs(run, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "CHECKOUT", tmp_path)
    assert "copy" in run("bench", "recess", "--seconds", "0.02").stdout
