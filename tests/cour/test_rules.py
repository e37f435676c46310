"""Every rule on small positions, with something it allows and something it forbids."""

from __future__ import annotations

from typing import Any

import pytest

from preau.core import NATURE, Event, MalformedAction, NotYourTurn
from preau.core.errors import SetupError
from preau.games.cour import data
from preau.games.cour.game import GAME
from preau.games.cour.rules import CourState
from tests.cour.positions import at, deck, finished, keys, per_card, play, seen, texts
from tests.cour.refusals import refused
from tests.support import says_what_to_do


def test_C1_the_leaf_pile_has_a_hundred_cards():
    cards = data.deck("reconstructed")
    assert sum(cards.counts) == 100
    assert sum(cards.counts[: cards.toys]) == 58
    assert sum(cards.counts[cards.ordinary :]) == 18
    assert dict(zip(cards.kinds, cards.counts, strict=True))["marble"] == 21
    assert GAME.start(4).pool == cards.counts


def test_C1_a_hundred_and_one_marbles_are_refused():
    with pytest.raises(SetupError) as error:
        GAME.start(3, {"cards": {**deck(marble=20), "toys": {**deck()["toys"], "marble": 7}}})
    assert error.value.rule == "C2"
    assert "toys.marble" in error.value.field


def test_C2_edges_may_be_given_card_by_card():
    state = GAME.start(2, {"cards": per_card()})
    kinds = state.deck.kinds
    assert kinds[1:4] == ["brick.1", "brick.2", "brick.3"]
    assert [action.text for action in GAME.actions({"cards": per_card()})[:3]] == [
        "keep marble",
        "keep brick.1",
        "keep brick.2",
    ]
    assert finished(4, 3, {"cards": per_card()}).over


def test_C2_an_edge_has_known_places_only():
    cards = deck(marble=20)
    cards["toys"]["marble"]["left"] = "HX"
    with pytest.raises(SetupError) as error:
        GAME.start(3, {"cards": cards})
    assert error.value.rule == "C2"


def test_C3_nature_deals_a_character_to_each_seat_in_order():
    state = GAME.start(3, {"first": 2})
    assert list(state.to_act) == [NATURE]
    assert [chance for _, chance in state.outcomes()] == [1 / 8] * 8
    events = play(state, (NATURE, "character 0 boss"))
    assert seen(events, 0) == [{"key": "character", "rule": "C3", "seat": 0, "character": "boss"}]
    assert seen(events, 1) == [{"key": "character", "rule": "C3", "seat": 0, "character": "hidden"}]
    assert "character 1 boss" not in texts(state.legal(NATURE))
    assert refused(state, NATURE, "character 1 boss").rule == "C3"
    assert refused(state, NATURE, "character 2 agent").rule == "C3"
    play(state, (NATURE, "character 1 agent"), (NATURE, "character 2 queen"))
    assert (state.active, state.round()) == (2, 1)


def test_C3_two_to_eight_seats():
    for seats in (1, 9, "3", True):
        with pytest.raises(SetupError):
            GAME.start(seats)  # type: ignore[arg-type]
    assert GAME.start(8).seats == 8


def test_C4_cards_put_back_come_up_again_in_their_order():
    small = deck(marble=4, brick=4, car=3)
    state = at(
        2, options={"cards": small}, pool={"car": 1}, hands=[{"marble": 4, "car": 2}, {}], under=["brick"] * 4, open=[]
    )
    assert [(action.text, chance) for action, chance in state.outcomes()] == [("turn car", 1.0)]
    state.apply(NATURE, "turn car")
    assert state.knows_next()
    assert [(action.text, chance) for action, chance in state.outcomes()] == [("turn brick", 1.0)]
    assert refused(state, NATURE, "turn car").rule == "C4"


def test_C4_a_draw_is_as_likely_as_there_are_cards():
    state = at(3)
    chances = {action.text: chance for action, chance in state.outcomes()}
    assert chances["turn marble"] == pytest.approx(21 / 100)
    assert chances["turn glue"] == pytest.approx(1 / 100)


