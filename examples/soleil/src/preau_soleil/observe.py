"""The position as numbers, with the seats counted from the observer on."""

from __future__ import annotations

from preau.core import Layout, Observation

from .actions import SEATS
from .deck import CARDS, HAND, WORDS
from .position import NONE, PHASES, Position
from .rules import SoleilState

LAYOUT = Layout(
    [
        ("hand", (len(CARDS),)),
        ("chosen", (len(CARDS),)),
        ("seats", (SEATS,)),
        ("places", (SEATS,)),
        ("caught", (SEATS,)),
        ("answered", (SEATS,)),
        ("played", (SEATS, len(CARDS))),
        ("word", (len(WORDS),)),
        ("phase", (len(PHASES),)),
        ("left", (1,)),
    ]
)
"""Vectors over seats start with the observer and go round the table."""


def observe(state: SoleilState, seat: int) -> Observation:
    """The position as `seat` sees it."""
    seen = Observation(LAYOUT, len(state.setup.actions.all))
    for card, count in enumerate(state.hands[seat]):
        seen.piece("hand")[card] = count / HAND
    if state.chosen[seat] != NONE:
        seen.piece("chosen")[state.chosen[seat]] = 1
    for away in range(state.seats):
        _look_at(seen, state, away, (seat + away) % state.seats)
    if state.word != NONE:
        seen.piece("word")[state.word] = 1
    seen.piece("phase")[state.phase] = 1
    seen.piece("left")[0] = 1 - state.progress()
    for action in state.legal(seat):
        seen.mask[action.number] = 1
    return seen


def _look_at(seen: Observation, state: Position, away: int, other: int) -> None:
    """What is to be seen of one child, `away` seats from the observer."""
    setup = state.setup
    seen.piece("seats")[away] = 1
    seen.piece("places")[away] = state.places[other] / setup.wall
    seen.piece("caught")[away] = state.caught[other] / setup.rounds
    seen.piece("answered")[away] = state.chosen[other] != NONE
    if state.played[other] != NONE:
        seen.piece("played")[away * len(CARDS) + state.played[other]] = 1
