"""docs/add-a-game.md is followed to the letter: its files are written one after the other, its commands are run."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from tests.docs.pages import blocks, commands, plain
from tests.examples.packages import ROOT, SOLEIL, install, run

GUIDE = ROOT / "docs" / "add-a-game.md"
LEFT_OUT = re.compile(r"^\s*(?:# )?\.\.\.\n", re.MULTILINE)
UNSEEN = ("README.md", "src/preau_soleil/py.typed")
"""What the guide need not show."""


def files() -> list[str]:
    found = (path.relative_to(SOLEIL) for path in SOLEIL.rglob("*") if path.is_file())
    made = ("__pycache__", "build", ".pytest_cache", ".ruff_cache", ".mypy_cache")
    return sorted(path.as_posix() for path in found if not {*path.parts, *path.parent.parts} & set(made))


def test_what_is_shown_is_what_is_there():
    shown = [block for block in blocks(GUIDE) if block.title]
    for block in shown:
        whole = (SOLEIL / block.title).read_text(encoding="utf-8")
        for part in LEFT_OUT.split(block.text):
            assert part.strip("\n") in whole, f"{block.title}:\n{part}"
    assert sorted({*UNSEEN, *(block.title for block in shown)}) == [file for file in files() if "egg-info" not in file]


def test_the_steps_lead_to_a_game(tmp_path):
    """Every command finds what was written before it, and prints what the page says."""
    folder = tmp_path / "soleil"
    packages = ""
    ran = 0
    for name in UNSEEN:
        copy(name, folder)
    for block in blocks(GUIDE):
        if block.title:
            copy(block.title, folder)
        if block.language != "console":
            continue
        for (program, *words), typed, shown in commands(block.text):
            ran += 1
            if program == "pip":
                packages = os.pathsep.join((str(folder / "src"), install(folder, tmp_path / "pip")))
                continue
            start = {"python": [], "preau": ["-m", "preau"]}[program]
            done = run(packages, *start, *words, say=typed, cwd=folder)
            assert plain(done.stdout + done.stderr) == plain(shown), (program, *words)
    assert ran >= 6


def copy(name: str, folder: Path) -> None:
    """A reader writes a file."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOLEIL / name, folder / name)
