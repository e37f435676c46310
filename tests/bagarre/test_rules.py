"""Every rule of La grande bagarre on positions written by hand: what it allows, and what it forbids."""

from __future__ import annotations

import pytest

from preau.core.errors import IllegalAction, MalformedAction, NotYourTurn, PositionError, SetupError
from preau.core.state import NATURE, REFEREE
from preau.games.bagarre.position import MOST_TURNS

from .helpers import GAME, card_set, conserved, deal, deal_on, keys, load, start, texts

PLAIN = ["T02", "T03", "T04", "T05", "T06"]
"""A hand without friends or special moves."""
FRIENDS = ["F1", "F2", "F3", "F4", "F5"]


def refused(state, seat: int, action: str, rule: str, key: str) -> None:
    """The action is refused with this rule, and nothing changes."""
    before = state.copy()
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    assert (caught.value.rule, caught.value.key) == (rule, key)
    assert caught.value.message
    assert state == before


def duel(attacker: list[str], owner: list[str], toy: str = "T12", **fields):
    """Seat 0 has drawn and attacks a toy of seat 1."""
    return load([{"hand": attacker}, {"hand": owner, "front": [toy]}], **fields)


def general(*hands: list[str], **fields):
    """Seat 0 has drawn; seat 1 owns a toy with the mark of a general fight."""
    players = [{"hand": hand} for hand in hands]
    players[1]["front"] = ["T12"]
    return load(players, **fields)


def nobody_calls(state) -> list:
    """Everybody who is asked for Maman says no."""
    events = []
    for seat in state.to_act:
        events += state.apply(seat, "maman no")
    return events


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


# Fights.


def test_B15_a_fight_needs_a_friend_and_a_toy_of_another_seat():
    state = duel(["F8", *PLAIN], FRIENDS)
    assert "fight T12" in texts(state, 0)
    refused(duel(["maman", *PLAIN], FRIENDS), 0, "fight T12", "B15", "no_friend")
    refused(state, 0, "fight T20", "B15", "not_in_play")
    own = load([{"hand": ["F8", *PLAIN], "front": ["T07"]}, {"hand": FRIENDS}])
    refused(own, 0, "fight T07", "B15", "own_toy")


def test_B15_placing_is_asked_even_with_one_friend():
    state = duel(["F8", *PLAIN], FRIENDS)
    state.apply(0, "fight T12")
    assert state.to_act == (0,)
    assert texts(state, 0) == ["place F8"]
    refused(state, 0, "place F1", "B15", "not_in_hand")


def test_B16_an_owner_without_a_friend_says_so_and_loses_after_the_window():
    state = duel(["F1", *PLAIN], ["T07", "T08", "T09", "T10", "maman"])
    state.apply(0, "fight T12")
    events = state.apply(0, "place F1")
    assert "no_friend" in keys(events)
    assert state.to_act == (0, 1)
    events = nobody_calls(state)
    assert keys(events).index("show") < keys(events).index("win_toy")
    assert state.deck.numbers["t12"] in state.front[0]


def test_B16_an_owner_with_a_friend_must_place():
    state = duel(["F1", *PLAIN], FRIENDS)
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    assert state.to_act == (1,)
    refused(state, 1, "forfeit", "B16", "no_forfeit")


def test_B16_may_forfeit_in_secret():
    state = duel(["F1", *PLAIN], FRIENDS, options={"may_forfeit": True})
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    assert texts(state, 1)[0] == "forfeit"
    other = state.copy()
    seen = [event.seen_by(0) for event in state.apply(1, "forfeit")]
    assert seen == [event.seen_by(0) for event in other.apply(1, "place F5")]
    assert state.view(0) == other.view(0)
    assert state.view(None) == other.view(None)
    events = nobody_calls(state)
    assert "forfeit" in keys(events)
    assert state.deck.numbers["t12"] in state.front[0]
    assert len(state.hands[1]) == 5


def test_B16_a_forfeit_stays_secret_after_a_maman():
    state = duel(["F1", "maman", *PLAIN[:4]], FRIENDS, options={"may_forfeit": True})
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    other = state.copy()
    state.apply(1, "forfeit")
    other.apply(1, "place F5")
    for one in (state, other):
        one.apply(0, "maman yes")
        one.apply(1, "maman no")
    assert state.view(0) == other.view(0)
    assert state.hands == other.hands


def test_B16_only_the_owner_in_a_duel_may_forfeit():
    state = general([*FRIENDS, "T01"], FRIENDS, FRIENDS, options={"may_forfeit": True})
    state.apply(0, "fight T12")
    refused(state, 0, "forfeit", "B16", "no_forfeit")
    state.apply(0, "place F1")
    refused(state, 1, "forfeit", "B16", "no_forfeit")


