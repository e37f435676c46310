"""Which engine played: its version, a digest of its source, and the machine it ran on."""

from __future__ import annotations

import os
import platform
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from ..core.registry import find_game

PACKAGE = Path(__file__).resolve().parents[1]
DECIDING = ("core", "games", "bots", "arena")
"""The folders on which the course of a game depends."""
IGNORED_FOLDERS = {"__pycache__", "texts"}
IGNORED_FILES = {".so", ".pyd", ".pyc"}


def engine(game: str) -> dict[str, str]:
    """The version of Préau, and digests of all source and data that decides how games go, its own package included."""
    package = import_module(__name__.partition(".")[0])
    found = {"version": package.__version__, "source": source_digest(PACKAGE, DECIDING)}
    folder = find_game(game).folder.resolve()
    if PACKAGE not in folder.parents:
        found["package"] = source_digest(folder, (".",))
    return found


@cache
def source_digest(root: Path, folders: tuple[str, ...]) -> str:
    """Changes when rules, bots, their data or the arena change; compiled or plain makes no difference."""
    digest = sha256()
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root)
            hidden = any(part in IGNORED_FOLDERS or part.startswith(".") for part in inside.parts)
            if path.is_file() and not hidden and path.suffix not in IGNORED_FILES:
                digest.update(f"{inside.as_posix()}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, Any]:
    """What the times were measured on."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "model": _processor_model(),
        "cores": cores(),
        "python": platform.python_version(),
        "compiled": bool(import_module(__name__.partition(".")[0]).compiled),
    }


def _processor_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
