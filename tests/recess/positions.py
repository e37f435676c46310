"""Positions written by hand, random play, and what holds in every position of Recess!"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import permutations, product
from random import Random
from typing import Any, cast

import pytest

import preau
from preau import REFEREE, Event
from preau.core import IllegalAction, PreauError
from preau.games.recess.actions import RecessAction
from preau.games.recess.data import Sections
from preau.games.recess.position import OVER
from preau.games.recess.rules import RecessState
from preau.games.recess.yard import CELL_NAMES, CELLS
from tests.oracle.recess_oracle import Oracle
from tests.support import is_sentence

GAME = preau.game("recess")
SECTIONS = ("A", "B", "C", "D")
SAFETY = ("a1", "b1", "a2", "b2", "k11", "l11", "k12", "l12")
NAMES = ("b1", "b2", "g1", "g2")
Json = dict[str, Any]

# ------------------------------------------------------------------ positions by hand


def load(data: Json) -> RecessState:
    """The position written as JSON."""
    return cast(RecessState, GAME.load(data))


def start(seats: int, options: Json | None = None) -> RecessState:
    """The start of a game."""
    return cast(RecessState, GAME.start(seats, options))


def position(seats: int = 3, **fields: Any) -> RecessState:
    """A position from what matters in it; nuns are on a1 and l12 and everybody at the entrances unless told."""
    return load({"seats": seats, **fields})


def moving(movement: int, seats: int = 3, *, step: Json | None = None, **fields: Any) -> RecessState:
    """A position in the middle of a turn, with this movement at hand."""
    return position(seats, step={"phase": "move", "movement": movement, **(step or {})}, **fields)


def nun_step(seats: int = 3, *, step: Json | None = None, **fields: Any) -> RecessState:
    """A position at the end of a turn, where a nun is to move."""
    return position(seats, step={"phase": "nun", "movement": 0, **(step or {})}, **fields)


def fight(cell: str, attacker: str, victim: str) -> Json:
    """A fight for the `fights` of a position."""
    return {"cell": cell, "attacker": attacker, "victim": victim}


def walls(cells: Iterable[str], seats: int, taken: Collection[str]) -> list[Json]:
    """A fight on each cell, out of children that are not taken: fights cannot be shoved, so they close a place in.

    Seat 0 attacks in none of them.
    """
    free = [f"{seat}{name}" for name in NAMES for seat in range(seats) if f"{seat}{name}" not in taken]
    made = []
    attacks = [3] + [0] * (seats - 1)
    for cell in cells:
        attacker = next(child for child in free if attacks[int(child[0])] < 3)
        free.remove(attacker)
        victim = next(child for child in reversed(free) if child[0] != attacker[0])
        free.remove(victim)
        attacks[int(attacker[0])] += 1
        made.append(fight(cell, attacker, victim))
    return made


def legal(state: RecessState) -> list[str]:
    """What the active seat may do, as texts."""
    return [action.text for action in state.legal(state.active)]


def play(state: RecessState, *texts: str) -> list[Event]:
    """Play these actions, each by the seat whose decision it is; a `timeout` by the referee."""
    happened = []
    for text in texts:
        happened += state.apply(REFEREE if text == "timeout" else state.active, text)
    return happened


def keys(events: Iterable[Event]) -> list[str]:
    """What happened, in one word each."""
    return [event.key for event in events]


def where(state: RecessState, piece: str) -> str:
    """The place of a child, `0b1`, or of a nun, `nun 0`."""
    data = state.to_json()
    place: str = data["nuns"][int(piece[-1])] if piece.startswith("nun") else data["children"][piece]
    return place


def fights(state: RecessState) -> dict[str, tuple[str, str]]:
    """Attacker and victim by cell."""
    return {one["cell"]: (one["attacker"], one["victim"]) for one in state.to_json()["fights"]}


def detention(state: RecessState) -> list[str]:
    """The children lying in detention."""
    return list(state.to_json()["detention"])


def refused(state: RecessState, text: str, rule: str, key: str = "") -> IllegalAction:
    """The active seat tries this: it is refused under this rule, in a sentence, and nothing changes."""
    before = state.copy()
    data = state.to_json()
    offered = legal(state)
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.active, text)
    error = caught.value
    assert error.rule == rule, str(error)
    assert f"[{rule}]" in str(error)
    assert not key or error.key == key, error.key
    assert is_sentence(str(error)), str(error)
    for language in ("en", "fr"):
        assert GAME.texts(language).say(f"why.{error.key}", error.params)
    assert error.field == f"action {text!r}"
    assert state == before
    assert state.to_json() == data
    assert legal(state) == offered
    return error


def impossible(rule: str = "", field: str = "", seats: Any = 3, **fields: Any) -> PreauError:
    """A position that is refused, with the rule and the field at fault."""
    with pytest.raises(PreauError) as caught:
        GAME.load({"seats": seats, **fields})
    error = caught.value
    assert error.rule == rule, str(error)
    assert error.field == field, str(error)
    assert is_sentence(str(error)), str(error)
    return error


# ------------------------------------------------------------------ random games


def all_layouts(sections: Sections) -> list[str]:
    """All 24 x 256 layouts: by the order of the letters, then by the turns, of which the last changes first."""
    return [
        " ".join(f"{letter}{turns}" for letter, turns in zip(order, spin, strict=True))
        for order in permutations([letter for letter, _ in sections])
        for spin in product(range(4), repeat=4)
    ]


def random_layout(rng: Random) -> str:
    """One of the 6,144 layouts."""
    return " ".join(f"{letter}{rng.randrange(4)}" for letter in rng.sample(SECTIONS, 4))


def random_options(rng: Random, seats: int) -> Json:
    """Options all over the place, the yard included."""
    return {
        "layout": random_layout(rng),
        "exits": rng.choice(["three", "corner"]),
        "shove": rng.choice([8, 4]),
        "nun_may_stay": rng.random() < 0.3,
        "turns": rng.choice([30, 30, 17]),
        "equal_turns": rng.random() < 0.3,
        "first": rng.randrange(seats),
    }


def crowd(rng: Random, seats: int, options: Json) -> Json:
    """A turn's start with most pieces crammed into a small part of the yard: fights, chains and pockets."""
    yard = start(seats, options).yard
    wide, high = rng.choice([(4, 4), (5, 4), (4, 6), (6, 5)])
    column, row = rng.randrange(13 - wide), rng.randrange(13 - high)
    cells = [12 * y + x for x in range(column, column + wide) for y in range(row, row + high)]
    cells = [cell for cell in cells if yard.open[cell] and not yard.safety[cell]]
    rng.shuffle(cells)
    children = [f"{seat}{name}" for seat in range(seats) for name in NAMES]
    rng.shuffle(children)
    data: Json = {"seats": seats, "options": options, "children": {}, "fights": [], "detention": []}
    attacks = [0] * seats
    data["nuns"] = [rng.choice([CELL_NAMES[cells.pop()], home]) for home in ("a1", "l12")]
    while cells and children and rng.random() < 0.95:
        child = children.pop()
        rivals = [one for one in children if one[0] != child[0]]
        chance = rng.random()
        if chance < 0.4 and rivals and attacks[int(child[0])] < 3:
            victim = rng.choice(rivals)
            children.remove(victim)
            attacks[int(child[0])] += 1
            data["fights"].append(fight(CELL_NAMES[cells.pop()], child, victim))
        elif chance < 0.45:
            data["detention"].append(child)
        else:
            data["children"][child] = CELL_NAMES[cells.pop()]
    coins = [0] * seats
    for _ in range(10 * seats):
        coins[min(rng.randrange(seats), rng.randrange(seats))] += 1
    data["coins"] = coins
    data["turn"] = rng.randrange(1, 13)
    return data


