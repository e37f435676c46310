"""Rules C11 to C19: chestnuts, friends, pots, the end and the scores."""

from __future__ import annotations

import pytest

from preau.core import NATURE
from tests.cour.positions import at, keys, play, texts
from tests.cour.refusals import refused


def test_C11_three_chestnuts_buy_the_chestnut_man():
    hands = [{}, {"chestnut": 2}, {}]
    state = at(3, phase="give", open=["chestnut", "brick"], hands=hands)
    state.apply(0, "give chestnut 1")
    events = state.apply(1, "trade yes")
    assert keys(events)[0] == "chestnut_man"
    assert state.man == 1
    assert state.sizes == [0, 0, 0]
    assert sum(state.pool) + len(state.under) == 97
    assert state.scores()[1] == 4


def test_C11_once_taken_nobody_is_asked_any_more():
    state = at(3, phase="give", open=["chestnut", "brick"], hands=[{}, {"chestnut": 2}, {}], chestnut_man=0)
    state.apply(0, "give chestnut 1")
    assert list(state.to_act) == [NATURE]


def test_C12_friends_are_different_seats():
    state = at(4, phase="keep", open=["friend", "brick", "car"], friends=[[2], [], [], []])
    state.apply(0, "keep friend")
    assert list(state.to_act) == [0]
    assert texts(state.legal(0)) == ["friend 1", "friend 3"]
    assert refused(state, 0, "friend 2").rule == "C12"
    assert refused(state, 0, "friend 0").rule == "C14"
    state.apply(0, "friend 3")
    assert state.view(1)["friends"][0] == [2, 3]
    assert state.sizes == [0] * 4


def test_C12_with_no_seat_left_it_goes_under_the_pile():
    state = at(2, phase="give", open=["friend", "brick"], friends=[[1], [0]])
    events = state.apply(0, "give friend 1")
    assert keys(events)[:3] == ["given", "no_friend", "put_back"]
    assert [state.deck.kinds[card] for card in state.under] == ["friend", "brick"]


def test_C12_a_friend_brings_the_largest_collection():
    hands = [{}, {"marble": 4, "brick": 4, "car": 1, "leaf": 6}, {}]
    state = at(3, hands=hands, friends=[[1], [], []])
    assert state.working(0)["friends"] == [{"seat": 1, "toy": "marble", "stars": 4}]
    assert state.scores()[0] == 4
    assert at(3, friends=[[1], [], []]).scores()[0] == 0


def test_C13_a_pot_lets_keep_two_on_the_next_own_turn():
    state = at(3, pot=0, open=["marble", "brick"])
    state.apply(NATURE, "turn car")
    assert texts(state.legal(0)) == ["glue yes", "glue no"]
    assert refused(state, 0, "keep car").rule == "C13"
    play(state, (0, "glue yes"), (0, "keep car"))
    assert texts(state.legal(0)) == ["keep marble", "keep brick"]
    state.apply(0, "keep brick")
    events = state.apply(0, "give marble 2")
    assert keys(events) == ["given", "pot_back", "turn"]
    assert [state.deck.kinds[card] for card in state.under] == ["glue"]
    assert state.sizes == [2, 0, 1]


def test_C13_unused_the_third_card_goes_under_the_pile_before_the_pot():
    state = at(3, phase="glue", pot=0, open=["marble", "brick", "car"])
    play(state, (0, "glue no"), (0, "keep car"), (0, "give marble 2"))
    assert [state.deck.kinds[card] for card in state.under] == ["brick", "glue"]
    assert state.pot == -1


def test_C13_a_pot_gained_in_ones_own_turn_waits():
    state = at(3, phase="keep", open=["glue", "brick", "car"])
    play(state, (0, "keep glue"), (0, "give car 1"))
    assert state.pot == 0
    assert state.under == [state.deck.numbers["brick"]]
    given = at(3, phase="give", open=["glue", "brick"])
    given.apply(0, "give glue 1")
    play(given, (NATURE, "turn marble"), (NATURE, "turn brick"), (NATURE, "turn car"))
    assert texts(given.legal(1)) == ["glue yes", "glue no"]


def test_C14_one_gain_can_set_off_another():
    state = at(3, phase="give", open=["leaf", "brick"], hands=[{"chestnut": 1}, {"leaf": 2, "chestnut": 2}, {}])
    play(state, (0, "give leaf 1"), (1, "trade yes"), (NATURE, "lose chestnut"))
    assert list(state.to_act) == [1]
    assert texts(state.legal(1)) == ["trade yes", "trade no"]
    state.apply(1, "trade yes")
    assert state.man == 1
    assert state.active == 1


