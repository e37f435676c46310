"""For the reference: examples in docstrings become blocks of code. Loaded by mkdocstrings (mkdocs.yml)."""

from __future__ import annotations

from typing import Any

import griffe

from tools.docs_reference import fenced


class Fences(griffe.Extension):  # type: ignore[misc]
    """Puts every example between fences."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Called for everything that is read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
