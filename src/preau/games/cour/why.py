"""Why an action is refused: which rule forbids it here, in words. Nothing is said that the seat does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import IllegalAction
from ...core.refusing import Reason, illegal
from ...core.state import NATURE, Action
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

if TYPE_CHECKING:
    from .shapes import NoSeat, OtherChoice, Refused, WrongCard, WrongSeat

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
_NO_SUCH_CARD = {
    KEEP: ("not_open", "C6"),
    GIVE: ("not_open", "C6"),
    TAKE: ("not_in_hand", "C8"),
    TURN: ("not_next", "C4"),
    LOSE: ("not_in_hand", "C10"),
}


def why_not(state: CourState, actor: int, action: Action) -> IllegalAction:
    """The error for an action that is not legal although `actor` is to act."""
    assert isinstance(action, CourAction)
    return illegal(state, actor, action, _reason(state, actor, action))


def _reason(state: CourState, actor: int, action: CourAction) -> Reason:
    kind, phase = action.kind, state.phase
    rule = _RULE_OF[phase]
    who: Refused = {"seat": actor, "action": action.text}
    if (kind >= FIRST_OF_NATURE) != (actor == NATURE):
        return "nature", rule, who
    if _PHASE_OF[kind] != phase:
        other: OtherChoice = {**who, "phase": PHASES[phase]}
        return "other_choice", rule, other
    if kind == TRADE:
        return "no_trade", rule, who
    if kind in _NO_SUCH_CARD and (kind != GIVE or action.card not in state.open_cards):
        key, rule = _NO_SUCH_CARD[kind]
        card: WrongCard = {**who, "card": state.deck.types[action.card]}
        return key, rule, card
    if kind == CHARACTER:
        return "dealt", rule, who
    return _target(state, action, who)


def _target(state: CourState, action: CourAction, who: Refused) -> Reason:
    seat = action.seat
    rule = _RULE_OF[state.phase]
    if action.kind == FASTEST:
        return "not_pointing", rule, who
    if seat == NONE:
        return "must_point", rule, who
    other: WrongSeat = {**who, "other": seat}
    if seat >= state.seats:
        missing: NoSeat = {**other, "seats": state.seats}
        return "no_seat", "C3", missing
    if action.kind == WIN:
        return "no_rival", rule, other
    if seat == who["seat"]:
        return "oneself", "C14", who
    if action.kind == FRIEND:
        return "friend_twice", rule, other
    return "empty_hand", rule, other
