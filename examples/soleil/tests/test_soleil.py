"""One, two, three, sun!: the promises that every game makes, and each rule by its id."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

import preau
from preau.core import LANGUAGES, NATURE, IllegalAction, PositionError, SetupError, ViewError
from preau.testing import cases
from preau_soleil.game import GAME
from preau_soleil.greedy import choose
from preau_soleil.rules import SoleilState


@pytest.mark.parametrize(("check", "seats"), cases(GAME), ids=lambda one: getattr(one, "__name__", str(one)))
def test_the_contract(check, seats):
    check(GAME, seats)


def position(**changes: Any) -> SoleilState:
    """Three children in the third round, each with all three ways to move, and what a test changes about it."""
    data = {
        "seats": 3,
        "options": {},
        "round": 3,
        "phase": "choosing",
        "places": [4, 2, 0],
        "caught": [0, 1, 0],
        "hands": [["tiptoe", "walk", "run"]] * 3,
        "chosen": [None, None, None],
        "played": ["walk", "tiptoe", "still"],
        "word": "trois",
    }
    state = GAME.load({**data, **changes})
    assert isinstance(state, SoleilState)
    return state


def play(state: SoleilState, cards: list[str], word: str) -> list[str]:
    """A round: everybody's card, and the word on which heads turn; the events that everybody sees."""
    for seat, card in enumerate(cards):
        state.apply(seat, f"play {card}")
    return [event.key for event in state.apply(NATURE, f"turn {word}")]


def test_s1_two_to_five_on_the_line():
    assert GAME.start(5, {"steps": 12}).places == [0] * 5
    for seats in (1, 6):
        with pytest.raises(SetupError) as refused:
            GAME.start(seats)
        assert refused.value.rule == "S1"


def test_s2_everybody_draws_three_cards_that_only_they_see():
    match = preau.new("soleil", seats=4, seed=3)
    dealt = [entry.text.split() for entry in match.record.entries]
    assert [seat for _, seat, _ in dealt] == ["0"] * 3 + ["1"] * 3 + ["2"] * 3 + ["3"] * 3
    assert match.state.view(1)["hand"] == sorted(
        (card for _, seat, card in dealt if seat == "1"), key=["still", "tiptoe", "walk", "run"].index
    )
    assert match.state.view(None)["hand"] is None
    assert match.state.view(1)["cards"] == [3, 3, 3, 3]


def test_s2_a_card_is_as_likely_as_it_is_frequent():
    state = GAME.start(2)
    assert {action.text: chance for action, chance in state.outcomes()} == {
        "deal 0 still": 4 / 24,
        "deal 0 tiptoe": 8 / 24,
        "deal 0 walk": 7 / 24,
        "deal 0 run": 5 / 24,
    }
    state.apply(NATURE, "deal 0 run")
    assert {action.text: chance for action, chance in state.outcomes()}["deal 0 run"] == 4 / 23


def test_s3_all_choose_at_once_and_in_secret():
    state = position()
    assert state.to_act == (0, 1, 2)
    (event,) = state.apply(1, "play run")
    assert list(state.to_act) == [0, 2]
    assert event.seen_by(1) == {"key": "chosen", "rule": "S3", "seat": 1, "card": "run"}
    assert event.seen_by(0) == event.seen_by(None) == {"key": "chosen", "rule": "S3", "seat": 1, "card": "hidden"}
    assert state.view(1)["chosen"] == [None, "run", None]
    assert state.view(0)["chosen"] == [None, "hidden", None]


def test_s3_only_a_card_of_ones_hand():
    with pytest.raises(IllegalAction) as refused:
        position().apply(0, "play still")
    assert (refused.value.rule, refused.value.key) == ("S3", "not_in_hand")
    with pytest.raises(IllegalAction) as refused:
        position().apply(0, "turn un")
    assert (refused.value.rule, refused.value.key) == ("S4", "nature")


@pytest.mark.parametrize(("word", "caught"), [("un", 1), ("deux", 1), ("trois", 1), ("soleil", 0)])
def test_s4_s5_the_quickest_is_seen_if_heads_turn_too_soon(word, caught):
    state = position()
    play(state, ["walk", "run", "tiptoe"], word)
    assert state.places == [6, 0 if caught else 5, 1]
    assert state.caught == [0, 1 + caught, 0]


def test_s4_one_word_is_as_likely_as_another():
    state = position()
    for seat in range(3):
        state.apply(seat, "play walk")
    assert [(action.text, chance) for action, chance in state.outcomes()] == [
        ("turn un", 0.25),
        ("turn deux", 0.25),
        ("turn trois", 0.25),
        ("turn soleil", 0.25),
    ]


