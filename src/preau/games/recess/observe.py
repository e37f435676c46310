"""Recess! as numbers: planes over the yard and a few vectors, with the seats counted from the observer on."""

from __future__ import annotations

from ...core.observation import Layout, Observation
from .actions import ACTIONS
from .position import COINS, NUN_0, OVER, has, is_girl, seat_of
from .rules import RecessState
from .yard import BOYS_ENTRANCE, CELLS, SIDE

MOST_SEATS = 5
_BOARD = (SIDE, SIDE)

LAYOUT = Layout(
    [
        ("equipment", _BOARD),
        ("safety", _BOARD),
        ("seen", _BOARD),
        ("nuns", (2, *_BOARD)),
        ("boys", (MOST_SEATS, *_BOARD)),
        ("girls", (MOST_SEATS, *_BOARD)),
        ("attackers", (MOST_SEATS, *_BOARD)),
        ("victims", (MOST_SEATS, *_BOARD)),
        ("hand", _BOARD),
        ("entrance", (MOST_SEATS, 2)),
        ("detention", (MOST_SEATS, 2)),
        ("coins", (MOST_SEATS,)),
        ("seats", (MOST_SEATS,)),
        ("active", (MOST_SEATS,)),
        ("phase", (OVER + 1,)),
        ("movement", (4,)),
        ("movable", (4,)),
        ("leaving", (4,)),
        ("clock", (1,)),
    ]
)
"""Planes are rows of 12 from row 1 up; vectors over seats start with the observer and go round the table."""


def observe(state: RecessState, seat: int) -> Observation:
    """The position as `seat` sees it."""
    seen = Observation(LAYOUT, len(ACTIONS.all))
    yard = state.yard
    piece = {block.name: seen.piece(block.name) for block in LAYOUT.pieces}
    for cell in range(CELLS):
        piece["equipment"][cell] = 0.0 if yard.open[cell] else 1.0
        piece["safety"][cell] = 1.0 if yard.safety[cell] else 0.0
        piece["seen"][cell] = 1.0 if state.seen(cell) else 0.0
    for nun in range(2):
        piece["nuns"][nun * CELLS + state.where[NUN_0 + nun]] = 1.0
    for child in range(4 * state.seats):
        away = (seat_of(child) - seat) % state.seats
        cell = state.where[child]
        girl = 1 if is_girl(child) else 0
        if cell >= BOYS_ENTRANCE:
            piece["entrance"][2 * away + girl] += 1.0
            piece["detention"][2 * away + girl] += float(has(state.detained, child))
            continue
        piece["girls" if girl else "boys"][away * CELLS + cell] += 1.0
        if has(state.attackers, child):
            piece["attackers"][away * CELLS + cell] = 1.0
        if has(state.pinned, child):
            piece["victims"][away * CELLS + cell] = 1.0
    if state.hand >= 0:
        piece["hand"][state.hand_from] = 1.0
    for away in range(state.seats):
        other = (seat + away) % state.seats
        piece["coins"][away] = state.coins[other] / COINS
        piece["seats"][away] = 1.0
        piece["active"][away] = 1.0 if other == state.active and state.phase != OVER else 0.0
    piece["phase"][state.phase] = 1.0
    piece["movement"][state.movement] = 1.0
    movable = state.movable()
    for who in range(4):
        piece["movable"][who] = float(has(movable, who))
        piece["leaving"][who] = float(has(state.leaving, who))
    piece["clock"][0] = state.progress()
    for action in state.legal(seat):
        seen.mask[action.number] = 1
    return seen
