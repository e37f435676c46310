"""R22, R23, R26 to R28: fights, breaking them up, shoving."""

from __future__ import annotations

import pytest

from preau.games.recess.yard import CELL_NAMES
from tests.recess.positions import (
    CORNERS,
    NAMES,
    fight,
    fights,
    keys,
    legal,
    moving,
    nun_step,
    play,
    position,
    refused,
    where,
)

AROUND_F6 = ["e5", "f5", "g5", "e6", "g6", "e7", "f7", "g7"]


# R22


def test_R22_the_pinned_child_cannot_move():
    state = position(fights=[fight("f6", "1b1", "0b1")])
    refused(state, "b1 f3", "R22", "pinned")
    assert not any(text.startswith("b1") for text in legal(state))
    assert any(text.startswith("b2") for text in legal(state))


@pytest.mark.parametrize("attacker", NAMES)
@pytest.mark.parametrize("victim", NAMES)
def test_R22_anybody_attacks_anybody(attacker, victim):
    state = moving(1, children={f"0{attacker}": "f6", f"1{victim}": "g6"})
    play(state, f"{attacker} g6")
    assert fights(state) == {"g6": (f"0{attacker}", f"1{victim}")}


def test_R22_an_attacker_can_be_attacked_only_by_a_break_up():
    """Landing on a fight never adds a third to it."""
    state = moving(1, children={"0b1": "g6"}, fights=[fight("f6", "1b1", "2b1")])
    assert keys(play(state, "b1 f6")) == ["walk", "break_up"]
    assert state.scores() == (10, 10, 10)


# R23


def test_R23_the_attacker_leaves_and_the_victim_stands_up_at_once():
    state = position(fights=[fight("f6", "0b1", "1b1")], children={"0b2": "g7", "0g1": "c6"})
    events = play(state, "leave f6", "b1 f3")
    assert keys(events) == ["leave", "walk", "let_go"]
    assert fights(state) == {}
    assert where(state, "1b1") == "f6"


def test_R23_another_child_may_attack_the_same_victim_again():
    """Ruling: for a new coin, in the same turn."""
    state = position(fights=[fight("f6", "0b1", "1b1")], children={"0b2": "g7", "0g1": "c6"})
    play(state, "leave f6", "b1 f3", "b2 f6")
    assert fights(state) == {"f6": ("0b2", "1b1")}
    assert state.scores() == (11, 9, 10)


def test_R23_but_not_the_child_that_left():
    state = position(fights=[fight("f6", "0b1", "1b1")], children={"0b2": "g9", "0g1": "c6"})
    play(state, "leave f6", "b1 f5")
    refused(state, "b1 f6", "R15", "moved")


# R26


