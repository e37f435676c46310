"""Rules B15 to B22: fights."""

from __future__ import annotations

import pytest

from preau.core.errors import NotYourTurn
from preau.core.state import NATURE
from tests.bagarre.rule_positions import FRIENDS, PLAIN, duel, nobody_calls, refused

from .helpers import keys, load, texts


def general(*hands: list[str], **fields):
    """Seat 0 has drawn; seat 1 owns a toy with the mark of a general fight."""
    players = [{"hand": hand} for hand in hands]
    players[1]["front"] = ["T12"]
    return load(players, **fields)


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