def test_C4_in_a_bag_cards_put_back_are_drawn_like_all_others():
    state = at(3, options={"pile": "bag"}, phase="give", open=["marble", "brick"])
    state.apply(0, "give marble 1")
    assert state.under == []
    assert state.pool[state.deck.numbers["brick"]] == 16


def test_C5_events_do_not_count_among_the_three():
    state = at(3, hands=[{"car": 1}, {}, {}], open=["marble", "brick"])
    state.apply(NATURE, "turn spider")
    assert list(state.to_act) == [0, 1, 2]
    play(state, (0, "point 1"), (1, "point 0"), (2, "point 0"), (NATURE, "fastest 0"))
    assert list(state.to_act) == [NATURE]
    events = state.apply(NATURE, "turn leaf")
    assert keys(events) == ["turned"]
    assert texts(state.legal(0)) == ["keep marble", "keep brick", "keep leaf"]


def test_C6_keep_give_put_back():
    state = at(3, phase="keep", open=["marble", "brick", "leaf"])
    assert refused(state, 0, "keep car").rule == "C6"
    assert refused(state, 0, "give marble 1").rule == "C6"
    state.apply(0, "keep brick")
    assert texts(state.legal(0)) == ["give marble 1", "give marble 2", "give leaf 1", "give leaf 2"]
    assert refused(state, 0, "give marble 0").rule == "C14"
    assert refused(state, 0, "give brick 1").rule == "C6"
    assert refused(state, 0, "give marble 3").rule == "C3"
    events = state.apply(0, "give leaf 2")
    assert keys(events) == ["given", "put_back", "turn"]
    assert [state.deck.kinds[card] for card in state.under] == ["marble"]
    assert state.sizes == [1, 0, 1]
    assert state.active == 1
    with pytest.raises(NotYourTurn):
        state.apply(0, "keep marble")


def test_C6_what_has_one_answer_is_not_asked():
    state = at(2, open=["marble", "marble"])
    events = state.apply(NATURE, "turn marble")
    assert keys(events) == ["turned", "kept", "given", "put_back", "turn"]
    assert list(state.to_act) == [NATURE]


def test_C7_a_round_needs_two_cards_a_seat_and_one():
    small = deck(marble=7, brick=3)
    hands = [{"marble": 4, "brick": 1}, {}]
    state = at(2, options={"cards": small}, turn=2, phase="give", open=["marble", "brick"], hands=hands)
    state.apply(1, "give marble 0")
    assert state.over
    assert state.reason() == "pile"
    state = at(2, options={"cards": small}, turn=2, phase="give", open=["marble", "brick"], hands=[{"marble": 3}, {}])
    state.apply(1, "give marble 0")
    assert not state.over


def test_C7_a_card_set_too_small_for_the_first_round_is_refused():
    with pytest.raises(SetupError) as error:
        GAME.start(3, {"cards": deck(marble=6)})
    assert error.value.rule == "C7"


def test_C8_all_point_in_secret_and_the_fastest_takes_a_card():
    state = at(3, hands=[{"car": 1}, {"marble": 1, "brick": 2}, {}])
    state.apply(NATURE, "turn butterfly")
    assert list(state.to_act) == [0, 1, 2]
    assert texts(state.legal(1)) == ["point 0", "point 2"]
    assert refused(state, 1, "point 1").rule == "C14"
    assert refused(state, 1, "point none").rule == "C8"
    events = state.apply(1, "point 0")
    assert seen(events, 1)[0]["target"] == 0
    assert seen(events, 2)[0]["target"] == "hidden"
    assert list(state.to_act) == [0, 2]
    with pytest.raises(NotYourTurn):
        state.apply(1, "point 2")
    events = play(state, (2, "point 1"), (0, "point 1"))
    assert keys(events)[-3:] == ["points"] * 3
    assert [(action.text, round(chance, 3)) for action, chance in state.outcomes()] == [
        ("fastest 0", 0.333),
        ("fastest 1", 0.333),
        ("fastest 2", 0.333),
    ]
    state.apply(NATURE, "fastest 2")
    assert [(action.text, round(chance, 3)) for action, chance in state.outcomes()] == [
        ("lose marble", 0.333),
        ("lose brick", 0.667),
    ]
    assert refused(state, NATURE, "lose car").rule == "C10"
    events = state.apply(NATURE, "lose brick")
    assert [event["card"] for event in seen(events, 2)] == ["brick"]
    assert [event["card"] for event in seen(events, 1)] == ["brick"]
    assert [event["card"] for event in seen(events, 0)] == ["hidden"]
    assert [event["card"] for event in seen(events, None)] == ["hidden"]
    assert state.sizes == [1, 2, 1]


