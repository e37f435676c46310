"""The table as a text picture, as one seat sees it, for the terminal and for test failures."""

from __future__ import annotations

from .position import FILLING, FORFEIT, NOTHING, OVER, PHASES, SEATS_IN
from .rules import BagarreState


def diagram(state: BagarreState, seat: int | None = None) -> str:
    """All seats, one a line, then the middle of the table."""
    lines = [_player(state, other, other == seat) for other in range(state.seats)]
    lines += _middle(state, seat)
    return "\n".join(lines)


def toy(state: BagarreState, kind: int) -> str:
    """A toy with its value, and a mark if a fight for it is a general one."""
    return f"{state.deck.names[kind]}:{state.deck.value[kind]}{'!' if state.deck.general[kind] else ''}"


def _player(state: BagarreState, seat: int, own: bool) -> str:
    names = state.deck.names
    mark = ">" if seat == state.active and state.phase != OVER else " "
    front = " ".join(toy(state, kind) for kind in state.front[seat]) or "-"
    cards = state.cards_shown(seat)
    hand = " ".join(names[kind] for kind in state.hands[seat]) if own else " ".join(["?"] * cards)
    placed = state.placed[seat]
    down = ""
    if placed != NOTHING:
        shown = "forfeit" if placed == FORFEIT else names[placed]
        down = f"   down {shown if own else '?'}"
    return f"{mark}{seat}  {state.marbles[seat]:>2} marbles   hand {hand or '-'}   front {front}{down}"


def _middle(state: BagarreState, seat: int | None) -> list[str]:
    names = state.deck.names
    lines = [f"pile {state.pile_size}   discard {sum(state.discard)}"]
    if state.toy >= 0:
        lines.append(f"fight for {toy(state, state.toy)} of seat {state.owner}, round {state.round}")
    if state.turned:
        lines.append("turned " + " ".join(f"{other}:{names[kind]}" for other, kind in state.turned))
    if state.ban >= 0:
        lines.append(f"no fight before the next turn of seat {state.ban}")
    if state.phase == OVER:
        lines.append("over")
    else:
        asked = "nature" if state.phase <= FILLING else ", ".join(f"seat {one}" for one in SEATS_IN[state.owing])
        lines.append(f"turn {state.turn}, {PHASES[state.phase]}: {asked}")
    return lines
