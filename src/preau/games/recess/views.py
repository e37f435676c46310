"""Positions as JSON, in and out, and what is asked now.

A position can be written by hand, for a test or a puzzle: whatever is left out stands as at the start of a turn.

    {"game": "recess", "seats": 3, "active": 1, "nuns": ["a1", "l12"],
     "children": {"0b1": "e5", "1g2": "f6"},
     "fights": [{"cell": "c4", "attacker": "2b1", "victim": "0g1"}], "detention": ["1b2"]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from ...core.refusing import read_head, refuse, whole
from .actions import CHILDREN, MOVE, NUN, SHOVE, TATTLE, RecessAction
from .means import cost, lost_movements, means, sights, staying
from .position import (
    CHOOSING,
    COINS,
    COUNT,
    EMPTY,
    FIGHT,
    LAST_CHILD,
    MOST_ATTACKERS,
    MOVING,
    NUN_0,
    OVER,
    PHASES,
    SHOVING,
    TELLING,
    child_of,
    entrance_of,
    has,
    is_girl,
    name,
    names,
    of_seat,
    place,
    plus,
    seat_of,
)
from .rules import RecessState, fresh
from .yard import BOYS_ENTRANCE, CELL_NAMES, CELL_NUMBERS, CELLS, GIRLS_ENTRANCE, SAFETY_NAMES

if TYPE_CHECKING:
    from .shapes import Alike, Exits, Fight, Landing, Loss, Options, Own, Prompt, Step, StepState, View, Written

_MASKS: Final = ("undecided", "staying", "leaving", "moved", "freed", "watched", "serving")
FIELDS: Final = (
    "game",
    "rules",
    "seats",
    "options",
    "turn",
    "active",
    "coins",
    "children",
    "nuns",
    "fights",
    "detention",
    "step",
    "end",
)
"""What a position may say; a view says more."""


_FULL_NAMES: Final = [*(f"{seat_of(child)}{name(child)}" for child in range(NUN_0)), "nun 0", "nun 1"]


def full_name(piece: int) -> str:
    """A child with its seat, `2g1`, or a nun, `nun 0`."""
    return _FULL_NAMES[piece]


# Out.


def to_json(state: RecessState) -> Written:
    """The position as JSON data."""
    children = range(4 * state.seats)
    data: Written = {
        "game": "recess",
        "rules": state.game.rules_version,
        "seats": state.seats,
        "options": cast("Options", dict(state.options)),
        "turn": state.turn,
        "active": state.active,
        "coins": list(state.coins),
        "children": {full_name(child): place(state.where[child]) for child in children},
        "nuns": [CELL_NAMES[state.where[NUN_0]], CELL_NAMES[state.where[NUN_0 + 1]]],
        "fights": [_fight(state, cell) for cell in state.fights()],
        "detention": [full_name(child) for child in children if has(state.detained, child)],
    }
    if state.phase == OVER:
        data["end"] = {"kisser": state.kisser} if state.kisser >= 0 else {}
    elif not state.untouched:
        data["step"] = _step(state)
    return data


def _fight(state: RecessState, cell: int) -> Fight:
    attacker = state.ground[cell] - FIGHT
    return {
        "cell": CELL_NAMES[cell],
        "attacker": full_name(attacker),
        "victim": full_name(state.prey[attacker]),
    }


def _step(state: RecessState) -> Step:
    step: Step = {"phase": PHASES[state.phase], "movement": state.movement}
    if state.undecided:
        step["undecided"] = names(state.undecided)
    if state.staying:
        step["staying"] = names(state.staying)
    if state.leaving:
        step["leaving"] = names(state.leaving)
    if state.moved:
        step["moved"] = names(state.moved)
    if state.freed:
        step["freed"] = names(state.freed)
    if state.watched:
        step["watched"] = names(state.watched)
    if state.serving:
        step["serving"] = names(state.serving)
    if state.phase == SHOVING:
        step["hand"] = full_name(state.hand)
        step["from"] = CELL_NAMES[state.hand_from]
        if state.waiting >= 0:
            step["waiting"] = full_name(state.waiting)
    if state.phase == TELLING:
        step["teller"] = name(state.teller)
    return step


def view(state: RecessState, seat: int | None) -> View:
    """What a seat sees: the whole position, what is asked, and what the rules make of it."""
    return {**_alike(state), **_own(state, seat)}


def views(state: RecessState, eyes: Sequence[int | None]) -> tuple[Alike, list[Own]]:
    """What several seats see: nothing is secret, so it is nearly all alike."""
    return _alike(state), [_own(state, seat) for seat in eyes]


def _alike(state: RecessState) -> Alike:
    """What all see."""
    steps = _steps(state)
    return {
        **to_json(state),
        "yard": state.yard.ground,
        "safety": SAFETY_NAMES.copy(),
        "exits": _exits(state),
        "seen": _seen(state),
        "steps": steps,
        "losses": _losses(state, steps),
    }


def _own(state: RecessState, seat: int | None) -> Own:
    """What is for one seat."""
    asked = seat == state.active and state.phase != OVER
    landings = _landings(state) if asked else {}
    return {
        "seat": seat,
        "prompt": prompt(state, seat),
        "landings": landings,
        "means": means(state, landings) if asked else {},
        "sights": sights(state) if asked else {},
    }


def _seen(state: RecessState) -> list[str]:
    """R24: the cells that a nun sees."""
    sight = state.yard.sight
    one = CELLS * state.where[NUN_0]
    other = CELLS * state.where[NUN_0 + 1]
    return [CELL_NAMES[cell] for cell in range(CELLS) if sight[one + cell] or sight[other + cell]]


def _exits(state: RecessState) -> Exits:
    """R4: the cells that each entrance opens on, the corner first."""
    beside = state.yard.beside
    return {
        "boys": [CELL_NAMES[cell] for cell in beside[BOYS_ENTRANCE]],
        "girls": [CELL_NAMES[cell] for cell in beside[GIRLS_ENTRANCE]],
    }


def _steps(state: RecessState) -> list[StepState]:
    """R8, R11: the turn at a glance, the movements 3, 2, 1 and the nun."""
    if state.phase == OVER:
        return ["past", "past", "past", "past"]
    choosing = state.phase == CHOOSING
    lost = lost_movements(state)
    behind = _behind(state)
    steps: list[StepState] = []
    for movement in (3, 2, 1):
        if 3 - movement < lost:
            steps.append("lost")
        elif choosing or movement < state.movement:
            steps.append("ahead")
        else:
            steps.append("now" if movement == state.movement else behind)
    steps.append("now" if not choosing and state.movement == 0 else "ahead")
    return steps


def _behind(state: RecessState) -> StepState:
    """R12: what is known of the movements that came before the one at hand: some may have been lost or skipped."""
    made = COUNT[state.moved]
    if state.movement and state.phase in (SHOVING, TELLING):
        made -= 1
    if made == 3 - lost_movements(state) - state.movement:
        return "done"
    return "past" if made else "lost"


def _losses(state: RecessState, steps: list[StepState]) -> dict[str, Loss]:
    """R11, R12: what the lost movements were lost to, detention first."""
    found: dict[str, Loss] = {}
    serving = COUNT[state.serving]
    for at, step in enumerate(steps):
        if step == "lost":
            known = at < lost_movements(state)
            found[str(3 - at)] = ("detention" if at < serving else "stay") if known else "unused"
    return found


def _landings(state: RecessState) -> dict[str, Landing]:
    """What comes of each action on a cell, where it is more than standing there (R16)."""
    found: dict[str, Landing] = {}
    for action in state.listed:
        landing = _landing(state, action)
        if landing is not None:
            found[action.text] = landing
    return found


def _landing(state: RecessState, action: RecessAction) -> Landing | None:
    if action.kind == MOVE:
        return _child_lands(state, child_of(state.active, action.who), action.cell)
    if action.kind == NUN:
        if state.yard.safety[action.cell]:
            return "safe"
        if state.ground[action.cell] >= FIGHT:
            return "catch"
        return "shove" if state.ground[action.cell] != EMPTY else None
    if action.kind == SHOVE:
        return "shove" if state.ground[action.cell] != EMPTY else None
    return "tattle" if action.kind == TATTLE else None


def _child_lands(state: RecessState, child: int, cell: int) -> Landing | None:
    """What a child's walk leads to, in the order of the rules (R16 to R21)."""
    if state.yard.safety[cell]:
        return "kiss" if state.sweetheart_on(child, cell) >= 0 and not state.seen(cell) else "safe"
    there = state.ground[cell]
    if there in (EMPTY, 1 + child):
        return None
    if there >= FIGHT:
        return "break"
    if there > LAST_CHILD:
        return "tattle"
    return "kiss" if seat_of(there - 1) == state.active else "fight"


