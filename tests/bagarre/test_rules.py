"""Every rule of La grande bagarre on positions written by hand: what it allows, and what it forbids."""

from __future__ import annotations

import pytest

from preau.core.errors import MalformedAction, NotYourTurn, PositionError, SetupError
from preau.core.state import NATURE, REFEREE
from preau.games.bagarre.position import MOST_TURNS
from tests.bagarre.rule_positions import FRIENDS, PLAIN, duel, nobody_calls, refused

from .helpers import GAME, card_set, conserved, deal, keys, load, start, texts

# Components.


def test_B1_the_deck():
    state = start(2)
    assert state.deck.size == 84
    assert conserved(state)


def test_B1_a_position_with_a_card_too_many_is_refused():
    with pytest.raises(PositionError) as caught:
        load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN, "front": ["T02"]}])
    assert caught.value.rule == "B1"


def test_B1_the_last_gain_may_pass_the_goal():
    state = load([{"hand": FRIENDS, "front": ["T24"], "marbles": 9}, {"hand": PLAIN}])
    state.apply(0, "convert T24")
    assert state.over
    assert state.marbles[0] == 13


def test_B2_toys():
    deck = start(2).deck
    values = [deck.value[toy] for toy in deck.toys()]
    assert [values.count(value) for value in (1, 2, 3, 4)] == [11, 7, 5, 2]
    assert sum(values) == 48
    assert sum(deck.general) == 7
    assert sum(deck.second) == 57


def test_B3_friends():
    assert start(2).deck.counts[:8] == [5] * 8


# Set-up and turn.


def test_B6_five_cards_each_dealt_seat_by_seat_from_the_first():
    state = start(3, first=2)
    order = []
    while state.turn == 0:
        order.append(state.drawer)
        state.apply(NATURE, state.legal(NATURE)[0])
    assert order == [2] * 5 + [0] * 5 + [1] * 5
    assert state.active == 2


def test_B6_nature_deals_nobody_else():
    refused(start(2), NATURE, "deal 1 F1", "B12", "other_drawer")
    with pytest.raises(NotYourTurn):
        start(2).apply(0, "draw")


@pytest.mark.parametrize("seats", [1, 7, True, "4", None])
def test_B6_seats(seats):
    with pytest.raises(SetupError):
        GAME.setup(seats, {})


def test_B7_one_action_after_drawing():
    state = load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN}])
    assert texts(state, 0) == ["lay T01", *(f"discard {card}" for card in [*FRIENDS, "T01"])]
    state.apply(0, "lay T01")
    assert state.active == 1


def test_B7_another_step():
    state = load([{"hand": [*FRIENDS, "T01"], "front": ["T07"]}, {"hand": PLAIN}])
    refused(state, 0, "convert T07", "B7", "other_step")
    refused(state, 0, "draw", "B7", "other_step")


def test_B8_several_toys_add_up():
    state = load([{"hand": FRIENDS, "front": ["T01", "T12", "T24"]}, {"hand": PLAIN}])
    assert texts(state, 0) == ["draw", "convert T01", "convert T12", "convert T24"]
    state.apply(0, "convert T12")
    assert texts(state, 0) == ["done", "convert T01", "convert T24"]
    state.apply(0, "convert T24")
    state.apply(0, "done")
    assert state.marbles == [6, 0]
    assert state.active == 1
    assert state.discard[state.deck.numbers["t12"]] == 1


def test_B8_the_last_toy_ends_the_turn_by_itself():
    state = load([{"hand": FRIENDS, "front": ["T01"]}, {"hand": PLAIN}])
    state.apply(0, "convert T01")
    assert state.active == 1


def test_B8_only_toys_in_front():
    state = load([{"hand": FRIENDS, "front": ["T01"]}, {"hand": PLAIN}])
    refused(state, 0, "convert T02", "B8", "not_in_front")


def test_B9_without_toys_nobody_asks_and_nature_deals():
    state = load([{"hand": FRIENDS}, {"hand": PLAIN}])
    assert state.to_act == (NATURE,)
    deal(state, "T01")
    assert state.to_act == (0,)
    assert len(state.hands[0]) == 6


def test_B9_a_toy_laid_now_is_not_converted_in_the_same_turn():
    state = load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN}])
    state.apply(0, "lay T01")
    assert state.active == 1
    with pytest.raises(NotYourTurn):
        state.apply(0, "convert T01")


def test_B10_lay():
    state = load([{"hand": [*FRIENDS, "T01"], "front": ["T07", "T08", "T09"]}, {"hand": PLAIN}])
    state.apply(0, "lay T01")
    assert [state.deck.names[toy] for toy in state.front[0]] == ["T01", "T07", "T08", "T09"]
    refused(load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN}]), 0, "lay T02", "B10", "not_in_hand")


