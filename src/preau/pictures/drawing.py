"""From a record to SVG, and from SVG to PNG."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from ..core.errors import PreauError, RecordError
from ..core.record import Record
from ..core.registry import find_game
from ..table.replay import replay_of

MADE = Path(__file__).parent / "made" / "picture.js"
SCALE = 2
"""Pixels of a PNG for each unit of the drawing, which is 1200 by 900."""
MOST_MEMORY = 256 * 2**20
MOST_SECONDS = 60
STACK = 2 * 2**20

Eyes = int | str | None
"""A seat, `"all"` for all hands open, or None for what everybody sees."""


class Missing(PreauError):
    """Something that drawing needs is not installed."""


def picture(
    record: Record,
    at: int | None = None,
    *,
    eyes: Eyes = None,
    language: str = "en",
    dark: bool = False,
    names: Sequence[str] = (),
) -> str:
    """A moment of a game as SVG. Steps are counted as a replay on the page counts them: what chance does belongs to the
    step before. Without `at` it is the last. In this file is only what these eyes may see.
    """
    if eyes not in (None, "all", *range(record.seats)):
        hint = f"Try a seat from 0 to {record.seats - 1}, 'all' or None."
        raise RecordError(f"nobody has the eyes {eyes!r}", field="eyes", hint=hint)
    state = record.replay()
    last = replay_of(record, None, 0, 0).total - 1
    number = last if at is None else at
    if not 0 <= number <= last:
        raise RecordError(f"there is no step {number}", field="at", hint=f"The steps are 0 to {last}.")
    through: list[int | None] = [None, *range(record.seats)] if isinstance(eyes, str) else [eyes]
    steps = [replay_of(record, one, number, 1).frames[0] for one in through]
    game = find_game(record.game)
    wish = {
        "game": game.id,
        "title": game.titles[language],
        "language": language,
        "messages": game.texts(language).messages,
        "names": list(names),
        "eyes": eyes,
        "steps": msgspec.to_builtins(steps),
        "last": last,
        "result": state.result().to_json() if state.over else None,
        "dark": dark,
    }
    return _draw(json.dumps(wish))


def png(svg: str, scale: int = SCALE) -> bytes:
    """A picture as pixels. Letters that our fonts do not have are written in the fonts of this machine, if it can."""
    resvg = _module("resvg_py", "PNG")
    drawn: bytes = resvg.svg_to_bytes(svg_string=svg, zoom=scale, skip_system_fonts="<text" not in svg)
    return drawn


def _draw(wish: str) -> str:
    """Draw in an engine of its own, which can take only so much memory and time."""
    context = _module("quickjs", "pictures").Context()
    context.set_memory_limit(MOST_MEMORY)
    context.set_max_stack_size(STACK)
    context.set_time_limit(MOST_SECONDS)
    context.module(_script())
    return str(context.get("drawPicture")(wish))


@cache
def _script() -> str:
    """The page's components, as they were built."""
    if not MADE.is_file():
        raise Missing("the page is not built, and its components draw pictures", hint="`make page` builds it.")
    return MADE.read_text(encoding="utf-8")


def _module(name: str, what: str) -> Any:
    """A package out of the extra `preau[picture]`."""
    try:
        return import_module(name)
    except ImportError:
        raise Missing(f"{name} is not installed, and {what} need it", hint="pip install 'preau[picture]'") from None