def test_C8_an_empty_hand_gives_nothing():
    state = at(3, hands=[{"car": 1}, {}, {}])
    play(state, (NATURE, "turn spider"), (0, "point 1"), (1, "point 0"), (2, "point 1"))
    events = state.apply(NATURE, "fastest 2")
    assert keys(events) == ["fastest", "empty_hand"]
    assert state.sizes == [1, 0, 0]


def test_C8_with_all_hands_empty_nobody_is_asked():
    state = at(3)
    events = state.apply(NATURE, "turn spider")
    assert keys(events) == ["turned", "nothing"]
    assert list(state.to_act) == [NATURE]
    assert sum(state.pool) == 99
    drawer = at(3, options={"reaction": "off"}, hands=[{"car": 2}, {}, {}])
    assert keys(drawer.apply(NATURE, "turn spider")) == ["turned", "nothing"]


def test_C8_without_reaction_only_the_drawer_points():
    state = at(3, options={"reaction": "off"}, hands=[{}, {"car": 1}, {}])
    state.apply(NATURE, "turn spider")
    assert list(state.to_act) == [0]
    state.apply(0, "point 1")
    assert state.outcomes() == [(state.action("fastest 0"), 1.0)]


def test_C8_two_seats_have_nobody_else_to_point_at():
    state = at(2, hands=[{"car": 1}, {}])
    events = state.apply(NATURE, "turn spider")
    assert keys(events) == ["turned", "pointed", "pointed", "points", "points"]
    assert texts(state.legal(NATURE)) == ["fastest 0", "fastest 1"]


def test_C8_at_a_live_table_a_seat_may_stay_out():
    state = at(3, options={"reaction": "live"}, hands=[{"car": 1}, {}, {}])
    state.apply(NATURE, "turn spider")
    assert texts(state.legal(2)) == ["point 0", "point 1", "point none"]
    play(state, (0, "point none"), (1, "point 0"), (2, "point none"))
    assert texts(state.legal(NATURE)) == ["fastest 1"]
    assert refused(state, NATURE, "fastest 2").rule == "C8"
    state = at(2, options={"reaction": "live"}, hands=[{"car": 1}, {}])
    play(state, (NATURE, "turn spider"), (0, "point none"), (1, "point none"))
    assert texts(state.legal(NATURE)) == ["fastest none"]
    assert keys(state.apply(NATURE, "fastest none")) == ["nobody"]
    assert list(state.to_act) == [NATURE]


def test_C8_a_chosen_card_is_seen_by_the_two():
    state = at(3, options={"slap_pick": "choose"}, hands=[{"car": 1}, {"marble": 1, "brick": 2}, {}])
    play(state, (NATURE, "turn spider"), (0, "point 1"), (1, "point 0"), (2, "point 1"))
    events = state.apply(NATURE, "fastest 2")
    assert seen(events, 2)[-1]["hand"] == {"marble": 1, "brick": 2}
    assert seen(events, 0)[-1]["hand"] == "hidden"
    assert list(state.to_act) == [2]
    assert texts(state.legal(2)) == ["take marble", "take brick"]
    assert state.view(2)["hands"][1] == {"marble": 1, "brick": 2}
    assert state.view(0)["hands"][1] is None
    assert refused(state, 2, "take car").rule == "C8"
    state.apply(2, "take marble")
    assert state.view(2)["ledger"][-1]["hand"] == {"marble": 1, "brick": 2}
    assert state.view(1)["ledger"][-1]["card"] == "marble"
    assert state.view(0)["ledger"][-1] == {"op": "take", "seat": 2, "victim": 1, "card": None}


