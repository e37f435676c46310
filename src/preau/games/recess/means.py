"""What would come of each action, for whoever asks before acting: the key of a sentence and its parameters.

No question is answered for the player: these are facts of the position at hand, each from the rule that is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .actions import LEAVE, MOVE, NUN, PASS, STAY, TATTLE, RecessAction
from .position import COUNT, FIGHT, has, name, seat_of, who_of
from .rules import RecessState
from .yard import CELL_NAMES, CELLS

if TYPE_CHECKING:
    from .shapes import Cost, Landing, Loot, Means, Risk

# Most actions mean one of these: they are shared, and nobody writes into them.
_PASS: Final[Means] = {"key": "means.pass"}
_LEAVE: Final[Means] = {"key": "means.leave"}
_BREAK: Final[Means] = {"key": "means.break"}
_WATCHED: Final[Means] = {"key": "means.watched"}
_SEES_NO_FIGHT: Final[Means] = {"key": "means.sight", "fights": []}


def lost_movements(state: RecessState) -> int:
    """R11: how many movements stayers and children in detention cost in this turn."""
    return min(3, COUNT[state.staying] + COUNT[state.serving])


def cost(state: RecessState) -> Cost:
    """R11: what the first movements of the turn were lost to; nothing, once somebody has walked."""
    if state.moved or not lost_movements(state) or state.movement != 3 - lost_movements(state):
        return "none"
    if state.staying and state.serving:
        return "both"
    return "stay" if state.staying else "detention"


def staying(state: RecessState, attacker: int) -> tuple[Loot, int, Risk]:
    """R10, R11, R32: the coin that staying takes, the movement it costs, and what a nun makes of it."""
    owner = seat_of(state.prey[attacker])
    risk: Risk = "detention" if has(state.watched, who_of(attacker)) else "none"
    return {"owner": owner, "coins": min(1, state.coins[owner])}, 3 - lost_movements(state), risk


def means(state: RecessState, landings: dict[str, Landing]) -> dict[str, Means]:
    """What would come of the actions that are open now, where that is worth a sentence."""
    found: dict[str, Means] = {}
    fights = state.fights()
    for action in state.listed:
        sentence = _means(state, action, landings.get(action.text), fights)
        if sentence is not None:
            found[action.text] = sentence
    return found


def _means(state: RecessState, action: RecessAction, landing: Landing | None, fights: list[int]) -> Means | None:
    kind = action.kind
    if kind == PASS:
        return _PASS
    if kind == LEAVE:
        return _LEAVE
    if kind == STAY:
        loot, movement, risk = staying(state, state.ground[action.cell] - FIGHT)
        return {"key": "means.stay", **loot, "movement": movement, "risk": risk}
    if kind == TATTLE or landing == "catch":
        return _caught(state, action.cell)
    if kind == MOVE:
        return _walk(state, action, landing)
    if kind == NUN:
        sight = state.yard.sight
        seen = [CELL_NAMES[cell] for cell in fights if sight[CELLS * action.cell + cell]]
        return {"key": "means.sight", "fights": seen} if seen else _SEES_NO_FIGHT
    return None


def _walk(state: RecessState, action: RecessAction, landing: Landing | None) -> Means | None:
    if landing == "fight":
        owner = seat_of(state.ground[action.cell] - 1)
        return {"key": "means.fight", "owner": owner, "coins": min(1, state.coins[owner])}
    if landing == "kiss":
        after = state.copy()
        after.advance(state.active, action)
        return {"key": "means.kiss", "coins": list(after.coins), "winners": list(after.result().winners)}
    if landing == "break":
        return _BREAK
    return _WATCHED if landing is None and state.seen(action.cell) else None


def _caught(state: RecessState, cell: int) -> Means:
    """R30: a nun on a fight."""
    attacker = state.ground[cell] - FIGHT
    return {"key": "means.caught", "attacker": name(attacker), "bully": seat_of(attacker)}


def sights(state: RecessState) -> dict[str, str]:
    """R24: what a nun would see from each cell that one can be brought to now."""
    yard = state.yard
    return {CELL_NAMES[action.cell]: yard.seen_from(action.cell) for action in state.listed if action.kind == NUN}
