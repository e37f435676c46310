"""Links lead somewhere: to a page, a picture or a file that is there, and to a heading on it. Nothing is fetched."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.pages import DOCS, PAGES, ROOT, name_of, prose, read, words_of
from tools.docs_nav import made_pages
from tools.docs_reference import PAGES as REFERENCE

LINK = re.compile(r"\]\(([^()\s]+)\)")
HOSTS = {"docs.astral.sh", "en.wikipedia.org", "www.rfc-editor.org"}
"""Where links lead that leave this project. Whoever adds one has looked at it."""
SOURCES = [
    path
    for folder in ("src", "tools", "tests", "benchmarks", "web/src", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".ts", ".svelte", ".css") and "node_modules" not in path.parts
]


@cache
def made() -> dict[Path, str]:
    """Pages that are made when the site is built."""
    return {DOCS / path: text for path, text in made_pages().items()}


def targets(page: Path) -> list[str]:
    text = made()[page] if page in made() else words_of(page)
    return LINK.findall(text)


@cache
def anchors(page: Path) -> set[str]:
    """The names of the places on a page, as MkDocs gives them."""
    text = made()[page] if page in made() else prose(page)
    found: set[str] = set(re.findall(r"\{ #([\w-]+) \}", text))
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        slug = name = slugify(heading)
        number = 0
        while slug in found:
            number += 1
            slug = f"{name}_{number}"
        found.add(slug)
    reference = next((one for one in REFERENCE if DOCS / one.path == page), None)
    if reference is not None:
        found |= {f"{module}.{name}" for module, names in reference.names().items() for name in names}
    return found


def slugify(heading: str) -> str:
    """As Python-Markdown does it."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def wrong_with(page: Path, target: str) -> str:
    """What is wrong with a link, if anything."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return "" if parts.scheme == "https" and parts.netloc in HOSTS else "no https, or a host that is not listed"
    if target.startswith("/"):
        return "it starts at the root"
    there = (page.parent / parts.path).resolve() if parts.path else page
    if page.is_relative_to(DOCS) and not there.is_relative_to(DOCS):
        return "it leaves the site"
    if there not in made() and not there.exists():
        return "there is nothing"
    if parts.fragment and parts.fragment not in anchors(there):
        return f"that page has no such place, but {sorted(anchors(there))}"
    return ""


@pytest.mark.parametrize("page", [*PAGES, *made()], ids=name_of)
def test_links_lead_somewhere(page):
    found = {target: wrong_with(page, target) for target in targets(page)}
    assert {target: wrong for target, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "target",
    [
        "nowhere.md",
        "play.md#nothing-of-this-name",
        "../README.md",
        "/play.md",
        "http://docs.astral.sh/",
        "https://example.org",
        "reference/preau.core.md#preau.core.Dance",
        "rules/recess.md#R99",
    ],
)
def test_wrong_links_are_noticed(target):
    assert wrong_with(DOCS / "index.md", target)


def test_every_page_is_reached_from_the_first():
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            waiting += [(page.parent / urlsplit(one).path).resolve() for one in targets(page) if "://" not in one]
    decisions = {page for page in PAGES if page.parent.name == "decisions"}  # a log, in the navigation
    wanted = {page for page in PAGES if page.is_relative_to(DOCS)} - decisions
    assert sorted(name_of(page) for page in wanted - reached) == []


def test_pages_that_the_source_names_are_there():
    """In docstrings and comments: `docs/page.md`, decision 9."""
    decisions = {int(path.name[:4]) for path in (DOCS / "decisions").glob("[0-9]*.md")}
    wrong = []
    for path in SOURCES:
        text = read(path)
        named = re.findall(r"\bdocs/[\w/-]+\.md", text)
        wrong += [f"{name_of(path)}: {one}" for one in named if not (ROOT / one).exists()]
        numbers = [int(one) for one in re.findall(r"\(decision (\d+)\)", text)]
        wrong += [f"{name_of(path)}: decision {one}" for one in numbers if one not in decisions]
    assert wrong == []