def test_R26_victim_then_attacker_to_two_cells_of_choice():
    state = moving(1, children={"0b1": "g6"}, fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 f6")
    free = [cell for cell in CELL_NAMES if cell in AROUND_F6 and cell != "e5"]  # the sandbox
    assert legal(state) == [f"shove {cell}" for cell in free]  # g6 is empty by now
    assert state.prompt(0)["piece"] == "b1"
    assert state.prompt(0)["owner"] == 2
    events = play(state, "shove e7")
    assert keys(events) == ["shove"]
    assert state.prompt(0)["owner"] == 1
    assert legal(state) == [f"shove {cell}" for cell in free if cell != "e7"]
    refused(state, "shove e7", "R28", "shove_longer")
    play(state, "shove g6")
    assert [where(state, child) for child in ("0b1", "2b1", "1b1")] == ["f6", "e7", "g6"]
    assert state.scores() == (10, 10, 10)
    assert state.to_json()["detention"] == []


def test_R26_both_stand_and_can_move_in_their_own_turns():
    state = moving(1, children={"0b1": "g6"}, fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 f6", "shove e7", "shove g6", "nun 0 b1")
    assert any(text.startswith("b1") for text in legal(state))
    play(state, "pass")
    assert any(text.startswith("b1") for text in legal(state))


def test_R26_only_neighbours():
    state = moving(1, children={"0b1": "g6"}, fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 f6")
    refused(state, "shove e5", "R28", "shove_where")
    refused(state, "shove f4", "R28", "shove_where")


# R27


def test_R27_a_freed_victim_waits_for_the_next_turn():
    state = moving(2, children={"0b1": "g7"}, fights=[fight("f6", "1b1", "0b2")])
    play(state, "b1 f6", "shove e6", "shove g6")
    refused(state, "b2 e7", "R27", "freed")
    play(state, "g1 l11", "nun 0 b1", "pass", "pass")
    assert any(text.startswith("b2") for text in legal(state))


def test_R27_a_freed_attacker_too():
    state = moving(2, children={"0b1": "g7"}, fights=[fight("f6", "0b2", "1b1")], step={"leaving": ["b2"]})
    play(state, "b1 f6", "shove e6", "shove g6")
    refused(state, "b2 g5", "R27", "freed")


def test_R27_freed_by_telling_too():
    state = moving(2, children={"0b1": "g7"}, fights=[fight("c7", "1b1", "0b2")], nuns=["f6", "l12"])
    play(state, "b1 f6", "shove c6")
    refused(state, "b2 c5", "R27", "freed")


def test_R27_only_for_the_active_seat():
    """Others freed in this turn move in their own next turn, which may be the very next."""
    state = moving(1, children={"0b1": "g6"}, fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 f6", "shove e7", "shove g6", "nun 0 b1")
    assert state.active == 1
    play(state, "b1 g9")


# R28


def test_R28_eight_neighbours():
    state = nun_step(children={"1b1": "f6"}, nuns=["f2", "l12"])
    play(state, "nun 0 f6")
    assert legal(state) == [f"shove {cell}" for cell in CELL_NAMES if cell in AROUND_F6 and cell != "e5"]


def test_R28_option_four_neighbours():
    state = nun_step(children={"1b1": "f6"}, nuns=["f2", "l12"], options={"shove": 4})
    play(state, "nun 0 f6")
    assert legal(state) == ["shove f5", "shove e6", "shove g6", "shove f7"]
    refused(state, "shove g7", "R28", "shove_where")


def test_R28_the_nuns_own_start_is_empty_by_then():
    state = nun_step(children={"1b1": "l1", "1b2": "k1", "1g1": "k2"}, nuns=["a1", "l2"])
    events = play(state, "nun 1 l1")
    assert keys(events)[:2] == ["nun", "shove"]
    assert where(state, "1b1") == "l2"


def test_R28_never_onto_safety_fights_or_equipment():
    state = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"], fights=[fight("d1", "1g1", "2g1")])
    play(state, "nun 0 c2")
    assert legal(state) == ["shove c1", "shove d2", "shove b3", "shove c3"]
    refused(state, "shove d1", "R28", "shove_fight")
    refused(state, "shove d3", "R28", "shove_where")
    refused(state, "shove b2", "R28", "shove_where")


def test_R28_a_landing_without_room_is_illegal_for_a_nun():
    """Ruling: fights, safety cells and equipment are never part of a chain."""
    around = [fight("k1", "1b1", "2b1"), fight("k2", "1b2", "2b2"), fight("l2", "1g1", "2g1")]
    state = nun_step(children={"0b1": "l1"}, nuns=["j1", "l12"], fights=around)
    refused(state, "nun 0 l1", "R28", "no_room")
    open_way = nun_step(children={"0b1": "l1"}, nuns=["j1", "l12"], fights=around[:2])
    play(open_way, "nun 0 l1")
    assert where(open_way, "0b1") == "l2"


def test_R28_diagonal_shoves_pass_between_touching_corners():
    """c10 and d9 touch at a corner; from c9 a shove reaches d10 between them."""
    state = nun_step(children={"1b1": "c9"}, nuns=["c5", "l12"], options={"sections": CORNERS})
    play(state, "nun 0 c9")
    assert "shove d10" in legal(state)
    play(state, "shove d10")
    assert where(state, "1b1") == "d10"


def test_R28_a_shoved_nun_sees_from_her_new_cell_and_nothing_starts():
    state = nun_step(children={"1b1": "j12", "2b1": "j9"}, nuns=["f2", "f6"], fights=[fight("g7", "1g1", "2g1")])
    play(state, "nun 0 f6", "shove g6")
    assert where(state, "nun 1") == "g6"
    assert state.seen(CELL_NAMES.index("g7"))
    assert fights(state) == {"g7": ("1g1", "2g1")}


def test_R28_a_shove_onto_an_own_child_is_never_a_kiss():
    """R33: never by a shove. The girl on the way is pushed on instead."""
    state = nun_step(children={"0b1": "l1", "0g1": "k1", "1b1": "k2", "1b2": "l2"}, nuns=["j1", "l12"])
    play(state, "nun 0 l1", "shove k1")
    assert not state.over
    assert state.prompt(0)["piece"] == "g1"
