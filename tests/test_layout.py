"""Imports point one way, files and folders stay small, and no file names a package registry."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from graphlib import TopologicalSorter
from pathlib import Path, PurePosixPath

import pytest

from tools.imports import imports

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"

# layer: the layers that it imports, besides itself
MAY_IMPORT = {
    "core": set[str](),
    "games": {"core"},
    "bots": {"core", "games"},
    "review": {"core", "bots"},
    "table": {"core"},
    "learn": {"core", "bots", "review"},
    "testing": {"core", "learn"},
    "arena": {"core", "bots"},
    "lab": {"core", "bots", "arena"},
    "pictures": {"core", "table"},
    "adapters": {"core", "bots", "pictures"},
    "codegen": {"core", "review", "table"},
    "host": {"core", "games", "bots", "review", "table", "learn"},
    "browser": {"core", "bots", "table", "host"},
    "server": {"core", "bots", "table", "learn", "host", "lab"},
    "cli": {"core", "bots", "review", "learn", "arena", "lab", "server", "pictures"},
}
# The same inside `server`. Modules that lie in no package there, and assemble nothing, are its base.
BASE = {
    "client_address",
    "config",
    "custom_bots",
    "logs",
    "metrics",
    "settings",
    "steady_clock",
    "token_buckets",
    "typography",
}
SERVER_MAY_IMPORT = {
    "base": set[str](),
    "workers": set[str](),
    "storage": {"base"},
    "cluster": {"base", "storage"},
    "transport": {"base"},
    "tables": {"base", "storage", "cluster"},
    "commands": {"base", "storage", "cluster", "workers", "tables"},
    "notifications": {"base", "storage", "tables"},
    "background": {"base", "storage", "workers", "tables", "commands", "notifications"},
    "websocket": {"base", "transport", "tables", "commands"},
    "services": {
        "base",
        "storage",
        "cluster",
        "workers",
        "tables",
        "commands",
        "notifications",
        "background",
        "websocket",
    },
    "http": {"base", "transport", "tables", "services"},
    "app": {"base", "storage", "services", "http"},
    "runner": {"base", "storage", "transport", "http", "app"},
}
STANDARD_LIBRARY_ONLY = {"core", "games"}
FOR_TYPES_ONLY = {"mypy_extensions"}  # third-party names that those two may use under TYPE_CHECKING


def faults(source: str, module: str, *, package: bool = False) -> list[str]:
    """What is wrong with the imports of a module, one sentence each."""
    layer, *inside = module.split(".")[1:]
    if layer not in MAY_IMPORT:
        return [f"{module}: no layer is called {layer!r}; MAY_IMPORT in this test lists them"]
    game = inside[0] if layer == "games" and (inside[1:] or (inside and package)) else None
    found = []
    for line, name, typing_only in imports(source, module, package=package):
        top, *rest = name.split(".")
        if top != "preau":
            standard = top in sys.stdlib_module_names or (typing_only and top in FOR_TYPES_ONLY)
            wrong = layer in STANDARD_LIBRARY_ONLY and not standard
        elif not rest or rest[0].startswith("__"):
            wrong = True  # the package's front door is for its users
        elif rest[0].startswith("_"):
            wrong = False  # a private module beside the layers
        elif game and rest[0] == "games":
            wrong = rest[1:2] != [game] and not "".join(rest[1:2]).startswith("_")
        else:
            wrong = rest[0] != layer and rest[0] not in MAY_IMPORT[layer]
        if wrong:
            found.append(f"{module}:{line} may not import {name}")
    return found


def modules() -> Iterator[tuple[str, str, bool]]:
    """Yield the source, the name and whether it is a package of every module in a layer."""
    for path in sorted((SOURCES / "preau").rglob("*.py")):
        package = path.name == "__init__.py"
        parts = path.relative_to(SOURCES).with_suffix("").parts
        module = parts[:-1] if package else parts
        if len(module) == 1 or module[1].startswith("_"):
            continue  # preau/__init__.py, preau/__main__.py and private modules beside the layers
        yield path.read_text(encoding="utf-8"), ".".join(module), package


def test_imports_point_one_way():
    found = [fault for source, module, package in modules() for fault in faults(source, module, package=package)]
    assert found == []


def server_part(name: str) -> str | None:
    """Return the part of the server that a module or a name in it belongs to; None outside the server.

    >>> server_part("preau.server.commands.moves"), server_part("preau.server.logs"), server_part("preau.table.log")
    ('tables', 'base', None)
    """
    top, layer, part = (*name.split("."), "", "", "")[:3]
    if (top, layer) != ("preau", "server") or not part:
        return None
    return "base" if part in BASE else part


def imported_parts(source: str, module: str, *, package: bool = False) -> dict[str, list[str]]:
    """Return the other parts of the server that a module of it imports, each with a sentence per import."""
    found: dict[str, list[str]] = {}
    for line, name, _ in imports(source, module, package=package):
        part = server_part(name)
        if part not in (None, server_part(module)):
            found.setdefault(str(part), []).append(f"{module}:{line} imports {name}")
    return found


def test_server_packages_import_exactly_what_is_listed():
    found: dict[str, set[str]] = {part: set() for part in SERVER_MAY_IMPORT}
    wrong = []
    for source, module, package in modules():
        part = server_part(module)
        if part is None:
            continue
        for other, sentences in imported_parts(source, module, package=package).items():
            found.setdefault(part, set()).add(other)
            if other not in SERVER_MAY_IMPORT.get(part, set()):
                wrong += sentences
    assert wrong == []
    assert found == SERVER_MAY_IMPORT


def test_server_packages_have_no_import_cycle():
    order = TopologicalSorter(SERVER_MAY_IMPORT).static_order()
    assert set(order) == set(SERVER_MAY_IMPORT)


def test_layers_import_exactly_what_is_listed():
    found: dict[str, set[str]] = {}
    for source, module, package in modules():
        layer = module.split(".")[1]
        parts = [name.split(".") for _, name, _ in imports(source, module, package=package)]
        others = {part[1] for part in parts if part[0] == "preau" and len(part) > 1 and not part[1].startswith("_")}
        found.setdefault(layer, set()).update(others - {layer})
    assert found == MAY_IMPORT
    assert list(TopologicalSorter(MAY_IMPORT).static_order())


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("preau.core.state", "from preau.games.recess import rules"),
        ("preau.core.state", "from preau import bots"),
        ("preau.core.state", "from .. import games"),
        ("preau.core.state", "import preau"),
        ("preau.core.state", "from preau import __version__"),
        ("preau.core.state", "import numpy"),
        ("preau.core.state", "def later():\n    import preau.cli"),
        ("preau.core.state", "from mypy_extensions import i64"),
        ("preau.games.cour.rules", "from ..recess import rules"),
        ("preau.games.cour.rules", "import preau.games.recess"),
        ("preau.games.cour.rules", "from preau.games import GAMES"),
        ("preau.bots.greedy", "from preau.arena import ladder"),
        ("preau.table.live_game", "from ..server.storage.store import Append"),
        ("preau.bots.greedy", "from ..table import protocol"),
        ("preau.bots.greedy", "from ..review import hint"),
        ("preau.review.hint", "from ..table import protocol"),
        ("preau.learn.practice", "from ..server.storage.store import Append"),
        ("preau.arena.ladder", "from preau.server import app"),
        ("preau.arena.play", "from ..lab import report"),
        ("preau.lab.report", "from ..server import app"),
        ("preau.learn.puzzles", "from ..table import protocol"),
        ("preau.bots.levels", "from ..learn import puzzles"),
        ("preau.elsewhere.thing", ""),
    ],
)
def test_a_wrong_import_is_caught(module, source):
    assert faults(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("preau.core.state", "from .game import Game\nimport json, preau.core.game"),
        ("preau.core.state", "from preau._native import i64"),
        ("preau.core.state", "if TYPE_CHECKING:\n    from mypy_extensions import i64"),
        ("preau.games.cour.rules", "from . import cards\nfrom ...core.state import State"),
        ("preau.games.cour.rules", "from preau.games._cards import Deck"),
        ("preau.games.catalogue", "from .cour import rules\nfrom .recess import rules"),
        ("preau.bots.greedy", "import numpy\nfrom preau.games import load"),
        ("preau.table.live_game", "import msgspec\nfrom ..core.state import State"),
        ("preau.server.commands.moves", "from ...table.live_game import LiveGame"),
        ("preau.cli.main", "from preau.server import app"),
    ],
)
def test_a_right_import_passes(module, source):
    assert faults(source, module) == []


def imported_test_modules(source: str, module: str, *, package: bool = False) -> list[str]:
    """Return one sentence per import of a test module in the source of `module`."""
    return [
        f"{module}:{line} imports {name}; shared code belongs into a module without tests"
        for line, name, _ in imports(source, module, package=package)
        if any(part.startswith("test_") for part in name.split("."))
    ]


def test_no_test_module_imports_another():
    found = []
    for path in sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("examples/*/tests/**/*.py")]):
        package = path.name == "__init__.py"
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(parts[:-1] if package else parts)
        found += imported_test_modules(path.read_text(encoding="utf-8"), module, package=package)
    assert found == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("tests.server.test_remote_events", "from tests.server.test_deadlines import DAY"),
        ("tests.server.test_remote_events", "from tests.server import test_clocks"),
        ("tests.server.test_remote_events", "import tests.server.test_deadlines as clocks"),
        ("tests.server.test_remote_events", "from .test_clocks import DAY"),
        ("tests.server.test_remote_events", "from . import test_clocks"),
        ("tests.server.test_remote_events", "from ..table.test_contest import tied"),
        ("tests.server.test_remote_events", "def test():\n    from tests.server.test_deadlines import DAY"),
        ("tests.server.test_remote_events", "if TYPE_CHECKING:\n    from tests.server.test_deadlines import DAY"),
        ("tests.server.players", "from tests.server.test_deadlines import DAY"),
        ("examples.soleil.tests.test_more", "from test_soleil import play"),
    ],
)
def test_an_import_of_a_test_module_is_caught(module, source):
    assert imported_test_modules(source, module)


@pytest.mark.parametrize(
    "source",
    [
        "from tests.server.players import Player",
        "from tests.support import PATIENCE",
        "from preau import testing\nfrom pytest import raises",
    ],
)
def test_an_import_of_shared_test_code_passes(source):
    assert imported_test_modules(source, "tests.server.test_remote_events") == []


@pytest.mark.parametrize(
    ("module", "source", "part"),
    [
        ("preau.server.storage.store", "from ..tables.entry import TableEntry", "tables"),
        ("preau.server.commands.moves", "from ..websocket import connections", "websocket"),
        ("preau.server.transport.http_protocol", "def later():\n    from ..http import security", "http"),
        ("preau.server.logs", "from .config import Config\nfrom .services import Services", "services"),
    ],
)
def test_a_wrong_import_inside_the_server_is_caught(module, source, part):
    assert list(imported_parts(source, module)) == [part]
    assert part not in SERVER_MAY_IMPORT[str(server_part(module))]


def listed_files() -> list[str]:
    """Return the files of the repository, also new ones, by their path from its root."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


