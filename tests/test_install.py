"""What `make wheel` builds, in fresh environments: games play, and each extra brings what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from tools import wheels

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUNS = {
    "": ["preau", "simulate", "recess", "--games", "2", "--seed", "1"],
    "web": ["python", "-c", "import preau.server.app"],
    "push": ["python", "-c", "import preau.server.app, preau.server.webpush"],
    "arena": ["preau", "arena", "recess", "--bots", "greedy,random", "--seats", "3", "--games", "6", "--workers", "1"],
    "picture": ["preau", "picture", "game.json", "--out", "moment.png"],
    "rl": ["python", "-c", "from preau.adapters import gymnasium, pettingzoo, vector; vector.Games('cour', 2).reset()"],
    "openspiel": ["python", "-c", "import preau.adapters.openspiel, pyspiel; pyspiel.load_game('preau_recess')"],
    "lab": ["preau", "lab", "recess", "--games", "6", "--bots", "random", "--out", "report"],
    "net": ["python", "-c", "import onnx, onnxruntime; from preau.bots.net import label; label('cour')"],
    "ray": ["python", "-c", "import preau.arena.cluster, ray"],
}
"""What is run with each extra and nothing else; the empty one is `pip install preau`."""


def test_every_extra_is_run():
    assert set(RUNS) == {"", *PROJECT["optional-dependencies"]}


def test_it_says_its_version_once():
    """What is cited is what is installed."""
    cited = [
        line for line in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines() if line.startswith("ver")
    ]
    assert cited == [f"version: {PROJECT['version']}"]


@pytest.mark.skipif(sys.platform != "linux", reason="hadolint is brought for Linux only")
def test_the_dockerfile_is_in_order():
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_container_holds_what_the_build_reads():
    """What .dockerignore lets through is there, and all that `make wheel` names is let through."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line[1:] for line in lines if line.startswith("!")}
    assert all((ROOT / name).exists() for name in kept)
    assert {"src", "web", "tools", "requirements", "pyproject.toml", "setup.py", "MANIFEST.in", "Makefile"} <= kept


@pytest.fixture(scope="module")
def pure(tmp_path_factory) -> Path:
    """The wheel of plain Python."""
    return wheels.build(tmp_path_factory.mktemp("pure"), PREAU_PLAIN="1")


@pytest.mark.nightly
@pytest.mark.parametrize("extra", RUNS)
def test_in_a_fresh_environment(pure, tmp_path, extra):
    """With no compiler and no Node on the path."""
    assert pure.name.endswith("-py3-none-any.whl")
    venv.create(tmp_path / "env", with_pip=True)
    binaries = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "CC")}
    bare["PATH"] = str(binaries)

    def run(*command: str, say: str = "") -> str:
        done = subprocess.run(
            [str(binaries / command[0]), *command[1:]],
            input=say,
            capture_output=True,
            text=True,
            env=bare,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("python", "-m", "pip", "install", "-q", f"{pure}[{extra}]" if extra else str(pure))
    if not extra:
        assert "Minute" in run("preau", "play", "recess", "--lang", "en", "--option", "turns=3", say="pass\n" * 9)
        assert "plain Python" in run("preau", "doctor")
    run("python", "-c", "import preau; preau.play('recess', ['random'] * 3, seed=1).record.save('game.json')")
    run(*RUNS[extra])
