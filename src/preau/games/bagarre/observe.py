"""La grande bagarre as numbers: counts of cards and a few vectors, with the seats counted from the observer on.

It shows the table as it lies, and the observer's own cards. What can be worked out from the past is not in it: that
is in the view, and `belief.py` makes the most of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...core.compiling import i64
from ...core.observation import SHARE, Layout
from ...core.slate import Slate, seat_on, seats_on
from .actions import MOST_SEATS, Actions
from .deck import EFFECTS
from .position import HAND, NOT_ASKED, NOTHING, OVER, PHASES, has
from .rules import BagarreState

# Where the pieces start: first those over kinds of cards, as so many times the number of kinds.
_HAND: Final = 0
_UNSEEN: Final = 1
_DISCARD: Final = 2
_PLACED: Final = 3
_TOY: Final = 4
_GIVEN: Final = 5
_FRONT: Final = 6
_TURNED: Final = 12
_REST: Final = 18
# Then, counted from there, all others.
_DOWN: Final = 0
_ANSWERED: Final = 6
_CARDS: Final = 12
_MARBLES: Final = 18
_WORTH: Final = 24
_SEATS: Final = 30
_ACTIVE: Final = 36
_ASKED: Final = 42
_OWNER: Final = 48
_BAN: Final = 54
_SPECIAL: Final = 60
_PHASE: Final = 69
_PILE: Final = 88
_ROUND: Final = 89
_LIMIT: Final = 90
_CLOCK: Final = 91

CARD_STARTS: Final = (_HAND, _UNSEEN, _DISCARD, _PLACED, _TOY, _GIVEN, _FRONT, _TURNED)
OTHER_STARTS: Final = (
    _DOWN, _ANSWERED, _CARDS, _MARBLES, _WORTH, _SEATS, _ACTIVE, _ASKED, _OWNER, _BAN, _SPECIAL, _PHASE, _PILE, _ROUND,
    _LIMIT, _CLOCK,
)  # fmt: skip
"""The same in the order of the layout."""


def layout(state: BagarreState) -> Layout:
    """The pieces. Vectors over seats start with the observer and go round the table."""
    return _layout(state.setup.actions, state.setup.goal)


@lru_cache(maxsize=64)
def _layout(actions: Actions, goal: int) -> Layout:
    """The pieces with one set of cards and one goal."""
    deck = actions.deck
    kinds = deck.kinds
    return Layout(
        [
            ("hand", (kinds,)),
            ("unseen", (kinds,)),
            ("discard", (kinds,)),
            ("placed", (kinds,)),
            ("toy", (kinds,)),
            ("given", (kinds,)),
            ("front", (MOST_SEATS, kinds)),
            ("turned", (MOST_SEATS, kinds)),
            ("down", (MOST_SEATS,)),
            ("answered", (MOST_SEATS,)),
            ("cards", (MOST_SEATS,), HAND),
            ("marbles", (MOST_SEATS,), goal),
            ("worth", (MOST_SEATS,), goal),
            ("seats", (MOST_SEATS,)),
            ("active", (MOST_SEATS,)),
            ("asked", (MOST_SEATS,)),
            ("owner", (MOST_SEATS,)),
            ("ban", (MOST_SEATS,)),
            ("special", (len(EFFECTS),)),
            ("phase", (len(PHASES),)),
            ("pile", (1,), deck.size),
            ("round", (1,)),
            ("limit", (1,)),
            ("clock", (1,), SHARE),
        ],
        len(actions.all),
    )


def write(state: BagarreState, seat: int, slate: Slate) -> None:
    """The position as `seat` sees it."""
    me: i64 = seat
    seats: i64 = state.seats
    kinds: i64 = state.deck.kinds
    rest: i64 = _REST * kinds
    _write_piles(state, me, kinds, slate)
    slate.around(rest + _MARBLES, state.marbles, me)
    away: i64
    for away in range(seats):
        other: i64 = seat_on(me, away, seats)
        start: i64 = _FRONT * kinds + away * kinds
        worth: i64 = 0
        for toy in state.front[other]:
            slate.one(start + toy)
            worth += state.deck.value[toy]
        if state.placed[other] != NOTHING:
            slate.one(rest + _DOWN + away)
        if state.answers[other] != NOT_ASKED:
            slate.one(rest + _ANSWERED + away)
        slate.set(rest + _CARDS + away, state.cards_shown(other))
        slate.set(rest + _WORTH + away, worth)
        slate.set(rest + _SEATS + away, 1)
        if has(state.owing, other):
            slate.one(rest + _ASKED + away)
    if state.phase != OVER:
        slate.one(rest + _ACTIVE + seats_on(state.active, me, seats))
    if state.owner >= 0:
        slate.one(rest + _OWNER + seats_on(state.owner, me, seats))
    if state.ban >= 0:
        slate.one(rest + _BAN + seats_on(state.ban, me, seats))
    for who, card in state.turned:
        slate.add(_TURNED * kinds + seats_on(who, me, seats) * kinds + card, 1)
    if state.effect >= 0:
        slate.one(rest + _SPECIAL + state.effect)
    slate.one(rest + _PHASE + state.phase)
    slate.set(rest + _PILE, state.pile_size)
    slate.set(rest + _ROUND, state.round)
    slate.set(rest + _LIMIT, state.limit)
    slate.share(rest + _CLOCK, state.progress())


def _write_piles(state: BagarreState, me: i64, kinds: i64, slate: Slate) -> None:
    """Cards by kind: the own hand, all that is unseen, the discard, and the single cards that it is about."""
    for card in state.hands[me]:
        slate.add(card, 1)
    unseen: i64 = _UNSEEN * kinds
    slate.fill(unseen, state.pile, 0, kinds)
    other: i64
    for other in range(state.seats):
        if other != me:
            for card in state.hands[other]:
                slate.more(unseen + card)
            down: i64 = state.placed[other]
            if down >= 0:
                slate.more(unseen + down)
    slate.fill(_DISCARD * kinds, state.discard, 0, kinds)
    if state.placed[me] >= 0:
        slate.one(_PLACED * kinds + state.placed[me])
    if state.toy >= 0:
        slate.one(_TOY * kinds + state.toy)
    if state.given >= 0:
        slate.one(_GIVEN * kinds + state.given)
