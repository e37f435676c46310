"""Every text that the page asks for is there in both languages, comes with what says it, and none is left over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import preau
from preau.core import LANGUAGES
from preau.core.texts import Texts
from preau.host import refusals
from tests.page.modules import SOURCES, first_load, imports, reached, screens
from tests.support import parameters

TEXTS = SOURCES / "texts"
CASES = json.loads((Path(__file__).parent / "messages.json").read_text(encoding="utf-8"))
GAMES = preau.game_ids()
KEY = re.compile(r"""["'`]([a-z_]+\.[\w.]*)(["'`]|\$\{)""")
"""A key in quotes, or the beginning of one that is put together: `bot.${level}`."""
REASONS = SOURCES / "lib" / "text" / "error-messages.ts"
"""Is in the first load, and loads most of its words when the first thing is refused."""


@cache
def files(language: str) -> dict[str, dict[str, str]]:
    """The page's own texts by the name of their file."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((TEXTS / language).iterdir())}


@cache
def own(language: str) -> dict[str, str]:
    """The page's own texts."""
    return {key: text for messages in files(language).values() for key, text in messages.items()}


@cache
def of_game(game: str) -> frozenset[str]:
    """The keys of a game's texts."""
    return frozenset(preau.game(game).texts("en").messages)


def asked(folder: str, *, besides: str = "") -> list[tuple[str, str, bool]]:
    """Whatever looks like a key in the sources under a folder: the file, the key, whether it is all of it."""
    paths = [path for path in sorted((SOURCES / folder).rglob("*")) if path.suffix in (".ts", ".svelte")]
    return [
        one
        for path in paths
        if not path.name.endswith(".test.ts")
        if not besides or SOURCES / besides not in path.parents
        for one in asked_in(path)
    ]


@cache
def asked_in(path: Path) -> list[tuple[str, str, bool]]:
    """Whatever looks like a key in one file."""
    name = path.relative_to(SOURCES).as_posix()
    return [(name, found[1], is_whole(found)) for found in KEY.finditer(path.read_text(encoding="utf-8"))]


def is_whole(found: re.Match[str]) -> bool:
    """Whether it is a key, or only the beginning of some: `bot.${level}`, "rule."."""
    return found[2] != "${" and not found[1].endswith(".")


def missing(found: list[tuple[str, str, bool]], keys: set[str]) -> list[str]:
    """The keys that are asked for and not there, among those whose first word is one of the texts' own."""
    sections = {key.partition(".")[0] for key in keys}
    return [
        f"{path}: {key}"
        for path, key, whole in found
        if key.partition(".")[0] in sections
        if not (key in keys if whole else any(one.startswith(key) for one in keys))
    ]


def unused(found: list[tuple[str, str, bool]], keys: set[str]) -> list[str]:
    """The keys that nobody asks for."""
    return sorted(keys - used(found, keys))


def used(found: list[tuple[str, str, bool]], keys: set[str]) -> set[str]:
    """The keys that somebody asks for."""
    whole = {key for _, key, whole in found if whole}
    begun = tuple({key for _, key, whole in found if not whole})
    return {key for key in keys if key in whole or key.startswith(begun)}


def said_by(paths: Iterable[Path]) -> set[str]:
    """The page's own texts that are said in some files."""
    return used([one for path in paths for one in asked_in(path)], set(own("en")))


def places() -> dict[str, str]:
    """The file that each of the page's own texts belongs into, as docs/page.md says it."""
    at_first = said_by(first_load() - {REASONS}) | {key for _, key, whole in asked_in(REASONS) if whole}
    by_screen = {name: said_by(paths) for name, paths in screens().items()}
    # games, and whatever else is loaded from the frame and is no screen: anybody may need it
    lazy = {path for one in first_load() if one.name != "App.svelte" for path in imports(one)[1]}
    of_all = said_by(reached(lazy, later=True, besides=first_load().union(*screens().values()))) | said_by({REASONS})
    found = {}
    for key in own("en"):
        saying = [name for name, keys in by_screen.items() if key in keys]
        found[key] = "first" if key in at_first else saying[0] if len(saying) == 1 and key not in of_all else "shared"
    return found


def test_both_languages_have_the_same_keys_and_parameters():
    english, french = (files(language) for language in LANGUAGES)
    assert {name: list(messages) for name, messages in english.items()} == {
        name: list(messages) for name, messages in french.items()
    }
    for key, message in own("en").items():
        assert parameters(message) == parameters(own("fr")[key]), key


def test_every_text_comes_with_what_says_it():
    """The first load has what the home page and the frame say and no more; a screen has its own, and none is twice."""
    assert sum(len(messages) for messages in files("en").values()) == len(own("en"))
    wanted = places()
    found = {key: name for name, messages in files("en").items() for key in messages}
    assert {key: f"{place}.json" for key, place in wanted.items() if found[key] != place} == {}
    assert set(wanted.values()) > {"first", "shared", "Table", "Me"}
    assert set(wanted.values()) <= {"first", "shared", *screens()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_words_for_every_refusal_of_the_server(language):
    """A reason that the page does not know is told in the server's English."""
    root = Path(preau.__file__).parent
    sources = [path for name in ("server", "table") for path in (root / name).rglob("*.py")]
    sources += [root / "core" / "record.py", root / "review" / "chunks.py"]
    keys = {key for path in sources for key in re.findall(r'\bkey="(\w+)"', path.read_text(encoding="utf-8"))}
    assert len(keys) > 15
    assert {f"why.{key}" for key in keys} <= set(own(language))


def test_the_page_asks_for_texts_that_exist():
    known = set(own("en")).union(*(of_game(game) for game in GAMES))
    assert missing(asked("", besides="games"), known) == []


def test_no_text_of_the_page_is_left_over():
    assert unused(asked(""), set(own("en"))) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_asks_for_texts_that_exist(game):
    assert missing(asked(f"games/{game}"), {*of_game(game), *own("en")}) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_page_text_of_a_game_is_left_over(game):
    assert unused(asked(f"games/{game}"), {key for key in of_game(game) if key.startswith("page.")}) == []


def test_what_is_missing_is_found():
    """The finder itself: keys in one piece, in two, and things that are no keys."""
    line = 'say("home.play"), say(`bot.${level}`), import("./home.svelte"), "home.nowhere", "bot."'
    found = [("file", one[1], is_whole(one)) for one in KEY.finditer(line)]
    assert missing(found, {"home.play", "bot.easy"}) == ["file: home.nowhere"]
    assert unused(found, {"home.play", "bot.easy", "home.left"}) == ["home.left"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_both_sides_fill_messages_alike(case, language):
    """The page's side: web/src/lib/text/messages.test.ts."""
    texts = Texts(language, {"word.b1": "boy 1", "word.g1": "girl 1", "told": case["message"]})
    said = texts.say("told", case["params"], ["Ann", "Bo"], reader=0)
    assert said.replace("'", "’") == case[language]  # the page sets it in type


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_limit_that_passes_has_words(language):
    """What the server refuses as too much, by its own list, and what the page itself waits for."""
    assert {f"slowed.{what}" for what in (*refusals.TOO_MANY, "busy", "other", "again")} <= own(language).keys()
