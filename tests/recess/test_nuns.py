"""R24, R25, R29 to R32: what nuns see, telling them, where they go, and their duty."""

from __future__ import annotations

import re
from random import Random

import pytest

from preau.games.recess.yard import CELL_NAMES
from tests.oracle.recess_oracle import Oracle
from tests.recess.positions import (
    CORNERS,
    SAFETY,
    detention,
    fight,
    fights,
    keys,
    legal,
    moving,
    nun_step,
    play,
    position,
    random_layout,
    refused,
    walls,
    where,
)

SEEN = [fight("c3", "0b1", "1b1")]
"""Nun 0 on a1 sees c3."""


# R24


def sight(nun: str, **options: object) -> set[str]:
    """What a nun on this cell sees."""
    yard = position(options=options).yard
    start = 144 * CELL_NAMES.index(nun)
    return {name for cell, name in enumerate(CELL_NAMES) if yard.sight[start + cell]}


def test_R24_eight_directions_up_to_equipment_or_edge():
    lines = "a6 b6 c6 d6 e6 f6 g6 h6 i6, f1 f2 f3 f4 f5 f7, g7, e7 d8 c9 b10 a11, g5 h4"
    assert sight("f6") == set(re.findall(r"\w+", lines))
    seen = position(nuns=["f6", "l12"]).view(0)["seen"]
    assert set(seen) == sight("f6") | sight("l12")


def test_R24_her_own_cell_counts():
    state = moving(1, children={"0b1": "b1", "0g1": "a1"}, nuns=["a1", "a1"])
    play(state, "b1 a1")
    assert not state.over  # a kiss on her own cell would be seen


def test_R24_children_and_nuns_do_not_block():
    state = position(nuns=["a7", "c7"], children={"0b1": "b7", "1b1": "d7"})
    assert {"b7", "c7", "d7", "l7"} <= set(state.view(0)["seen"])
    refused(
        moving(1, nuns=["a7", "l12"], children={"2g2": "b7", "0b1": "f6", "1b1": "f7"}), "b1 f7", "R18", "fight_seen"
    )


def test_R24_equipment_blocks():
    state = moving(1, nuns=["f10", "l12"], children={"0b1": "e7", "1b1": "f7"})
    play(state, "b1 f7")  # the swings on f8 are in between
    assert "f7" in fights(state)


def test_R24_diagonals_pass_between_touching_corners():
    assert "d10" in sight("c9", sections=CORNERS)
    assert "e11" in sight("c9", sections=CORNERS)


@pytest.mark.parametrize("cell", SAFETY)
def test_R24_nuns_in_safety_see_as_usual(cell):
    """Ruling."""
    oracle = Oracle(3)
    assert sight(cell) == oracle._sight(cell)
    assert sight(cell) - set(SAFETY)


def test_R24_against_the_oracle_on_many_yards():
    rng = Random(24)
    for _ in range(6):
        layout = random_layout(rng)
        oracle = Oracle(3, layout)
        for cell in rng.sample([cell for cell in CELL_NAMES if cell not in oracle.equipment], 25):
            assert sight(cell, layout=layout) == oracle._sight(cell), (layout, cell)


# R25


def test_R25_a_nun_coming_into_sight_does_nothing():
    state = nun_step(fights=[fight("f6", "0b1", "1b1")], nuns=["a7", "l12"])
    events = play(state, "nun 0 a6")
    assert keys(events) == ["nun", "turn"]
    assert fights(state) == {"f6": ("0b1", "1b1")}
    assert state.seen(CELL_NAMES.index("f6"))


def test_R25_nor_does_she_bar_the_victims_owner_from_passing():
    state = position(active=1, fights=SEEN)
    play(state, "pass")
    assert fights(state) == {"c3": ("0b1", "1b1")}
    state = position(active=0, fights=SEEN)
    refused(state, "pass", "R9", "pass_seen")


# R29


