"""How an environment shows itself: as text, which every game has."""

from __future__ import annotations

from ..core.errors import SetupError, said
from ..core.state import State

RENDER_MODES = ["human", "ansi"]


def read_mode(mode: str | None) -> str | None:
    """How to show it, or None: not at all."""
    if mode is not None and mode not in RENDER_MODES:
        raise SetupError(
            f"{said(mode)} is no way to show a game", field="render_mode", hint=f"It takes {', '.join(RENDER_MODES)}."
        )
    return mode


def render(state: State, mode: str | None, seat: int | None) -> str | None:
    """The position as `seat` sees it (None: a spectator): given back, or printed for people to read."""
    picture = state.diagram(seat)
    if mode == "ansi":
        return picture
    if mode == "human":
        print(picture, flush=True)
    return None
