"""The same games on Ray, over two nodes, whatever happens to them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from preau.arena.cluster import import_ray
from preau.core.errors import SetupError

from .command import PATIENCE, arena, arguments, result, surroundings, table

RUN = ("recess", "--bots", "greedy,random", "--seats", 3, "--seed", 9, "--games")
GAMES = 60
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    path = tmp_path_factory.mktemp("local") / "result.json"
    done = arena(*RUN, GAMES, "--json", path)
    assert done.returncode == 0, done.stderr
    return path, done.stdout


class Cluster:
    """Two nodes, in a process of their own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.address = self.hear()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        assert self.hear() == "ok"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with (tmp_path_factory.mktemp("ray") / "errors").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.arena.ray_nodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **QUIET},
        )
        yield Cluster(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stdout is not None
        process.stdout.close()


def numbers(side: Path) -> list[int]:
    """The games in a side file, without a line that is being written."""
    lines = side.read_text(encoding="utf-8").split("\n")[1:-1] if side.exists() else []
    return [json.loads(line)["index"] for line in lines]


@pytest.mark.nightly
def test_two_nodes_play_the_same_games_and_lose_none(local, cluster, tmp_path):
    """A run too long to end by itself: both nodes play, a process is killed while it plays, then a whole node."""
    path, side = tmp_path / "result.json", tmp_path / "result.games.jsonl"
    process = subprocess.Popen(
        arguments(*RUN, 60_000, "--json", path, "--ray", cluster.address),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=surroundings(),
    )
    for trouble in ("both", "worker", "both", "node"):
        cluster.tell(trouble)
    reached = max([GAMES, *numbers(side)]) + 10
    while process.poll() is None and not set(range(reached)) <= set(numbers(side)):
        sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert out.startswith("Recess!")
    assert len(numbers(side)) == len(set(numbers(side)))

    done = arena(*RUN, GAMES, "--json", path)  # plays nothing: all is there
    assert done.returncode == 0, done.stderr
    assert table(done.stdout) == table(local[1])
    assert result(path) == result(local[0])


def test_a_cluster_started_for_the_purpose(local, tmp_path):
    done = arena(*RUN, GAMES, "--json", tmp_path / "result.json", "--ray", "local", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert result(tmp_path / "result.json") == result(local[0])


def test_without_ray_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SetupError, match=r"preau\[ray\]"):
        import_ray()
