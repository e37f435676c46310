"""R16 to R21: what a walk may end on, and what happens then."""

from __future__ import annotations

import pytest

from tests.recess.positions import detention, fight, fights, keys, legal, moving, play, position, refused, walls, where

ELSEWHERE = [fight("c7", "1g1", "2g1")]


# R16


def test_R16_on_a_free_cell_the_child_stands():
    state = moving(1, children={"0b1": "f6"})
    assert keys(play(state, "b1 f7")) == ["walk"]
    assert where(state, "0b1") == "f7"


def test_R16_equipment_is_no_free_cell():
    refused(moving(1, children={"0b1": "f7"}), "b1 f8", "R14", "equipment")


# R17


def test_R17_a_safety_cell_is_shared_in_peace():
    crowded = {"1b1": "b2", "1g1": "b2", "0b2": "b2", "2b2": "b2"}
    state = moving(1, children={"0b1": "c2", **crowded})
    assert keys(play(state, "b1 b2")) == ["walk"]
    assert state.scores() == (10, 10, 10)
    assert fights(state) == {}
    assert where(state, "0b1") == where(state, "1b1") == "b2"


def test_R17_with_a_nun_and_a_fight_one_tells_or_shares():
    """Ruling: sharing is always possible in safety."""
    told = moving(1, children={"0b1": "b1"}, fights=ELSEWHERE)
    play(told, "b1 a1")
    assert legal(told) == ["share", "tattle 0 c7"]
    shared = told.copy()
    play(told, "tattle 0 c7")
    assert detention(told) == ["1g1"]
    assert keys(play(shared, "share")) == ["share"]
    assert fights(shared) == {"c7": ("1g1", "2g1")}
    assert where(shared, "nun 0") == where(shared, "0b1") == "a1"


def test_R17_without_a_fight_there_is_nothing_to_ask():
    state = moving(1, children={"0b1": "b1"})
    assert keys(play(state, "b1 a1")) == ["walk"]


def test_R17_a_kiss_in_safety():
    state = moving(1, children={"0b1": "c2", "0g1": "b2"}, nuns=["l1", "l12"])
    assert keys(play(state, "b1 b2")) == ["walk", "kiss", "end"]


def test_R17_in_safety_a_seen_couple_just_shares():
    state = moving(1, children={"0b1": "c2", "0g1": "b2"})
    assert keys(play(state, "b1 b2")) == ["walk"]
    assert not state.over


def test_R17_sharing_is_for_safety_only():
    state = moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=[*ELSEWHERE, fight("i4", "1b1", "2b1")])
    play(state, "b1 f6")
    refused(state, "share", "R17", "share")


# R18


def test_R18_landing_on_a_rival_starts_a_fight_and_takes_a_coin():
    state = moving(1, children={"0b1": "f6", "1g1": "g6"})
    events = play(state, "b1 g6")
    assert keys(events) == ["walk", "fight", "coin"]
    assert [event.rule for event in events] == ["R14", "R18", "R18"]
    assert fights(state) == {"g6": ("0b1", "1g1")}
    assert state.scores() == (11, 9, 10)


def test_R18_the_fight_starts_even_without_a_coin():
    state = moving(1, children={"0b1": "f6", "1g1": "g6"}, coins=[20, 0, 10])
    play(state, "b1 g6")
    assert fights(state) == {"g6": ("0b1", "1g1")}
    assert state.scores() == (20, 0, 10)


def test_R18_not_where_a_nun_sees():
    state = moving(1, children={"0b1": "c4", "1g1": "c3"})
    refused(state, "b1 c3", "R18", "fight_seen")


def test_R18_at_most_three_attackers():
    three = [fight("c7", "0b1", "1b1"), fight("g9", "0b2", "1b2"), fight("f3", "0g1", "1g1")]
    at_hand = {"staying": ["b1", "b2"], "moved": ["g1"]}
    state = moving(1, children={"0g2": "f6", "2g1": "g6"}, fights=three, step=at_hand)
    refused(state, "g2 g6", "R18", "three_attackers")
    two = moving(1, children={"0g2": "f6", "2g1": "g6"}, fights=three[:2], step={"staying": ["b1", "b2"]})
    play(two, "g2 g6")
    assert len(fights(two)) == 3