def test_B17_everybody_joins_a_general_fight_and_a_third_seat_can_win_it():
    state = general(
        [*FRIENDS, "T01"], ["F2", *PLAIN[:4]], ["F8", "F8", "F7", "F6", "F6"], ["T07", "T08", "T09", "T10", "T11"]
    )
    assert state.deck.general[state.deck.numbers["t12"]]
    events = state.apply(0, "fight T12")
    assert keys(events) == ["general_fight"]
    events = state.apply(0, "place F5")
    assert [event.data["seat"] for event in events if event.key == "no_friend"] == [3]
    assert state.to_act == (1, 2)
    state.apply(2, "place F8")
    assert state.to_act == (1,)
    with pytest.raises(NotYourTurn):
        state.apply(2, "place F7")
    state.apply(1, "place F2")
    assert state.to_act == (0, 1, 2)
    nobody_calls(state)
    assert state.deck.numbers["t12"] in state.front[2]


def test_B17_without_the_mark_only_the_owner_answers():
    state = load([{"hand": [*FRIENDS, "T01"]}, {"hand": FRIENDS, "front": ["T13"]}, {"hand": FRIENDS}])
    state.apply(0, "fight T13")
    state.apply(0, "place F5")
    assert state.to_act == (1,)


def test_B17_an_owner_without_a_friend_stays_out_and_is_asked_for_maman():
    state = general([*FRIENDS, "T01"], PLAIN, ["T07", "T08", "T09", "T10", "T11"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    assert state.to_act == (0, 1)


def test_B18_asked_whether_or_not_they_hold_maman():
    state = duel(["F1", *PLAIN], [*FRIENDS[:4], "maman"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F1")
    assert state.to_act == (0, 1)
    assert texts(state, 0) == ["maman no"]
    assert texts(state, 1) == ["maman no", "maman yes"]
    refused(state, 0, "maman yes", "B18", "no_maman")
    asked = [state.prompt(seat)["key"] for seat in (0, 1, None)]
    assert asked == ["prompt.maman_none", "prompt.maman_own", "wait.maman"], "each is told what only it may know"


def test_B18_only_the_first_to_the_left_of_the_attacker_spends_hers():
    with_maman = ["F1", "F2", "F3", "F4", "maman"]
    state = general([*with_maman, "T01"], with_maman, with_maman)
    state.apply(0, "fight T12")
    for seat in range(3):
        state.apply(seat, "place F1")
    state.apply(0, "maman yes")
    state.apply(1, "maman no")
    events = state.apply(2, "maman yes")
    assert next(event for event in events if event.key == "maman").data["seat"] == 2
    maman = state.deck.maman
    assert [maman in hand for hand in state.hands] == [True, True, False]
    assert state.discard[maman] == 1


def test_B18_no_window_without_maman_in_the_set():
    state = duel(["F8", *PLAIN], FRIENDS, options={"cards": "leaflet"})
    state.apply(0, "fight T12")
    state.apply(0, "place F8")
    events = state.apply(1, "place F1")
    assert "win_toy" in keys(events)


def test_B18_maman_is_never_an_action():
    state = duel(["F1", "maman", *PLAIN[:4]], FRIENDS)
    assert "special maman" not in texts(state, 0)
    refused(state, 0, "special maman", "B18", "maman_waits")


def test_B19_the_owner_keeps_the_toy_if_it_wins():
    state = duel(["F1", *PLAIN], FRIENDS)
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F2")
    events = nobody_calls(state)
    assert keys(events).count("show") == 2
    assert "keep_toy" in keys(events)
    assert state.deck.numbers["t12"] in state.front[1]


def test_B20_a_tie_goes_on_without_drawing():
    state = duel(["F1", "F7", "F8", *PLAIN[:3]], ["F1", "F8", "F7", "T07", "T08"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F1")
    nobody_calls(state)
    assert state.to_act == (0, 1)
    state.apply(1, "place F8")
    state.apply(0, "place F8")
    nobody_calls(state)
    assert state.round == 3
    assert len(state.turned) == 4
    state.apply(0, "place F7")
    state.apply(1, "place F7")
    events = nobody_calls(state)
    assert [event.data["seat"] for event in events if event.key == "no_friend"] == [0, 1]
    assert "keep_toy" in keys(events)
    assert sum(state.discard[:8]) == 6


def test_B20_an_attacker_without_another_friend_loses():
    state = duel(["F1", *PLAIN], ["F1", "F8", "T07", "T08", "T09"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F1")
    events = nobody_calls(state)
    assert "keep_toy" in keys(events)
    assert state.to_act == (NATURE,)


def test_B20_against_an_owner_without_another_friend_the_attacker_wins_without_placing():
    state = duel(["F1", "F2", *PLAIN[:4]], ["F1", "T07", "T08", "T09", "T10"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F1")
    events = nobody_calls(state)
    assert "win_toy" in keys(events)
    assert 1 in state.hands[0]


def test_B20_in_a_general_fight_only_the_tied_fight_on():
    state = general(
        [*FRIENDS, "T01"], ["F1", *PLAIN[:4]], ["F5", "F6", "T07", "T08", "T09"], ["F5", "T10", "T11", "T13", "T14"]
    )
    state.apply(0, "fight T12")
    state.apply(0, "place F5")
    state.apply(1, "place F1")
    state.apply(2, "place F5")
    state.apply(3, "place F5")
    events = nobody_calls(state)
    assert next(event for event in events if event.key == "tie").data["seats"] == [0, 2, 3]
    assert [event.data["seat"] for event in events if event.key == "no_friend"] == [3]
    assert state.to_act == (0, 2)
    state.apply(0, "place F4")
    state.apply(2, "place F6")
    assert state.to_act == (0, 1, 2)
    nobody_calls(state)
    assert state.deck.numbers["t12"] in state.front[2]


def test_B20_the_last_tied_seat_with_a_friend_wins_without_placing():
    state = general(["F5", *PLAIN], ["F1", "T07", "T08", "T09", "T10"], ["F5", "F6", "T11", "T13", "T14"])
    state.apply(0, "fight T12")
    state.apply(0, "place F5")
    state.apply(1, "place F1")
    state.apply(2, "place F5")
    nobody_calls(state)
    assert state.deck.numbers["t12"] in state.front[2]
    assert 5 in state.hands[2]


def test_B20_if_no_tied_seat_has_one_the_owner_keeps_the_toy_though_beaten():
    state = general(["F5", *PLAIN], ["F1", "T07", "T08", "T09", "T10"], ["F5", "T11", "T13", "T14", "T15"])
    state.apply(0, "fight T12")
    state.apply(0, "place F5")
    state.apply(1, "place F1")
    state.apply(2, "place F5")
    events = nobody_calls(state)
    assert "keep_toy" in keys(events)
    assert state.deck.numbers["t12"] in state.front[1]


def test_B21_after_maman_this_rounds_friends_go_back_and_earlier_ones_are_discarded():
    state = duel(["F1", "F7", *PLAIN[:4]], ["F1", "F8", "maman", "T07", "T08"])
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    state.apply(1, "place F1")
    nobody_calls(state)
    state.apply(0, "place F7")
    state.apply(1, "place F8")
    state.apply(0, "maman no")
    events = state.apply(1, "maman yes")
    assert "take_back" in keys(events)
    assert "show" not in keys(events)
    assert state.discard[0] == 2
    assert 6 in state.hands[0]
    assert 7 in state.hands[1]
    assert state.deck.numbers["t12"] in state.front[1]


def test_B22_with_two_seats_a_general_fight_is_a_duel():
    state = duel(["F1", *PLAIN], FRIENDS)
    assert state.deck.general[state.deck.numbers["t12"]]
    assert keys(state.apply(0, "fight T12")) == ["fight"]


# Special moves.


def special(name: str, hand: list[str], *others: dict, **fields):
    """Seat 0 has drawn and holds the special move; it may have toys in front."""
    mine = {"hand": [name, *hand], **fields.pop("mine", {})}
    return load([mine, *others], **fields)


def test_B23_marie_edwige():
    state = special("marie_edwige", FRIENDS, {"hand": PLAIN}, mine={"front": ["T13", "T07"]})
    state.apply(0, "special marie_edwige")
    assert texts(state, 0) == ["give T07", "give T13"]
    refused(state, 0, "give T01", "B23", "not_in_front")
    state.apply(0, "give T13")
    assert state.marbles[0] == 3
    assert state.discard[state.deck.numbers["t13"]] == 1
    refused(special("marie_edwige", FRIENDS, {"hand": PLAIN}), 0, "special marie_edwige", "B23", "need")


def test_B23_a_single_toy_is_given_without_asking():
    state = special("marie_edwige", FRIENDS, {"hand": PLAIN}, mine={"front": ["T13"]})
    events = state.apply(0, "special marie_edwige")
    assert keys(events)[:2] == ["special", "marie_edwige"]
    assert state.active == 1


def test_B23_surveillant():
    other = {"hand": ["F6"] * 5, "front": ["T13", "T07"]}
    state = special("surveillant", ["T01", *FRIENDS[:4]], other)
    state.apply(0, "special surveillant")
    assert texts(state, 0) == ["take T07", "take T13"]
    refused(state, 0, "take T20", "B23", "not_in_play")
    state.apply(0, "take T13")
    assert texts(state, 0) == ["done", "lay T01"]
    state.apply(0, "lay T01")
    assert len(state.front[0]) == 1
    refused(special("surveillant", FRIENDS, {"hand": PLAIN}), 0, "special surveillant", "B23", "need")


def test_B23_an_optional_toy_is_asked_for_even_without_one_in_hand():
    state = special("surveillant", FRIENDS, {"hand": ["F6"] * 5, "front": ["T13"]})
    state.apply(0, "special surveillant")
    assert texts(state, 0) == ["done"]
    state.apply(0, "done")
    assert state.to_act == (NATURE,)


def test_B23_mamie_lays_two_toys_worth_three_at_most():
    state = special("mamie", ["T01", "T02", "T13", "T14", "T24"], {"hand": FRIENDS})
    state.apply(0, "special mamie")
    assert texts(state, 0) == ["lay T01", "lay T02", "lay T13", "lay T14", "lay T24"]
    refused(state, 0, "done", "B23", "must_lay")
    after = state.copy()
    after.apply(0, "lay T24")
    assert after.to_act == (NATURE,)
    state.apply(0, "lay T13")
    assert texts(state, 0) == ["done", "lay T01", "lay T02"]
    refused(state, 0, "lay T14", "B23", "too_valuable")
    state.apply(0, "lay T01")
    assert len(state.front[0]) == 2
    refused(special("mamie", FRIENDS, {"hand": PLAIN}), 0, "special mamie", "B23", "need")


def test_B23_mamie_asks_for_a_second_toy_even_if_there_is_none():
    state = special("mamie", ["T01", *FRIENDS[:4]], {"hand": PLAIN})
    state.apply(0, "special mamie")
    state.apply(0, "lay T01")
    assert texts(state, 0) == ["done"]


def test_B23_echange():
    other = {"hand": ["F6"] * 5, "front": ["T13", "T24"]}
    state = special("echange", FRIENDS, other, mine={"front": ["T01", "T02"]})
    state.apply(0, "special echange")
    assert texts(state, 0) == ["give T01", "give T02"]
    state.apply(0, "give T01")
    assert texts(state, 0) == ["take T13", "take T24"]
    refused(state, 0, "take T02", "B23", "own_toy")
    state.apply(0, "take T24")
    names = state.deck.names
    assert [[names[toy] for toy in toys] for toys in state.front] == [["T02", "T24"], ["T01", "T13"]]
    refused(special("echange", FRIENDS, other), 0, "special echange", "B23", "need")


def test_B23_partie_de_billes():
    others = [{"hand": ["F5", *PLAIN[:4]], "marbles": 2}, {"hand": ["F6"] * 5, "marbles": 1}]
    state = special("partie_de_billes", FRIENDS, *others)
    state.apply(0, "special partie_de_billes")
    assert texts(state, 0) == ["seat 1", "seat 2"]
    refused(state, 0, "seat 0", "B23", "own_seat")
    refused(state, 0, "seat 4", "B23", "no_marble")
    state.apply(0, "seat 1")
    state.apply(0, "place F4")
    assert state.to_act == (1,)
    tied = state.copy()
    events = state.apply(1, "place F5")
    assert "bet_won" in keys(events)
    assert state.marbles == [0, 2, 1]
    assert state.discard[3] == 1
    assert state.discard[4] == 1
    assert tied.marbles == [0, 2, 1]


def test_B23_partie_de_billes_takes_a_marble_or_ties():
    def play(mine: str, theirs: str):
        other = {"hand": [theirs, *PLAIN[:4]], "marbles": 1}
        state = special("partie_de_billes", [mine, "T07", "T08", "T09", "T10"], other)
        state.apply(0, "special partie_de_billes")
        state.apply(0, f"place {mine}")
        return state, state.apply(1, f"place {theirs}")

    state, _ = play("F5", "F4")
    assert state.marbles == [1, 0]
    state, events = play("F5", "F5")
    assert state.marbles == [0, 1]
    assert "bet_tie" in keys(events)


def test_B23_partie_de_billes_against_a_seat_without_a_friend():
    state = special("partie_de_billes", FRIENDS, {"hand": PLAIN, "marbles": 1}, mine={"marbles": 9})
    state.apply(0, "special partie_de_billes")
    events = state.apply(0, "place F1")
    assert "no_friend" in keys(events)
    assert state.marbles == [10, 0]
    assert state.over


def test_B23_partie_de_billes_needs_a_friend_and_a_marble():
    refused(special("partie_de_billes", FRIENDS, {"hand": PLAIN}), 0, "special partie_de_billes", "B23", "need")
    state = special("partie_de_billes", PLAIN, {"hand": FRIENDS, "marbles": 2})
    refused(state, 0, "special partie_de_billes", "B23", "need")


def test_B23_championne_and_maman():
    other = {"hand": ["maman", "F6", "F6", "F6", "F6"], "front": ["T24"]}
    state = special("championne", FRIENDS, other)
    state.apply(0, "special championne")
    assert state.to_act == (1,)
    stopped = state.copy()
    state.apply(1, "maman no")
    assert state.deck.numbers["t24"] in state.front[0]
    stopped.apply(1, "maman yes")
    assert stopped.deck.numbers["t24"] in stopped.front[1]
    assert stopped.discard[stopped.deck.maman] == 1
    refused(special("championne", FRIENDS, {"hand": PLAIN}), 0, "special championne", "B23", "need")


def test_B23_maitresse_bans_fights_until_her_next_turn():
    others = [{"hand": ["F6"] * 5, "front": ["T13"]}, {"hand": PLAIN}]
    state = special("maitresse", FRIENDS, *others)
    state.apply(0, "special maitresse")
    assert texts(state, 0) == ["done"]
    state.apply(0, "done")
    assert state.active == 1
    state.apply(1, "draw")
    deal_on(state)
    assert not [text for text in texts(state, 1) if text.startswith("fight")]
    refused(state, 1, "fight T13", "B23", "banned")
    state.apply(1, "discard F6")
    deal_on(state)
    state.apply(2, texts(state, 2)[-1])
    deal_on(state)
    assert state.active == 0
    assert state.ban == -1


def test_B23_the_newest_ban_outlasts_older_ones():
    state = load([{"hand": FRIENDS}, {"hand": ["maitresse", *["F6"] * 5]}, {"hand": PLAIN}], active=1, ban=0)
    state.apply(1, "special maitresse")
    state.apply(1, "done")
    assert state.ban == 1
    deal_on(state)
    state.apply(2, texts(state, 2)[-1])
    assert state.ban == 1


def test_B23_cloche_passes_all_hands_to_the_left():
    state = special("cloche", FRIENDS, {"hand": PLAIN}, {"hand": ["F6"] * 5})
    before = [hand.copy() for hand in state.hands]
    state.apply(0, "special cloche")
    assert state.hands[0] == before[2]
    assert state.hands[2] == before[1]
    assert texts(state, 0) == ["done"]


def test_B23_played_specials_are_discarded_and_a_special_not_held_is_refused():
    state = special("cloche", FRIENDS, {"hand": PLAIN})
    refused(state, 0, "special maitresse", "B23", "not_in_hand")
    state.apply(0, "special cloche")
    assert state.discard[state.deck.numbers["cloche"]] == 1


def test_B24_giver_and_receiver_know_what_passed_at_the_bell():
    state = special("cloche", FRIENDS, {"hand": PLAIN}, {"hand": ["F6"] * 5})
    events = state.apply(0, "special cloche")
    (bell,) = (event for event in events if event.key == "bell")
    assert bell.seen_by(1) == {"key": "bell", "rule": "B23", "seat": 0, "hand": FRIENDS}
    assert bell.seen_by(None) == {"key": "bell", "rule": "B23", "seat": 0, "hand": "hidden"}
    own = GAME.texts("en").say("event.bell", bell.seen_by(0))
    assert (
        own
        == "The bell rings: all hands pass to the left. Your hand is now "
        + ", ".join(["friend 6"] * 4)
        + " and friend 6."
    )
    assert "1l:F1,F2,F3,F4,F5" in state.view(1)["memory"]
    assert "1l:" not in state.view(2)["memory"]


def test_B24_hands_and_placed_cards_are_not_in_the_views_of_others():
    state = duel(["F1", *PLAIN], FRIENDS)
    state.apply(0, "fight T12")
    state.apply(0, "place F1")
    view = state.view(1)
    assert view["players"][0] == {"marbles": 0, "front": [], "cards": 5, "placed": True, "answer": False}
    assert view["players"][1]["hand"] == FRIENDS
    assert view["unseen"]["F1"] == 4
    assert "F1" not in view["memory"].split("0p")[1]


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
