"""Why an action of Dans la cour d'école is good or bad: what hints say, each checked on the positions it is said of.

What the seat's own row gains is certain; what the others hold differs from one tale to another, and is never certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ...core.reasons import Reason, Step, because, do, perhaps
from ...core.state import Json
from .actions import (
    CHALLENGE,
    FRIEND,
    GIVE,
    GLUE,
    KEEP,
    NONE,
    POINT,
    STEAL,
    TAKE,
    THROW,
    THROWS,
    TRADE,
    YES,
    CourAction,
)
from .deck import CHARACTERS
from .memory import kind_of
from .rules import CourState
from .tally import TRADED

HELPS = 2
"""Stars that a card given away must add for somebody before it is called a help."""


def advice(step: Step, seat: int) -> Json:
    """What to do, in a few words."""
    before, action = cast(CourState, step.before), cast(CourAction, step.action)
    kind = action.kind
    if kind in (KEEP, TAKE):
        return do("keep" if kind == KEEP else "take", card=before.deck.types[action.card])
    if kind == GIVE:
        return do("give", card=before.deck.types[action.card], to=action.seat)
    if kind == THROW:
        return do("throw", throw=THROWS[action.card])
    if kind == GLUE:
        return do("glue_yes" if action.card == YES else "glue_no")
    if kind == TRADE:
        return do("trade_yes" if action.card == YES else "trade_no")
    if kind == POINT and action.seat == NONE:
        return do("point_none")
    return do({POINT: "point", CHALLENGE: "challenge", STEAL: "steal", FRIEND: "friend"}[kind], other=action.seat)


def reasons(first: Step, rest: Iterator[Step], seat: int) -> list[Reason]:
    """What speaks for and against the first action of a tale. What comes after it is luck for the most part."""
    before, action = cast(CourState, first.before), cast(CourAction, first.action)
    kind = action.kind
    if kind in (KEEP, TAKE):
        return list(_gained(before, action.card, seat))
    if kind == GIVE:
        return list(_given(before, action.card, action.seat, seat))
    if kind == GLUE:
        return [because(6.0, "two") if action.card == YES else because(-6.0, "pot_lost")]
    if kind == TRADE:
        return list(_traded(before, seat, yes=action.card == YES))
    if kind == CHALLENGE:
        return list(_challenged(before, action.seat))
    if kind == THROW:
        return [because(1.0, "luck")]
    if kind == FRIEND:
        return list(_befriended(before, action.seat, seat))
    return list(_robbed(before, action.seat, seat)) if action.seat != NONE else []


# One's own row.


def _gained(state: CourState, card: int, seat: int) -> Iterator[Reason]:
    """C6, C10 to C13: what a card does for whoever gains it."""
    deck = state.deck
    if card == deck.glue:
        yield because(5.0, "pot")
    elif card == deck.friend:
        yield because(4.0, "friendship")
    elif card in (deck.leaf, deck.chestnut):
        yield from _collected(state, card, seat)
    if card < deck.in_hand:
        yield from _stars(state, card, seat)


def _stars(state: CourState, card: int, seat: int) -> Iterator[Reason]:
    """C16, C17: the stars that one more card adds to the best row, and where most of them come from."""
    rows, character, minimum = state.setup.rows, state.characters[seat], state.setup.agent_min
    hand = state.hand(seat)
    more = hand.copy()
    more[card] += 1
    stars = rows.stars(more, character, minimum) - rows.stars(hand, character, minimum)
    joined = rows.joins(more, character) - rows.joins(hand, character)
    bonus = rows.bonus(more, character, minimum) - rows.bonus(hand, character, minimum)
    if stars <= 0:
        if card < state.deck.toys:
            yield because(-3.0, "no_stars")
        return
    by, part = ("bonus", bonus) if bonus > joined else ("joined", joined) if joined else ("full", stars)
    yield because(4.0 + stars, "stars", stars=stars, by=by, part=part, character=CHARACTERS[character])


def _collected(state: CourState, card: int, seat: int) -> Iterator[Reason]:
    """C10, C11: three leaves or three chestnuts can be traded."""
    held = state.held(seat, card) + 1
    leaf = card == state.deck.leaf
    if leaf:
        yield because(7.0, "third_leaf") if held >= TRADED else because(3.0, "leaves", n=held)
    elif state.man < 0:
        stars = state.deck.chestnut_man_stars
        yield because(8.0 if held >= TRADED else 4.0, "chestnuts", n=held, stars=stars)
    else:
        yield because(-4.0, "man_gone")


# Others.


def _given(state: CourState, card: int, to: int, seat: int) -> Iterator[Reason]:
    """C6: a card given away should help nobody, and least of all whoever leads."""
    deck = state.deck
    if card in (deck.friend, deck.glue):
        yield because(-3.0, "useful", other=to)
    elif card < deck.in_hand:
        rows, character, minimum = state.setup.rows, state.characters[to], state.setup.agent_min
        hand = state.hand(to)
        more = hand.copy()
        more[card] += 1
        stars = rows.stars(more, character, minimum) - rows.stars(hand, character, minimum)
        if stars < HELPS:
            yield perhaps(5.0, "little", other=to)
        else:
            yield perhaps(-5.0, "helps", other=to)
    sizes = [size for other, size in enumerate(state.sizes) if other not in (seat, to)]
    if sizes and state.sizes[to] < min(sizes):
        yield because(1.5, "fewest_cards", other=to)
    others = [score for other, score in enumerate(state.scores()) if other != to]
    score = state.scores()[to]
    if score < min(others):
        yield perhaps(4.0, "behind", other=to)
    elif score > max(others):
        yield perhaps(-4.0, "ahead", other=to)


def _robbed(state: CourState, victim: int, seat: int) -> Iterator[Reason]:
    """C8, C10: a card is taken where there are many, and from whoever leads."""
    sizes = [size for other, size in enumerate(state.sizes) if other not in (seat, victim)]
    if not state.sizes[victim]:
        yield because(-8.0, "empty", other=victim)
    elif sizes and state.sizes[victim] > max(sizes):
        yield because(3.0, "most_cards", other=victim, n=state.sizes[victim])
    else:
        yield because(1.0, "cards", other=victim, n=state.sizes[victim])
    scores = [score for other, score in enumerate(state.scores()) if other not in (seat, victim)]
    if scores and state.scores()[victim] > max(scores):
        yield perhaps(4.0, "ahead_robbed", other=victim)


def _befriended(state: CourState, to: int, seat: int) -> Iterator[Reason]:
    """C12: a friend brings a star for every card of their largest collection."""
    rows = state.setup.rows
    sizes = {other: max(rows.collections(state.hand(other))) for other in state.strangers(seat)}
    others = [size for other, size in sizes.items() if other != to]
    if not others or sizes[to] >= max(others):
        yield perhaps(6.0, "largest", other=to)
    else:
        yield perhaps(-4.0, "smaller", other=to)


def _challenged(state: CourState, rival: int) -> Iterator[Reason]:
    """C9: who has a king card stakes one."""
    if state.kings[rival]:
        yield because(6.0, "stakes", other=rival, stars=2 * state.deck.king_stars)
    else:
        yield because(3.0, "king", stars=state.deck.king_stars)


def _traded(state: CourState, seat: int, *, yes: bool) -> Iterator[Reason]:
    """C10, C11: what three of a kind are traded for, and what they are worth in hand."""
    if not state.can_trade():
        return
    kind = kind_of(state.memory[-1])
    kept = TRADED * state.deck.worth[state.characters[seat]][kind]
    if yes and kind == state.deck.chestnut:
        yield because(8.0, "man", stars=state.deck.chestnut_man_stars)
    elif yes:
        yield because(5.0, "theft")
    if kept:
        yield because(-5.0 if yes else 6.0, "gone" if yes else "worth_keeping", stars=kept)
