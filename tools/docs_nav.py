"""The order of the documentation's pages, for MkDocs: a page appears once its file is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIRST = ("index", "play", "python")
SECTIONS = {"rules": "Rules", "decisions": "Decisions"}
LAST = ("contributing",)


def on_config(config: Any) -> Any:
    """Set the navigation: first pages, other pages by name, the sections, last pages."""
    folder = Path(config.docs_dir)
    pages = {path.stem: path.name for path in sorted(folder.glob("*.md"))}
    nav: list[Any] = [pages[name] for name in FIRST if name in pages]
    nav += [file for name, file in pages.items() if name not in {*FIRST, *LAST}]
    for section in sorted((path.name for path in folder.iterdir() if path.is_dir()), key=_place):
        inside = sorted((folder / section).rglob("*.md"), key=lambda path: (path.stem != "README", path))
        if inside:
            title = SECTIONS.get(section, section.capitalize())
            nav.append({title: [path.relative_to(folder).as_posix() for path in inside]})
    nav += [pages[name] for name in LAST if name in pages]
    config.nav = nav
    return config


def _place(section: str) -> tuple[int, str]:
    known = list(SECTIONS)
    return (known.index(section) if section in known else -1, section)