def test_C8_taking_is_asked_even_with_one_answer():
    state = at(2, options={"slap_pick": "choose"}, hands=[{"car": 1}, {}])
    play(state, (NATURE, "turn spider"), (NATURE, "fastest 1"))
    assert list(state.to_act) == [1]
    assert texts(state.legal(1)) == ["take car"]


def test_C9_the_winner_takes_the_new_king_and_the_stakes():
    state = at(3, kings=[2, 1, 0])
    state.apply(NATURE, "turn king")
    assert texts(state.legal(0)) == ["challenge 1", "challenge 2"]
    assert refused(state, 0, "challenge 0").rule == "C14"
    state.apply(0, "challenge 1")
    assert list(state.to_act) == [0, 1]
    events = state.apply(1, "throw paper")
    assert seen(events, 0)[0]["throw"] == "hidden"
    assert refused(state, 0, "point 1").rule == "C9"
    events = state.apply(0, "throw rock")
    assert keys(events) == ["threw", "throws", "king"]
    assert state.kings == [1, 3, 0]
    assert list(state.to_act) == [NATURE]


@pytest.mark.parametrize(
    ("mine", "theirs", "winner"),
    [("rock", "scissors", 0), ("scissors", "paper", 0), ("paper", "rock", 0), ("rock", "paper", 1)],
)
def test_C9_what_beats_what(mine, theirs, winner):
    state = at(3, phase="throw", choices=["waiting", "waiting", None])
    play(state, (0, f"throw {mine}"), (1, f"throw {theirs}"))
    assert state.kings[winner] == 1


def test_C9_ten_draws_in_a_row_and_luck_decides():
    state = at(3, phase="throw", choices=["waiting", None, "waiting"])
    for number in range(10):
        assert state.draws == number
        assert list(state.to_act) == [0, 2]
        play(state, (2, "throw rock"), (0, "throw rock"))
    assert list(state.to_act) == [NATURE]
    assert state.outcomes() == [(state.action("win 0"), 0.5), (state.action("win 2"), 0.5)]
    assert refused(state, NATURE, "win 1").rule == "C9"
    state.apply(NATURE, "win 2")
    assert state.kings == [0, 0, 1]
    assert state.draws == 0


def test_C9_two_seats_need_not_choose_a_rival():
    state = at(2)
    state.apply(NATURE, "turn king")
    assert list(state.to_act) == [0, 1]


def test_C10_three_leaves_buy_a_theft():
    state = at(3, phase="give", open=["leaf", "brick"], hands=[{}, {"leaf": 2}, {"car": 1}])
    state.apply(0, "give leaf 1")
    assert list(state.to_act) == [1]
    assert texts(state.legal(1)) == ["trade yes", "trade no"]
    events = state.apply(1, "trade yes")
    assert keys(events) == ["trade", "steal"]
    assert texts(state.legal(NATURE)) == ["lose car"]
    state.apply(NATURE, "lose car")
    assert [state.deck.kinds[card] for card in state.under] == ["leaf"] * 3 + ["brick"]
    assert state.sizes == [0, 1, 0]
    assert state.active == 1


def test_C10_the_thief_chooses_among_hands_with_cards():
    state = at(4, phase="give", open=["leaf", "brick"], hands=[{"car": 1}, {"leaf": 2}, {}, {"brick": 1}])
    play(state, (0, "give leaf 1"), (1, "trade yes"))
    assert texts(state.legal(1)) == ["steal 0", "steal 3"]
    assert refused(state, 1, "steal 2").rule == "C10"
    assert refused(state, 1, "steal 1").rule == "C14"
    events = play(state, (1, "steal 0"), (NATURE, "lose car"))
    assert {event.rule for event in events if event.key == "stolen"} == {"C10"}


def test_C10_declined_it_is_offered_again_at_the_next_leaf():
    state = at(3, phase="give", open=["leaf", "leaf"], hands=[{}, {"leaf": 2}, {"car": 1}])
    play(state, (0, "give leaf 1"), (1, "trade no"))
    assert state.active == 1
    again = at(3, phase="keep", active=1, open=["leaf", "brick", "car"], hands=[{}, {"leaf": 3}, {"car": 1}])
    again.apply(1, "keep leaf")
    assert texts(again.legal(1)) == ["trade yes", "trade no"]