def test_R18_leavers_who_have_not_gone_count():
    three = [fight("c7", "0b1", "1b1"), fight("g9", "0b2", "1b2"), fight("f3", "0g1", "1g1")]
    at_hand = {"leaving": ["g1"], "staying": ["b1", "b2"]}
    state = moving(2, children={"0g2": "f5", "2g1": "g6"}, fights=three, step=at_hand)
    refused(state, "g2 g6", "R18", "three_attackers")
    play(state, "g1 g4")  # gone: now there is room for one more
    assert len(fights(state)) == 2


def test_R18_a_leaver_may_attack_again():
    state = position(fights=[fight("f6", "0b1", "1b1")], children={"2g1": "g4"})
    play(state, "leave f6", "b1 g4")
    assert fights(state) == {"g4": ("0b1", "2g1")}
    assert state.scores() == (11, 10, 9)


# R19


def test_R19_not_on_an_own_child_of_the_same_gender():
    refused(moving(1, children={"0b1": "f6", "0b2": "g6"}), "b1 g6", "R19", "own_child")
    refused(moving(1, children={"0g1": "f6", "0g2": "g6"}), "g2 f6", "R19", "own_child")


def test_R19_on_the_other_gender_only_unseen():
    refused(moving(1, children={"0b1": "c4", "0g1": "c3"}), "b1 c3", "R19", "kiss_seen")
    state = moving(1, children={"0b1": "f6", "0g1": "g6"})
    play(state, "g1 f6")
    assert state.over


# R20


@pytest.mark.parametrize(
    ("cell", "attacker", "victim"),
    [("f6", "1b1", "2b1"), ("f6", "1b1", "0b2"), ("f6", "0b2", "1b1"), ("c3", "1b1", "2b1")],
    ids=["rivals", "my victim", "my attacker", "in sight"],
)
def test_R20_any_fight_can_be_broken_up(cell, attacker, victim):
    beside = {"f6": "g6", "c3": "c4"}[cell]
    state = moving(1, children={"0g1": beside}, fights=[fight(cell, attacker, victim)])
    events = play(state, f"g1 {cell}")
    assert keys(events) == ["walk", "break_up"]
    assert events[1].rule == "R26"
    assert fights(state) == {}


def test_R20_not_if_the_shoves_are_impossible():
    """The fight on l1 has a single empty cell around it, for two to be shoved."""
    taken = {"0b1", "1b1", "2b1"}
    state = moving(
        2,
        5,
        children={"0b1": "j1"},
        fights=[fight("l1", "1b1", "2b1"), *walls(["k1", "k2", "k3"], 5, taken)],
    )
    refused(state, "b1 l1", "R28", "no_room")


# R21


def test_R21_on_a_nun_only_to_tell():
    refused(moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"]), "b1 f6", "R21", "no_fight")
    state = moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=ELSEWHERE)
    assert keys(play(state, "b1 f6")) == ["walk", "tattle", "detention"]


def test_R21_a_fight_the_mover_has_just_left_does_not_count():
    state = position(fights=[fight("f6", "0b1", "1b1")], nuns=["d5", "l12"])
    play(state, "leave f6")
    refused(state, "b1 d5", "R21", "no_fight")
    other = position(fights=[fight("f6", "0b1", "1b1"), *ELSEWHERE], nuns=["d5", "l12"])
    play(other, "leave f6", "b1 d5")
    assert detention(other) == ["1g1"]


def test_R21_nor_does_a_fight_that_cannot_be_told_on():
    """R28: its victim cannot be shoved anywhere."""
    taken = {"0b1", "1b1", "2b1"}
    shut_in = [fight("l1", "1b1", "2b1"), *walls(["k1", "k2", "l2"], 5, taken)]
    told = moving(1, 5, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=shut_in)
    play(told, "b1 f6")
    assert "tattle 0 l1" not in legal(told)
    refused(told, "tattle 0 l1", "R28", "tell_no_room")
