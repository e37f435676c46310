"""La grande bagarre as numbers: counts of cards and a few vectors, with the seats counted from the observer on.

It shows the table as it lies, and the observer's own cards. What can be worked out from the past is not in it: that
is in the view, and `belief.py` makes the most of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...core.mypyc_shims import i64
from ...core.observation import SHARE, Layout
from ...core.slate import Slate, seat_on, seats_on, stamp
from .actions import MOST_SEATS, Actions
from .deck import EFFECTS
from .position import FORFEIT, HAND, NOT_ASKED, NOTHING, OVER, PHASES, Position, has

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


def layout(state: Position) -> Layout:
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


def write(state: Position, me: i64, slate: Slate) -> None:
    """The position as a seat sees it."""
    seats: i64 = state.seats
    deck = state.deck
    kinds: i64 = deck.kinds
    rest: i64 = _REST * kinds
    unseen: i64 = _UNSEEN * kinds
    away: i64
    if not slate.holds(seats):
        for away in range(seats):
            slate.one(rest + _SEATS + away)
        slate.hold()
    _write_piles(state, me, kinds, slate)
    slate.around(rest + _MARBLES, state.marbles, me)
    for away in range(seats):
        other: i64 = seat_on(me, away, seats)
        start: i64 = _FRONT * kinds + away * kinds
        worth: i64 = 0
        toy: i64
        for toy in state.front[other]:
            slate.one(start + toy)
            slate.less(unseen + toy)
            worth += deck.value[toy]
        slate.set(rest + _WORTH + away, worth)
        cards: i64 = len(state.hands[other])
        down: i64 = state.placed[other]
        if down != NOTHING:
            slate.one(rest + _DOWN + away)
            if down == FORFEIT:
                cards -= 1  # which looks like a card that was placed (B16)
        slate.set(rest + _CARDS + away, cards)
        if state.answers[other] != NOT_ASKED:
            slate.one(rest + _ANSWERED + away)
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
        slate.less(unseen + card)
    if state.effect >= 0:
        slate.one(rest + _SPECIAL + state.effect)
    slate.one(rest + _PHASE + state.phase)
    slate.set(rest + _PILE, state.pile_size)
    slate.set(rest + _ROUND, state.round)
    slate.set(rest + _LIMIT, state.limit)
    slate.share(rest + _CLOCK, state.progress())


def _write_piles(state: Position, me: i64, kinds: i64, slate: Slate) -> None:
    """Cards by kind: the own hand, the discard, and the single cards that it is about. Unseen is for now what is in
    none of these, for all cards are somewhere (B1); what lies open elsewhere is still to be taken away.
    """
    unseen: i64 = _UNSEEN * kinds
    discard: i64 = _DISCARD * kinds
    if not state.discard_stamp:
        state.discard_stamp = stamp()
    if not slate.holds(state.discard_stamp, 1):
        slate.fill(discard, state.discard, 0, kinds)
        slate.hold(1)
    slate.rest(unseen, state.deck.whole, discard)
    card: i64
    for card in state.hands[me]:
        slate.add(card, 1)
        slate.less(unseen + card)
    down: i64 = state.placed[me]
    if down >= 0:
        slate.one(_PLACED * kinds + down)
        slate.less(unseen + down)
    if state.toy >= 0:
        slate.one(_TOY * kinds + state.toy)
    if state.given >= 0:
        slate.one(_GIVEN * kinds + state.given)
