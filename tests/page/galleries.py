"""What the page's search is tested with: the boxes and options of the games as the server tells them.

`python -m tests.page.galleries` writes the file anew; a test compares them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

import preau
from preau.host.catalogue import gallery_of, game_info

FILE = Path(__file__).parent / "galleries.json"


def galleries() -> dict[str, Any]:
    """By game: its gallery, and its options."""
    found = {}
    for name in preau.game_ids():
        game = preau.game(name)
        found[name] = {"gallery": gallery_of(game), "options": game_info(game).options}
    told: dict[str, Any] = msgspec.to_builtins(found)
    return told


if __name__ == "__main__":
    FILE.write_text(json.dumps(galleries(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
