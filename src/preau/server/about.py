"""Which version of Préau this is."""

from __future__ import annotations

from importlib import import_module


def version() -> str:
    """The version of the package."""
    return str(import_module(__name__.partition(".")[0]).__version__)
