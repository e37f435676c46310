"""R33 to R38: the kiss, detention, the end, ranks, coins, and the sand timer."""

from __future__ import annotations

import pytest

from preau import REFEREE
from preau.core import IllegalAction, NotYourTurn
from tests.recess.positions import (
    GAME,
    detention,
    fight,
    impossible,
    keys,
    legal,
    moving,
    nun_step,
    play,
    position,
    refused,
)
from tests.support import is_sentence

COUPLE = {"0b1": "f6", "0g1": "g6"}


# R33


def test_R33_a_kiss_ends_the_game_and_everybody_pays_two():
    state = moving(1, 4, children=COUPLE)
    events = play(state, "b1 g6")
    assert keys(events) == ["walk", "kiss", "end"]
    assert [event.rule for event in events[1:]] == ["R33", "R33"]
    assert state.over
    assert state.scores() == (16, 8, 8, 8)
    assert state.result().reason == "kiss"
    assert state.legal(0) == ()
    with pytest.raises(NotYourTurn, match="over"):
        state.apply(0, "pass")


def test_R33_or_what_they_have():
    state = moving(1, 4, children=COUPLE, coins=[5, 1, 0, 34])
    play(state, "g1 f6")
    assert state.scores() == (8, 0, 0, 32)


def test_R33_even_if_it_loses():
    """Ruling: the kiss is automatic."""
    state = moving(1, children=COUPLE, coins=[0, 0, 30])
    play(state, "b1 g6")
    assert state.result().winners == (2,)
    assert state.ranking() == ((2,), (0,), (1,))


def test_R33_not_in_sight():
    refused(moving(1, children={"0b1": "c4", "0g1": "c3"}), "b1 c3", "R19", "kiss_seen")


def test_R33_not_in_a_fight():
    """An own girl held down is broken free, not kissed."""
    state = moving(1, children={"0b1": "f6"}, fights=[fight("g6", "1b1", "0g1")])
    assert keys(play(state, "b1 g6")) == ["walk", "break_up"]
    assert not state.over


def test_R33_a_child_that_has_stood_up_again_can_be_kissed():
    """The attacker is this seat's own girl: she leaves, and lands on the boy."""
    state = position(fights=[fight("f6", "0g1", "1b1")], children={"0b1": "g4"})
    play(state, "leave f6", "g1 g4")
    assert state.over


def test_R33_other_genders_children_of_others_are_attacked_not_kissed():
    state = moving(1, children={"0b1": "f6", "1g1": "g6"})
    play(state, "b1 g6")
    assert not state.over


def test_R33_not_at_an_entrance():
    """A boy of one's own and a girl never share an entrance, and a start at one is no kiss."""
    assert not GAME.start(3).over
    impossible("R4", "children.0g1", children={"0g1": "boys"})


# R34


def test_R34_detention_lasts_through_the_owners_next_turn():
    state = nun_step(3, fights=[fight("f6", "1b1", "2b1")], nuns=["f2", "l12"])
    play(state, "nun 0 f6", "shove f7")
    assert state.active == 1
    assert detention(state) == ["1b1"]
    assert state.movement == 2  # R11
    refused(state, "b1 a1", "R34", "detained")
    events = play(state, "pass")
    assert keys(events) == ["pass", "release", "turn"]
    assert detention(state) == []


def test_R34_detained_in_its_owners_own_turn_it_serves_in_the_following_one():
    state = position(fights=[fight("c3", "0b1", "1b1")])
    play(state, "stay c3", "b2 b1", "g1 l11", "shove c4")
    assert detention(state) == ["0b1"]
    play(state, "pass", "pass")
    assert state.active == 0
    assert detention(state) == ["0b1"]
    assert state.movement == 2
    play(state, "pass")
    assert detention(state) == []


def test_R34_it_stands_up_before_the_count():
    state = position(options={"turns": 1}, detention=["0b1", "1b1"])
    play(state, "pass")
    assert state.over
    assert detention(state) == ["1b1"]
    assert state.result().tie_break == "detention"
    assert state.ranking() == ((0, 2), (1,))


def test_R34_nobody_lies_in_detention_on_the_board():
    impossible("R34", "detention", children={"0b1": "f6"}, detention=["0b1"])
    impossible("R34", "detention", fights=[fight("f6", "0b1", "1b1")], detention=["1b1"])
    impossible("R34", "step.serving", step={"phase": "move", "movement": 2, "serving": ["b1"]})


# R35


def test_R35_the_last_turn_ends_the_game():
    state = nun_step(turn=30)
    events = play(state, "nun 0 b1")
    assert keys(events) == ["nun", "end"]
    assert events[1].rule == "R35"
    assert state.result().reason == "clock"
    assert state.to_act == ()