def prompt(state: RecessState, seat: int | None) -> Prompt:
    """What the seat is asked, or whom it waits for."""
    asked = seat == state.active
    if state.phase == OVER:
        winners = state.result().winners
        return {
            "key": "prompt.over",
            "winners": list(winners),
            "winner": winners[0] if len(winners) == 1 else -1,
            "reason": state.end_reason(),
        }
    if state.phase == MOVING:
        return {
            "key": "prompt.move" if asked else "wait.move",
            "seat": state.active,
            "movement": state.movement,
            "cost": cost(state),
            "lost": lost_movements(state),
        }
    if state.phase == CHOOSING:
        attacker = state.undecided_attacker()
        loot, movement, risk = staying(state, attacker)
        return {
            "key": "prompt.choose" if asked else "wait.choose",
            "seat": state.active,
            "child": name(attacker),
            "cell": CELL_NAMES[state.where[attacker]],
            **loot,
            "movement": movement,
            "risk": risk,
        }
    if state.phase == TELLING:
        return {
            "key": "prompt.tell" if asked else "wait.tell",
            "seat": state.active,
            "child": name(state.teller),
        }
    if state.phase == SHOVING:
        nun = state.hand >= NUN_0
        return {
            "key": "prompt.shove" if asked else "wait.shove",
            "seat": state.active,
            "piece": "nun" if nun else name(state.hand),
            "owner": -1 if nun else seat_of(state.hand),
        }
    if state.duties():
        return {"key": "prompt.duty" if asked else "wait.duty", "seat": state.active}
    return {
        "key": "prompt.nun" if asked else "wait.nun",
        "seat": state.active,
        "cost": cost(state),
        "lost": lost_movements(state),
    }


