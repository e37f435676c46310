"""What players read is there in French, too, and says the same: neither page changes without the other."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path, PurePosixPath

import pytest

from tests.docs.pages import DOCS, blocks, commands, prose, read, spans, words_of

FRENCH = DOCS / "fr"
FOR_PLAYERS = ("index.md", "start/play.md", "learn.md", "browser.md", "play.md", "reviews.md")


def test_all_pages_for_players_are_there_and_no_others():
    assert sorted(path.relative_to(FRENCH).as_posix() for path in FRENCH.rglob("*.md")) == sorted(FOR_PLAYERS)


def headings(page: Path) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def links(page: Path) -> list[str]:
    """Where its links and pictures lead, the language left out, and anchors, which are words."""
    found = []
    for target in re.findall(r"\]\(([^()\s]+)\)", words_of(page)):
        there = (page.parent / target.partition("#")[0]).resolve()
        found.append(there.relative_to(FRENCH if there.is_relative_to(FRENCH) else DOCS).as_posix())
    return sorted(found)


def tables(page: Path) -> list[list[int]]:
    """How many cells each row of each table has."""
    found = re.findall(r"(?:^\|.*\n)+", prose(page), re.MULTILINE)
    return [[row.count("|") for row in table.splitlines()] for table in found]


def code(page: Path) -> list[object]:
    """Its blocks: programs without comments, commands without what they print."""
    found: list[object] = []
    for block in blocks(page):
        if block.language == "python":
            tokens = tokenize.generate_tokens(io.StringIO(block.text).readline)
            found.append([token.string for token in tokens if token.type != tokenize.COMMENT])
        elif block.language == "console":
            found.append([(command.words, command.typed) for command in commands(block.text)])
        else:
            found.append((block.language, block.text))
    return found


def figures(page: Path) -> list[str]:
    """The numbers in its tables and text, however they are written; those of pages and lists aside."""
    text = re.sub(r"\]\([^)]*\)", "", words_of(page))
    return sorted(re.sub(r"(?<=\d)[,. \u00a0\u202f](?=\d)", "", one) for one in re.findall(r"\d(?:[\d,. ]*\d)?", text))


@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_both_languages_say_the_same(name):
    english, french = DOCS / name, FRENCH / name
    assert headings(french) == headings(english)
    assert links(french) == links(english)
    assert tables(french) == tables(english)
    assert code(french) == code(english)
    assert sorted(spans(french)) == sorted(spans(english))
    assert figures(french) == figures(english)
    assert prose(french).count("\n- ") == prose(english).count("\n- ")


@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_each_language_leads_to_the_other(name):
    deeper = "../" * (len(PurePosixPath(name).parts) - 1)
    assert read(DOCS / name).splitlines()[2] == f"[En français]({deeper}fr/{name})"
    assert read(FRENCH / name).splitlines()[2] == f"[In English]({deeper}../{name})"


@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_french_is_typeset_as_french(name):
    """Typographic apostrophes; a space before what takes one (the site makes it narrow)."""
    text = re.sub(r"\]\([^)]*\)|^\|[-|]+$", "", words_of(FRENCH / name), flags=re.MULTILINE)
    assert re.findall(r".*'.*", text) == []
    assert re.findall(r"\w[;?]|\w[!»](?!\[)|«\w|\w:(?=\s)", text.replace("Recess!", "")) == []
