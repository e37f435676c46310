"""The games that ship, one folder each. A folder whose package has a `GAME` is a game; nothing else lists them.

Every folder has the same files: `data.py` (boards or cards), `actions.py` (text forms and numbering), `rules.py` (the
position and all the rules), `why.py` (why an action is refused), `views.py` (JSON in and out, prompts), `diagram.py`
(text pictures), `observe.py` (numbers for learning), `game.py` (the description), `texts/` (both languages).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from ..core.game import Game
from ..core.registry import add_source


def names() -> list[str]:
    """The ids of the games in this folder."""
    found = Path(__file__).parent.glob("*/game.py*")  # in a browser there is its bytecode alone, game.pyc
    return sorted({path.parent.name for path in found})


def _import(name: str) -> Game | None:
    if not name.isidentifier() or name not in names():
        return None
    return cast(Game, import_module(f".{name}.game", __name__).GAME)


add_source(names, _import)
