"""The yard as a text picture, as one seat sees it."""

from __future__ import annotations

from .deck import CARDS
from .position import NONE, Position
from .views import hand_names


def diagram(state: Position, seat: int | None = None) -> str:
    """A lane for every seat, from the line to the wall; `*` has chosen, `!` counts how often a child was caught."""
    wall = state.setup.wall
    lines = [f"round {state.round} of {state.setup.rounds}"]
    for other, place in enumerate(state.places):
        lane = "." * place + str(other) + "." * (wall - place)
        mark = "*" if state.chosen[other] != NONE else " "
        lines.append(f"{mark}seat {other} |{lane}|| {'!' * state.caught[other]}".rstrip())
    if seat is not None:
        card = state.chosen[seat]
        lines.append(
            f"hand   {' '.join(hand_names(state.hands[seat]))}" + (f" + {CARDS[card]}" if card != NONE else "")
        )
    return "\n".join(lines)
