"""The documentation's pages, for MkDocs: their order, those that are made from the source, and their languages."""

from __future__ import annotations

import json
import re
import sys
from logging import getLogger
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "preau" / "games"
sys.path.insert(0, str(ROOT))

from tools import docs_reference, docs_shapes  # noqa: E402

FIRST = ("index",)
START = ("play", "host", "bot", "train", "study", "game", "work")
"""A page for each kind of reader."""
GROUPS = {
    "Play": ("learn", "browser", "play", "bots", "reviews"),
    "Study": ("python", "environments", "train-a-bot", "arena", "datasets", "lab"),
    "Make": ("add-a-bot", "add-a-game", "page", "protocol"),
    "Host": ("hosting", "security"),
    "Work on it": ("architecture", "contributing"),
}
"""Pages of the folder itself; one that is in no group stands by its own name after them."""
SECTIONS = {"start": "Start here", "studies": "Studies", "decisions": "Decisions", "fr": "En français"}
"""What folders of pages are called, in their order; the first one comes before the groups."""
FRENCH = "fr/"
"""Where pages in French are; all others are in English."""


def on_config(config: Any) -> Any:
    """Set the navigation: the first page, where to start, groups of pages, what is made from the source, the rest."""
    folder = Path(config.docs_dir)
    pages = {path.stem: path.name for path in sorted(folder.glob("*.md"))} | {"contributing": "contributing.md"}
    named = {*FIRST, *(name for group in GROUPS.values() for name in group)}
    sections = [_section(folder, name) for name in sorted(_folders(folder), key=_place)]
    nav: list[Any] = [pages[name] for name in FIRST]
    nav += sections[:1]
    nav += [{title: [pages[name] for name in group if name in pages]} for title, group in GROUPS.items()]
    nav += [file for name, file in pages.items() if name not in named]
    nav.append({"Rules": [f"rules/{game}.md" for game in _games()]})
    nav.append({"Shapes": [f"shapes/{game}.md" for game in _games()]})
    nav.append({"Reference": [page.path for page in docs_reference.PAGES]})
    config.nav = nav + sections[1:]
    return config


def _folders(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_dir() and any(path.rglob("*.md"))]


def _section(folder: Path, name: str) -> dict[str, list[str]]:
    """A folder of pages: its first page, where to start, then the others by the order of the groups, then by name."""
    order = START if name == "start" else tuple(page for group in GROUPS.values() for page in group)

    def place(path: Path) -> tuple[bool, bool, int, str]:
        known = order.index(path.stem) if path.stem in order else len(order)
        return (path.stem not in ("README", *FIRST), path.parent.name != "start", known, path.as_posix())

    inside = sorted((folder / name).rglob("*.md"), key=place)
    return {SECTIONS.get(name, name.capitalize()): [path.relative_to(folder).as_posix() for path in inside]}


def _place(section: str) -> tuple[int, str]:
    known = list(SECTIONS)
    return (known.index(section) if section in known else len(known), section)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from the source."""
    from mkdocs.structure.files import File

    for path, text in made_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def made_pages() -> dict[str, str]:
    """The pages that nobody writes here, by their paths: rules, shapes, the reference, and how to work on it."""
    pages = {"contributing.md": (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("](docs/", "](")}
    for game in _games():
        pages[f"shapes/{game}.md"] = docs_shapes.page(game)
        pages[f"rules/{game}.md"] = _rules(game)
    return pages | {page.path: page.text() for page in docs_reference.PAGES}


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Keep French signs with their words: a narrow space that does not break, except in code and addresses."""
    if not page.file.src_uri.startswith(FRENCH):
        return markdown
    parts = re.split(r"(^```.*?^```|`[^`]*`|\]\([^)]*\))", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(r" (?=[;:!?%»])|(?<=«) ", "\u202f", text) for text in parts[::2]]
    return "".join(parts)


def on_page_context(context: Any, page: Any, config: Any, nav: Any) -> Any:
    """Say that a page is in French, where it is, and speak so around it: screen readers and browsers go by it."""
    config.theme["language"] = "fr" if page.file.src_uri.startswith(FRENCH) else "en"
    return context


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Warn of names that the reference was to show and did not find, such as one that a module of that name hides."""
    for made in docs_reference.PAGES:
        if made.path == page.file.src_uri:
            wanted = [f"{module}.{name}" for module, names in made.names().items() for name in names]
            for name in (name for name in wanted if f'id="{name}"' not in html):
                getLogger(f"mkdocs.hooks.{__name__}").warning("%s does not show %s", made.path, name)
    return html


def _games() -> list[str]:
    return sorted(path.parent.name for path in GAMES.glob("*/texts"))


def _rules(game: str) -> str:
    english, french = (
        json.loads((GAMES / game / "texts" / f"{language}.json").read_text(encoding="utf-8"))
        for language in ("en", "fr")
    )
    ids = sorted((key[5:] for key in english if key.startswith("rule.")), key=lambda rule: int(re.sub(r"\D", "", rule)))
    lines = [f"# {english['title']}", "", "Every rule has an id; the log, refusals and tests cite it.", ""]
    for rule in ids:
        lines += [f"**{rule}**{{ #{rule} }} {english[f'rule.{rule}']}", ""]
        lines += [f"*{french[f'rule.{rule}']}*{{ lang=fr }}", ""]
    return "\n".join(lines)
