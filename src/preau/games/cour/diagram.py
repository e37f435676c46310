"""The table as a text picture, as one seat sees it, for the terminal and for test failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.state import HIDDEN
from .deck import OTHERS, TOYS
from .rules import CourState
from .views import view

if TYPE_CHECKING:
    from .shapes import Hand, View


def diagram(state: CourState, seat: int | None = None) -> str:
    """The pile, the open cards, and a line for every seat: cards surely in hand, `?` for the others."""
    seen = view(state, seat)
    lines = [
        f"round {seen['round']}, turn of seat {seen['active']}: {seen['phase']}" + (" (last round)" * seen["ending"]),
        f"pile    {sum(seen['pool'].values())} unknown ({_cards(seen['pool'])}), under it: {_row(seen['under'])}",
        f"open    {_row(seen['open'])}" + (f"   event: {seen['event']}" if seen["event"] else ""),
    ]
    for other in range(state.seats):
        mark = ">" if other in state.to_act else " "
        character = seen["characters"][other] or "-"
        lines.append(
            f"{mark}seat {other}  {'(hidden)' if character == HIDDEN else character:<10} {_hand(seen, other)}"
            + _front(seen, other)
        )
    return "\n".join(lines)


def _hand(seen: View, seat: int) -> str:
    hand = seen["hands"][seat]
    if hand is not None:
        return f"{seen['sizes'][seat]}: {_cards(hand)}"
    known = seen["memory"][seat]
    parts = [_cards(known["sure"])] if known["sure"] else []
    if known["unsure"] or not parts:
        parts.append("?" * known["unsure"] or "-")
    return f"{seen['sizes'][seat]}: {' '.join(parts)}"


def _front(seen: View, seat: int) -> str:
    things = []
    if seen["kings"][seat]:
        things.append(f"kings {seen['kings'][seat]}")
    if seen["friends"][seat]:
        things.append("friend of " + " ".join(str(other) for other in seen["friends"][seat]))
    if seen["pot"] == seat:
        things.append("glue pot")
    if seen["chestnut_man"] == seat:
        things.append("chestnut man")
    choice = seen["choices"][seat]
    if choice is not None:
        things.append(f"answer {choice}")
    return "   [" + ", ".join(things) + "]" if things else ""


def _cards(counts: Hand) -> str:
    order: tuple[str, ...] = (*TOYS, *OTHERS)
    names = sorted(counts, key=lambda name: (order.index(name.split(".")[0]), name))
    return " ".join(f"{name}*{counts[name]}" if counts[name] > 1 else name for name in names) or "-"


def _row(names: list[str]) -> str:
    return " ".join(names) or "-"
