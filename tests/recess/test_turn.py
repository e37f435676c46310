"""R8 to R15: the order of a turn, passing, staying and leaving, movements and walks."""

from __future__ import annotations

import pytest

from preau.games.recess.position import MOVING, NUN_STEP
from preau.games.recess.yard import CELL_NAMES
from tests.recess.positions import (
    detention,
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

AT_F6 = [fight("f6", "0b1", "1b1")]
TWO = [fight("f6", "0b1", "1b1"), fight("g4", "0g1", "2g1")]
THREE = [*TWO, fight("c7", "0b2", "1g2")]
HELD = [fight("f6", "1b1", "0b2"), fight("g4", "1g1", "0g1"), fight("c7", "2b1", "0g2")]
SPREAD = {"0b2": "c6", "0g1": "g9", "0g2": "d7"}


# R8


def test_R8_a_turn_in_its_order():
    state = position(fights=AT_F6, children=SPREAD)
    phases = []
    for text in ("stay f6", "g1 g7", "b2 c7", "nun 1 j12"):
        phases.append(state.to_json().get("step", {}).get("phase", "start"))
        play(state, text)
    assert phases == ["start", "move", "move", "nun"]
    assert state.active == 1


@pytest.mark.parametrize("text", ["nun 1 j12", "stay f6", "leave f6", "share", "shove f6", "tattle 0 f6"])
def test_R8_not_in_the_middle_of_the_movements(text):
    refused(moving(2, fights=AT_F6, children=SPREAD), text, "R8", "other_step")


@pytest.mark.parametrize("text", ["b2 c7", "stay f6", "share", "shove f6"])
def test_R8_not_at_the_nun_step(text):
    refused(nun_step(fights=AT_F6, children=SPREAD), text, "R8", "other_step")


def test_R8_not_before_the_attacks_are_decided():
    refused(position(fights=AT_F6, children=SPREAD), "b2 c7", "R8", "other_step")
    refused(position(fights=AT_F6, children=SPREAD), "skip", "R8", "other_step")


# R9


def test_R9_a_passed_turn():
    state = position(fights=AT_F6, children=SPREAD, coins=[12, 9, 9])
    before = state.to_json()
    assert keys(play(state, "pass")) == ["pass", "turn"]
    after = state.to_json()
    for field in ("coins", "children", "nuns", "fights"):
        assert after[field] == before[field]
    assert after["active"] == 1


def test_R9_passing_serves_detention():
    state = position(detention=["0b1", "1g1"])
    play(state, "pass")
    assert detention(state) == ["1g1"]


def test_R9_no_pass_when_a_nun_sees_an_attack_at_the_start():
    state = position(fights=[fight("c3", "0b1", "1b1")])
    assert legal(state) == ["stay c3", "leave c3"]
    refused(state, "pass", "R9", "pass_seen")


def test_R9_another_seats_seen_fight_does_not_matter():
    assert "pass" in legal(position(fights=[fight("c3", "1b1", "0b1")]))


def test_R9_pass_with_the_first_decision_only():
    state = position(fights=AT_F6, children=SPREAD)
    assert legal(state) == ["pass", "stay f6", "leave f6"]
    play(state, "stay f6")
    refused(state, "pass", "R9", "pass_late")
    assert legal(position())[0] == "pass"
    asked_the_nun = position(detention=["0b1", "0b2", "0g1"])
    assert legal(asked_the_nun)[:2] == ["pass", "nun 0 b1"]
    refused(nun_step(), "pass", "R9", "pass_late")


def test_R9_a_lost_movement_is_no_decision():
    """Nobody has a legal 3, so that one is lost unasked; the turn's first question is the 2, with a pass."""
    state = position(
        children={"0b1": "l1", "1b1": "k1", "1b2": "l2", "1g1": "j2", "1g2": "k3"},
        fights=[fight("f6", "2b1", "0b2"), fight("c7", "2b2", "0g1"), fight("f4", "2g1", "0g2")],
        nuns=["a1", "k2"],
    )
    assert legal(state) == ["pass", "skip", "b1 j1", "b1 l1", "b1 k2"]
    assert state.movement == 2


# R10


def test_R10_staying_takes_a_coin_at_once():
    state = position(fights=AT_F6)
    events = play(state, "stay f6")
    assert keys(events) == ["stay", "coin"]
    assert state.scores() == (11, 9, 10)
    assert fights(state) == {"f6": ("0b1", "1b1")}


def test_R10_nothing_to_take_from_a_poor_owner():
    state = position(fights=AT_F6, coins=[20, 0, 10])
    events = play(state, "stay f6")
    assert events[1].data == {"seat": 0, "owner": 1, "coins": 0}
    assert state.scores() == (20, 0, 10)


def test_R10_attacks_are_decided_in_board_order():
    state = position(fights=TWO)
    assert legal(state) == ["pass", "stay g4", "leave g4"]
    refused(state, "stay f6", "R10", "choose_order")
    play(state, "leave g4")
    assert legal(state) == ["stay f6", "leave f6"]
    refused(state, "leave d4", "R10", "no_attack")


def test_R10_not_for_the_fight_of_another():
    state = position(fights=[*AT_F6, fight("g4", "2g1", "1g1")])
    refused(state, "stay g4", "R10", "no_attack")


def test_R10_a_leaver_uses_a_movement():
    state = position(fights=AT_F6, children=SPREAD)
    play(state, "leave f6")
    assert state.scores() == (10, 10, 10)
    play(state, "b1 f3")
    assert fights(state) == {}
    assert where(state, "1b1") == "f6"


# R11


@pytest.mark.parametrize(
    ("attacks", "lying", "stays", "movement"),
    [
        (AT_F6, [], ["stay f6"], 2),
        (AT_F6, ["0b2"], ["stay f6"], 1),
        (AT_F6, ["0b2"], ["leave f6"], 2),
        (TWO, [], ["stay g4", "stay f6"], 1),
        (TWO, [], ["stay g4", "leave f6"], 2),
        (TWO, ["0b2"], ["stay g4", "stay f6"], 0),
        (THREE, [], ["stay g4", "stay f6", "stay c7"], 0),
        (THREE, [], ["leave g4", "leave f6", "leave c7"], 3),
        ([], ["0b1", "0g1"], [], 1),
        ([], ["0b1", "0b2", "0g1"], [], 0),
    ],
)
def test_R11_stayers_and_detentions_cost_the_largest_movements(attacks, lying, stays, movement):
    state = position(fights=attacks, detention=lying)
    play(state, *stays)
    assert state.movement == movement
    assert state.phase == (MOVING if movement else NUN_STEP)


def test_R11_detention_of_others_costs_nothing():
    assert position(detention=["1b1", "2g1"]).movement == 3


def test_R11_four_together_and_nobody_can_leave():
    state = position(fights=THREE, detention=["0g2"])
    assert legal(state) == ["pass", "stay g4"]
    refused(state, "leave g4", "R13", "no_leave")
    play(state, "stay g4")  # then the others stay by themselves
    assert state.phase == NUN_STEP
    assert state.scores() == (13, 8, 9)


def test_R12_who_stays_does_not_move():
    state = position(fights=AT_F6, children=SPREAD)
    play(state, "stay f6")
    refused(state, "b1 f4", "R12", "staying")


def test_R11_fixed_once_the_choices_are_made():
    """A stayer freed by an own child gives no movement back, and does not move either (R27)."""
    state = position(fights=AT_F6, children={"0b2": "f4", "0g1": "g9"})
    play(state, "stay f6", "b2 f6", "shove g6", "shove e6")
    assert state.movement == 1
    refused(state, "b1 d6", "R12", "staying")


# R12


def test_R12_skip_while_fewer_can_move_than_movements_remain():
    state = position(children={"0b1": "e4"}, fights=HELD)
    assert legal(state)[:2] == ["pass", "skip"]
    play(state, "skip")
    assert state.movement == 2
    assert legal(state)[0] == "skip"
    play(state, "skip")
    assert state.movement == 1
    refused(state, "skip", "R12", "skip")  # one child, one movement
    play(state, "b1 d4")
    assert state.phase == NUN_STEP


def test_R12_no_skip_otherwise():
    refused(position(), "skip", "R12", "skip")
    refused(moving(1), "skip", "R12", "skip")
    three_movable = position(fights=[fight("f6", "1b1", "0b1")])
    refused(three_movable, "skip", "R12", "skip")
    play(three_movable, "b2 c1")
    refused(three_movable, "skip", "R12", "skip")


def test_R12_a_leaver_with_movements_to_spare_does_not_excuse_a_skip():
    state = position(fights=AT_F6, children=SPREAD)
    play(state, "leave f6")
    refused(state, "skip", "R12", "skip")


def test_R12_a_movement_nobody_can_use_is_lost():
    """Beside the last child are an own boy and a nun with nothing to tell her."""
    state = moving(2, children={"0b1": "l1", "0b2": "k1"}, nuns=["a1", "l2"], step={"moved": ["b2", "g1"]})
    events = play(state, "g2 l10")
    assert keys(events) == ["walk", "lost"]
    assert events[1].rule == "R12"
    assert state.phase == NUN_STEP
    assert where(state, "0b1") == "l1"


# R13


def test_R13_leavers_first_when_movements_run_short():
    state = position(fights=THREE, children={"0g2": "d7"})
    play(state, "leave g4", "leave f6", "leave c7")
    refused(state, "g2 d10", "R13", "leavers_first")
    refused(state, "skip", "R13", "skip_leaver")
    play(state, "b1 f3")
    refused(state, "g2 d9", "R13", "leavers_first")


def test_R13_others_may_move_while_enough_movements_are_left():
    state = position(fights=AT_F6, children=SPREAD)
    play(state, "leave f6", "g2 d10", "b2 c8")
    refused(state, "g1 g10", "R13", "leavers_first")
    assert {text.split()[0] for text in legal(state)} == {"b1"}


def test_R13_a_stuck_leaver_counts_as_having_stayed_without_a_coin():
    """His 1 is barred by an own boy and a nun, so it is lost; the nun, who saw him all along, comes (R32)."""
    state = position(
        fights=[fight("l1", "0b1", "1b1")],
        children={"0b2": "k1", "0g1": "g9", "0g2": "d7"},
        nuns=["a1", "l2"],
    )
    events = play(state, "leave l1", "g1 g6", "g2 d9")
    assert keys(events) == ["leave", "walk", "walk", "lost", "nun", "detention"]
    assert events[4].rule == "R32"
    assert state.scores() == (10, 10, 10)
    assert detention(state) == ["0b1"]


def test_R13_no_more_leavers_than_movements():
    state = position(fights=TWO, detention=["0b2", "0g2"])
    refused(state, "leave g4", "R13", "no_leave")
    free = position(fights=TWO, detention=["0b2"])
    play(free, "leave g4", "leave f6")
    assert free.movement == 2


def test_R13_breaking_up_a_pending_leavers_fight_frees_him():
    state = position(fights=AT_F6, children={"0b2": "f3", "0g1": "g9", "0g2": "d7"})
    play(state, "leave f6", "b2 f6", "shove g6", "shove e6")
    assert state.leaving == 0
    refused(state, "b1 e4", "R27", "freed")
    play(state, "g1 g7", "g2 d8")  # he owes no movement
    assert state.phase == NUN_STEP


def test_R13_telling_on_a_pending_leavers_fight_detains_him():
    state = position(fights=AT_F6, children={"0b2": "g10", "0g1": "c6", "0g2": "d7"}, nuns=["g7", "l12"])
    events = play(state, "leave f6", "b2 g7")
    assert keys(events) == ["leave", "walk", "tattle", "detention"]
    assert detention(state) == ["0b1"]
    assert state.leaving == 0
    play(state, "shove f7", "g1 c8", "g2 d8")  # he owes no movement
    assert state.phase == NUN_STEP


# R14


@pytest.mark.parametrize(
    ("movement", "cells"),
    [
        (1, "g6 f7 e6 f5"),
        (2, "f6 h6 g7 g5 e7 d6 f4"),
        (3, "g6 f7 e6 f5 i6 h7 g8 d7 c6 g4 f3 e4 h5 d5"),
    ],
)
def test_R14_exactly_so_many_steps(movement, cells):
    state = moving(movement, children={"0b1": "f6"})
    reached = {text.split()[1] for text in legal(state) if text.startswith("b1")}
    open_ones = {cell for cell in cells.split() if state.yard.open[CELL_NAMES.index(cell)]}
    assert open_ones <= reached
    assert all((ord(cell[0]) + int(cell[1:]) + ord("f") + 6 + movement) % 2 == 0 for cell in reached)
    refused(state, "b1 l1", "R14", "distance")
    refused(state, "b1 e5", "R14", "equipment")


def test_R14_through_children_nuns_and_fights():
    state = moving(
        3,
        nuns=["d2", "l12"],
        children={"0b1": "c2", "1b1": "e2"},
        fights=[fight("c3", "1g1", "2g1"), fight("b3", "1b2", "2b1")],
    )
    assert "b1 f2" in legal(state)
    play(state, "b1 f2")
    assert where(state, "0b1") == "f2"


def test_R14_a_two_may_end_where_it_began():
    state = moving(2, children={"0b1": "f6"})
    play(state, "b1 f6")
    assert where(state, "0b1") == "f6"
    assert state.movement == 1


def test_R14_and_counts_as_landing_there():
    """In a safety cell with a nun on it, she can be told."""
    state = moving(2, children={"0b1": "a1"}, fights=[fight("f6", "1b1", "2b1")])
    play(state, "b1 a1")
    assert legal(state) == ["share", "tattle 0 f6"]


def test_R14_a_leaver_may_not_come_back():
    state = position(fights=AT_F6, children=SPREAD)
    play(state, "leave f6", "g2 d10")
    refused(state, "b1 f6", "R14", "back")


def test_R14_from_an_entrance_the_first_step_is_onto_an_exit():
    state = moving(2)
    reached = {text.split()[1] for text in legal(state) if text.startswith("b1")}
    assert reached == {"a1", "b1", "a2", "b2", "c1", "a3"}
    refused(state, "b1 c2", "R14", "distance")


# R15


def test_R15_no_child_moves_twice():
    state = position(children=SPREAD)
    play(state, "g2 d10")
    refused(state, "g2 d9", "R15", "moved")


def test_R15_being_shoved_is_not_moving():
    """A bystander of one's own is pushed along by a break-up and can still walk."""
    state = moving(2, children={"0b1": "j1", "0b2": "k1", "1g1": "k2", "1g2": "l2"}, fights=[fight("l1", "2b1", "1b1")])
    play(state, "b1 l1", "shove k1", "shove j2", "shove k2", "shove k3")
    assert where(state, "0b2") == "j2"
    play(state, "b2 i2")
    assert where(state, "0b2") == "i2"