def test_C10_no_question_with_two_leaves_or_nobody_to_rob():
    state = at(3, phase="give", open=["leaf", "brick"], hands=[{}, {"leaf": 1}, {"car": 1}])
    state.apply(0, "give leaf 1")
    assert list(state.to_act) == [NATURE]
    state = at(3, phase="give", open=["leaf", "brick"], hands=[{}, {"leaf": 2}, {}])
    state.apply(0, "give leaf 1")
    assert list(state.to_act) == [NATURE]


def blind(card: str, **fields: Any) -> tuple[CourState, list[Event]]:
    """Seat 0 has two leaves and steals `card` from seat 1, who may hold a leaf."""
    state = at(3, hands=[{"leaf": 2}, {"leaf": 1, "car": 1}, {"brick": 1}], **fields)
    play(state, (NATURE, "turn spider"), (0, "point 1"), (1, "point 2"), (2, "point 1"), (NATURE, "fastest 0"))
    return state, state.apply(NATURE, f"lose {card}")


def test_C10_after_a_blind_theft_the_question_tells_nothing():
    with_leaf, _ = blind("leaf")
    without, _ = blind("car")
    assert list(with_leaf.to_act) == list(without.to_act) == [0]
    assert texts(with_leaf.legal(0)) == ["trade yes", "trade no"]
    assert texts(without.legal(0)) == ["trade no"]
    error = refused(without, 0, "trade yes")
    assert error.rule == "C10"
    assert with_leaf.view(2) == without.view(2)
    assert with_leaf.prompt(2) == without.prompt(2)


def test_C10_no_question_if_that_hand_could_not_hold_a_leaf():
    state = at(3, hands=[{"leaf": 2}, {"car": 2}, {"brick": 1}])
    play(state, (NATURE, "turn spider"), (0, "point 1"), (1, "point 2"), (2, "point 1"), (NATURE, "fastest 0"))
    state.apply(NATURE, "lose car")
    assert list(state.to_act) == [NATURE]


def test_C20_what_a_seat_sees():
    state = at(3, hands=[{"car": 1}, {"marble": 2}, {}], under=["brick"])
    view = state.view(1)
    assert view["hands"] == [None, {"marble": 2}, None]
    assert view["characters"] == ["hidden", "boss", "hidden"]
    assert view["memory"][0] == {"sure": {"car": 1}, "unsure": 0}
    assert view["under"] == ["brick"]
    assert sum(view["pool"].values()) == 96
    assert state.view(None)["hands"] == [None, None, None]


def test_C20_at_the_end_hands_and_characters_are_shown():
    state = finished(3, 1)
    view = state.view(None)
    assert None not in view["hands"]
    assert "hidden" not in view["characters"]
    assert view["result"]["detail"]["working"][0]["total"] == state.scores()[0]


def test_C21_C22_are_in_the_rule_book():
    for language in ("en", "fr"):
        assert GAME.texts(language).say("rule.C21")
        assert GAME.texts(language).say("rule.C22")


@pytest.mark.parametrize(
    "text", ["", "dance", "keep", "keep spider", "give marble", "point 9", "throw lizard", "turn x"]
)
def test_malformed_actions_are_explained(text):
    with pytest.raises(MalformedAction) as error:
        at(3).apply(NATURE, text)
    assert says_what_to_do(error.value)


def test_text_forms_are_read_whatever_their_case_and_spacing():
    state = at(3, phase="keep", open=["marble", "brick", "leaf"])
    assert state.action("  KEEP   Marble ") is state.legal(0)[0]


def test_nature_and_seats_do_not_take_each_others_actions():
    assert refused(at(3), NATURE, "keep marble").key == "nature"
    assert refused(at(3, phase="keep", open=["marble", "brick", "leaf"]), 0, "turn marble").key == "nature"


def test_an_absent_seat_says_no():
    assert at(3, phase="glue", pot=0, open=["marble", "brick", "car"]).zombie(0).text == "glue no"
    assert blind("leaf")[0].zombie(0).text == "trade no"
    state = at(3, options={"reaction": "live"}, hands=[{"car": 1}, {}, {}])
    state.apply(NATURE, "turn spider")
    assert state.zombie(1).text == "point none"
