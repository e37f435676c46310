"""The version of the package, for every layer."""

from __future__ import annotations

from importlib import import_module


def version() -> str:
    """Return the version of the package."""
    return str(import_module(__name__.partition(".")[0]).__version__)
