"""R1 to R7: seats, yard, safety squares, entrances, coins, who begins, how long it lasts."""

from __future__ import annotations

from collections import Counter, deque
from random import Random
from typing import Any

import pytest

from preau.core import MalformedAction, NotYourTurn, PreauError, SetupError
from preau.games.recess import data as yards
from preau.games.recess.yard import CELL_NAMES
from tests.oracle.recess_oracle import BOARD_ORDER, SECTIONS, equipment_of
from tests.recess.positions import (
    GAME,
    SAFETY,
    all_layouts,
    fight,
    impossible,
    legal,
    moving,
    nun_step,
    play,
    position,
    random_layout,
    refused,
    where,
)
from tests.support import is_sentence


def refused_setup(rule: str, field: str, seats: Any = 3, **options: Any) -> SetupError:
    with pytest.raises(SetupError) as caught:
        GAME.start(seats, options)
    error = caught.value
    assert error.rule == rule
    assert error.field == field
    assert is_sentence(str(error)), str(error)
    return error


# R1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_R1_three_to_five_play(seats):
    state = GAME.start(seats)
    assert state.seats == seats
    assert len(state.scores()) == seats


@pytest.mark.parametrize("seats", [0, 1, 2, 6, -3, True, "4", 3.0])
def test_R1_no_other_number_plays(seats):
    error = refused_setup("R1", "seats", seats)
    assert "3 to 5" in str(error)


# R2


def equipment(state: Any) -> set[str]:
    return {CELL_NAMES[cell] for cell, letter in enumerate(state.yard.ground) if letter != "."}


def test_R2_the_standard_yard():
    state = position()
    rows = [state.yard.ground[12 * row : 12 * row + 12] for row in range(11, -1, -1)]
    assert rows == [
        "........M...",
        ".SS.........",
        "....M..CC.T.",
        ".T........T.",
        ".T..WW.B....",
        "............",
        ".........T..",
        ".W..B..B.T..",
        ".W..........",
        "...SS...WW.M",
        "............",
        "....C..CC...",
    ]
    assert position(options={"layout": "A0 B0 C0 D0"}) == state
    assert list(CELL_NAMES) == BOARD_ORDER


def test_R2_sections_turn_clockwise_in_any_arrangement():
    rng = Random(2)
    for layout in [random_layout(rng) for _ in range(40)]:
        assert equipment(position(options={"layout": layout})) == equipment_of(layout, SECTIONS), layout
    assert GAME.start(3, {"layout": " b1 a0  D2 c3"}).options["layout"] == "B1 A0 D2 C3"


def test_R2_a_random_layout_is_drawn_once_and_stored():
    drawn = [GAME.start(3, {"layout": "random"}, seed=seed).options["layout"] for seed in range(600)]
    assert drawn[:5] == [GAME.start(3, {"layout": "random"}, seed=seed).options["layout"] for seed in range(5)]
    assert set(drawn) <= set(all_layouts(yards.standard_sections()))
    parts = Counter((place, part) for layout in drawn for place, part in enumerate(layout.split()))
    assert len(parts) == 4 * 16
    assert min(parts.values()) > 15  # 37.5 expected
    assert len(set(drawn)) > 500
    for layout in drawn[:5]:
        assert GAME.start(3, {"layout": layout}).options["layout"] == layout


@pytest.mark.parametrize(
    "layout",
    ["", "A0 B0 C0", "A0 B0 C0 D0 A0", "A0 B0 C0 C1", "A0 B0 C0 E0", "A4 B0 C0 D0", "A B C D", "A0B0C0D0", 7, None],
)
def test_R2_a_broken_layout_is_refused(layout):
    error = refused_setup("R2", "option layout", layout=layout)
    assert "A B C D" in str(error)
    assert "bottom right" in str(error)


def sections_file(**changes: Any) -> dict[str, Any]:
    rows = {letter: list(SECTIONS[letter]) for letter in "ABCD"}
    return {"format": "preau-sections/1", "name": "test", "provenance": "made up", "sections": rows, **changes}


