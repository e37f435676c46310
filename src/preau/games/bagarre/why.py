"""Why an action is refused: the rule it breaks, found by looking at the same position that `legal` looks at.

A reason only speaks of open things and of the asker's own cards.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import IllegalAction
from ...core.refusing import Reason, illegal
from ...core.state import NATURE
from .actions import (
    CONVERT,
    DEAL,
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
from .deck import EFFECTS, MAMAN
from .position import (
    ACTION,
    ANSWER,
    ATTACK,
    BETTING,
    CONVERTING,
    DEALING,
    DRAWING,
    EXCESS,
    FILLING,
    GIVING,
    LAYING,
    LAYING_MORE,
    OPTIONAL,
    PHASES,
    REPLYING,
    SEATING,
    TAKING,
    TURN,
    WINDOW,
)
from .rules import BagarreState

_PLACING = (ATTACK, ANSWER, BETTING, REPLYING)
_PHASES_OF = {
    DRAW: (TURN,),
    CONVERT: (TURN, CONVERTING),
    DONE: (CONVERTING, OPTIONAL, LAYING, LAYING_MORE),
    LAY: (ACTION, OPTIONAL, LAYING, LAYING_MORE),
    FIGHT: (ACTION,),
    SPECIAL: (ACTION,),
    DISCARD: (ACTION, EXCESS),
    PLACE: _PLACING,
    FORFEIT: _PLACING,
    YES: (WINDOW,),
    NO: (WINDOW,),
    GIVE: (GIVING,),
    TAKE: (TAKING,),
    SEAT: (SEATING,),
    DEAL: (DEALING, DRAWING, FILLING),
}


def why_not(state: BagarreState, actor: int, action: BagarreAction) -> IllegalAction:
    """The error for an action that is not legal although its actor owes a decision."""
    return illegal(state, actor, action, _reason(state, actor, action))


def _reason(state: BagarreState, actor: int, action: BagarreAction) -> Reason:
    sort = action.sort
    if state.phase not in _PHASES_OF[sort] or (sort == DEAL) != (actor == NATURE):
        return "other_step", "B7", {"phase": PHASES[state.phase]}
    about = {"card": state.deck.names[action.card]} if action.card >= 0 else {}
    if sort == DEAL:
        return _deal(state, action, about)
    if sort in (CONVERT, GIVE):
        return "not_in_front", "B8" if sort == CONVERT else "B23", about
    if sort == FIGHT:
        return _fight(state, actor, action.card, about)
    if sort == SPECIAL:
        return _special(state, actor, action.card, about)
    if sort == TAKE:
        return ("own_toy" if action.card in state.front[actor] else "not_in_play"), "B23", about
    if sort == SEAT:
        return ("own_seat" if action.seat == actor else "no_marble"), "B23", {"other": action.seat}
    if sort == FORFEIT:
        return "no_forfeit", "B16", {}
    if sort == DONE:
        return "must_lay", "B23", {}
    if sort == YES:
        return "no_maman", "B18", {}
    return _from_hand(state, actor, action, about)


def _deal(state: BagarreState, action: BagarreAction, about: dict[str, Any]) -> Reason:
    if action.seat != state.drawer:
        return "other_drawer", "B12", {**about, "other": state.drawer}
    return "not_in_pile", "B13", about


def _fight(state: BagarreState, seat: int, toy: int, about: dict[str, Any]) -> Reason:
    if state.ban >= 0:
        return "banned", "B23", {**about, "other": state.ban}
    if toy in state.front[seat]:
        return "own_toy", "B15", about
    if state.owner_of(toy) < 0:
        return "not_in_play", "B15", about
    return "no_friend", "B15", about


def _special(state: BagarreState, seat: int, card: int, about: dict[str, Any]) -> Reason:
    if card not in state.hands[seat]:
        return "not_in_hand", "B23", about
    if state.deck.effect[card] == MAMAN:
        return "maman_waits", "B18", about
    return "need", "B23", {**about, "special": EFFECTS[state.deck.effect[card]]}


def _from_hand(state: BagarreState, seat: int, action: BagarreAction, about: dict[str, Any]) -> Reason:
    rule = {LAY: "B10", DISCARD: "B11", PLACE: "B15"}[action.sort]
    if action.card not in state.hands[seat]:
        return "not_in_hand", rule, about
    return "too_valuable", "B23", {**about, "limit": state.limit}
