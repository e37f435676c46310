"""Finding the judge of a game and its weights.

They lie in this folder (`<game>.py` and `<game>.json`), or in the package that the game comes in: an entry point in
the group `preau.judges`, called as the game is, names the module, and `<game>.json` lies beside it. A game without
either is judged by its scores.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ...core.installed import package_of, reason_of
from ...core.state import Json
from ..packages import brought, load, unusable
from .base import Judge

GROUP = "preau.judges"
FOLDER = Path(__file__).parent
_ANY_GAME: Json = {"weights": {"spread": 2.0}, "made_by": "by hand", "levels": {}}


@cache
def data(game: str) -> Json:
    """What the data file of a game says: `weights`, `levels`, and `made_by`, the command that made the weights."""
    path = file(game)
    if path is None:
        return _ANY_GAME
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def file(game: str) -> Path | None:
    """The data file of a game's judge, if it has one. Raises a `SetupError` if a package brings one that is no use."""
    shipped = FOLDER / f"{game}.json"
    return shipped if shipped.is_file() else _packaged(game)


def names(game: str) -> Sequence[str]:
    """What the weights of a game are called, in their order."""
    return tuple(data(game)["weights"])


def judge(game: str, weights: Sequence[float] | None = None) -> Judge:
    """A judge for a game, with weights of its own or with those of its data file; the latter is everybody's."""
    if weights is None:
        return _usual(game)
    chosen = [float(one) for one in weights]
    made: Judge = _module(game).JUDGE(chosen) if file(game) is not None else Judge(chosen)
    return made


def forget() -> None:
    """Read all files again when they are next wanted."""
    for found in (data, file, _usual):
        found.cache_clear()


@cache
def _usual(game: str) -> Judge:
    """One for all seats of this process: what a judge remembers is true for all of them."""
    return judge(game, list(data(game)["weights"].values()))


def _module(game: str) -> Any:
    if (FOLDER / f"{game}.json").is_file():
        found = import_module(f".{game}", __package__)
        assert names(game) == tuple(found.NAMES), f"{game}.json names other weights than {game}.py"
        return found
    entry = brought(GROUP, game)
    assert entry is not None
    return load(entry)


def _packaged(game: str) -> Path | None:
    """The data file that a package brings, looked at far enough to be used."""
    entry = brought(GROUP, game)
    if entry is None:
        return None
    module = load(entry)
    try:
        path = Path(module.__file__).with_name(f"{game}.json")
        found = json.loads(path.read_text(encoding="utf-8"))
        weights = [float(one) for one in found["weights"].values()]
        if tuple(found["weights"]) != tuple(module.NAMES):
            raise ValueError(f"{path.name} names other weights than NAMES")
        if not isinstance(found["levels"], dict):
            raise TypeError(f"levels in {path.name} are no object")
        if not isinstance(module.JUDGE(weights), Judge):
            raise TypeError("JUDGE makes no Judge")
    except (Exception, SystemExit) as error:  # whatever a package does wrong
        raise unusable(entry, reason_of(error, package_of(entry))) from error
    return path