def test_R29_a_child_tells_on_a_fight_of_its_choice():
    both = [fight("c7", "1b1", "2b1"), fight("i4", "0b2", "2g1")]
    state = moving(2, children={"0b1": "f5"}, nuns=["f7", "l12"], fights=both)
    events = play(state, "b1 f7")
    assert keys(events) == ["walk"]
    assert legal(state) == ["tattle 0 i4", "tattle 0 c7"]
    refused(state, "tattle 1 c7", "R29", "other_nun")
    refused(state, "tattle 0 f6", "R29", "no_fight_there")
    play(state, "tattle 0 i4")  # its own seat's
    assert where(state, "nun 0") == "i4"
    assert where(state, "0b1") == "f7"
    assert detention(state) == ["0b2"]
    play(state, "shove i5", "g1 l11")
    assert {text.split()[1] for text in legal(state)} == {"0", "1"}  # the nun movement is still made, by either


def test_R29_the_only_tale_is_told_unasked():
    state = moving(1, children={"0b1": "f6"}, nuns=["f7", "l12"], fights=[fight("c3", "1b1", "2b1")])
    assert keys(play(state, "b1 f7"))[:3] == ["walk", "tattle", "detention"]


def test_R29_two_nuns_on_one_cell():
    state = moving(1, children={"0b1": "b1"}, nuns=["a1", "a1"], fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 a1")
    assert legal(state) == ["share", "tattle 0 f6", "tattle 1 f6"]
    play(state, "tattle 1 f6")
    assert where(state, "nun 1") == "f6"
    assert where(state, "nun 0") == "a1"


def test_R29_only_after_landing_on_a_nun():
    refused(moving(1, fights=[fight("f6", "1b1", "2b1")]), "tattle 0 f6", "R8", "other_step")


# R30


@pytest.mark.parametrize(("attacker", "entrance"), [("1b2", "boys"), ("1g1", "girls")])
def test_R30_victim_shoved_attacker_detained(attacker, entrance):
    state = nun_step(fights=[fight("f6", attacker, "2b1")], nuns=["f2", "l12"])
    events = play(state, "nun 0 f6")
    assert keys(events) == ["nun", "detention"]
    assert where(state, attacker) == entrance
    assert detention(state) == [attacker]
    assert where(state, "nun 0") == "f6"
    play(state, "shove f7")
    assert where(state, "2b1") == "f7"
    assert fights(state) == {}
    play(state, "pass", "b1 f4")  # he can walk again


def test_R30_not_if_the_victim_cannot_be_shoved():
    taken = {"1b1", "2b1"}
    shut_in = [fight("l1", "1b1", "2b1"), *walls(["k1", "k2", "l2"], 5, taken)]
    state = nun_step(5, fights=shut_in, nuns=["j1", "l12"])
    refused(state, "nun 0 l1", "R28", "no_room")


# R31


def test_R31_one_nun_moves_along_one_line():
    state = nun_step()
    assert legal(state)[:3] == ["nun 0 b1", "nun 0 c1", "nun 0 d1"]
    assert "nun 0 a12" in legal(state)
    assert "nun 1 i9" in legal(state)
    refused(state, "nun 0 e1", "R31", "nun_line")  # the climbing frame
    refused(state, "nun 0 f1", "R31", "nun_line")  # behind it
    refused(state, "nun 0 c2", "R31", "nun_line")
    refused(state, "nun 0 a1", "R31", "nun_line")  # at least one cell
    play(state, "nun 1 k11")
    assert where(state, "nun 1") == "k11"


def test_R31_she_must_move():
    refused(nun_step(), "skip", "R31", "nun_stays")


def test_R31_option_nun_may_stay():
    state = nun_step(options={"nun_may_stay": True})
    assert legal(state)[0] == "skip"
    assert keys(play(state, "skip")) == ["nun_stays", "turn"]


def test_R31_nun_may_stay_not_under_a_duty():
    state = position(fights=[*SEEN, fight("d4", "0b2", "1b2")], options={"nun_may_stay": True})
    play(state, "stay c3", "stay d4", "g1 l11")
    assert legal(state) == ["nun 0 c3", "nun 0 d4"]
    refused(state, "skip", "R32", "duty")


def test_R31_through_pieces_and_in_and_out_of_safety():
    state = nun_step(children={"1b1": "c1"}, nuns=["d1", "l12"])
    assert {"nun 0 b1", "nun 0 a1", "nun 0 c1"} <= set(legal(state))
    play(state, "nun 0 a1")
    assert where(state, "1b1") == "c1"


def test_R31_landing_on_somebody_shoves():
    on_child = nun_step(children={"1b1": "f6"}, nuns=["f2", "l12"])
    assert keys(play(on_child, "nun 0 f6", "shove g6")) == ["nun", "shove", "turn"]
    on_nun = nun_step(nuns=["f2", "f6"])
    assert keys(play(on_nun, "nun 0 f6", "shove g6")) == ["nun", "shove_nun", "turn"]
    assert where(on_nun, "nun 1") == "g6"
    in_safety = nun_step(children={"1b1": "b1"}, nuns=["a1", "l12"])
    assert keys(play(in_safety, "nun 0 b1")) == ["nun", "turn"]


def test_R31_a_nun_can_always_move():
    """So "if no nun has a legal move" never comes up: whoever stands beside her can be shoved to where she was."""
    rng = Random(31)
    for _ in range(30):
        yard = position(options={"layout": random_layout(rng)}).yard
        for cell in range(144):
            if yard.open[cell]:
                beside = yard.walk1[cell]
                assert beside
                assert yard.safety[cell] or all(cell in yard.around[near] for near in beside)


# R32


def test_R32_the_nun_must_come():
    state = position(fights=SEEN)
    assert legal(state) == ["stay c3", "leave c3"]
    play(state, "stay c3", "b2 b1")
    events = play(state, "g1 l11")  # then her way is the only one
    assert keys(events) == ["walk", "nun", "detention"]
    assert events[1].rule == "R32"
    assert detention(state) == ["0b1"]


def test_R32_choice_among_the_pairs():
    both = [*SEEN, fight("d4", "0b2", "1b2")]
    state = position(fights=both, nuns=["a1", "c9"])
    play(state, "stay c3", "stay d4", "g1 l11")
    assert legal(state) == ["nun 0 c3", "nun 0 d4", "nun 1 c3"]
    refused(state, "nun 1 c8", "R32", "duty")
    assert state.prompt(0)["key"] == "prompt.duty"
    assert state.prompt(1)["key"] == "wait.duty"
    play(state, "nun 1 c3")
    assert detention(state) == ["0b1"]


def test_R32_a_nun_that_sees_it_only_now_carries_the_duty_too():
    """A nun saw it at the start; a nun, not necessarily the same, sees it at the nun step."""
    state = nun_step(fights=[fight("f6", "0b1", "1b1")], nuns=["l1", "f2"], step={"staying": ["b1"], "watched": ["b1"]})
    assert state.phase == 3  # she has come, and the victim is being shoved
    assert where(state, "nun 1") == "f6"


def test_R32_fights_started_this_turn_carry_no_duty():
    """Ruling."""
    state = nun_step(fights=[fight("f6", "0b1", "1b1")], nuns=["a1", "f2"], step={"moved": ["b1"]})
    assert len(legal(state)) > 2
    play(state, "nun 0 b1")
    assert fights(state) == {"f6": ("0b1", "1b1")}


def test_R32_no_duty_when_nobody_saw_it_at_the_start():
    state = position(fights=[fight("f6", "0b1", "1b1")], nuns=["d4", "l12"])
    play(state, "stay f6")
    assert state.watched == 0


def test_R32_no_duty_when_nobody_sees_it_any_more():
    state = nun_step(fights=[fight("f6", "0b1", "1b1")], step={"staying": ["b1"], "watched": ["b1"]})
    assert "nun 0 b1" in legal(state)
    assert "nun 1 l11" in legal(state)
