"""Why an action is refused: which rule forbids it here, and what the sentence needs to know."""

from __future__ import annotations

from typing import cast

from ...core.errors import IllegalAction
from ...core.refusing import Reason, illegal
from ...core.state import REFEREE
from .actions import LEAVE, MOVE, NUN, PASS, SHARE, SHOVE, SKIP, STAY, TATTLE, TIMEOUT, RecessAction
from .position import (
    CHOOSING,
    COUNT,
    FIGHT,
    LAST_CHILD,
    MOVING,
    NUN_0,
    NUN_STEP,
    PHASES,
    SHOVING,
    TELLING,
    child_of,
    has,
    is_girl,
    minus,
    name,
    of_seat,
    seat_of,
)
from .rules import RecessState
from .shapes import AboutCell, AboutMovement, AboutNun, AboutPhase, AboutShove, AboutThing, AboutWalk, Thing
from .yard import CELL_NAMES

_PHASE_OF = {
    STAY: CHOOSING,
    LEAVE: CHOOSING,
    MOVE: MOVING,
    TATTLE: TELLING,
    SHARE: TELLING,
    SHOVE: SHOVING,
    NUN: NUN_STEP,
}


def why_not(state: RecessState, seat: int, action: RecessAction) -> IllegalAction:
    """The error for an action of the active seat that is not legal."""
    return illegal(state, seat, action, _reason(state, seat, action))


def _reason(state: RecessState, seat: int, action: RecessAction) -> Reason:
    kind = action.kind
    if kind == TIMEOUT:
        return "timeout", "R38", {}
    if seat == REFEREE:
        return "referee", "R38", {}
    if kind == PASS:
        return ("pass_seen", "R9", {}) if state.watched and state.untouched else ("pass_late", "R9", {})
    if kind == SKIP:
        return _skip(state)
    if _PHASE_OF[kind] != state.phase:
        return _other_step(state)
    if kind in (STAY, LEAVE):
        return _choice(state, action)
    if kind == MOVE:
        return _movement(state, action)
    if kind == NUN:
        return _nun(state, action)
    if kind == SHOVE:
        return _shove(state, action)
    if kind == SHARE:
        return "share", "R17", {}
    return _tale(state, action)


def _other_step(state: RecessState) -> Reason:
    about: AboutPhase = {"phase": PHASES[state.phase]}
    return "other_step", "R8", about


def _skip(state: RecessState) -> Reason:
    if state.phase == MOVING:
        if COUNT[state.leaving] >= state.movement:
            return "skip_leaver", "R13", {}
        about: AboutMovement = {"movement": state.movement}
        return "skip", "R12", about
    if state.phase == NUN_STEP:
        return ("duty", "R32", {}) if state.duties() else ("nun_stays", "R31", {})
    return _other_step(state)


def _choice(state: RecessState, action: RecessAction) -> Reason:
    asked = state.where[state.undecided_attacker()]
    about: AboutCell = {"cell": CELL_NAMES[action.cell]}
    if asked != action.cell:
        mine = state.ground[action.cell] - FIGHT
        if mine >= 0 and seat_of(mine) == state.active:
            about["cell"] = CELL_NAMES[asked]
            return "choose_order", "R10", about
        return "no_attack", "R10", about
    return "no_leave", "R13", about


def _movement(state: RecessState, action: RecessAction) -> Reason:
    child = child_of(state.active, action.who)
    about: AboutWalk = {"child": name(child), "cell": CELL_NAMES[action.cell], "movement": state.movement}
    for key, rule, mask in (
        ("pinned", "R22", of_seat(state.pinned, state.active)),
        ("detained", "R34", of_seat(state.detained, state.active)),
        ("staying", "R12", state.staying),
        ("freed", "R27", state.freed),
        ("moved", "R15", state.moved),
    ):
        if has(mask, action.who):
            return key, rule, about
    if state.leaving and not has(state.leaving, action.who) and COUNT[state.leaving] >= state.movement:
        return "leavers_first", "R13", about
    cell = action.cell
    if not state.yard.open[cell]:
        covered: AboutThing = {**about, "thing": cast("Thing", state.yard.ground[cell])}
        return "equipment", "R14", covered
    if cell not in state.yard.walks(state.movement)[state.where[child]]:
        return "distance", "R14", about
    return _landing(state, child, cell, about)


def _landing(state: RecessState, child: int, cell: int, about: AboutWalk) -> Reason:
    there = state.ground[cell]
    if cell == state.where[child]:
        return "back", "R14", about
    if there >= FIGHT:
        return "no_room", "R28", about
    if there > LAST_CHILD:
        return ("tell_no_room", "R28", about) if minus(state.attackers, child) else ("no_fight", "R21", about)
    other = there - 1
    if seat_of(other) == state.active:
        return ("kiss_seen", "R19", about) if is_girl(other) != is_girl(child) else ("own_child", "R19", about)
    return ("fight_seen", "R18", about) if state.seen(cell) else ("three_attackers", "R18", about)


def _nun(state: RecessState, action: RecessAction) -> Reason:
    about: AboutNun = {"nun": action.who, "cell": CELL_NAMES[action.cell]}
    if state.duties():
        return "duty", "R32", about
    if action.cell not in state.yard.rays[state.where[NUN_0 + action.who]]:
        return "nun_line", "R31", about
    return "no_room", "R28", about


def _shove(state: RecessState, action: RecessAction) -> Reason:
    about: AboutShove = {"cell": CELL_NAMES[action.cell], "from": CELL_NAMES[state.hand_from]}
    if action.cell not in state.yard.around[state.hand_from]:
        return "shove_where", "R28", about
    if state.ground[action.cell] >= FIGHT:
        return "shove_fight", "R28", about
    return "shove_longer", "R28", about


def _tale(state: RecessState, action: RecessAction) -> Reason:
    about: AboutNun = {"nun": action.who, "cell": CELL_NAMES[action.cell]}
    if state.where[NUN_0 + action.who] != state.where[state.teller]:
        return "other_nun", "R29", about
    if state.ground[action.cell] < FIGHT:
        return "no_fight_there", "R29", about
    return "tell_no_room", "R28", about