MOST_LINES = 500
CODE = {".py", ".ts", ".js", ".mjs", ".svelte", ".css"}
CODE_FOLDERS = ("src/", "web/src/", "tests/", "tools/", "benchmarks/")
LONG_FILES = {
    "src/preau/games/*/rules.py": "all rules of a game in the order of its sheet; compiled as one module",
    "src/preau/games/*/views.py": "all views of a game",
    "src/preau/games/*/shapes.py": "all that leaves a game; its TypeScript is generated from this one module",
    "tests/oracle/*_oracle.py": "a second, literal reading of a rule sheet, to be read beside it",
    "tests/saved/make.py": "one script that runs alone, in checkouts of earlier commits",
    "web/src/lib/net/protocol.ts": "generated",
}
"""Patterns of files that may be longer, and why."""

MOST_FILES = 16
FILED = ("src/preau/server", "web/src/lib", "web/src/parts", "web/src/screens")
FULL_FOLDERS: dict[str, str] = {}
"""Folders that may hold more files, and why."""


def long_files(lines: dict[str, int]) -> list[str]:
    """Return the code files that are too long and match no pattern of `LONG_FILES`."""
    return [
        f"{name}: {count} lines"
        for name, count in lines.items()
        if count > MOST_LINES
        and name.startswith(CODE_FOLDERS)
        and PurePosixPath(name).suffix in CODE
        and not any(fnmatchcase(name, pattern) for pattern in LONG_FILES)
    ]


