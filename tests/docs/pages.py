"""The pages that people read, and what is set apart on them: blocks of code, commands, links."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OTHERS = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "benchmarks" / "README.md",
    ROOT / "requirements" / "README.md",
    *sorted((ROOT / "examples").glob("*/README.md")),
]
PAGES = [*OTHERS, *sorted(DOCS.rglob("*.md"))]

_BLOCK = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`]+)`")
_TIMES = re.compile(r"\d[\d,.]* ?(s|games/s|decisions/s|a second)\b")


class Block(NamedTuple):
    """Something set apart on a page: its language, the file it is from, what it says."""

    language: str
    title: str
    text: str


class Command(NamedTuple):
    """A command as it is shown: its words, what is typed into it, and what it prints, the typed lines among it."""

    words: list[str]
    typed: str
    shown: str


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, *languages: str) -> list[Block]:
    """All blocks of a page, or those in some languages."""
    found = [Block(*one) for one in _BLOCK.findall(read(page))]
    return [block for block in found if not languages or block.language in languages]


def prose(page: Path) -> str:
    """A page without its blocks."""
    return _BLOCK.sub("", read(page))


def spans(page: Path) -> list[str]:
    """What is set as code within the text."""
    return [" ".join(span.split()) for span in _SPAN.findall(prose(page))]


def words_of(page: Path) -> str:
    """A page without any code."""
    return _SPAN.sub("", prose(page))


def commands(text: str) -> Iterator[Command]:
    """The commands in a block that shows a terminal: those after `$`."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        typed = "".join(f"{line[2:]}\n" for line in shown.splitlines() if line.startswith("> "))
        yield Command(shlex.split(command, comments=True), typed, shown)


def plain(text: str) -> list[str]:
    """Lines without what differs from machine to machine."""
    return [_TIMES.sub(r"N \1", line.rstrip()) for line in text.strip().splitlines()]
