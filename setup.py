"""Compile the modules of compiled-modules.txt with mypyc where that is possible. The rest is pyproject.toml.

Everything also runs as plain Python. That is what you get without a C compiler, or when PREAU_PLAIN is set.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src"
MODULE_LIST = ROOT / "compiled-modules.txt"


def listed_modules() -> list[str]:
    """Paths of the modules to be compiled, as they stand in the list."""
    lines = (line.split("#", 1)[0].strip() for line in MODULE_LIST.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def c_compiler() -> str | None:
    """The C compiler to use: $CC, Python's own, or any usual one; None when there is none."""
    wanted = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    for command in (wanted, "cc", "gcc", "clang"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return command
        if command and command == os.environ.get("CC"):
            return None  # asked for by name, so nothing else will do
    return None


def plain_wanted() -> bool:
    """Whether PREAU_PLAIN asks for plain Python."""
    return os.environ.get("PREAU_PLAIN", "") not in ("", "0")


def why_plain() -> str | None:
    """Why the modules cannot be compiled here, in a few words; None when they can."""
    if plain_wanted():
        return "PREAU_PLAIN is set"
    if c_compiler() is None:
        return "no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "no Python headers"
    if importlib.util.find_spec("mypyc") is None:
        return "no mypyc"
    return None


def extensions() -> list[Any]:
    """The compiled modules as setuptools wants them, or an empty list."""
    modules = listed_modules()
    if not modules:
        return []
    if reason := why_plain():
        print(f"{reason}: building Préau as plain Python")
        return []
    os.environ["CC"] = c_compiler() or "cc"
    made = translated(modules, "build/mypyc")
    if sys.platform == "linux":
        # Nobody replaces our functions from outside: so small ones may be put in the place of their calls, which is
        # worth about a tenth of a playout. Other systems take that for granted.
        for extension in made:
            extension.extra_compile_args.append("-fno-semantic-interposition")
    return made


def translated(modules: list[str], folder: str) -> list[Any]:
    """These modules as C, written into a folder: what is to be compiled, and how."""
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = str(SOURCES)  # module names start at preau, not at src
    # A configuration and a cache of its own: lint settings must not decide whether a build succeeds, and neither must
    # modules that are not compiled, nor what else is installed.
    flags = ["--config-file=", "--explicit-package-bases", "--follow-imports=silent", "--cache-dir=build/mypy"]
    return list(mypycify([*flags, *modules], opt_level="3", debug_level="0", group_name="preau", target_dir=folder))


if __name__ == "__main__":
    from setuptools import setup

    setup(ext_modules=extensions())
