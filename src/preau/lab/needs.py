"""The libraries that only the lab needs, and what to do where they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..core.errors import SetupError


def need(name: str) -> Any:
    """A library by name, or a refusal that says how to get it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise SetupError(f"{error.name} is not installed", hint="pip install 'preau[lab]'") from None
