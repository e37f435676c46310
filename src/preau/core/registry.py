"""Finding a game by its id.

A game registers itself by living in a package that a `source` can import; `preau.games` is the source of the games
that ship. Tests and other packages may register games of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from .errors import UnknownGame
from .game import Game

Source = Callable[[str], Game | None]

_games: dict[str, Game] = {}
_sources: list[tuple[Callable[[], list[str]], Source]] = []


def register(game: Game) -> None:
    """Make a game known under its id."""
    _games[game.id] = game


def add_source(names: Callable[[], list[str]], source: Source) -> None:
    """Make a whole shelf of games known: `names` lists them, `source` imports one when it is first wanted."""
    _sources.append((names, source))


def game_ids() -> list[str]:
    """The ids of all games."""
    found = list(_games)
    for names, _ in _sources:
        found += [name for name in names() if name not in found]
    return sorted(found)


def find_game(name: str) -> Game:
    """The game with this id."""
    wanted = name.strip().lower()
    if wanted not in _games:
        for _, source in _sources:
            game = source(wanted)
            if game is not None:
                register(game)
                break
        else:
            raise UnknownGame(
                f"there is no game {name!r}", field="game", hint="There are " + ", ".join(game_ids()) + "."
            )
    return _games[wanted]