def test_B11_discard():
    state = load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN}])
    state.apply(0, "discard F3")
    assert state.discard[2] == 1
    refused(load([{"hand": [*FRIENDS, "T01"]}, {"hand": PLAIN}]), 0, "discard F8", "B11", "not_in_hand")


def test_B12_everybody_gets_back_to_five_from_the_active_seat_on():
    state = duel(["F8", "F2", "F3", "F4", "T01", "T07"], FRIENDS)
    state.apply(0, "fight T12")
    state.apply(0, "place F8")
    state.apply(1, "place F1")
    nobody_calls(state)
    assert state.to_act == (NATURE,)
    assert state.drawer == 1
    deal(state, "F1")
    assert [len(hand) for hand in state.hands] == [5, 5]
    assert state.active == 1


def test_B12_more_than_five_cards_are_discarded_by_choice():
    state = duel(["F8", "F2", "F3", "F4", "T01", "T07"], [*FRIENDS[:4], "maman"])
    state.apply(0, "fight T12")
    state.apply(0, "place F8")
    state.apply(1, "place F1")
    state.apply(0, "maman no")
    state.apply(1, "maman yes")
    assert state.to_act == (0,)
    assert texts(state, 0) == ["discard F2", "discard F3", "discard F4", "discard F8", "discard T01", "discard T07"]
    refused(state, 0, "lay T01", "B7", "other_step")
    state.apply(0, "discard T01")
    assert state.drawer == 1


def test_B13_an_empty_pile_is_refilled_the_moment_a_card_is_needed():
    cards = card_set({1: 10, 8: 10}, [(1, 1, False)])
    state = load(
        [{"hand": ["F1"] * 5 + ["F8"]}, {"hand": ["F1"] * 5}],
        options={"cards": cards},
        discard={"F8": 9, "T01": 1},
    )
    assert state.pile_size == 0
    events = state.apply(0, "discard F8")
    assert "reshuffle" in keys(events)
    assert state.pile_size == 11
    assert sum(state.discard) == 0
    assert {action.text: chance for action, chance in state.outcomes()} == pytest.approx(
        {"deal 1 F8": 10 / 11, "deal 1 T01": 1 / 11}
    )
    refused(state, NATURE, "deal 1 F1", "B13", "not_in_pile")


def test_B14_the_goal_wins_at_once_within_a_conversion():
    state = load([{"hand": FRIENDS, "front": ["T01", "T07"], "marbles": 4}, {"hand": PLAIN}], options={"goal": 5})
    events = state.apply(0, "convert T07")
    assert state.over
    assert keys(events)[-1] == "end"
    assert state.result().reason == "goal"
    assert state.legal(0) == ()
    with pytest.raises(NotYourTurn):
        state.apply(0, "convert T01")


def test_B14_others_rank_by_marbles_then_value_in_front():
    state = load(
        [
            {"hand": FRIENDS, "front": ["T24"], "marbles": 8},
            {"hand": PLAIN, "marbles": 3, "front": ["T07"]},
            {"hand": ["F6"] * 5, "marbles": 3, "front": ["T12"]},
            {"hand": ["F7"] * 5, "marbles": 3, "front": ["T08"]},
        ]
    )
    state.apply(0, "convert T24")
    assert state.ranking() == ((0,), (2,), (1, 3))


def test_B14_the_last_turn():
    state = load(
        [{"hand": [*FRIENDS, "T01"], "marbles": 2, "front": ["T07"]}, {"hand": PLAIN, "marbles": 2}], turn=MOST_TURNS
    )
    state.apply(0, "discard F1")
    result = state.result()
    assert (state.over, result.reason, result.tie_break, result.winners) == (True, "turns", "front", (0,))


def test_B7_the_referee_has_nothing_to_do():
    """Not even what would be legal for a seat."""
    state = load([{"hand": FRIENDS, "front": ["T24"]}, {"hand": PLAIN}])
    for text in ("draw", "convert T24", "lay T03", "deal 0 F1"):
        refused(state, REFEREE, text, "B7", "referee")


@pytest.mark.parametrize(
    "text", ["", "dance", "lay", "lay T99", "fight F6", "place T01", "seat 9", "deal 9 F1", "maman"]
)
def test_a_text_that_is_no_action(text):
    with pytest.raises(MalformedAction) as caught:
        start(2).action(text)
    assert "draw" in caught.value.hint


def test_case_and_spacing_do_not_matter():
    state = start(2)
    assert state.action("  DISCARD   t07 ") is state.action("discard T07")
    assert state.action("Special ECHANGE").text == "special echange"
