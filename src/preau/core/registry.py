"""Finding a game by its id.

Games come from sources: the folder `preau.games` is one, installed packages with an entry point in the group
`preau.games` are another. A package with anything wrong in it, also in an optional file, is left out and remembered in
`broken`, with the file and the reason; all other games work. Tests may register games of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import DataError, PreauError, UnknownGame, said
from .game import Game
from .state import State
from .texts import LANGUAGES, Texts

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "preau.games"
NO_GAME = "no_game"
"""The key of refusals of a game that is not there."""
Source = Callable[[str], Game | None]
Check = Callable[[Game], None]

PARTS = ("views", "why", "diagram", "shapes", "sampler", "observe", "reasons", "gallery", "lab", "themes")
"""The modules of a game that are otherwise imported when they are first needed."""

_games: dict[str, Game] = {}
_sources: list[tuple[Callable[[], list[str]], Source]] = []
_checks: list[Check] = []


def register(game: Game) -> None:
    """Make a game known under its id."""
    _games[game.id] = game


def add_source(names: Callable[[], list[str]], source: Source) -> None:
    """Make a whole shelf of games known: `names` lists them, `source` imports one when it is first wanted."""
    _sources.append((names, source))


def add_check(check: Check) -> None:
    """Have the games of packages checked by another layer, too; the check raises an error for what cannot be used."""
    _checks.append(check)


def game_ids() -> list[str]:
    """The ids of all games: those that ship, and those of installed packages."""
    found = {*_games, *_packages()[0]}
    for names, _ in _sources:
        found.update(names())
    return sorted(found)


def on_offer() -> list[Game]:
    """All games in the order they are offered in: by `order` of their facts, then by id."""
    return sorted(map(find_game, game_ids()), key=lambda game: (game.facts.order, game.id))


def broken() -> Mapping[str, str]:
    """Installed packages of games that cannot be used, by the name of their entry point, and why."""
    return _packages()[1]


def find_game(name: str) -> Game:
    """The game with this id. Raises `UnknownGame`, which says what there is.

    >>> find_game("recess").seats
    (3, 4, 5)
    >>> find_game("chess")
    Traceback (most recent call last):
    preau.core.errors.UnknownGame: game: there is no game 'chess'. There are bagarre, cour, recess.
    """
    wanted = name.strip().lower()
    if wanted in _games:
        return _games[wanted]
    for _, source in _sources:
        game = source(wanted)
        if game is not None:
            register(game)
            return game
    games, faults = _packages()
    if wanted in games:
        return games[wanted]
    if wanted in faults:
        why = f"the package of {name!r} cannot be used: {faults[wanted]}"
        raise UnknownGame(why, field="game", key=NO_GAME, hint=_known())
    raise UnknownGame(f"there is no game {said(name)}", field="game", key=NO_GAME, hint=_known())


def load_position(game: str, data: Mapping[str, Any]) -> State:
    """A position out of another process."""
    return find_game(game).load(data)


def _known() -> str:
    return "There are " + ", ".join(game_ids()) + "."


@cache
def _packages() -> tuple[dict[str, Game], dict[str, str]]:
    """The games of installed packages, and what is wrong with those that cannot be used."""
    from importlib.metadata import entry_points  # it brings in threads, which not every place has

    games: dict[str, Game] = {}
    faults: dict[str, str] = {}
    shipped = {name for names, _ in _sources for name in names()}
    for entry in entry_points(group=GROUP):
        try:
            game = _open(entry)
            if game.id in shipped or game.id in games:
                raise PreauError(f"there is a game {game.id!r} already")
            games[game.id] = game
        except Exception as error:  # whatever a package does wrong, the other games work
            faults[entry.name] = f"{type(error).__name__}: {error}" if not isinstance(error, PreauError) else str(error)
    return games, faults


def _open(entry: EntryPoint) -> Game:
    """Load the game of a package and read all its files, so that none of them can fail later."""
    game = entry.load()
    if not isinstance(game, Game):
        raise PreauError(f"{entry.value} is no Game", hint="Name the object, as in package.game:GAME.")
    if game.id != entry.name or not game.id.isidentifier() or not game.id.islower():
        raise PreauError(f"the entry point is called {entry.name!r} and the game {game.id!r}", hint="Use one name.")
    for language in LANGUAGES:
        if language not in game.titles:
            raise DataError("there is no title in this language", field=f"titles: {language}")
        game.texts(language)
        if (game.folder / "texts" / "lab").is_dir():
            Texts.read(game.folder / "texts" / "lab", language)
    _ = game.facts, game.lessons, game.challenge, game.book
    for part in PARTS:
        with _file(f"{part}.py"):
            if game.has_part(part):
                game.part(part)
    with _file("gallery.py"):
        _ = game.gallery
    with _file("themes.py"):
        _ = game.themes, game.tables
    if game.picture is not None:
        with _file(game.picture.name):
            _check_picture(game.picture.read_bytes())
    with _file("facts.json: usual"):
        game.start(game.facts.usual.seats, game.facts.usual.options)
    if game.challenge is not None:
        with _file("challenge.json"):
            game.start(game.challenge.seats, game.challenge.options, seed=1)
    for check in _checks:
        check(game)
    return game


@contextmanager
def _file(name: str) -> Iterator[None]:
    """Name the file in any error that is raised in the block."""
    try:
        yield
    except Exception as error:
        reason = str(error) if isinstance(error, PreauError) else f"{type(error).__name__}: {error}"
        raise DataError(reason, field=name) from error


def _check_picture(data: bytes) -> None:
    from xml.etree import ElementTree

    if not ElementTree.fromstring(data).tag.endswith("svg"):
        raise DataError("it is no SVG picture")