def test_R35_not_before():
    state = nun_step(turn=29)
    play(state, "nun 0 b1")
    assert not state.over
    assert state.result().reason == ""


def test_R35_nothing_is_legal_afterwards():
    state = position(end={}, turn=30)
    for seat in range(3):
        assert state.legal(seat) == ()
        with pytest.raises(NotYourTurn) as caught:
            state.apply(seat, "pass")
        assert is_sentence(str(caught.value))
    assert state.referee() == ()


def test_R35_no_time_out_either():
    state = position(end={}, turn=30)
    with pytest.raises(IllegalAction, match="over") as caught:
        state.apply(REFEREE, "timeout")
    assert is_sentence(str(caught.value))


# R36


@pytest.mark.parametrize(
    ("coins", "lying", "kisser", "ranking", "tie_break"),
    [
        ([14, 6, 10], [], None, ((0,), (2,), (1,)), ""),
        ([12, 12, 6], [], 0, ((0,), (1,), (2,)), "kiss"),
        ([12, 12, 6], ["0b2"], 0, ((0,), (1,), (2,)), "kiss"),
        ([12, 12, 6], ["0b1"], None, ((1,), (0,), (2,)), "detention"),
        ([12, 12, 6], ["0b1", "0g1", "1b2"], None, ((1,), (0,), (2,)), "detention"),
        ([12, 12, 6], ["0b1", "1b2"], None, ((0, 1), (2,)), "shared"),
        ([12, 12, 6], [], None, ((0, 1), (2,)), "shared"),
        ([10, 10, 10], [], None, ((0, 1, 2),), "shared"),
        ([10, 10, 10], ["1b1"], None, ((0, 2), (1,)), "detention"),
        ([16, 7, 7], ["1b1"], None, ((0,), (2,), (1,)), ""),
        ([14, 8, 8], ["2b2"], 2, ((0,), (2,), (1,)), ""),
    ],
    ids=[
        "coins decide",
        "the kisser",
        "the kisser before detention",
        "fewest in detention",
        "fewer in detention",
        "as many in detention",
        "a shared win",
        "all share",
        "two of three share",
        "detention among losers",
        "the kiss among losers",
    ],
)
def test_R36_ranks(coins, lying, kisser, ranking, tie_break):
    couple = {} if kisser is None else {f"{kisser}b1": "f6", f"{kisser}g1": "f6"}
    state = position(
        turn=30 if kisser is None else kisser + 1,
        coins=coins,
        detention=lying,
        children=couple,
        end={} if kisser is None else {"kisser": kisser},
    )
    result = state.result()
    assert result.ranking == ranking
    assert result.winners == ranking[0]
    assert result.tie_break == tie_break
    assert state.prompt(0)["winners"] == list(ranking[0])


def test_R36_there_is_no_result_to_invent():
    impossible("R33", "end.kisser", end={"kisser": 3})
    impossible("", "end", end={"winner": 0})


# R37


def test_R37_coins_only_change_hands():
    state = position(children=COUPLE | {"1b1": "f3", "2g1": "g4"}, coins=[9, 0, 21])
    play(state, "b1 f3", "g1 g4")
    assert state.scores() == (10, 0, 20)


@pytest.mark.parametrize(
    ("coins", "rule", "field"),
    [
        ([10, 10, 9], "R37", "coins"),
        ([11, 10, 10], "R37", "coins"),
        ([31, 0, -1], "R37", "coins[0]"),
        ([30, 1, -1], "R37", "coins[2]"),
        ([10, 10, True], "R37", "coins[2]"),
        ([10.0, 10, 10], "R37", "coins[0]"),
        ("10 10 10", "R5", "coins"),
    ],
)
def test_R37_any_other_sum_is_refused(coins, rule, field):
    impossible(rule, field, coins=coins)


# R38


def test_R38_only_the_referee_calls_time():
    state = position()
    refused(state, "timeout", "R38", "timeout")
    assert "timeout" not in legal(state)
    assert [action.text for action in state.referee()] == ["timeout"]
    events = play(state, "timeout")
    assert keys(events) == ["timeout", "turn"]
    assert events[0].rule == "R38"


def test_R38_the_referee_does_nothing_else():
    state = position()
    before = state.copy()
    for text in ("pass", "b1 a1", "nun 0 b1"):
        with pytest.raises(IllegalAction) as caught:
            state.apply(REFEREE, text)
        assert state == before
        assert caught.value.rule == "R38", str(caught.value)
