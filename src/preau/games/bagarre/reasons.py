"""Why an action of La grande bagarre is good or bad: what hints say, each checked on the positions it is said of.

What others hold is not known to the asking seat. How a fight ends is looked up in a tale, which is one of many that may
be true: such reasons are never certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ...core.reasons import Reason, Step, because, do, perhaps
from ...core.state import Json
from .actions import (
    CONVERT,
    DISCARD,
    DONE,
    DRAW,
    FIGHT,
    FORFEIT,
    GIVE,
    LAY,
    NO,
    PLACE,
    SEAT,
    SPECIAL,
    TAKE,
    YES,
    BagarreAction,
)
from .deck import CLOCHE, ECHANGE, FRIENDS, MAITRESSE, SURVEILLANT
from .position import CONVERTING, NOTHING
from .rules import BagarreState

_NAMES = {
    DRAW: "draw",
    FORFEIT: "forfeit",
    NO: "maman_no",
    YES: "maman_yes",
    LAY: "lay",
    SPECIAL: "special",
    DISCARD: "discard",
    PLACE: "place",
    GIVE: "give",
}
_FIGHTING = (FIGHT, PLACE, NO, SPECIAL, TAKE, SEAT)
"""What is done for the sake of how a fight or a game of marbles ends."""


def advice(step: Step, seat: int) -> Json:
    """What to do, in a few words."""
    before, action = cast(BagarreState, step.before), cast(BagarreAction, step.action)
    kind = action.kind
    if kind == DONE:
        return do("done_convert" if before.phase == CONVERTING else "done_lay")
    if kind == SEAT:
        return do("seat", owner=action.seat)
    if kind == CONVERT:
        return do("convert", card=_name(before, action.card), marbles=before.deck.value[action.card])
    if kind in (FIGHT, TAKE):
        owner = before.owner_of(action.card)
        return do("fight" if kind == FIGHT else "take", card=_name(before, action.card), owner=owner)
    if action.card >= 0:
        return do(_NAMES[kind], card=_name(before, action.card))
    return do(_NAMES[kind])


def reasons(first: Step, rest: Iterator[Step], seat: int) -> list[Reason]:
    """What speaks for and against the first action of a tale."""
    before, action = cast(BagarreState, first.before), cast(BagarreAction, first.action)
    kind = action.kind
    tale = [first, *rest] if kind in (*_FIGHTING, DRAW) else [first]
    found: list[Reason] = list(_gains(first, seat))
    if kind == LAY:
        found += _laid(before, action.card, seat)
    elif kind == DISCARD:
        found += _thrown_away(before, action.card, seat)
    elif kind == PLACE:
        found += _put_down(before, action.card, seat)
    elif kind == YES:
        found.append(because(8.0, "maman", card=_name(before, before.toy), owner=before.owner))
    elif kind == NO:
        found.append(because(2.0, "maman_kept" if before.deck.maman in before.hands[seat] else "no_maman"))
    elif kind == FORFEIT:
        found.append(because(2.0, "friends_kept"))
    elif kind == SPECIAL:
        found += _special(tale, before.deck.effect[action.card], seat)
    elif kind == DRAW:
        found += _after_drawing(tale, seat)
    ends = list(_ends(tale, seat)) if kind in _FIGHTING and len(before.legal(seat)) > 1 else []
    if kind in (FIGHT, TAKE):
        told = any(reason.said["key"] == "because.win_toy" for reason in ends)
        found += _at_stake(before, action.card, told=told)
    return found + ends


def _name(state: BagarreState, card: int) -> str:
    return state.deck.names[card]


def _value_of(state: BagarreState, name: object) -> int:
    return state.deck.value[state.deck.numbers[str(name).lower()]]


# Marbles and toys.


def _gains(step: Step, seat: int) -> Iterator[Reason]:
    """B8, B23: toys that become marbles, are swapped or taken away at once."""
    after = cast(BagarreState, step.after)
    goal = after.setup.goal
    for event in step.events:
        data = cast(Json, event.data)
        if event.key in ("convert", "marie_edwige") and data["seat"] == seat:
            if data["total"] >= goal:
                yield because(100.0, "wins", goal=goal)
            else:
                yield because(6.0, "marbles", total=data["total"], goal=goal)
                yield because(3.0, "cashed")
        elif event.key == "swap" and data["seat"] == seat:
            more = _value_of(after, data["card"]) - _value_of(after, data["given"])
            if more:
                yield because(6.0 if more > 0 else -6.0, "swap", more=abs(more), better="yes" if more > 0 else "no")
        elif event.key == "surveillant" and data["seat"] == seat:
            yield because(5.0, "removed", card=data["card"], owner=data["owner"])


def _laid(before: BagarreState, toy: int, seat: int) -> Iterator[Reason]:
    """B9, B10: a toy in front is worth marbles from the next turn on, if nobody takes it."""
    yield because(5.0, "worth", value=before.deck.value[toy])
    goal = before.setup.goal
    have = before.marbles[seat] + before.worth(seat)
    if have < goal <= have + before.deck.value[toy]:
        yield because(9.0, "enough", goal=goal)


def _at_stake(before: BagarreState, toy: int, *, told: bool) -> Iterator[Reason]:
    """What a toy is worth, unless that is told anyway, and whether its owner needs it to win with the next turn."""
    owner = before.owner_of(toy)
    value = before.deck.value[toy]
    if not told and before.effect not in (ECHANGE, SURVEILLANT):
        yield because(4.0, "stake", value=value)
    has = before.marbles[owner] + before.worth(owner)
    if has >= before.setup.goal > has - value:
        yield because(7.0, "stops", owner=owner, goal=before.setup.goal)


# Cards in hand.


def _friends(state: BagarreState, seat: int) -> list[int]:
    return [card for card in state.hands[seat] if card < FRIENDS]


def _thrown_away(before: BagarreState, card: int, seat: int) -> Iterator[Reason]:
    """B11, B12: what is thrown away is missed least where there is another like it, or a better one."""
    hand = before.hands[seat]
    if hand.count(card) > 1:
        yield because(3.0, "spare")
    elif card < FRIENDS and card == min(_friends(before, seat)) and len(_friends(before, seat)) > 1:
        yield because(3.0, "weakest")


def _put_down(before: BagarreState, card: int, seat: int) -> Iterator[Reason]:
    """B15, B16: whether the strongest friend goes into the fight or stays for another one."""
    friends = _friends(before, seat)
    best = max(friends)
    if card < best:
        yield because(2.0, "spares", kept=_name(before, best))
    elif len(set(friends)) > 1:
        yield because(1.5, "strongest")


# How it goes on.


def _events(tale: Sequence[Step]) -> Iterator[tuple[str, Json]]:
    for step in tale:
        for event in step.events:
            yield event.key, cast(Json, event.data)


def _ends(tale: Sequence[Step], seat: int) -> Iterator[Reason]:
    """How a fight, a claim of the champion's or a game of marbles ends in this tale."""
    state = cast(BagarreState, tale[0].after)
    for key, data in _events(tale):
        mine, owns = data.get("seat") == seat, data.get("owner") == seat
        if key == "tie" and seat in data["seats"]:
            yield perhaps(1.0, "tie")
        elif key in ("win_toy", "championne"):
            yield from _toy_goes(state, data, mine=mine, owns=owns, fights=_is_in(tale, seat))
        elif key == "keep_toy" and mine:
            yield perhaps(9.0, "keep_toy", card=data["card"])
        elif key == "keep_toy" and state.active == seat:
            yield perhaps(-8.0, "not_won", card=data["card"], owner=data["owner"])
        elif key == "maman" and not mine and state.active == seat:
            yield perhaps(-5.0, "maman_stops", card=data["card"], owner=data["owner"])
        elif key == "bet_won" and data["marbles"] and (mine or owns):
            yield perhaps(7.0, "win_marble", owner=data["owner"]) if mine else perhaps(-7.0, "lose_marble")


