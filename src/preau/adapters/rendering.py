"""How an environment shows itself: as text, which every game has, or as the picture that the page would show."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from ..core.errors import SetupError, said
from ..core.match import Match

RENDER_MODES = ["human", "ansi", "rgb_array"]

Shown = str | NDArray[np.uint8] | None


def read_mode(mode: str | None) -> str | None:
    """How to show it, or None: not at all. Pictures need more than text, and that is said at once."""
    if mode is not None and mode not in RENDER_MODES:
        raise SetupError(
            f"{said(mode)} is no way to show a game", field="render_mode", hint=f"It takes {', '.join(RENDER_MODES)}."
        )
    if mode == "rgb_array":
        for package in ("PIL", "quickjs", "resvg_py"):
            if find_spec(package) is None:
                why = f"pictures need {package}, which is not installed"
                raise SetupError(why, field="render_mode", hint="pip install 'preau[picture]'")
    return mode


def render(match: Match, mode: str | None, seat: int | None) -> Shown:
    """The position as `seat` sees it (None: a spectator): given back, or printed for people to read."""
    if mode == "rgb_array":
        return _pixels(match, seat)
    text = match.state.diagram(seat)
    if mode == "ansi":
        return text
    if mode == "human":
        print(text, flush=True)
    return None


def _pixels(match: Match, seat: int | None) -> NDArray[np.uint8]:
    from PIL import Image

    from ..pictures import picture, png

    drawn = Image.open(BytesIO(png(picture(match.record, eyes=seat), scale=1)))
    return np.asarray(drawn.convert("RGB"))
