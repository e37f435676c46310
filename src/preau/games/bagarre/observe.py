"""La grande bagarre as numbers: counts of cards and a few vectors, with the seats counted from the observer on.

It shows the table as it lies, and the observer's own cards. What can be worked out from the past is not in it: that
is in the view, and `belief.py` makes the most of it.
"""

from __future__ import annotations

from functools import lru_cache

from ...core.observation import Layout, Observation
from .actions import MOST_SEATS
from .deck import EFFECTS, Deck
from .position import HAND, NOT_ASKED, NOTHING, OVER, PHASES, has
from .rules import BagarreState
from .views import unseen


@lru_cache(maxsize=16)
def layout(deck: Deck) -> Layout:
    """The pieces with one set of cards. Vectors over seats start with the observer and go round the table."""
    kinds = deck.kinds
    return Layout(
        [
            ("hand", (kinds,)),
            ("unseen", (kinds,)),
            ("discard", (kinds,)),
            ("front", (MOST_SEATS, kinds)),
            ("turned", (MOST_SEATS, kinds)),
            ("placed", (kinds,)),
            ("down", (MOST_SEATS,)),
            ("answered", (MOST_SEATS,)),
            ("cards", (MOST_SEATS,)),
            ("marbles", (MOST_SEATS,)),
            ("worth", (MOST_SEATS,)),
            ("seats", (MOST_SEATS,)),
            ("active", (MOST_SEATS,)),
            ("asked", (MOST_SEATS,)),
            ("owner", (MOST_SEATS,)),
            ("ban", (MOST_SEATS,)),
            ("toy", (kinds,)),
            ("given", (kinds,)),
            ("special", (len(EFFECTS),)),
            ("phase", (len(PHASES),)),
            ("pile", (1,)),
            ("round", (1,)),
            ("limit", (1,)),
            ("clock", (1,)),
        ]
    )


def observe(state: BagarreState, seat: int) -> Observation:
    """The position as `seat` sees it."""
    deck = state.deck
    kinds = deck.kinds
    pieces = layout(deck)
    seen = Observation(pieces, len(state.setup.actions.all))
    piece = {block.name: seen.piece(block.name) for block in pieces.pieces}
    for card in state.hands[seat]:
        piece["hand"][card] += 1.0
    for kind, count in enumerate(unseen(state, seat)):
        piece["unseen"][kind] = float(count)
        piece["discard"][kind] = float(state.discard[kind])
    goal = state.setup.goal
    for away in range(state.seats):
        other = (seat + away) % state.seats
        for toy in state.front[other]:
            piece["front"][away * kinds + toy] = 1.0
        piece["down"][away] = float(state.placed[other] != NOTHING)
        piece["answered"][away] = float(state.answers[other] != NOT_ASKED)
        piece["cards"][away] = state.cards_shown(other) / HAND
        piece["marbles"][away] = state.marbles[other] / goal
        piece["worth"][away] = state.worth(other) / goal
        piece["seats"][away] = 1.0
        piece["active"][away] = float(other == state.active and state.phase != OVER)
        piece["asked"][away] = float(has(state.owing, other))
        piece["owner"][away] = float(other == state.owner)
        piece["ban"][away] = float(other == state.ban)
    for other, card in state.turned:
        piece["turned"][(other - seat) % state.seats * kinds + card] += 1.0
    for name, card in (("placed", state.placed[seat]), ("toy", state.toy), ("given", state.given)):
        if card >= 0:
            piece[name][card] = 1.0
    if state.effect >= 0:
        piece["special"][state.effect] = 1.0
    piece["phase"][state.phase] = 1.0
    piece["pile"][0] = state.pile_size / deck.size
    piece["round"][0] = float(state.round)
    piece["limit"][0] = float(state.limit)
    piece["clock"][0] = state.progress()
    for action in state.legal(seat):
        seen.mask[action.number] = 1
    return seen
