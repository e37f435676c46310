"""Writes the C of the compiled modules for the page's own Python: run by `python -m tools.wasm`, which see.

mypyc writes for the Python that it runs on. So it is told, while it looks, that this is another one, with addresses of
32 bits. That is done in a process of its own, and mypy is there before: it runs on this Python.
"""

from __future__ import annotations

import importlib.machinery
import json
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from setup import translated  # noqa: E402


class Version(NamedTuple):
    """As `sys.version_info` has it."""

    major: int
    minor: int
    micro: int
    releaselevel: str = "final"
    serial: int = 0


def main(folder: str, suffix: str, version: tuple[int, int, int], modules: list[str]) -> None:
    """Write C into a folder, and `parts.json` beside it: the name of every part, its sources, where its headers are."""
    importlib.import_module("mypy.main")
    here, there = sys.version_info, Version(*version)
    sysconfig.get_config_vars()["SIZEOF_SIZE_T"] = 4
    importlib.machinery.EXTENSION_SUFFIXES.insert(0, suffix)
    setattr(sys, "version_info", there)  # noqa: B010
    importlib.import_module("mypyc.common")
    setattr(sys, "version_info", here)  # noqa: B010
    importlib.import_module("mypyc.build")
    setattr(sys, "version_info", there)  # noqa: B010
    parts = [[one.name, one.sources, one.include_dirs] for one in translated(modules, folder)]
    Path(folder, "parts.json").write_text(json.dumps(parts), encoding="utf-8")


if __name__ == "__main__":
    major, minor, micro = json.loads(sys.argv[3])
    main(sys.argv[1], sys.argv[2], (major, minor, micro), sys.argv[4:])
