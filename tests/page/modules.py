"""Which files of the page bring which others along: at once, or when they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tools.page import WEB

SOURCES = WEB / "src"
SCREENS = SOURCES / "screens"
_AT_ONCE = re.compile(r"""^\s*(?:import|export)\s(?!type\b)(?:[^;"']*?\bfrom\s*)?["'](\.[^"']+)["']""", re.MULTILINE)
_LATER = re.compile(r"""\bimport\(\s*["'](\.[^"']+)["']""")
_GLOB = re.compile(r"\bimport\.meta\.glob(?:<[^(]*>)?\(\s*(\[[^\]]*\]|\"[^\"]*\")(?:,\s*\{([^}]*)\})?")
"""What Vite makes imports of: a pattern or a list of some, those with ! before them left out."""
_SUFFIXES = ("", ".ts", "/index.ts")


@cache
def imports(path: Path) -> tuple[frozenset[Path], frozenset[Path]]:
    """The source files that a file imports: at once, and later."""
    text = path.read_text(encoding="utf-8")
    at_once = {resolved(path, found[1]) for found in _AT_ONCE.finditer(text)}
    later = {resolved(path, found[1]) for found in _LATER.finditer(text)}
    for patterns, options in _GLOB.findall(text):
        (at_once if "eager: true" in options else later).update(globbed(path, re.findall(r'"([^"]+)"', patterns)))
    return is_source(at_once), is_source(later)


def resolved(path: Path, name: str) -> Path:
    """The file that an import names."""
    found = (path.parent / name.partition("?")[0]).resolve()
    return next(one for suffix in _SUFFIXES if (one := Path(f"{found}{suffix}")).is_file())


def globbed(path: Path, patterns: Iterable[str]) -> set[Path]:
    """The files that the patterns of a glob name."""
    found: set[Path] = set()
    for pattern in patterns:
        folder = path.parent
        rest = pattern.removeprefix("!").removeprefix("./")
        while rest.startswith("../"):
            folder, rest = folder.parent, rest.removeprefix("../")
        one = re.search(r"\{([^}]*)\}", rest)
        names = [rest.replace(one[0], word) for word in one[1].split(",")] if one else [rest]
        files = {file for name in names for file in folder.glob(name)}
        found = found - files if pattern.startswith("!") else found | files
    return found


def is_source(files: Iterable[Path]) -> frozenset[Path]:
    """Those of the files that can import others."""
    return frozenset(file for file in files if file.suffix in (".ts", ".svelte"))


def reached(starts: Iterable[Path], *, later: bool, besides: frozenset[Path] = frozenset()) -> frozenset[Path]:
    """All files that come along, at once or also `later`; not those `besides`, nor what only they bring."""
    found: set[Path] = set()
    open_ends = list(starts)
    while open_ends:
        file = open_ends.pop()
        if file in found or file in besides:
            continue
        found.add(file)
        now, then = imports(file)
        open_ends += [*now, *then] if later else now
    return frozenset(found)


@cache
def first_load() -> frozenset[Path]:
    """What is loaded before anything is shown: the frame and the home page."""
    return reached([SOURCES / "main.ts"], later=False)


@cache
def screens() -> dict[str, frozenset[Path]]:
    """What each screen brings along besides the first load, by the screen's name. A part of another is none."""
    app = SOURCES / "App.svelte"
    parts = {
        file
        for path in is_source(SOURCES.rglob("*"))
        if path not in first_load() and not path.name.endswith(".test.ts")
        for kind in imports(path)
        for file in kind
    }
    alone = sorted(file for file in imports(app)[1] if file not in parts)
    return {file.stem: reached([file], later=True, besides=first_load()) for file in alone}
