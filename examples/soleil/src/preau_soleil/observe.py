"""The position as numbers, with the seats counted from the observer on."""

from __future__ import annotations

from functools import cache

from preau.core import Layout, Slate

from .actions import SEATS
from .deck import CARDS, HAND, WORDS
from .position import NONE, PHASES
from .rules import SoleilState


@cache
def _layout(wall: int, rounds: int, actions: int) -> Layout:
    """The pieces, each with its unit where that is not 1: what is written is a whole number."""
    return Layout(
        [
            ("hand", (len(CARDS),), HAND),
            ("chosen", (len(CARDS),)),
            ("seats", (SEATS,)),
            ("places", (SEATS,), wall),
            ("caught", (SEATS,), rounds),
            ("answered", (SEATS,)),
            ("played", (SEATS, len(CARDS))),
            ("word", (len(WORDS),)),
            ("phase", (len(PHASES),)),
            ("progress", (1,), 255),
        ],
        actions,
    )


def layout(state: SoleilState) -> Layout:
    """Vectors over seats start with the observer and go round the table."""
    setup = state.setup
    return _layout(setup.wall, setup.rounds, len(setup.actions.all))


def write(state: SoleilState, seat: int, slate: Slate) -> None:
    """The position as `seat` sees it."""
    at = {piece.name: piece.start for piece in layout(state).pieces}
    for card, count in enumerate(state.hands[seat]):
        slate.put(at["hand"] + card, count)
    if state.chosen[seat] != NONE:
        slate.one(at["chosen"] + state.chosen[seat])
    for away in range(state.seats):
        other = (seat + away) % state.seats
        slate.one(at["seats"] + away)
        slate.put(at["places"] + away, state.places[other])
        slate.put(at["caught"] + away, state.caught[other])
        if state.chosen[other] != NONE:
            slate.one(at["answered"] + away)
        if state.played[other] != NONE:
            slate.one(at["played"] + away * len(CARDS) + state.played[other])
    if state.word != NONE:
        slate.one(at["word"] + state.word)
    slate.one(at["phase"] + state.phase)
    slate.share(at["progress"], state.progress())
