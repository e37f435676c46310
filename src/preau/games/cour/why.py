"""Why an action is refused: which rule forbids it here, in words. Nothing is said that the seat does not know."""

from __future__ import annotations

from ...core.errors import IllegalAction
from ...core.refusing import Reason, illegal
from ...core.state import NATURE
from .actions import (
    CHALLENGE,
    CHARACTER,
    FASTEST,
    FIRST_OF_NATURE,
    FRIEND,
    GIVE,
    GLUE,
    KEEP,
    LOSE,
    NONE,
    POINT,
    STEAL,
    TAKE,
    THROW,
    TRADE,
    TURN,
    WIN,
    CourAction,
)
from .position import (
    BEFRIENDING,
    CHALLENGING,
    DEALING,
    DECIDING,
    GIVING,
    GLUING,
    KEEPING,
    LOSING,
    PHASES,
    POINTING,
    RACING,
    STEALING,
    TAKING,
    THROWING,
    TRADING,
    TURNING,
)
from .rules import CourState

_PHASE_OF = {
    KEEP: KEEPING,
    GIVE: GIVING,
    GLUE: GLUING,
    POINT: POINTING,
    CHALLENGE: CHALLENGING,
    THROW: THROWING,
    TRADE: TRADING,
    STEAL: STEALING,
    FRIEND: BEFRIENDING,
    TAKE: TAKING,
    TURN: TURNING,
    FASTEST: RACING,
    WIN: DECIDING,
    LOSE: LOSING,
    CHARACTER: DEALING,
}
_RULE_OF = {
    DEALING: "C3",
    TURNING: "C5",
    POINTING: "C8",
    RACING: "C8",
    TAKING: "C8",
    CHALLENGING: "C9",
    THROWING: "C9",
    DECIDING: "C9",
    GLUING: "C13",
    KEEPING: "C6",
    GIVING: "C6",
    TRADING: "C10",
    STEALING: "C10",
    LOSING: "C10",
    BEFRIENDING: "C12",
}


def why_not(state: CourState, actor: int, action: CourAction) -> IllegalAction:
    """The error for an action that is not legal although `actor` is to act."""
    return illegal(state, actor, action, _reason(state, actor, action))


def _reason(state: CourState, actor: int, action: CourAction) -> Reason:
    kind, phase = action.kind, state.phase
    rule = _RULE_OF[phase]
    if (kind >= FIRST_OF_NATURE) != (actor == NATURE):
        return "nature", rule, {}
    if _PHASE_OF[kind] != phase:
        return "other_choice", rule, {"phase": PHASES[phase]}
    if kind == TRADE:
        return "no_trade", rule, {}
    if kind in (KEEP, TAKE, TURN, LOSE):
        return _card(state, kind, action.card)
    if kind == CHARACTER:
        return "dealt", rule, {}
    if kind == GIVE and action.card not in state.open_cards:
        return "not_open", "C6", {"card": state.deck.types[action.card]}
    return _target(state, actor, action)


def _card(state: CourState, kind: int, card: int) -> Reason:
    key, rule = {
        KEEP: ("not_open", "C6"),
        TAKE: ("not_in_hand", "C8"),
        TURN: ("not_next", "C4"),
        LOSE: ("not_in_hand", "C10"),
    }[kind]
    return key, rule, {"card": state.deck.types[card]}


def _target(state: CourState, actor: int, action: CourAction) -> Reason:
    seat = action.seat
    rule = _RULE_OF[state.phase]
    if action.kind == FASTEST:
        return "not_pointing", rule, {}
    if seat == NONE:
        return "must_point", rule, {}
    if seat >= state.seats:
        return "no_seat", "C3", {"other": seat, "seats": state.seats}
    if action.kind == WIN:
        return "no_rival", rule, {"other": seat}
    if seat == actor:
        return "oneself", "C14", {}
    if action.kind == FRIEND:
        return "friend_twice", rule, {"other": seat}
    return "empty_hand", rule, {"other": seat}