def test_R2_custom_sections():
    rows = {letter: ["......"] * 6 for letter in "WXYZ"}
    rows["X"] = ["......", ".SS...", "......", "......", "....B.", "......"]
    custom = sections_file(sections=rows)
    state = position(options={"sections": custom, "layout": "W0 Y0 X0 Z0"})
    assert equipment(state) == {"b5", "c5", "e2"}
    assert GAME.load(state.to_json()) == state
    assert position(options={"sections": custom}).yard.layout == "W0 X0 Y0 Z0"
    refused_setup("R2", "option layout", sections=custom, layout="A0 B0 C0 D0")
    assert position(options={"sections": sections_file()}) == position()
    backwards = sections_file(sections=dict(reversed(sections_file()["sections"].items())))
    assert position(options={"sections": backwards}) == position()


def test_R2_sections_that_cut_the_yard_in_two_are_refused():
    rows = {letter: list(SECTIONS[letter]) for letter in "ABCD"}
    rows["A"] = [".M....", "S.....", "......", "......", "......", "......"]
    with pytest.raises(PreauError, match="cannot be reached") as caught:
        GAME.start(3, {"sections": sections_file(sections=rows)})
    assert caught.value.rule == "R2"
    assert "sections" in caught.value.field


def test_R2_all_arrangements_are_connected_with_25_to_28_pieces_and_the_starts_22_apart():
    """Facts to test against: on all 6,144 layouts, with either kind of exits."""
    sections = yards.standard_sections()
    layouts = all_layouts(sections)
    assert len(set(layouts)) == 6144
    grounds = {layout: yards.ground(sections, layout) for layout in layouts}
    sizes = Counter(144 - ground.count(".") for ground in grounds.values())
    assert min(sizes) == 25
    assert max(sizes) == 28
    for layout, ground in grounds.items():
        three = steps_from(ground, (0, 1, 12))
        assert min(three[131], three[142], three[143]) + 1 == 22, layout
        assert steps_from(ground, (0,))[143] + 1 == 24, layout
        assert len(three) == ground.count("."), layout


def steps_from(ground: str, exits: tuple[int, ...]) -> dict[int, int]:
    """How many steps every cell is from an entrance with these exits."""
    far = dict.fromkeys(exits, 1)
    edge = deque(exits)
    while edge:
        cell = edge.popleft()
        for near in (cell - 12, cell + 12, cell - 1 if cell % 12 else -1, cell + 1 if cell % 12 < 11 else -1):
            if 0 <= near < 144 and ground[near] == "." and near not in far:
                far[near] = far[cell] + 1
                edge.append(near)
    return far


# R3


def test_R3_safety_squares_cover_equipment():
    state = position(options={"layout": "B0 A1 C0 D0"})
    assert yards.turned(tuple(SECTIONS["A"]), 1)[1][4] == "S"  # it would stand on k11
    assert state.yard.open[CELL_NAMES.index("k11")]
    assert [cell for cell in CELL_NAMES if state.yard.safety[CELL_NAMES.index(cell)]] == [
        *("a1", "b1", "a2", "b2"),
        *("k11", "l11", "k12", "l12"),
    ]
    walker = moving(1, options={"layout": "B0 A1 C0 D0"}, children={"0g1": "k12"})
    play(walker, "g1 k11")
    assert where(walker, "0g1") == "k11"


def test_R3_nobody_fights_or_is_shoved_there():
    impossible("R17", "fights[0]", fights=[fight("b2", "0b1", "1b1")])
    state = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"])
    play(state, "nun 0 c2")
    assert {f"shove {cell}" for cell in SAFETY}.isdisjoint(legal(state))
    refused(state, "shove b2", "R28")


# R4


def reach(state: Any, child: str) -> set[str]:
    return {text.split()[1] for text in legal(state) if text.startswith(child)}


def test_R4_an_entrance_touches_three_cells():
    state = moving(1)
    assert reach(state, "b1") == {"a1", "b1", "a2"}
    assert reach(state, "g2") == {"l12", "k12", "l11"}
    play(state, "b1 b1")
    assert where(state, "0b1") == "b1"


def test_R4_corner_exits():
    state = moving(1, options={"exits": "corner"})
    assert reach(state, "b1") == {"a1"}
    assert reach(state, "g1") == {"l12"}
    refused(state, "b1 b1", "R14", "distance")
    assert reach(moving(2, options={"exits": "corner"}), "b2") == {"b1", "a2"}


