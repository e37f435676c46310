"""Why an action is refused: the rule it breaks, found by looking at the same position that `legal` looks at.

A reason only speaks of open things and of the asker's own cards.
"""

from __future__ import annotations

from ...core.errors import IllegalAction
from ...core.refusing import Reason, illegal
from ...core.state import NATURE, REFEREE, Action
from . import shapes
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


def why_not(state: BagarreState, actor: int, action: Action) -> IllegalAction:
    """The error for an action that is not legal although its actor owes a decision."""
    assert isinstance(action, BagarreAction)
    return illegal(state, actor, action, _reason(state, actor, action))


def _reason(state: BagarreState, actor: int, action: BagarreAction) -> Reason:
    kind = action.kind
    who: shapes.Refused = {"seat": actor, "action": action.text}
    if actor == REFEREE:
        return "referee", "B7", who
    if state.phase not in _PHASES_OF[kind] or (kind == DEAL) != (actor == NATURE):
        step: shapes.StepRefused = {**who, "phase": PHASES[state.phase]}
        return "other_step", "B7", step
    if kind == SEAT:
        other: shapes.OtherRefused = {**who, "other": action.seat}
        return ("own_seat" if action.seat == actor else "no_marble"), "B23", other
    if kind == FORFEIT:
        return "no_forfeit", "B16", who
    if kind == DONE:
        return "must_lay", "B23", who
    if kind == YES:
        return "no_maman", "B18", who
    about: shapes.CardRefused = {**who, "card": state.deck.names[action.card]}
    return _about_card(state, actor, action, about)


def _about_card(state: BagarreState, actor: int, action: BagarreAction, about: shapes.CardRefused) -> Reason:
    """Why not this card."""
    kind = action.kind
    if kind == DEAL:
        return _deal(state, action, about)
    if kind in (CONVERT, GIVE):
        return "not_in_front", "B8" if kind == CONVERT else "B23", about
    if kind == FIGHT:
        return _fight(state, actor, action.card, about)
    if kind == SPECIAL:
        return _special(state, actor, action.card, about)
    if kind == TAKE:
        return ("own_toy" if action.card in state.front[actor] else "not_in_play"), "B23", about
    return _from_hand(state, actor, action, about)


def _deal(state: BagarreState, action: BagarreAction, about: shapes.CardRefused) -> Reason:
    if action.seat != state.drawer:
        other: shapes.CardOtherRefused = {**about, "other": state.drawer}
        return "other_drawer", "B12", other
    return "not_in_pile", "B13", about


def _fight(state: BagarreState, seat: int, toy: int, about: shapes.CardRefused) -> Reason:
    if state.ban >= 0:
        other: shapes.CardOtherRefused = {**about, "other": state.ban}
        return "banned", "B23", other
    if toy in state.front[seat]:
        return "own_toy", "B15", about
    if state.owner_of(toy) < 0:
        return "not_in_play", "B15", about
    return "no_friend", "B15", about


def _special(state: BagarreState, seat: int, card: int, about: shapes.CardRefused) -> Reason:
    if card not in state.hands[seat]:
        return "not_in_hand", "B23", about
    if state.deck.effect[card] == MAMAN:
        return "maman_waits", "B18", about
    need: shapes.SpecialRefused = {**about, "special": EFFECTS[state.deck.effect[card]]}
    return "need", "B23", need


def _from_hand(state: BagarreState, seat: int, action: BagarreAction, about: shapes.CardRefused) -> Reason:
    rule = {LAY: "B10", DISCARD: "B11", PLACE: "B15"}[action.kind]
    if action.card not in state.hands[seat]:
        return "not_in_hand", rule, about
    limit: shapes.LimitRefused = {**about, "limit": state.limit}
    return "too_valuable", "B23", limit
