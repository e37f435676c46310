"""Préau: three school-yard games, their rules, and everything to play and study them.

>>> import preau
>>> match = preau.new("recess", seats=4, seed=7)
>>> match.to_act
(0,)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _build

_build.use_plain_if_asked(__name__)

from . import games  # noqa: E402
from .core import (  # noqa: E402
    NATURE,
    REFEREE,
    Action,
    Event,
    Game,
    Match,
    PreauError,
    Record,
    Result,
    State,
    find_game,
    game_ids,
    read_records,
    registry,
)

if TYPE_CHECKING:
    from .bots import play
    from .review import hint, review_game

__version__ = "0.1.0"

__all__ = [
    "NATURE",
    "REFEREE",
    "Action",
    "Event",
    "Game",
    "Match",
    "PreauError",
    "Record",
    "Result",
    "State",
    "compiled",
    "game",
    "game_ids",
    "games",
    "hint",
    "new",
    "play",
    "read_records",
    "review_game",
]

compiled: bool = _build.is_compiled(State)
"""Whether the rules run compiled; they give the same results either way."""


def game(name: str) -> Game:
    """The game with this id; a game of an installed package, too.

    >>> import preau
    >>> preau.game_ids()[:3], preau.game("recess").titles["fr"]
    (['bagarre', 'cour', 'recess'], 'Récré !')
    """
    return find_game(name)


def new(name: str, seats: int | None = None, options: dict[str, Any] | None = None, seed: int | None = None) -> Match:
    """A new match of a game; it plays nature itself and keeps the record. The same seed gives the same luck.

    >>> import preau
    >>> match = preau.new("cour", seats=3, seed=7)
    >>> while not match.over:
    ...     seat = match.to_act[0]
    ...     events = match.apply(seat, match.legal(seat)[0])
    >>> len(match.result().scores), match.record.verify().over
    (3, True)
    """
    return Match.new(find_game(name), seats, options, seed)


def _check_package(game: Game) -> None:
    """Read what the package of a game brings for bots and puzzles."""
    from .bots.registry import check_package
    from .core.installed import reading
    from .learn.puzzles import FILE, puzzles_of

    check_package(game)
    with reading(FILE, type(game).__module__.partition(".")[0]):
        puzzles_of(game)


registry.add_check(_check_package)


def __getattr__(name: str) -> Any:
    if name == "play":
        from .bots import play

        return play
    if name == "hint":
        from .review import hint

        return hint
    if name == "review_game":
        from .review import review_game

        return review_game
    if name == "review":
        return import_module(".review", __name__)  # the package, imported when it is first used
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