def full_folders(names: list[str]) -> list[str]:
    """Return the folders with too many files directly in them; tests beside the code and `__init__.py` do not count."""
    folders = Counter(
        str(path.parent)
        for path in map(PurePosixPath, names)
        if path.suffix in CODE
        and path.name != "__init__.py"
        and not path.stem.endswith(".test")
        and any(path.is_relative_to(folder) for folder in FILED)
    )
    return [f"{folder}: {count} files" for folder, count in folders.items() if count > MOST_FILES]


def test_no_source_file_is_too_long():
    lines = {name: (ROOT / name).read_bytes().count(b"\n") for name in listed_files() if name.startswith(CODE_FOLDERS)}
    assert long_files(lines) == []
    long = [name for name, count in lines.items() if count > MOST_LINES]
    assert [pattern for pattern in LONG_FILES if not any(fnmatchcase(name, pattern) for name in long)] == []


def test_no_folder_has_too_many_files():
    full = full_folders(listed_files())
    assert [found for found in full if found.partition(":")[0] not in FULL_FOLDERS] == []
    assert {found.partition(":")[0] for found in full} >= set(FULL_FOLDERS)


def test_a_long_file_and_a_full_folder_are_found():
    assert long_files({"src/preau/server/app.py": 501}) == ["src/preau/server/app.py: 501 lines"]
    assert long_files({"src/preau/server/app.py": 500, "docs/page.md": 900, "src/preau/games/cour/rules.py": 900}) == []
    many = [f"web/src/lib/net/part{number}.ts" for number in range(MOST_FILES)]
    assert full_folders([*many, "web/src/lib/net/part0.test.ts", "web/src/lib/net/data.json"]) == []
    assert full_folders([*many, "web/src/lib/net/more.ts"]) == ["web/src/lib/net: 17 files"]


def test_no_address_of_a_package_registry():
    """A clone installs from whichever registry its machine is set up for."""
    addresses = [  # in pieces, so that this file passes
        "py" + "pi.org",
        "python" + "hosted.org",
        "registry.npm" + "js.org",
        "registry.yarn" + "pkg.com",
        '"resol' + 'ved":',
    ]
    found = []
    for name in listed_files():
        text = (ROOT / name).read_text(encoding="utf-8", errors="ignore")
        found += [f"{name}: {address}" for address in addresses if address in text]
    assert found == []
