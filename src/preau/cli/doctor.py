"""`preau doctor`: what is there, what is missing, and how to get it."""

from __future__ import annotations

import platform
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

import typer

from .._build import plain_wanted
from ..core.registry import broken, game_ids
from ..core.state import Json
from .common import AsJson, console, print_json

EXTRAS = {
    "web": "play in the browser: preau serve",
    "push": "a server that calls people when it is their turn",
    "arena": "matches between bots, with ratings: preau arena",
    "picture": "pictures of a moment: preau picture",
    "rl": "environments for learning: preau.adapters",
    "openspiel": "OpenSpiel's search and solvers: preau.adapters.openspiel",
    "lab": "data sets and reports on the rules: preau dataset, preau lab",
    "net": "networks as bots: --bot net.onnx",
    "ray": "many machines at once: --ray",
}
"""What the extras are for. One that is not listed here is shown without a word."""
NEED = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,-]*\])?(?P<bounds>[^;]*)(?:;(?P<marker>.*))?")
EXTRA = re.compile(r"""extra == ["'](?P<extra>[\w-]+)["']""")
BOUND = re.compile(r"(>=|<)\s*([\d.]+)")


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    state: str
    """`ready`, `missing` (it can be had) or `wrong` (it is there and cannot be used)."""
    said: str
    mend: str = ""

    def to_json(self) -> Json:
        """The finding as data."""
        return {name: value for name, value in self._asdict().items() if value}


def doctor(json: AsJson = False) -> None:
    """Say what is installed here, what is missing, and how to get it.

    The exit code is 1 where something that is installed cannot be used; what is merely missing is no fault.
    """
    found = [*_house(), *_extras(), *_games()]
    if json:
        print_json([one.to_json() for one in found])
    else:
        from rich.table import Table

        signs = {"ready": ("✓", "green"), "missing": ("·", "dim"), "wrong": ("✗", "bold red")}
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, style="bold")
        table.add_column(overflow="fold")
        for one in found:
            sign, style = signs[one.state]
            table.add_row(sign, one.what, one.said, style=style if one.state == "wrong" else "")
            if one.mend:
                table.add_row("", "", f"→ {one.mend}", style="dim")
        console().print(table)
    if any(one.state == "wrong" for one in found):
        raise typer.Exit(1)


def _house() -> Iterator[Finding]:
    """Python, the package, the rules as they run, the page."""
    package = import_module(__name__.partition(".")[0])
    where = Path(__file__).resolve().parents[1]
    yield Finding("python", "ready", f"{platform.python_version()} ({sysconfig.get_platform()}), {sys.executable}")
    yield Finding("preau", "ready", f"{package.__version__}, {where}")
    if package.compiled:
        yield Finding("rules", "ready", "compiled")
    elif plain_wanted():
        yield Finding("rules", "ready", "plain Python, because PREAU_PLAIN is set")
    else:
        mend = "a wheel made for this Python and machine has them compiled: some ten times as fast (make wheel)"
        yield Finding("rules", "ready", "plain Python", mend)
    if (where / "server" / "static" / "index.html").is_file():
        yield Finding("page", "ready", "built, served by preau serve")
    else:
        yield Finding("page", "missing", "not built", "in a copy of the source: make page")


def _extras() -> Iterator[Finding]:
    needs = _needs()
    for extra in [*EXTRAS, *sorted(set(needs) - set(EXTRAS))]:
        if extra not in needs:
            continue
        wrong = [word for name, bounds in needs[extra] if (word := _misfit(name, bounds))]
        missing = [name for name, bounds in needs[extra] if _installed(name) is None]
        use = EXTRAS.get(extra, "")
        mend = f"pip install 'preau[{extra}]'"
        if wrong:
            yield Finding(extra, "wrong", f"{use}; {', '.join(wrong)}", mend)
        elif missing:
            yield Finding(extra, "missing", f"{use}; not installed: {', '.join(missing)}", mend)
        else:
            yield Finding(extra, "ready", use)


def _games() -> Iterator[Finding]:
    yield Finding("games", "ready", ", ".join(game_ids()))
    for name, why in broken().items():
        yield Finding(name, "wrong", f"a package of a game that cannot be used: {why}", "mend or remove that package")


def _needs() -> dict[str, list[tuple[str, str]]]:
    """What each extra asks for on this machine, as (package, bounds): what the installed package says of itself."""
    try:
        lines = requires("preau") or []
    except PackageNotFoundError:  # run from a folder, without having been installed
        return {}
    found: dict[str, list[tuple[str, str]]] = {}
    for line in lines:
        need = NEED.match(line)
        extra = EXTRA.search(line)
        if not need or not extra or need["name"] == "preau":
            continue
        marker = need["marker"] or ""
        if ("sys_platform != 'win32'" in marker.replace('"', "'")) and sys.platform == "win32":
            continue
        found.setdefault(extra["extra"], []).append((need["name"], need["bounds"]))
    return found


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _misfit(name: str, bounds: str) -> str | None:
    """What is wrong with the installed version of a package, if one is installed."""
    there = _installed(name)
    if there is None:
        return None
    for sign, bound in BOUND.findall(bounds):
        if (_numbers(there) >= _numbers(bound)) != (sign == ">="):
            return f"{name} is {there}, wanted is {bounds.strip()}"
    return None


def _numbers(text: str) -> tuple[int, ...]:
    """A version as numbers, far enough to compare it with a bound.

    >>> _numbers("2.25.1") >= _numbers("2.25"), _numbers("3.0rc1") >= _numbers("3.1")
    (True, False)
    """
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0])[:3])
