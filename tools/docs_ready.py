"""For the reference: what was read from the source is made ready to be shown. Loaded by mkdocstrings (mkdocs.yml)."""

from __future__ import annotations

from typing import Any

import griffe

from tools.docs_reference import fenced


class Ready(griffe.Extension):  # type: ignore[misc]
    """Puts examples in docstrings between fences, and says of fields what their class is made from."""

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """Called when all of a package has been read."""
        waiting = [pkg]
        while waiting:
            found = waiting.pop()
            if found.is_alias:
                continue
            if found.docstring is not None:
                found.docstring.value = fenced(found.docstring.value)
            if found.is_attribute and str(found.value) == found.name:
                _given(found)
            waiting += found.members.values()


def _given(field: Any) -> None:
    """A field that is an argument, `self.seats = seats`: the type of the argument says more than its name."""
    field.value = None
    made = field.parent.members.get("__init__")
    if field.annotation is None and made is not None and field.name in made.parameters:
        field.annotation = made.parameters[field.name].annotation