def test_R4_nobody_walks_back_in():
    state = moving(1, children={"0b1": "a1"})
    assert reach(state, "b1") == {"b1", "a2"}
    with pytest.raises(MalformedAction, match="boys"):
        state.apply(0, "b1 boys")


def test_R4_an_entrance_holds_any_number_and_is_never_seen():
    state = position(5)
    assert list(state.to_json()["children"].values()) == ["boys", "boys", "girls", "girls"] * 5
    assert not state.seen(144)
    assert not state.seen(145)
    impossible("R4", "children.0b1", children={"0b1": "girls"})
    impossible("R2", "nuns[0]", nuns=["boys", "l12"])


# R5


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_R5_the_start(seats):
    data = GAME.start(seats).to_json()
    assert data["nuns"] == ["a1", "l12"]
    assert data["coins"] == [10] * seats
    assert len(data["children"]) == 4 * seats
    assert data["fights"] == data["detention"] == []


def test_R5_two_boys_two_girls_two_nuns():
    error = impossible("R5", "children", children={"0b3": "e4"})
    assert "0b3" in str(error)
    impossible("R5", "children", children={"3b1": "e4"})
    impossible("R5", "nuns", nuns=["a1"])
    impossible("R5", "coins", coins=[10, 10])
    impossible("R37", "coins", coins=[10, 10, 11])


# R6


def test_R6_seat_0_begins_then_in_order():
    state = position(4)
    order = []
    for _ in range(9):
        order.append(state.active)
        play(state, "pass")
    assert order == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert {tuple(state.view(seat)["coins"]) for seat in (None, 0, 1, 2, 3)} == {(10, 10, 10, 10)}


def test_R6_another_seat_begins():
    state = GAME.start(4, {"first": 2})
    assert state.to_act == (2,)
    drawn = {GAME.start(5, {"first": "random"}, seed=seed).options["first"] for seed in range(60)}
    assert drawn == {0, 1, 2, 3, 4}
    again = GAME.start(5, {"first": "random"}, seed=3)
    assert again.to_act == (again.options["first"],)


def test_R6_only_a_seat_at_the_table_begins():
    refused_setup("R6", "option first", 3, first=3)
    refused_setup("R6", "option first", 3, first=-1)
    refused_setup("R6", "option first", 3, first="nobody")
    impossible("R6", "active", turn=5, active=2)


def test_R6_nobody_acts_out_of_turn():
    state = position(4)
    before = state.copy()
    for seat in (1, 3, 9, -1):
        with pytest.raises(NotYourTurn, match="owes no decision now") as caught:
            state.apply(seat, "pass")
        assert "seat 0" in str(caught.value)
        assert state.legal(seat) == ()
    assert state == before


# R7


@pytest.mark.parametrize(
    ("seats", "options", "turns"),
    [
        (3, {}, [10, 10, 10]),
        (4, {}, [8, 8, 7, 7]),
        (5, {}, [6, 6, 6, 6, 6]),
        (4, {"equal_turns": True}, [8, 8, 8, 8]),
        (4, {"first": 2}, [7, 7, 8, 8]),
        (3, {"turns": 7}, [3, 2, 2]),
        (3, {"turns": 7, "equal_turns": True}, [3, 3, 3]),
        (5, {"turns": 1}, [1, 0, 0, 0, 0]),
    ],
)
def test_R7_thirty_turns_in_all(seats, options, turns):
    state = GAME.start(seats, options)
    count = [0] * seats
    numbers = []
    while not state.over:
        count[state.to_act[0]] += 1
        numbers.append(state.to_json()["turn"])
        state.apply(state.to_act[0], "pass")
    assert count == turns
    assert numbers == list(range(1, sum(turns) + 1))  # the clock moves on at the start of each turn
    assert state.progress() == 1.0


def test_R7_no_turn_after_the_last():
    impossible("R7", "turn", turn=31)
    impossible("R7", "turn", turn=0)
    impossible("R7", "active", options={"turns": 1}, active=2)
    for turns in (0, 301, "many", 2.5, True, None):
        refused_setup("R7", "option turns", turns=turns)
    refused_setup("R7", "option equal_turns", equal_turns="perhaps")
    assert GAME.start(3, {"turns": "12"}).options["turns"] == 12
