"""The protocol package: every module's own names are names of the package."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from preau.table import protocol

MODULES = [import_module(f"{protocol.__name__}.{one.name}") for one in iter_modules(protocol.__path__)]


def own_names(path: Path) -> set[str]:
    """Return the public names that a module defines at its top level."""
    found = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        for target in [*getattr(node, "targets", ()), *([node.target] if isinstance(node, ast.AnnAssign) else ())]:
            found.update(one.id for one in ast.walk(target) if isinstance(one, ast.Name))
    return {name for name in found if not name.startswith("_")}


def test_the_package_passes_on_every_name_of_its_modules():
    assert len(MODULES) > 5
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for name in own_names(Path(str(module.__file__))):
            homes.setdefault(name, []).append(module.__name__)
            assert getattr(protocol, name) is getattr(module, name), f"{module.__name__}.{name}"
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
