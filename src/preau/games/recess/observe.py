"""Recess! as numbers: planes over the yard and a few vectors, with the seats counted from the observer on."""

from __future__ import annotations

from typing import Final

from ...core.mypyc_shims import i64
from ...core.observation import SHARE, Layout
from ...core.slate import Slate, seats_on, stamp
from .actions import ACTIONS
from .position import COINS, NUN_0, NUN_1, OVER, Position, has, is_girl
from .yard import BOYS_ENTRANCE, BOYS_SAFETY, CELLS, GIRLS_SAFETY, SIDE

MOST_SEATS: Final = 5
_BOARD: Final = (SIDE, SIDE)

LAYOUT: Final = Layout(
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
        ("coins", (MOST_SEATS,), COINS),
        ("seats", (MOST_SEATS,)),
        ("active", (MOST_SEATS,)),
        ("phase", (OVER + 1,)),
        ("movement", (4,)),
        ("movable", (4,)),
        ("leaving", (4,)),
        ("clock", (1,), SHARE),
    ],
    len(ACTIONS.all),
)
"""Planes are rows of 12 from row 1 up; vectors over seats start with the observer and go round the table."""

_SAFE: Final = [*BOYS_SAFETY, *GIRLS_SAFETY]

# Where the pieces start, as the compiler likes it best: in numbers that it knows.
_EQUIPMENT: Final = 0
_SAFETY: Final = 144
_SEEN: Final = 288
_NUNS: Final = 432
_BOYS: Final = 720
_GIRLS: Final = 1440
_ATTACKERS: Final = 2160
_VICTIMS: Final = 2880
_HAND: Final = 3600
_ENTRANCE: Final = 3744
_DETENTION: Final = 3754
_COINS: Final = 3764
_SEATS: Final = 3769
_ACTIVE: Final = 3774
_PHASE: Final = 3779
_MOVEMENT: Final = 3785
_MOVABLE: Final = 3789
_LEAVING: Final = 3793
_CLOCK: Final = 3797

STARTS: Final = (
    _EQUIPMENT, _SAFETY, _SEEN, _NUNS, _BOYS, _GIRLS, _ATTACKERS, _VICTIMS, _HAND, _ENTRANCE, _DETENTION, _COINS,
    _SEATS, _ACTIVE, _PHASE, _MOVEMENT, _MOVABLE, _LEAVING, _CLOCK,
)  # fmt: skip
"""The same in the order of the layout."""


def layout(state: Position) -> Layout:
    """The pieces: the same for every number of seats and all options."""
    return LAYOUT


def write(state: Position, me: i64, slate: Slate) -> None:
    """The position as a seat sees it."""
    seats: i64 = state.seats
    active: i64 = state.active
    _write_yard(state, slate)
    other: i64
    if not state.others_stamp:
        state.others_stamp = stamp()
    if not slate.holds(state.others_stamp * MOST_SEATS + me, 2):
        for other in range(seats):
            if other != active:
                _write_children(state, other, seats_on(other, me, seats), slate)
        slate.hold(2)
    _write_children(state, active, seats_on(active, me, seats), slate)
    if state.hand >= 0:
        slate.one(_HAND + state.hand_from)
    slate.around(_COINS, state.coins, me)
    if state.phase != OVER:
        slate.one(_ACTIVE + seats_on(active, me, seats))
    slate.one(_PHASE + state.phase)
    slate.one(_MOVEMENT + state.movement)
    slate.bits(_MOVABLE, state.movable(), 4)
    slate.bits(_LEAVING, state.leaving, 4)
    slate.share(_CLOCK, state.progress())


def _write_yard(state: Position, slate: Slate) -> None:
    """The seats, the yard, the nuns in it, and what they see: their own cells, and those that they could go to if
    nobody stood in the way (R24).
    """
    yard = state.yard
    if not slate.holds(yard.number * (MOST_SEATS + 1) + state.seats):
        for away in range(state.seats):
            slate.one(_SEATS + away)
        slate.ones(_EQUIPMENT, yard.blocked)
        slate.ones(_SAFETY, _SAFE)
        slate.hold()
    first: i64 = state.where[NUN_0]
    second: i64 = state.where[NUN_1]
    if not slate.holds(first * CELLS + second, 1):
        slate.one(_SEEN + first)
        slate.ones(_SEEN, yard.rays[first])
        slate.one(_SEEN + second)
        slate.ones(_SEEN, yard.rays[second])
        slate.one(_NUNS + first)
        slate.one(_NUNS + CELLS + second)
        slate.hold(1)


def _write_children(state: Position, seat: i64, away: i64, slate: Slate) -> None:
    """The four children of a seat that is so many from the observer on."""
    attackers = state.attackers
    pinned = state.pinned
    child: i64
    for child in range(4 * seat, 4 * seat + 4):
        cell: i64 = state.where[child]
        girl: i64 = 1 if is_girl(child) else 0
        if cell >= BOYS_ENTRANCE:
            slate.add(_ENTRANCE + 2 * away + girl, 1)
            if has(state.detained, child):
                slate.add(_DETENTION + 2 * away + girl, 1)
            continue
        plane = away * CELLS + cell
        slate.add((_GIRLS if girl else _BOYS) + plane, 1)
        if has(attackers, child):
            slate.one(_ATTACKERS + plane)
        if has(pinned, child):
            slate.one(_VICTIMS + plane)