# In.


def load(data: Mapping[str, Any]) -> RecessState:
    """A position from JSON data; an impossible one is refused, with the field and the rule."""
    from .game import GAME

    options = read_head(data, GAME, FIELDS)
    state = fresh(GAME.setup(data.get("seats"), options, None))
    _read_turn(state, data)
    _read_coins(state, data.get("coins", [COINS] * state.seats))
    _read_places(state, data)
    step = data.get("step")
    if "end" in data:
        if step is not None:
            raise refuse("a game that is over has no step", "step", "R8")
        _read_end(state, data["end"])
    elif step is not None:
        _read_step(state, step)
    _stand(state)
    if state.phase == SHOVING and step is not None:
        _check_shove(state)
    if "end" not in data:
        if step is None:
            state.turn -= 1
            state.begin()
        else:
            state.settle()
    return state


def _read_turn(state: RecessState, data: Mapping[str, Any]) -> None:
    first, seats, turns = state.setup.first, state.seats, state.setup.turns
    if "turn" in data:
        state.turn = whole(data["turn"], 1, turns, "turn", "R7")
        state.active = (first + state.turn - 1) % seats
        if "active" in data and whole(data["active"], 0, seats - 1, "active", "R1") != state.active:
            raise refuse(
                f"turn {state.turn} is seat {state.active}'s, not seat {data['active']}'s",
                "active",
                "R6",
                f"Seat {first} began.",
            )
    else:
        state.active = whole(data.get("active", first), 0, seats - 1, "active", "R1")
        state.turn = (state.active - first) % seats + 1
        if state.turn > turns:
            raise refuse(f"seat {state.active} has no turn in a game of {turns}", "active", "R7")


