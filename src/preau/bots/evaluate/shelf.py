"""Finding the judge of a game and its weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ...core.state import Json
from .base import Judge

FOLDER = Path(__file__).parent
_ANY_GAME: Json = {"weights": {"spread": 2.0}, "made_by": "by hand", "levels": {}}


@cache
def data(game: str) -> Json:
    """What the data file of a game says: `weights`, `levels`, and `made_by`, the command that made the weights."""
    path = FOLDER / f"{game}.json"
    if not path.is_file():
        return _ANY_GAME
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def names(game: str) -> Sequence[str]:
    """What the weights of a game are called, in their order."""
    return tuple(data(game)["weights"])


def judge(game: str, weights: Sequence[float] | None = None) -> Judge:
    """A judge for a game, with the weights of its data file or others."""
    chosen = [float(one) for one in (data(game)["weights"].values() if weights is None else weights)]
    if data(game) is _ANY_GAME:
        return Judge(chosen)
    module: Any = import_module(f".{game}", __package__)
    made: Judge = module.JUDGE(chosen)
    assert tuple(data(game)["weights"]) == tuple(module.NAMES), f"{game}.json names other weights than {game}.py"
    return made
