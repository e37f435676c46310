"""Rules B23 and B24: special moves, and what is secret."""

from __future__ import annotations

from preau.core.state import NATURE
from tests.bagarre.rule_positions import FRIENDS, PLAIN, duel, refused

from .helpers import GAME, deal_on, keys, load, texts

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