def _read_coins(state: RecessState, coins: Any) -> None:
    if not isinstance(coins, list) or len(coins) != state.seats:
        raise refuse(f"there must be a number of coins for each of the {state.seats} seats", "coins", "R5")
    for seat, amount in enumerate(coins):
        whole(amount, 0, COINS * state.seats, f"coins[{seat}]", "R37")
    if sum(coins) != COINS * state.seats:
        raise refuse(
            f"the coins add up to {sum(coins)}, not {COINS * state.seats}",
            "coins",
            "R37",
            "Coins only change hands: there are 10 a seat in all.",
        )
    state.coins = list(coins)


def _child(state: RecessState, text: Any, field: str) -> int:
    if isinstance(text, str) and len(text) == 3 and text[0] in "01234" and text[1:] in CHILDREN:
        seat = int(text[0])
        if seat < state.seats:
            return child_of(seat, CHILDREN.index(text[1:]))
    raise refuse(
        f"there is no child {text!r}",
        field,
        "R5",
        f"Each of the seats 0 to {state.seats - 1} has two boys and two girls: 0b1 0b2 0g1 0g2, 1b1 and so on.",
    )


def _cell(state: RecessState, text: Any, field: str) -> int:
    cell = CELL_NUMBERS.get(text) if isinstance(text, str) else None
    if cell is None:
        raise refuse(f"{text!r} is no cell", field, "R2", "Columns a to l, rows 1 to 12.")
    if not state.yard.open[cell]:
        raise refuse(f"{text} is covered by equipment", field, "R14")
    return cell


def _read_places(state: RecessState, data: Mapping[str, Any]) -> None:
    children = data.get("children", {})
    if not isinstance(children, Mapping):
        raise refuse("children are a JSON object: name to cell", "children")
    placed = set()
    for text, spot in children.items():
        child = _child(state, text, "children")
        placed.add(child)
        if spot in ("boys", "girls"):
            if spot != place(entrance_of(child)):
                raise refuse(f"{text} stands at the {spot}' entrance", f"children.{text}", "R4")
            state.where[child] = entrance_of(child)
        else:
            state.where[child] = _cell(state, spot, f"children.{text}")
    nuns = data.get("nuns", ["a1", "l12"])
    if not isinstance(nuns, list) or len(nuns) != 2:
        raise refuse("there are two nuns", "nuns", "R5")
    for nun, spot in enumerate(nuns):
        state.where[NUN_0 + nun] = _cell(state, spot, f"nuns[{nun}]")
    fights = data.get("fights", [])
    if not isinstance(fights, list):
        raise refuse("fights are a JSON list", "fights")
    for number, fight in enumerate(fights):
        _read_fight(state, fight, f"fights[{number}]", placed)
    detention = data.get("detention", [])
    if not isinstance(detention, list):
        raise refuse("detention is a JSON list of children", "detention")
    for text in detention:
        child = _child(state, text, "detention")
        if state.where[child] < CELLS:
            raise refuse(f"{text} is in detention and on the board at once", "detention", "R34")
        state.detained = plus(state.detained, child)


