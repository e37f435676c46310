"""What all games do alike when they refuse: reading the head of a position, and saying why an action is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import IllegalAction, PositionError, said
from .game import Game
from .state import REFEREE, Action, State

Reason = tuple[str, str, Mapping[str, object]]
"""Why an action is refused: a key under `why.` in the game's texts, the rule, and the parameters."""

_SHOWN = 8


def illegal(state: State, actor: int, action: Action, reason: Reason) -> IllegalAction:
    """The error for a reason, with what would have been legal."""
    key, rule, more = reason
    params = {"seat": actor, "action": action.text, **more}
    asked = state.to_act[0] if actor == REFEREE else actor
    legal = [one.text for one in state.legal(asked)]
    shown = ", ".join(legal[:_SHOWN]) + (f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else "")
    return IllegalAction(
        state.game.texts("en").say(f"why.{key}", params),
        rule=rule,
        field=f"action {action.text!r}",
        key=key,
        params=params,
        hint=f"Legal here: {shown}.",
    )


def refuse(message: str, field: str, rule: str = "", hint: str = "") -> PositionError:
    """The error for an impossible position."""
    return PositionError(message, field=field, rule=rule, hint=hint)


def whole(value: Any, low: int, high: int, field: str, rule: str) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise refuse(f"{said(value)} is not a whole number from {low} to {high}", field, rule)
    return value


def read_head(data: Any, game: Game, fields: Sequence[str]) -> Mapping[str, Any]:
    """Check what every position starts with; returns its options, in which nothing is left to be drawn."""
    if not isinstance(data, Mapping):
        raise refuse("a position is a JSON object", "position")
    for field in data:
        if field not in fields:
            raise refuse(f"there is no field {said(field)}", "position", hint=f"There are {', '.join(fields)}.")
    if data.get("game", game.id) != game.id:
        raise refuse(f"this is a position of {said(data['game'])}", "game")
    if data.get("rules", game.rules_version) != game.rules_version:
        raise refuse(f"rules version {said(data['rules'])} is not known", "rules")
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        raise refuse("options are a JSON object", "options")
    for name, value in options.items():
        if value == "random" and any(option.name == name and "random" not in option.choices for option in game.options):
            raise refuse("a position names its value, nothing is drawn any more", f"options.{name}")
    return options
