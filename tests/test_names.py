"""Nothing outside a game's folders names it, its options or its actions: a test of imports cannot see strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import preau

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / "src" / "preau"
PAGE = ROOT / "web" / "src"
GAME_FOLDERS = {PYTHON / "games", PAGE / "games"}
GAMES = [preau.game(name) for name in preau.game_ids()]
OF_CORE = {"first"}
"""Options that core itself gives to every game."""
ORDINARY = {"seat "}
"""Words that begin an action of some game, and sentences of everybody's."""


def words_of_games() -> set[str]:
    """What only the games themselves may say: their ids, the names of their options, the texts of their actions."""
    found = set()
    for game in GAMES:
        found |= {game.id} | {option.name for option in game.options if option.name not in OF_CORE}
        for action in game.actions():
            verb, *rest = action.text.split()
            found |= {action.text, f"{verb} "} if rest else set()
    return found - ORDINARY


def is_of_a_game(path: Path) -> bool:
    return path.stem in {game.id for game in GAMES}


def strings_in_python(source: str) -> Iterator[tuple[int, str]]:
    """The string literals of a module with their lines, docstrings left out."""
    tree = ast.parse(source)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def strings_in_page(source: str) -> Iterator[tuple[int, str]]:
    """The string literals of a script or component with their lines, and names of fields with a string's form."""
    for number, line in enumerate(source.splitlines(), 1):
        for found in re.finditer(r"""(["'`])((?:(?!\1).)*)\1""", line):
            yield number, found[2]
        for found in re.finditer(r"^\s*(\w+):\s", line):
            yield number, found[1]


def files_outside_games(folder: Path, *suffixes: str) -> list[Path]:
    """Return the source files of a folder that belong to no game."""
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in suffixes and not is_of_a_game(path)]
    return [path for path in found if not GAME_FOLDERS & set(path.parents)]


def python_files() -> list[Path]:
    return files_outside_games(PYTHON, ".py")


def page_files() -> list[Path]:
    return [path for path in files_outside_games(PAGE, ".ts", ".svelte") if not path.name.endswith(".test.ts")]


def test_every_layer_is_searched():
    layers = {path.relative_to(PYTHON).parts[0] for path in python_files()}
    assert {path.name for path in PYTHON.iterdir() if (path / "__init__.py").is_file()} - {"games"} <= layers
    folders = {path.relative_to(PAGE).parts[0] for path in page_files()}
    assert {"lib", "parts", "screens", "offline", "service-worker", "picture", "art"} <= folders


def test_no_string_of_a_game_stands_in_python_outside_its_folders():
    words = words_of_games()
    found = [
        f"{path.relative_to(ROOT)}:{line} {text!r}"
        for path in python_files()
        for line, text in strings_in_python(path.read_text(encoding="utf-8"))
        if text in words
    ]
    assert found == []


def test_no_string_of_a_game_stands_in_the_page_outside_its_folders():
    words = {word for word in words_of_games() if " " in word or word in {game.id for game in GAMES}}
    options = {option.name for game in GAMES for option in game.options} - OF_CORE
    found = [
        f"{path.relative_to(ROOT)}:{line} {text!r}"
        for path in page_files()
        for line, text in strings_in_page(path.read_text(encoding="utf-8"))
        if text in words or any(text in (f"option.{name}", f"{game.id}.{name}") for game in GAMES for name in options)
    ]
    assert found == []


def test_no_text_of_the_page_is_about_a_game():
    words = {game.id for game in GAMES} | {option.name for game in GAMES for option in game.options} - OF_CORE
    for language in ("en", "fr"):
        files = sorted((ROOT / "web" / "src" / "texts" / language).glob("*.json"))
        text = "\n".join(path.read_text(encoding="utf-8") for path in files)
        keys = re.findall(r'^\s*"([a-z_.0-9]+)":', text, re.MULTILINE)
        assert len(keys) > 100
        assert [
            key for key in keys if key.startswith(("game.", "option.", "chapter.")) and words & set(key.split("."))
        ] == []


@pytest.mark.parametrize("source", ['x = "bagarre"', 'if text == "point none": ...', 'text.startswith("fastest ")'])
def test_such_a_string_would_be_found(source):
    assert [text for _, text in strings_in_python(source) if text in words_of_games()]


def test_docstrings_may_give_examples():
    assert list(strings_in_python('def f():\n    """As in "recess"."""\n    return 1')) == []
