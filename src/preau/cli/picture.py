"""`preau picture`: a moment of a recorded game, as the page draws it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import SetupError
from .common import Force, Lang, language, writable
from .replay import names_in, read_game

_ENDINGS = (".svg", ".png")


def picture(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, .json or .jsonl.")],
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Where to put it, .svg or .png.")],
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="STEP", min=0, help="The step, as a replay on the page counts. [default: the last]"
        ),
    ] = None,
    eyes: Annotated[
        str, typer.Option("--eyes", metavar="WHO", help="Whose eyes see it: a seat from 0, all or nobody.")
    ] = "nobody",
    lang: Lang = None,
    dark: Annotated[bool, typer.Option("--dark", help="In the evening.")] = False,
    force: Force = False,
    game: Annotated[int, typer.Option("--game", metavar="I", min=1, help="Which game of a .jsonl file, from 1.")] = 1,
) -> None:
    """Draw a moment of a recorded game, into an SVG or PNG file.

    The page's own components draw it, so it looks as it does there; needs `pip install 'preau[picture]'`.
    """
    if out.suffix.lower() not in _ENDINGS:
        raise SetupError(f"{out} is neither .svg nor .png", field="--out", hint="Name the file so.")
    writable(out, "--out", force=force)
    record = read_game(file, game)
    through = _eyes(eyes, record.seats)
    try:
        from ..pictures import picture, png
    except ImportError as error:
        raise SetupError(f"{error.name} is not installed", hint="pip install 'preau[picture]'") from None
    svg = picture(record, at, eyes=through, language=language(lang), dark=dark, names=names_in(record))
    out.write_bytes(png(svg) if out.suffix.lower() == ".png" else svg.encode())


def _eyes(text: str, seats: int) -> int | str | None:
    """A seat, all or nobody."""
    if text in ("all", "nobody"):
        return "all" if text == "all" else None
    if text.isdecimal() and int(text) < seats:
        return int(text)
    hint = f"Try one of 0 to {seats - 1}, all or nobody."
    raise SetupError(f"nobody has the eyes {text[:20]!r}", field="--eyes", hint=hint)