def _read_fight(state: RecessState, fight: Any, field: str, placed: set[int]) -> None:
    if not isinstance(fight, Mapping) or set(fight) != {"cell", "attacker", "victim"}:
        raise refuse("a fight has a cell, an attacker and a victim", field, "R22")
    cell = _cell(state, fight["cell"], f"{field}.cell")
    attacker = _child(state, fight["attacker"], f"{field}.attacker")
    victim = _child(state, fight["victim"], f"{field}.victim")
    if state.yard.safety[cell]:
        raise refuse(f"{fight['cell']} is a safety cell: nobody fights there", field, "R17")
    if seat_of(attacker) == seat_of(victim):
        raise refuse("children of one seat do not fight each other", field, "R19")
    for child in (attacker, victim):
        if has(state.attackers | state.pinned, child):
            raise refuse(f"{full_name(child)} is in two fights", field, "R22")
        if child in placed and state.where[child] != cell:
            raise refuse(f"{full_name(child)} is in this fight and somewhere else", field, "R22")
        state.where[child] = cell
    state.prey[attacker] = victim
    state.attackers = plus(state.attackers, attacker)
    state.pinned = plus(state.pinned, victim)
    if COUNT[of_seat(state.attackers, seat_of(attacker))] > MOST_ATTACKERS:
        raise refuse(f"seat {seat_of(attacker)} has more than three attackers", field, "R18")


def _read_end(state: RecessState, end: Any) -> None:
    if not isinstance(end, Mapping) or set(end) - {"kisser"}:
        raise refuse("the end names the kisser, if there was one", "end")
    state.phase = OVER
    state.untouched = False
    if "kisser" not in end:
        if state.turn != state.setup.turns:
            raise refuse(f"without a kiss the game ends after turn {state.setup.turns}", "end", "R35")
        return
    state.kisser = whole(end["kisser"], 0, state.seats - 1, "end.kisser", "R33")
    if state.kisser != state.active:
        raise refuse(f"it is seat {state.active}'s turn, so only that seat can have kissed", "end.kisser", "R33")
    own = [child_of(state.kisser, who) for who in range(4)]
    if not any(
        state.where[boy] == state.where[girl] < CELLS and not state.seen(state.where[boy])
        for boy in own[:2]
        for girl in own[2:]
    ):
        raise refuse("there is no couple on one unseen cell", "end.kisser", "R33")


def _read_step(state: RecessState, step: Any) -> None:
    known = ("phase", "movement", *_MASKS, "hand", "from", "waiting", "teller")
    if not isinstance(step, Mapping) or any(field not in known for field in step):
        raise refuse(f"a step has only the fields {', '.join(known)}", "step", "R8")
    if step.get("phase") not in PHASES[:OVER]:
        known_phases = ", ".join(PHASES[:OVER])
        raise refuse(f"there is no phase {step.get('phase')!r}", "step.phase", "R8", f"There are {known_phases}.")
    state.phase = PHASES.index(step["phase"])
    state.untouched = False
    low, high = {"choose": (3, 3), "move": (1, 3), "tell": (1, 3), "shove": (0, 3), "nun": (0, 0)}[step["phase"]]
    state.movement = whole(step.get("movement", low), low, high, "step.movement", "R8")
    for field in _MASKS:
        mask = 0
        names = step.get(field, [])
        if not isinstance(names, list) or any(who not in CHILDREN for who in names):
            raise refuse("it lists children of the active seat: b1 b2 g1 g2", f"step.{field}")
        for who in names:
            mask = plus(mask, CHILDREN.index(who))
        setattr(state, field, mask)
    attacking = of_seat(state.attackers, state.active)
    for field in ("undecided", "leaving", "watched"):
        if getattr(state, field) & ~attacking:
            raise refuse("it names a child that attacks nobody", f"step.{field}", "R10")
    if state.phase == CHOOSING and not state.undecided:
        raise refuse("there is no attack left to decide on", "step.undecided", "R10")
    if state.serving & ~of_seat(state.detained, state.active):
        raise refuse("it names a child that is not in detention", "step.serving", "R34")
    if state.phase == SHOVING:
        state.hand = _piece(state, step.get("hand"), "step.hand")
        state.hand_from = _cell(state, step.get("from"), "step.from")
        if "waiting" in step:
            state.waiting = _child(state, step["waiting"], "step.waiting")
    if state.phase == TELLING:
        if step.get("teller") not in CHILDREN:
            raise refuse("it names the child that may tell", "step.teller", "R29")
        state.teller = child_of(state.active, CHILDREN.index(step["teller"]))
        if state.where[state.teller] not in (state.where[NUN_0], state.where[NUN_0 + 1]) or not state.attackers:
            raise refuse("a child tells where a nun stands, while there is a fight", "step.teller", "R29")


