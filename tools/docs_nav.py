"""The documentation's pages, for MkDocs: their order, and for every game a page of its rules and one of its shapes."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "preau" / "games"
sys.path.insert(0, str(ROOT))

from tools import docs_shapes  # noqa: E402

FIRST = ("index", "learn", "browser", "play", "python")
SECTIONS = {"studies": "Studies", "decisions": "Decisions"}
LAST = ("contributing",)


def on_config(config: Any) -> Any:
    """Set the navigation: first pages, other pages by name, the sections, last pages."""
    folder = Path(config.docs_dir)
    pages = {path.stem: path.name for path in sorted(folder.glob("*.md"))}
    nav: list[Any] = [pages[name] for name in FIRST if name in pages]
    nav += [file for name, file in pages.items() if name not in {*FIRST, *LAST}]
    nav.append({"Rules": [f"rules/{game}.md" for game in _games()]})
    nav.append({"Shapes": [f"shapes/{game}.md" for game in _games()]})
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


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of rules and shapes."""
    from mkdocs.structure.files import File

    for game in _games():
        files.append(File.generated(config, f"shapes/{game}.md", content=docs_shapes.page(game)))
        files.append(File.generated(config, f"rules/{game}.md", content=_rules(game)))
    return files


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
        lines += [f"**{rule}**{{ #{rule} }} {english[f'rule.{rule}']}", "", f"*{french[f'rule.{rule}']}*", ""]
    return "\n".join(lines)
