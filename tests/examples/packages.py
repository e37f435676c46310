"""Installing packages for tests, into a folder of their own: nothing is fetched, and nothing else is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SOLEIL = ROOT / "examples" / "soleil"
LEFT_BEHIND = shutil.ignore_patterns("build", "*.egg-info", "__pycache__", ".pytest_cache")


def install(package: Path, folder: Path) -> str:
    """Install a package as people do, and give the folder it is in. Built from a copy, since building leaves traces."""
    copy = folder / "source"
    shutil.copytree(package, copy, ignore=LEFT_BEHIND)
    target = folder / "installed"
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(target), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return str(target)


def announce(folder: Path, name: str, value: str, **brought: str) -> None:
    """What an installed package leaves in a folder to say that it has a game, without any game; and what it brings for
    bots: `greedy="package.module:choose"`, `judges="package.module"`.
    """
    about = folder / f"preau_{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: preau-{name}\nVersion: 1.0\n", encoding="utf-8")
    groups = {"games": value, **brought}
    points = "".join(f"[preau.{group}]\n{name} = {one}\n" for group, one in groups.items())
    (about / "entry_points.txt").write_text(points, encoding="utf-8")


def run(packages: str, *words: object, say: str = "", cwd: Path | None = None) -> Any:
    """A Python program that finds these packages, such as `-m preau games`."""
    plain = {"NO_COLOR": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    environment = {**os.environ, **plain, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), packages))}
    return subprocess.run(
        [sys.executable, *(str(word) for word in words)],
        input=say,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        cwd=cwd,
        check=False,
    )
