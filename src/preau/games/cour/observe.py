"""Dans la cour d'école as numbers, with the seats counted from the observer on.

Counts of cards go by toy type, then leaf, chestnut, friend, glue, spider, butterfly, king, also where a card set gives
every card its own edges; the action mask keeps the numbering of the set.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...core.mypyc_shims import i64
from ...core.observation import SHARE, Layout
from ...core.slate import Slate, seat_on, seats_on, stamp
from .actions import NONE, SEATS, Actions
from .deck import CHARACTERS, OTHERS, TOYS, has
from .position import OVER, POINTING, RACING, Position

GROUPS: Final = (*TOYS, *OTHERS)
_ALL: Final = 12
_HELD: Final = 7
"""How many groups there are, and how many of them can be in a hand."""
_NEXT: Final = 12
"""How many cards of the known order under the pile are shown."""

# Where the pieces start, in the order of the layout.
_HAND: Final = 0
_CHARACTER: Final = 7
_SURE: Final = 15
_UNSURE: Final = 71
_SIZES: Final = 79
_KINGS: Final = 87
_FRIENDS: Final = 95
_POT: Final = 159
_CHESTNUT_MAN: Final = 167
_POOL: Final = 175
_UNDER: Final = 187
_OPEN: Final = 331
_EVENT: Final = 343
_SEATS: Final = 355
_ACTIVE: Final = 363
_GAINER: Final = 371
_VICTIM: Final = 379
_ANSWERED: Final = 387
_POINTED: Final = 395
_PHASE: Final = 459
_TO_KEEP: Final = 475
_DRAWS: Final = 476
_ENDING: Final = 477
_PROGRESS: Final = 478

STARTS: Final = (
    _HAND, _CHARACTER, _SURE, _UNSURE, _SIZES, _KINGS, _FRIENDS, _POT, _CHESTNUT_MAN, _POOL, _UNDER, _OPEN, _EVENT,
    _SEATS, _ACTIVE, _GAINER, _VICTIM, _ANSWERED, _POINTED, _PHASE, _TO_KEEP, _DRAWS, _ENDING, _PROGRESS,
)  # fmt: skip


def layout(state: Position) -> Layout:
    """The pieces. Vectors over seats start with the observer and go round the table."""
    return _layout(state.setup.actions)


@lru_cache(maxsize=64)
def _layout(actions: Actions) -> Layout:
    return Layout(
        [
            ("hand", (_HELD,)),
            ("character", (len(CHARACTERS),)),
            ("sure", (SEATS, _HELD)),
            ("unsure", (SEATS,)),
            ("sizes", (SEATS,)),
            ("kings", (SEATS,)),
            ("friends", (SEATS, SEATS)),
            ("pot", (SEATS,)),
            ("chestnut_man", (SEATS,)),
            ("pool", (len(GROUPS),)),
            ("under", (_NEXT, len(GROUPS))),
            ("open", (len(GROUPS),)),
            ("event", (len(GROUPS),)),
            ("seats", (SEATS,)),
            ("active", (SEATS,)),
            ("gainer", (SEATS,)),
            ("victim", (SEATS,)),
            ("answered", (SEATS,)),
            ("pointed", (SEATS, SEATS)),
            ("phase", (OVER + 1,)),
            ("to_keep", (1,)),
            ("draws", (1,)),
            ("ending", (1,)),
            ("progress", (1,), SHARE),
        ],
        len(actions.all),
    )


def write(state: Position, me: i64, slate: Slate) -> None:
    """The position as a seat sees it."""
    seats: i64 = state.seats
    away: i64
    if not slate.holds(seats):
        for away in range(seats):
            slate.one(_SEATS + away)
        slate.hold()
    _write_pile(state, slate)
    if state.characters[me] >= 0:
        slate.one(_CHARACTER + state.characters[me])
    _write_open(state, slate)
    _write_hands(state, me, seats, slate)
    slate.around(_KINGS, state.kings, me)
    friend: i64
    for away in range(seats):
        other: i64 = seat_on(me, away, seats)
        friends: i64 = state.friends[other]
        if friends:
            for friend in range(seats):
                if has(friends, friend):
                    slate.one(_FRIENDS + away * SEATS + seats_on(friend, me, seats))
        answer: i64 = state.answers[other]
        if answer >= 0:
            slate.one(_ANSWERED + away)
            if answer < NONE and (state.phase == RACING or (state.phase == POINTING and other == me)):
                slate.one(_POINTED + away * SEATS + seats_on(answer, me, seats))
    slate.one(_ACTIVE + seats_on(state.active, me, seats))
    if state.pot >= 0:
        slate.one(_POT + seats_on(state.pot, me, seats))
    if state.man >= 0:
        slate.one(_CHESTNUT_MAN + seats_on(state.man, me, seats))
    if state.gainer >= 0:
        slate.one(_GAINER + seats_on(state.gainer, me, seats))
    if state.victim >= 0:
        slate.one(_VICTIM + seats_on(state.victim, me, seats))
    slate.one(_PHASE + state.phase)
    slate.set(_TO_KEEP, state.to_keep)
    slate.set(_DRAWS, state.draws)
    slate.set(_ENDING, 1 if state.ending else 0)
    slate.share(_PROGRESS, state.progress())


def _write_pile(state: Position, slate: Slate) -> None:
    """The next cards of the known order under the pile, and by group those above it."""
    if not state.under_stamp:
        state.under_stamp = stamp()
    if not slate.holds(state.under_stamp, 1):
        groups = state.deck.groups
        place: i64
        for place in range(min(len(state.under), _NEXT)):
            slate.one(_UNDER + place * _ALL + groups[state.under[place]])
        slate.hold(1)
    if not state.pool_stamp:
        state.pool_stamp = stamp()
    if not slate.holds(state.pool_stamp, 2):
        _fill(state, _POOL, state.pool, 0, _ALL, slate)
        slate.hold(2)


def _write_open(state: Position, slate: Slate) -> None:
    """What lies open, by group."""
    groups = state.deck.groups
    for card in state.open_cards:
        slate.add(_OPEN + groups[card], 1)
    if state.event >= 0:
        slate.one(_EVENT + groups[state.event])


def _fill(state: Position, start: i64, cards: list[int], first: i64, size: i64, slate: Slate) -> None:
    """Counts of cards, by group: of those that can be in a hand, or of all."""
    deck = state.deck
    if deck.by_group:
        slate.fill(start, cards, first, size)
        return
    counts = [0] * len(GROUPS)
    kind: i64
    for kind in range(deck.in_hand if size == _HELD else deck.size):
        group: i64 = deck.groups[kind]
        counts[group] = counts[group] + cards[first + kind]
    slate.fill(start, counts, 0, size)


def _write_hands(state: Position, me: i64, seats: i64, slate: Slate) -> None:
    """Which cards of every hand the observer is sure of, and how many more there are; in the end, all. Of the own hand,
    the first, it is sure always.
    """
    deck = state.deck
    over = state.phase == OVER
    hands = state.knowing(me).hands
    away: i64
    for away in range(seats):
        other: i64 = seat_on(me, away, seats)
        hand = hands[other]
        start: i64 = _SURE + away * _HELD
        if over:
            _fill(state, start, state.hands, other * state.width, _HELD, slate)
        elif deck.by_group:
            slate.eight(start, hand.counts[0].number, _HELD)
        else:
            _fill(state, start, [hand.count(kind) for kind in range(deck.in_hand)], 0, _HELD, slate)
        slate.set(_SIZES + away, hand.size)
        slate.set(_UNSURE + away, 0 if over else hand.unsure)
    slate.again(_HAND, _SURE, _HELD)