def _toy_goes(state: BagarreState, data: Json, *, mine: bool, owns: bool, fights: bool) -> Iterator[Reason]:
    if mine:
        about = {"card": data["card"], "owner": data["owner"], "value": _value_of(state, data["card"])}
        yield perhaps(9.0, "win_toy", **about)
    elif owns:
        yield perhaps(-9.0, "lose_toy", card=data["card"])
    elif fights:
        yield perhaps(-4.0, "others_win", card=data["card"])


def _is_in(tale: Sequence[Step], seat: int) -> bool:
    """Whether the seat has a friend in the fight."""
    return any(cast(BagarreState, step.after).placed[seat] != NOTHING for step in tale)


def _special(tale: Sequence[Step], effect: int, seat: int) -> Iterator[Reason]:
    """B23: what a special move lets its player do."""
    if effect == MAITRESSE:
        yield because(4.0, "ban")
    elif effect == CLOCHE:
        yield because(3.0, "bell")
    laid = [data["card"] for key, data in _events(tale) if key == "lay" and data["seat"] == seat]
    if len(laid) > 1:
        yield perhaps(6.0, "can_lay_two")
    elif laid:
        yield perhaps(3.0, "can_lay", card=laid[0])
    state = cast(BagarreState, tale[0].after)
    for key, data in _events(tale[1:]):
        if data.get("seat") != seat:
            continue
        if key == "marie_edwige":
            yield perhaps(100.0 if data["total"] >= state.setup.goal else 6.0, "can_sell", **_sold(data))
        elif key == "swap":
            yield perhaps(6.0, "can_swap", given=data["given"], card=data["card"], owner=data["owner"])
        elif key == "surveillant":
            yield perhaps(5.0, "can_remove", card=data["card"], owner=data["owner"])


def _sold(data: Json) -> Json:
    return {"card": data["card"], "marbles": data["marbles"], "total": data["total"]}


def _after_drawing(tale: Sequence[Step], seat: int) -> Iterator[Reason]:
    """B9: what the seat would do with its hand, whatever it draws."""
    for key, data in _events(tale):
        if data.get("seat") != seat:
            continue
        if key == "lay":
            state = cast(BagarreState, tale[0].before)
            if state.deck.numbers[data["card"].lower()] in state.hands[seat]:
                yield perhaps(4.0, "can_lay", card=data["card"])
            return
        if key in ("fight", "general_fight"):
            yield perhaps(4.0, "can_fight", card=data["card"], owner=data["owner"])
            return