def _check_shove(state: RecessState) -> None:
    """Whoever is shoved makes room for the piece that now stands there (R26, R28)."""
    aside = [(state.hand, "step.hand")]
    if state.waiting >= 0:
        aside.append((state.waiting, "step.waiting"))
        if state.waiting == state.hand or not state.movement:
            raise refuse("it names the attacker of a fight that a child broke up", "step.waiting", "R26")
    for piece, field in aside:
        cell = state.where[piece]
        busy = piece < NUN_0 and has(state.attackers | state.pinned | state.detained, piece)
        if busy or cell >= CELLS or not EMPTY < state.ground[cell] < FIGHT:
            raise refuse(f"{full_name(piece)} is not being shoved by anybody", field, "R28")
    if state.where[state.hand] != state.hand_from:
        raise refuse(f"{full_name(state.hand)} is not on {CELL_NAMES[state.hand_from]}", "step.from", "R28")
    if state.waiting >= 0 and seat_of(state.ground[state.where[state.waiting]] - 1) != state.active:
        raise refuse("the fight was not broken up by a child of the active seat", "step.waiting", "R26")
    if not state.room(state.hand_from, 1, -1, False):
        raise refuse("there is nowhere to shove to", "step.hand", "R28")
    if state.waiting >= 0 and not state.room(state.where[state.waiting], 2, -1, False):
        raise refuse("there is no room to shove the attacker to as well", "step.waiting", "R28")


def _piece(state: RecessState, text: Any, field: str) -> int:
    if text in ("nun 0", "nun 1"):
        return NUN_0 + int(text[-1])
    return _child(state, text, field)


def _stand(state: RecessState) -> None:
    """Put every piece on the ground; two on one cell outside safety only where the rules have them so."""
    for attacker in range(4 * state.seats):
        if has(state.attackers, attacker):
            _put(state, state.where[attacker], FIGHT + attacker, full_name(attacker))
    fighting = state.attackers | state.pinned
    order = [*range(4 * state.seats), NUN_0, NUN_0 + 1]
    for piece in order:
        cell = state.where[piece]
        if piece in (state.hand, state.waiting) or cell >= CELLS or state.yard.safety[cell]:
            continue
        if piece < NUN_0 and has(fighting, piece):
            continue
        if piece >= NUN_0 and state.phase == TELLING and cell == state.where[state.teller]:
            continue
        if state.kisser >= 0 and state.ground[cell] != EMPTY and _couple(state.ground[cell] - 1, piece, state.kisser):
            continue
        _put(state, cell, 1 + piece, full_name(piece))


def _couple(one: int, other: int, seat: int) -> bool:
    both_own = seat_of(one) == seat and seat_of(other) == seat and max(one, other) < NUN_0
    return both_own and is_girl(one) != is_girl(other)


def _put(state: RecessState, cell: int, what: int, who: str) -> None:
    there = state.ground[cell]
    if there != EMPTY:
        other = full_name(there - FIGHT if there >= FIGHT else there - 1)
        raise refuse(
            f"{who} and {other} cannot both be on {CELL_NAMES[cell]}",
            "children",
            "R16",
            "Outside the safety squares a cell holds one piece, or one fight listed under fights.",
        )
    state.lay(cell, what)