def test_C15_seven_cards_each_end_the_game_with_the_round():
    hands = [{"marble": 6}, {"brick": 7}, {"soldier": 7}]
    state = at(3, phase="keep", open=["car", "monster", "leaf"], hands=hands)
    events = play(state, (0, "keep car"), (0, "give monster 1"))
    assert "threshold" in keys(events)
    assert state.ending
    assert not state.over
    short = at(3, phase="keep", open=["car", "monster", "leaf"], hands=[{"marble": 5}, *hands[1:]])
    play(short, (0, "keep car"), (0, "give monster 1"))
    assert not short.ending


def test_C15_the_last_seat_ends_the_round_and_the_reason_is_named():
    hands = [{"marble": 7}, {"brick": 7}, {"soldier": 5}]
    state = at(3, active=2, phase="give", open=["car", "monster"], hands=hands, ending=True)
    events = state.apply(2, "give monster 0")
    assert keys(events) == ["given", "put_back", "shown", "shown", "shown", "end"]
    assert state.result().reason == "threshold"
    assert list(state.to_act) == []
    capped = at(3, turn=45, phase="give", open=["car", "monster"], hands=[{}, {}, {}])
    capped.apply(2, "give monster 0")
    assert capped.result().reason == "cap"


def test_C16_the_worked_example():
    hand = {"monster": 1, "soldier": 2, "car": 2, "brick": 1, "marble": 1}
    state = at(2, characters=["boss", "agent"], hands=[hand, {}])
    working = state.working(0)
    assert (working["full"], working["joined"], working["bonus"]["stars"], working["total"]) == (11, 9, 2, 22)
    assert len(working["row"]) == 8
    assert sum(join["stars"] for join in working["joins"]) == 9
    assert [len(join["places"]) for join in working["joins"]] == [join["stars"] for join in working["joins"]]


@pytest.mark.parametrize(
    ("character", "hand", "bonus"),
    [
        ("agent", {"marble": 3, "car": 1, "leaf": 2}, 4),
        ("boss", {"car": 3, "brick": 1}, 3),
        ("minx", {"brick": 2, "marble": 3, "car": 1}, 5),
        ("architect", {"brick": 2, "marble": 3}, 2),
        ("queen", {"brick": 2, "marble": 3}, 6),
        ("lucky", {"monster": 2, "marble": 3}, 4),
        ("herbalist", {"chestnut": 2, "leaf": 3, "car": 1}, 14),
        ("general", {"soldier": 4}, 4),
    ],
)
def test_C17_bonuses(character, hand, bonus):
    others = ["agent" if character != "agent" else "boss", "minx" if character != "minx" else "boss"]
    state = at(3, characters=[character, *others], hands=[hand, {"car": 1}, {}])
    assert state.working(0)["bonus"]["stars"] == bonus
    assert state.scores()[0] == state.working(0)["full"] + state.working(0)["joined"] + bonus


def test_C17_kings_the_chestnut_man_and_a_stricter_agent():
    state = at(3, kings=[2, 0, 0], chestnut_man=0, hands=[{"marble": 2, "car": 1}, {}, {}], options={"agent_min": 2})
    working = state.working(0)
    assert working["kings"] == {"cards": 2, "stars": 4}
    assert working["chestnut_man"] == 4
    assert working["bonus"] == {
        "character": "agent",
        "items": [{"card": "collection", "count": 1, "stars": 2}],
        "stars": 2,
    }


def test_C18_ties_share_their_rank():
    hands = [{"brick": 1}, {"brick": 1}, {"car": 1}]
    state = at(3, characters=["queen", "lucky", "boss"], phase="over", hands=hands)
    result = state.result()
    assert result.ranking == ((2,), (0, 1))
    assert result.tie_break == ""
    even = at(3, characters=["queen", "lucky", "herbalist"], phase="over", hands=[{"brick": 1}] * 3)
    assert even.result().ranking == ((0, 1, 2),)
    assert even.result().tie_break == "shared"


def test_C19_leaves_and_chestnuts_are_no_collections():
    state = at(3, hands=[{"leaf": 5, "chestnut": 2, "car": 1}, {}, {}], friends=[[], [0], []])
    assert state.working(0)["bonus"]["stars"] == 2
    assert state.working(1)["friends"] == [{"seat": 0, "toy": "car", "stars": 1}]