def random_start(rng: Random) -> RecessState:
    """A game from its start or from a crowded turn, with any options."""
    seats = rng.choice([3, 4, 5])
    options = random_options(rng, seats)
    if rng.random() < 0.5:
        return load(crowd(rng, seats, options))
    return start(seats, options)


def lively(state: RecessState, rng: Random) -> RecessAction:
    """Any legal action, those that land on somebody, tell, stay or walk to the middle more often than others."""
    actions = cast(tuple[RecessAction, ...], state.legal(state.active))
    draw = rng.random()
    if draw < 0.45:
        contact = [one for one in actions if one.cell >= 0 and state.ground[one.cell]]
        if contact:
            return rng.choice(contact)
    if draw < 0.8:
        return min(rng.sample(actions, min(4, len(actions))), key=lambda one: _from_the_middle(one.cell))
    return rng.choice(actions)


def _from_the_middle(cell: int) -> float:
    return 20.0 if cell < 0 else abs(cell % 12 - 5.5) + abs(cell // 12 - 5.5)


# ------------------------------------------------------------------ the second reading of the rules


def oracle_of(data: Json) -> Oracle:
    """The same turn's start, set up by hand in the oracle."""
    options = {name: value for name, value in data.get("options", {}).items() if name != "sections"}
    if options.get("layout") == "standard":
        del options["layout"]
    oracle = Oracle(data["seats"], **options)
    oracle.coins = list(data.get("coins", oracle.coins))
    oracle.place.update(data.get("children", {}))
    oracle.place.update(zip(("nun0", "nun1"), data.get("nuns", ["a1", "l12"]), strict=True))
    oracle.fights = {}
    for one in data.get("fights", []):
        oracle.fights[one["cell"]] = (one["attacker"], one["victim"])
        oracle.place[one["attacker"]] = oracle.place[one["victim"]] = one["cell"]
    oracle.lying = set(data.get("detention", []))
    if "turn" in data:
        oracle.turn = data["turn"] - 1
    else:
        oracle.turn = (data.get("active", oracle.first) - oracle.first) % oracle.seats
    oracle._start_turn()
    oracle._settle()
    return oracle


def assert_same(state: RecessState, oracle: Oracle) -> None:
    """The engine and the oracle stand alike: position, who acts, what is legal in which order, the end."""
    data = state.to_json()
    found = oracle.position()
    assert {name: data[name] for name in found} == found
    assert state.over == oracle.over
    if not state.over:
        assert state.active == oracle.actor()
        assert legal(state) == oracle.legal()
    else:
        assert [list(group) for group in state.ranking()] == oracle.ranking()
        assert state.kisser == (-1 if oracle.kisser is None else oracle.kisser)


# ------------------------------------------------------------------ what always holds


def check(state: RecessState) -> None:
    """What holds in every position, whatever the options."""
    seats = state.seats
    assert sum(state.coins) == 10 * seats  # R37
    assert min(state.coins) >= 0
    over = state.phase == OVER
    held = state.prey
    attackers = [child for child in range(20) if held[child] >= 0]
    victims = [held[child] for child in attackers]
    assert state.attackers == sum(1 << child for child in attackers)
    assert state.pinned == sum(1 << child for child in victims)
    assert len(set(attackers + victims)) == 2 * len(attackers)
    count = [0] * seats
    for attacker, victim in zip(attackers, victims, strict=True):
        count[attacker >> 2] += 1
        assert attacker >> 2 != victim >> 2
        assert state.where[attacker] == state.where[victim]
    assert max(count) <= 3  # R18
    alone: dict[int, int] = {}
    lying_about = {state.hand, state.waiting, *victims}
    for piece in [*range(4 * seats), 20, 21]:
        cell = state.where[piece]
        if cell >= CELLS:
            assert piece < 20  # R4: no nun goes there
            assert cell == CELLS + (1 if piece & 2 else 0)
            continue
        assert state.yard.open[cell]
        assert not state.detained >> piece & 1  # R34
        if state.yard.safety[cell]:
            assert not (state.attackers | state.pinned) >> piece & 1  # R17
        elif piece not in lying_about:
            other = alone.setdefault(cell, piece)
            telling = state.teller >= 0 and cell == state.where[state.teller]
            assert other == piece or telling or (over and state.kisser == piece >> 2 == other >> 2), cell
    if over:
        assert state.to_act == ()
        assert not state.legal(state.active)
    else:
        assert state.to_act == (state.active,)
        actions = state.legal(state.active)
        assert len(actions) >= 2  # contract: no empty questions
        order = [in_order(action.text) for action in actions]
        assert order == sorted(set(order))
        assert 0.0 <= state.progress() < 1.0


def in_order(text: str) -> tuple[int, ...]:
    """Where an action stands in the fixed order: pass, skip, share, stay, leave, then by number and cell."""
    words = text.split()
    cell = CELL_NAMES.index(words[-1]) if len(words) > 1 else -1
    if words[0] in ("pass", "skip", "share", "stay", "leave"):
        return (("pass", "skip", "share", "stay", "leave").index(words[0]), 0, cell)
    who = NAMES.index(words[0]) if words[0] in NAMES else int(words[1]) if len(words) == 3 else 0
    return (5, who, cell)


def check_events(before: RecessState, events: Iterable[Event]) -> None:
    """R12, R22, R34: nobody walks who is held down or in detention, or twice in a turn."""
    pinned = {victim for _, victim in fights(before).values()}
    lying = set(detention(before))
    turn_over = False
    walked = {f"{before.active}{NAMES[who]}" for who in range(4) if before.moved >> who & 1}
    for event in events:
        data = event.data
        if event.key == "walk":
            child = f"{data['seat']}{data['child']}"
            assert child not in pinned
            assert child not in lying
            assert child not in walked
            walked.add(child)
        elif event.key == "fight":
            pinned.add(f"{data['owner']}{data['victim']}")
        elif event.key in ("let_go", "break_up", "detention"):
            pinned.remove(f"{data['owner']}{data['victim']}")
            if event.key == "detention":
                lying.add(f"{data['bully']}{data['attacker']}")
        elif event.key == "release":
            lying -= {f"{data['seat']}{child}" for child in cast(list[str], data["children"])}
        elif event.key == "turn":
            walked, turn_over = set(), True
    assert turn_over or before.turn


CORNERS = {
    "format": "preau-sections/1",
    "name": "corners",
    "provenance": "made for a test",
    "sections": {
        "A": ["......", "......", "..S...", "...M..", "......", "......"],
        "B": ["......"] * 6,
        "C": ["......"] * 6,
        "D": ["......"] * 6,
    },
}
