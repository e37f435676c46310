"""The page's own unit tests, its types against the server's messages, its colours, and the list of its packages."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tools import typescript
from tools.page import LOCK, WEB, npm

WORDS = (
    "aqua azure beige black blue brown coral crimson cyan fuchsia gold gray green grey indigo ivory khaki lavender "
    "lime magenta maroon navy olive orange orchid pink plum purple red salmon sienna silver tan teal tomato turquoise "
    "violet wheat white yellow"
)
"""Colours that CSS has words for; of the rarer ones most are a darker or lighter one of these."""
NUMBERS = r"(?<![\w{&])(?<!url\()#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b"
FUNCTIONS = r"\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\("
PAINTED = r"(?:fill|stroke|color|background|border|outline|shadow|tint)[\w-]*[:=][^;{}\n]*"
NAMED = rf"{PAINTED}(?<![\w-])(?:dark|light|medium|pale)?(?:{WORDS.replace(' ', '|')})(?![\w-])"
COLOUR = re.compile(f"{NUMBERS}|{FUNCTIONS}|{NAMED}", re.IGNORECASE)


def test_the_types_are_those_of_the_server():
    """`make format` writes them anew."""
    assert typescript.main(["--check"]) == 0


def test_the_unit_tests_pass():
    assert npm("run", "--silent", "test") == 0


def test_the_packages_are_pinned_for_every_platform():
    """npm leaves out what it did not find on the day, and then refuses its own list."""
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    pinned = {path.rpartition("node_modules/")[2] for path in packages}
    wanted = {
        name
        for one in packages.values()
        for kind in ("dependencies", "optionalDependencies")
        for name in one.get(kind, ())
    }
    assert len(wanted) > 50
    assert wanted - pinned == set()


def source(*endings: str) -> dict[str, str]:
    """The files of the page that end so, by their path in web/src; tests aside."""
    top = WEB / "src"
    found = [path for path in top.rglob("*") if path.name.endswith(endings) and not path.name.endswith(".test.ts")]
    return {path.relative_to(top).as_posix(): path.read_text(encoding="utf-8") for path in found}


def test_colours_stand_in_tokens_css_alone():
    """The page's own in src/tokens.css, a game's in its folder; everywhere else they are named by what they are."""
    files = source(".svelte", ".css", ".ts", ".svg")
    assert len(files) > 150
    found = {
        f"{path}: {match[0]}"
        for path, text in files.items()
        if Path(path).name != "tokens.css"
        for match in COLOUR.finditer(text)
    }
    assert found == set()


def test_the_search_for_colours_finds_them():
    painted = (
        "fill: #2a2622;",
        'stroke="#FFF"',
        "color: rgb(0 0 0 / 30%);",
        "background: white;",
        '"#0003"',
        "fill='darkred'",
    )
    plain = (
        "{#each",
        "url(#bagarre-grain)",
        "var(--leaf-red)",
        "fill: none;",
        "color: currentcolor;",
        "border: 0 transparent",
    )
    assert [bool(COLOUR.search(text)) for text in painted] == [True] * len(painted)
    assert [bool(COLOUR.search(text)) for text in plain] == [False] * len(plain)


def test_every_token_that_is_used_is_there():
    """Of a token that nobody sets, or that is set to itself, the browser makes black."""
    text = "\n".join(source(".svelte", ".css", ".ts", ".svg").values())
    there = set(re.findall(r"(?:style:)?--([\w-]+)(?=[:=])", text))
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    assert len(used) > 200
    assert used - there == set()
    assert re.findall(r"--([\w-]+): var\(--\1\)", text) == []


def test_every_token_is_used():
    files = source(".svelte", ".css", ".ts", ".svg")
    tokens = {
        name for path, text in files.items() if path.endswith("tokens.css") for name in re.findall(r"--([\w-]+):", text)
    }
    used = set(re.findall(r"var\(--([\w-]+)", "\n".join(files.values())))
    assert {name for name in tokens - used if not re.fullmatch(r"seat-\d", name)} == set()
