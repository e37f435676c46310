"""Choosing between the compiled rules and the plain ones; they are the same source."""

from __future__ import annotations

import os
import sys
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any


class PlainFinder:
    """Finds the modules below one package as Python sources, passing over compiled ones (a meta path finder)."""

    def __init__(self, package: str) -> None:
        self.prefix = package + "."

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        """The source module `fullname`, if it lies below the package."""
        if not fullname.startswith(self.prefix) or path is None:
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, [".py"])).find_spec(fullname, target)
            if spec is not None:
                return spec
        return None


def plain_wanted() -> bool:
    """Whether the environment variable PREAU_PLAIN asks for plain Python."""
    return os.environ.get("PREAU_PLAIN", "") not in ("", "0")


def use_plain_if_asked(package: str) -> None:
    """With the environment variable PREAU_PLAIN set, run the rules as plain Python."""
    if plain_wanted():
        sys.meta_path.insert(0, PlainFinder(package))


def is_compiled(cls: type) -> bool:
    """Whether a class comes from a compiled module."""
    module = sys.modules[cls.__module__]
    return not str(getattr(module, "__file__", "")).endswith((".py", ".pyc"))
