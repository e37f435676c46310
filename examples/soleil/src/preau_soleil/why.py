"""Why an action is refused: the rule it breaks, found by looking at the same position that `legal` looks at."""

from __future__ import annotations

from preau.core import NATURE, Action, IllegalAction
from preau.core.refusing import Reason, illegal

from .actions import PLAY, SoleilAction
from .deck import CARDS
from .position import DEALING
from .rules import SoleilState


def why_not(state: SoleilState, actor: int, action: Action) -> IllegalAction:
    """The error for an action that is not legal although `actor` is to act."""
    assert isinstance(action, SoleilAction)
    return illegal(state, actor, action, _reason(state, actor, action))


def _reason(state: SoleilState, actor: int, action: SoleilAction) -> Reason:
    if actor == NATURE:
        return ("not_next", "S2", {}) if state.phase == DEALING else ("not_counting", "S4", {})
    if action.kind == PLAY:
        return "not_in_hand", "S3", {"card": CARDS[action.card]}
    return "nature", "S4", {}
