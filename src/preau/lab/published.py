"""The studies that ship with the product, as `python -m tools.studies` made them (`studies/<name>.json`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from ..core.state import Json

FOLDER = Path(__file__).parent / "studies"


@cache
def studies() -> dict[str, Json]:
    """All published reports by name: those that compare two sets of rules first, then game by game.

    >>> "shove" in studies()
    True
    """
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    return dict(sorted(found.items(), key=lambda one: (-len(one[1]["arms"]), one[1]["game"], one[1]["seats"], one[0])))
