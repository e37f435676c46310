"""Puzzles: positions out of bots' games in which something can be found, with the proof that it is there.

They are data of a game (`puzzles.json` of its folder), made by `preau puzzles make` and proven again by `preau puzzles
check`. A puzzle holds the whole position, so that it can be played on; the proof uses only what the seat knows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..core.errors import DataError, SetupError, said
from ..core.game import Game
from ..core.json_file import read_json
from ..core.registry import find_game
from ..core.state import Json, State
from ..core.themes import Theme

FILE = "puzzles.json"
DIFFICULTIES = (1, 2, 3)

Kind = Literal["turn", "count", "chance"]
"""How a puzzle is proven."""
Verdict = Literal["open", "reached", "lost"]


class Puzzle(NamedTuple):
    """One puzzle."""

    id: str
    game: str
    theme: str
    task: Mapping[str, Any]
    """The parameters of what is asked."""
    difficulty: int
    seat: int
    position: Mapping[str, Any]
    best: tuple[str, ...]
    """Every first action that solves it."""
    line: tuple[str, ...]
    """One solution from the first action to the last."""
    proof: Mapping[str, Any]
    """How it is proven: `kind`, and the figures that came out."""
    source: Mapping[str, Any]
    """The bots' game it is from."""

    def state(self) -> State:
        """The position."""
        return find_game(self.game).load(self.position)

    def about(self) -> Theme:
        """What it is about."""
        return theme_of(find_game(self.game), self.theme)

    def title(self, language: str) -> str:
        """The name of its theme."""
        return find_game(self.game).texts(language).say(f"puzzle.{self.theme}")

    def sentence(self, language: str, names: Sequence[str] = ()) -> str:
        """What is asked, said to the one in the seat."""
        texts = find_game(self.game).texts(language)
        asked = texts.say(f"puzzle.{self.theme}.task", {**self.task, "seat": self.seat}, names, self.seat)
        more = f"puzzle.{self.theme}.more"
        return f"{asked} {texts.say(more)}" if more in texts else asked

    def to_json(self) -> Json:
        """The puzzle as it stands in the file, which names the game at its head."""
        return {
            "id": self.id,
            "theme": self.theme,
            "task": dict(self.task),
            "difficulty": self.difficulty,
            "seat": self.seat,
            "position": dict(self.position),
            "best": list(self.best),
            "line": list(self.line),
            "proof": dict(self.proof),
            "source": dict(self.source),
        }


class Collection(NamedTuple):
    """All puzzles of a game, and the command that made them."""

    game: str
    rules: str
    made_by: str
    puzzles: tuple[Puzzle, ...]

    def dump(self) -> str:
        """The text of the file: a line for each puzzle."""
        head = {"game": self.game, "rules": self.rules, "made_by": self.made_by}
        rows = ",\n".join(_compact(puzzle.to_json()) for puzzle in self.puzzles)
        return f'{_compact(head)[:-1]},"puzzles":[\n{rows}\n]}}\n'


def identity(game: str, theme: str, task: Json, seat: int, position: Json) -> str:
    """The id of a puzzle: it follows from what is asked, so that no two puzzles are alike."""
    asked = json.dumps([game, theme, task, seat, position], sort_keys=True)
    return sha256(asked.encode()).hexdigest()[:8]


def theme_of(game: Game, name: str) -> Theme:
    """A theme by its name."""
    if name not in game.themes:
        known = ", ".join(game.themes)
        raise DataError(f"{game.id} has no theme {name!r}", field="theme", hint=f"There are {known}." if known else "")
    return game.themes[name]


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game; none, if it has none.

    >>> first = puzzles("recess")[0]
    >>> first.best[0] in [action.text for action in first.state().legal(first.seat)]
    True
    """
    return puzzles_of(find_game(game))


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """Read the puzzles of a game that need not be registered; none, if it has none."""
    path = game.folder / FILE
    return read(path, game).puzzles if path.is_file() else ()


def find(name: str, among: Sequence[str]) -> Puzzle:
    """The puzzle with this id, among those of some games."""
    for game in among:
        for puzzle in puzzles(game):
            if puzzle.id == name.strip().lower():
                return puzzle
    raise SetupError(f"there is no puzzle {name!r}", field="ID", hint="`preau puzzles list GAME` shows them.")


def read(path: Path, game: Game | None = None) -> Collection:
    """The puzzles in a file, of this game if one is given. Raises a `DataError` that says what is wrong and where."""
    try:
        data = read_json(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}", field="file") from None
    except ValueError as error:
        raise DataError(f"{path} is no JSON: {error}", field="file") from None
    if not isinstance(data, dict) or not isinstance(data.get("puzzles"), list):
        raise DataError(f"{path} holds no puzzles", field="puzzles", hint="It is made by `preau puzzles make GAME`.")
    for field in ("game", "rules", "made_by"):
        if not isinstance(data.get(field), str):
            raise DataError(f"{path} does not say it", field=field, hint="It is a text at the head of the file.")
    if game is None:
        game = find_game(data["game"])
    if data["game"] != game.id:
        raise DataError(f"{path} holds puzzles of {said(data['game'])}", field="game", hint=f"This is {game.id}.")
    if data["rules"] != game.rules_version:
        raise DataError(
            f"{path} is for version {data['rules']!r} of the rules",
            field="rules",
            hint=f"They are at {game.rules_version!r}: remove the file and make the puzzles again.",
        )
    found = tuple(_read_one(game, row, f"puzzles[{number}]") for number, row in enumerate(data["puzzles"]))
    return Collection(game.id, data["rules"], data["made_by"], found)


_FIELDS: Mapping[str, type] = {
    "id": str,
    "theme": str,
    "task": dict,
    "difficulty": int,
    "seat": int,
    "position": dict,
    "best": list,
    "line": list,
    "proof": dict,
    "source": dict,
}


def _read_one(game: Game, row: Any, where: str) -> Puzzle:
    if not isinstance(row, dict) or set(row) != set(_FIELDS):
        raise DataError("this is no puzzle", field=where, hint=f"It has the fields {', '.join(_FIELDS)}.")
    for field, kind in _FIELDS.items():
        if not isinstance(row[field], kind):
            raise DataError(f"this is no {kind.__name__}", field=f"{where}.{field}")
    theme_of(game, row["theme"])
    if row["difficulty"] not in DIFFICULTIES:
        raise DataError(
            f"{row['difficulty']} is no difficulty", field=f"{where}.difficulty", hint="They are 1, 2 and 3."
        )
    for field in ("best", "line"):
        if not row[field] or not all(isinstance(text, str) for text in row[field]):
            raise DataError("it is a list of actions, at least one", field=f"{where}.{field}")
    return Puzzle(**{**row, "game": game.id, "best": tuple(row["best"]), "line": tuple(row["line"])})


def _compact(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