def test_s5_all_who_are_equally_quick_are_seen():
    state = position()
    assert play(state, ["walk", "walk", "tiptoe"], "deux") == ["word", "caught", "caught", "walk"]
    assert state.places == [0, 0, 1]


def test_s5_three_steps_back_where_that_is_the_rule():
    state = position(options={"back": "three"})
    play(state, ["run", "run", "walk"], "un")
    assert state.places == [1, 0, 2]


def test_s6_nobody_goes_through_the_wall():
    state = position(places=[9, 2, 0])
    play(state, ["walk", "run", "tiptoe"], "un")
    assert state.places == [10, 0, 1]


def test_s7_everybody_draws_one_card():
    state = position()
    play(state, ["walk", "run", "tiptoe"], "un")
    assert state.to_act == (NATURE,)
    assert sum(state.pile()) == 24 - 6
    for seat in range(3):
        events = state.apply(NATURE, f"deal {seat} walk")
    assert [event.key for event in events] == ["turn"]
    assert events[0].seen_by(0) == {"key": "turn", "rule": "S3", "round": 4, "hand": ["tiptoe", "walk", "run"]}
    assert events[0].seen_by(None) == {"key": "turn", "rule": "S3", "round": 4, "hand": "hidden"}


def test_s8_the_wall_or_the_bell_ends_the_game():
    state = position(places=[9, 2, 0])
    assert play(state, ["walk", "run", "tiptoe"], "un")[-1] == "wall"
    assert (state.over, state.result().reason) == (True, "wall")
    state = position(round=15)
    assert play(state, ["walk", "run", "tiptoe"], "un")[-1] == "bell"
    assert (state.over, state.result().reason) == (True, "bell")


@pytest.mark.parametrize(
    ("places", "caught", "ranking", "tie_break"),
    [
        ([10, 7, 8], [3, 0, 0], ((0,), (2,), (1,)), ""),
        ([10, 10, 8], [2, 1, 0], ((1,), (0,), (2,)), "caught"),
        ([10, 8, 10], [1, 0, 1], ((0, 2), (1,)), "shared"),
    ],
)
def test_s9_nearest_then_caught_least_then_shared(places, caught, ranking, tie_break):
    hands = [["walk", "walk"], ["walk", "run"], ["tiptoe", "run"]]
    result = position(phase="over", places=places, caught=caught, hands=hands).result()
    assert (result.ranking, result.tie_break, result.scores) == (ranking, tie_break, tuple(places))


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("places", [4, 2], "S1"),
        ("places", [4, 2, 11], "S1"),
        ("hands", [["run"] * 3] * 3, "S2"),
        ("hands", [["run", "walk", "hop"]] * 3, "S2"),
        ("hands", [["run"]] * 3, "S3"),
        ("chosen", ["run", None, None], "S3"),
        ("phase", "asleep", "S3"),
        ("word", "quatre", "S4"),
        ("round", 16, "S8"),
    ],
)
def test_impossible_positions_are_refused(field, value, rule):
    with pytest.raises(PositionError) as refused:
        position(**{field: value})
    assert refused.value.rule == rule
    assert field in refused.value.field or refused.value.field == "phase"


def test_what_nobody_can_have_seen_is_refused():
    with pytest.raises(ViewError):
        GAME.sampler({"game": "soleil"})


def test_hidden_cards_are_drawn_as_they_are_likely():
    """Of the 24 cards 3 are known to the observer; the card that another seat has chosen is any of the rest."""
    state = position()
    state.apply(1, "play run")
    sampler = GAME.sampler(json.loads(json.dumps(state.view(0))))
    rng = Random(1)
    drawn = Counter(sampler.draw(rng).to_json()["chosen"][1] for _ in range(4_000))
    for card, unseen in {"still": 4, "tiptoe": 7, "walk": 6, "run": 4}.items():
        assert drawn[card] / 4_000 == pytest.approx(unseen / 21, abs=0.03)


def test_the_greedy_player_beats_chance():
    won = 0.0
    for seed in range(120):
        match = preau.new("soleil", seats=3, seed=seed)
        rng = Random(seed)
        while not match.over:
            seat = match.to_act[0]
            legal = match.legal(seat)
            mine = seat == seed % 3
            match.apply(seat, choose(seat, match.state.view(seat), legal, rng) if mine else rng.choice(legal))
        winners = match.result().winners
        won += (seed % 3 in winners) / len(winners)
    assert won > 45  # of 120, where 40 would be chance


def test_it_is_offered_as_it_says():
    facts = GAME.facts
    assert facts.usual.seats in GAME.seats
    for language in LANGUAGES:
        texts = GAME.texts(language)
        assert texts.messages["title"] == GAME.titles[language]
        for name, first in facts.chapters:
            assert f"chapter.{name}" in texts
            assert f"rule.{first}" in texts
        for option in GAME.options:
            assert f"option.{option.name}" in texts
