"""Finding a game by its id.

Games come from sources: the folder `preau.games` is one, installed packages with an entry point in the group
`preau.games` are another. A package with anything wrong in it, also in an optional file, is left out and remembered in
`broken`, with the file and the reason; all other games work. Tests may register games of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from .errors import DataError, PreauError, UnknownGame, said
from .game import Game
from .installed import installed, package_of, reading, reason_of
from .options import Option
from .plain import plain
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

DECLARED: Mapping[str, type] = {
    "titles": Mapping,
    "seats": Sequence,
    "rules_version": str,
    "turn_rule": str,
    "secrets": bool,
    "options": Sequence,
    "folder": Path,
}
"""What the class of a game declares, with the types that the rest of Préau relies on."""

_games: dict[str, Game] = {}
_sources: list[tuple[Callable[[], list[str]], Source]] = []
_checks: list[Check] = []


def register(game: Game) -> None:
    """Make a game known under its id."""
    _games[game.id] = game


def unregister(name: str) -> None:
    """Forget the game with this id that was made known with `register`."""
    _games.pop(name, None)


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


def leave_out(game: Game, error: BaseException) -> None:
    """Leave out the game of a package that turns out to be unusable after it was opened. A game that does not come
    from a package has no fault that may be passed over: its error is raised again.
    """
    games, faults = _packages()
    if games.pop(game.id, None) is not game:
        raise error
    faults[game.id] = reason_of(error, _package(game))


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
    found = installed(GROUP)
    games: dict[str, Game] = {}
    faults = found.faults
    shipped = {name for names, _ in _sources for name in names()}
    for entry in found.entries:
        try:
            if entry.name in shipped or entry.name in games:
                raise PreauError(f"there is a game {entry.name!r} already")
            games[entry.name] = _open(entry)
        except (Exception, SystemExit) as error:  # whatever a package does wrong, the other games work
            faults[entry.name] = reason_of(error, package_of(entry))
    return games, faults


def _open(entry: EntryPoint) -> Game:
    """Load the game of a package and read all its files, so that none of them can fail later."""
    named = entry.value.partition(":")[0].strip().replace(".", "_").isidentifier()
    game = entry.load() if named else None
    if not isinstance(game, Game):
        raise PreauError(f"{entry.value} is no Game", hint="Name the object, as in package.game:GAME.")
    file = partial(reading, package=_package(game))
    with file(f"{type(game).__module__.rpartition('.')[2]}.py"):
        _check_description(game, entry.name)
    for language in LANGUAGES:
        with file(f"texts/{language}.json"):
            _check_texts(game.texts(language))
        if (game.folder / "texts" / "lab").is_dir():
            with file(f"lab/{language}.json"):
                _check_texts(Texts.read(game.folder / "texts" / "lab", language))
    for name in ("facts", "lessons", "challenge", "book"):
        with file(f"{name}.json"):
            getattr(game, name)
    for part in PARTS:
        with file(f"{part}.py"):
            if game.has_part(part):
                game.part(part)
    with file("gallery.py"):
        _ = game.gallery
    with file("themes.py"):
        _ = game.themes, game.tables
    if game.picture is not None:
        with file(game.picture.name):
            _check_picture(game.picture.read_bytes())
    with file("facts.json: usual"):
        state = game.start(game.facts.usual.seats, game.facts.usual.options)
    for part, ask in _ASKED.items():
        with file(f"{part}.py"):
            if game.has_part(part):
                ask(game, state)
    if game.challenge is not None:
        with file("challenge.json"):
            game.start(game.challenge.seats, game.challenge.options, seed=1)
    for check in _checks:
        check(game)
    return game


def _package(game: Game) -> str:
    """The package that the class of a game is in."""
    return type(game).__module__.partition(".")[0]


def _check_description(game: Game, name: str) -> None:
    """Check what the class of a game declares, against its entry point and the declared types."""
    known = getattr(game, "id", None)
    if not isinstance(known, str) or known != name or not known.isidentifier() or not known.islower():
        raise PreauError(f"the entry point is called {name!r} and the game {known!r}", hint="Use one name.")
    for field, kind in DECLARED.items():
        value = getattr(game, field, None)
        if not isinstance(value, kind):
            raise DataError(f"it is a {kind.__name__}, not {said(value)}", field=field)
    if not game.seats or not all(type(number) is int for number in game.seats):
        raise DataError("it lists the numbers of seats", field="seats")
    if not all(isinstance(option, Option) for option in game.options):
        raise DataError("it lists options", field="options")
    for language in LANGUAGES:
        if not isinstance(game.titles.get(language), str):
            raise DataError("there is no title in this language", field=f"titles: {language}")
    shown = {"rules_version": game.rules_version, "turn_rule": game.turn_rule}
    shown |= {f"titles: {language}": title for language, title in game.titles.items()}
    shown |= {f"options: {one.name}": " ".join((one.en, one.fr, one.rule, one.allowed)) for one in game.options}
    for field, text in shown.items():
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise DataError("there is half a character in it", field=field)


def _ask_views(game: Game, state: State) -> None:
    """Write a position in all ways, and read it back."""
    for viewer in (None, *range(state.seats)):
        state.view(viewer)
        state.prompt(viewer)
    if game.load(plain(state.to_json())) != state:
        raise DataError("a position that is written and read back is another one")


def _ask_sampler(game: Game, state: State) -> None:
    """Draw a position from the view of each seat."""
    for seat in range(state.seats):
        game.sampler(plain(state.view(seat))).draw(Random(0))


def _ask_diagram(game: Game, state: State) -> None:
    """Draw the position for all viewers."""
    for viewer in (None, *range(state.seats)):
        state.diagram(viewer)


def _ask_observe(game: Game, state: State) -> None:
    """Write the position as numbers."""
    for seat in range(state.seats):
        game.observe(state, seat)


_ASKED: Mapping[str, Callable[[Game, State], None]] = {
    "views": _ask_views,
    "diagram": _ask_diagram,
    "observe": _ask_observe,
    "sampler": _ask_sampler,
}
"""What is asked of the modules of a package about the first position of its usual table."""


def _check_texts(texts: Texts) -> None:
    """Raise the first fault of some texts."""
    for key, reason in texts.faults():
        raise DataError(reason, field=key)


def _check_picture(data: bytes) -> None:
    from xml.etree import ElementTree

    if not ElementTree.fromstring(data).tag.endswith("svg"):
        raise DataError("it is no SVG picture")
