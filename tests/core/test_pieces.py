"""The small parts of the core: options, texts, observations, results, the registry, records that lie."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import preau
from preau.core import (
    HIDDEN,
    DataError,
    Event,
    Layout,
    Match,
    Observation,
    Option,
    PreauError,
    Record,
    RecordError,
    SetupError,
    Texts,
    UnknownGame,
)
from preau.core.options import MOST_SETUPS, Setups, read_options
from preau.core.state import NATURE, pick, rank

NUMBER = Option("turns", 30, en="", fr="", rule="R7", low=1, high=99)
CHOICE = Option("shove", 8, en="", fr="", choices=(8, 4))
SWITCH = Option("quiet", False, en="", fr="", choices=(False, True))


def test_an_option_says_what_kind_of_value_it_takes():
    assert [option.type for option in (NUMBER, CHOICE, SWITCH)] == ["number", "choice", "switch"]
    kinds = {option.name: option.to_json()["type"] for option in preau.game("recess").options}
    assert (kinds["first"], kinds["layout"], kinds["sections"]) == ("seat", "text", "data")


def test_what_was_built_for_a_table_is_found_for_the_very_same_values_only():
    setups: Setups[str] = Setups((NUMBER, SWITCH))
    assert setups.keep(3, {"turns": 1, "quiet": False}, "built") == "built"
    assert setups.find(3, {"quiet": False, "turns": 1}) == "built"
    others: list[tuple[object, dict[str, Any] | None]] = [
        (4, {"turns": 1, "quiet": False}),
        (3.0, {"turns": 1, "quiet": False}),
        (3, {"turns": True, "quiet": False}),
        (3, {"turns": 1, "quiet": 0}),
        (3, {"turns": "1", "quiet": False}),
        (3, {"turns": 1}),
        (3, {"turns": 1, "loud": False}),
        (3, {"turns": [1], "quiet": False}),
        (3, None),
    ]
    for seats, values in others:
        assert setups.find(seats, values) is None
    setups.keep(3, {"turns": [1], "quiet": False}, "not to be looked up")
    for turns in range(MOST_SETUPS):
        setups.keep(5, {"turns": turns, "quiet": True}, "another")
    assert setups.find(3, {"turns": 1, "quiet": False}) is None


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_values_that_an_option_refuses_are_refused_after_good_ones_too(game):
    found = preau.game(game)
    start = found.start(seed=1)
    assert found.load(start.to_json()).options == start.options
    for name, value in start.options.items():
        with pytest.raises(PreauError):
            found.load(start.to_json() | {"options": {**start.options, name: float(value) if value == 1 else None}})


@pytest.mark.parametrize(
    ("option", "given", "stored"),
    [
        (NUMBER, 12, 12),
        (NUMBER, " 12 ", 12),
        (CHOICE, 4, 4),
        (CHOICE, "4", 4),
        (SWITCH, True, True),
        (SWITCH, "on", True),
        (SWITCH, "No", False),
    ],
)
def test_an_option_reads_what_can_only_mean_one_thing(option, given, stored):
    value = option.read(given)
    assert value == stored
    assert type(value) is type(stored)


@pytest.mark.parametrize(
    ("option", "given"),
    [
        *((NUMBER, given) for given in (0, 100, "x", True, 3.0, None)),
        *((CHOICE, given) for given in (5, True)),
        *((SWITCH, given) for given in (1, "maybe")),
    ],
)
def test_an_option_refuses_the_rest_and_says_what_it_takes(option, given):
    with pytest.raises(SetupError) as refused:
        option.read(given)
    assert refused.value.field == f"option {option.name}"
    assert "the default is" in refused.value.hint


def test_unknown_options_are_refused_by_name():
    with pytest.raises(SetupError, match="no option 'turn'") as refused:
        read_options([NUMBER, CHOICE], {"turn": 3}, "Recess!")
    assert "turns, shove" in refused.value.hint
    assert read_options([NUMBER, CHOICE], {"turns": 3}, "Recess!") == {"turns": 3, "shove": 8}


def test_texts_know_number_choice_names_and_words():
    texts = Texts(
        "en",
        {
            "event.a": "{who, seat} has {n, plural, =0 {nothing} one {# coin} other {# coins}}",
            "b": "{kind, select, boy {he} other {they}}",
            "c": "{things, thing} for {all, seats}",
            "thing.x": "a kite",
            "thing.y": "a top",
            "seat": "seat {number}",
        },
    )
    assert texts.say("event.a", {"who": 0, "n": 0}, ["ann"]) == "Ann has nothing"
    assert texts.say("event.a", {"who": 3, "n": 1}, ["ann"]) == "Seat 3 has 1 coin"
    assert texts.say("event.a", {"who": 0, "n": 7}, ["ann"]) == "Ann has 7 coins"
    assert texts.say("b", {"kind": "boy"}) == "he"
    assert texts.say("b", {"kind": "nun"}) == "they"
    assert texts.say("c", {"things": ["x", "y"], "all": [0, 1]}, ["Ann", "Bob"]) == "a kite and a top for Ann and Bob"


def test_french_counts_nought_as_one():
    texts = Texts("fr", {"n": "{n, plural, one {# pièce} other {# pièces}}"})
    assert [texts.say("n", {"n": n}) for n in (0, 1, 2)] == ["0 pièce", "1 pièce", "2 pièces"]


@pytest.mark.parametrize(
    ("message", "params"),
    [("{a}", {}), ("{a", {"a": 1}), ("{a, select, x {1}}", {"a": "y"}), ("{a, thing}", {"a": "z"})],
)
def test_a_broken_text_is_an_error_not_a_gap(message, params):
    with pytest.raises(DataError):
        Texts("en", {"key": message}).say("key", params)
    with pytest.raises(DataError):
        Texts("en", {}).say("key", params)


def test_an_event_for_some_eyes():
    event = Event("peek", "C8", {"seat": 1, "card": HIDDEN}, {1: {"card": "car"}})
    assert event.seen_by(1) == {"key": "peek", "rule": "C8", "seat": 1, "card": "car"}
    hidden = {"key": "peek", "rule": "C8", "seat": 1, "card": "hidden"}
    assert event.seen_by(0) == event.seen_by(None) == hidden
    assert event == Event("peek", "C8", {"seat": 1, "card": HIDDEN}, {1: {"card": "car"}})
    assert event != Event("peek", "C8", {"seat": 1, "card": HIDDEN}, {1: {"card": "leaf"}})


def test_observations_are_views_into_one_array():
    seen = Observation(Layout([("a", (2,)), ("b", (2, 3))]), 4)
    seen.piece("b")[5] = 2.5
    assert list(seen.values) == [0, 0, 0, 0, 0, 0, 0, 2.5]
    assert seen.layout["b"].shape == (2, 3)


def test_ties_share_a_rank():
    assert rank([(-3,), (-5,), (-3,), (-1,)]) == ((1,), (0, 2), (3,))


def test_nature_draws_by_weight():
    actions = preau.game("recess").actions()
    rng = Random(1)
    drawn = [pick([(actions[0], 0.25), (actions[1], 0.75)], rng) for _ in range(4000)]
    assert 850 < drawn.count(actions[0]) < 1150


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(UnknownGame, match="no game 'chess'") as refused:
        preau.game("chess")
    assert "recess" in refused.value.hint
    with pytest.raises(UnknownGame):
        preau.game("../recess")


def finished() -> Record:
    match = Match.new(preau.game("recess"), 3, {"turns": 3}, seed=2)
    rng = Random(2)
    while not match.over:
        match.apply(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
    return match.record


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": "preau-record/9"}, "format"),
        ({"rules": "99"}, "rules"),
        ({"game": "chess"}, "game"),
        ({"seats": 9}, "seats"),
        ({"seats": "3"}, "seats"),
        ({"options": {"turns": 0}}, "option turns"),
        ({"options": {"layout": "random", "turns": 3}}, "options"),
        ({"options": []}, "options"),
        ({"actions": {}}, "actions"),
        ({"actions": [[0]]}, "actions"),
        ({"actions": [[True, "pass"]]}, "actions"),
        ({"times": [1]}, "times"),
        ({"extra": 1}, "extra"),
        ({"result": {}}, "result"),
        ({"check": "0000"}, "check"),
    ],
)
def test_a_record_with_a_wrong_field_is_refused_by_name(change, field):
    data = {**json.loads(finished().dumps()), **change}
    with pytest.raises(RecordError) as refused:
        Record.loads(json.dumps(data)).verify()
    assert refused.value.field == field
    assert refused.value.line == 1


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{", '{"format"', "\x00"])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(RecordError):
        Record.loads(text)


def test_a_record_cut_anywhere_is_refused():
    text = finished().dumps()
    for length in range(0, len(text) - 2, 7):
        with pytest.raises(RecordError):
            Record.loads(text[:length]).verify()


def test_a_missing_end_is_noticed_without_the_marks():
    data = json.loads(finished().dumps())
    del data["check"]
    data["actions"] = data["actions"][:-1]
    with pytest.raises(RecordError, match="not over") as broken_off:
        Record.loads(json.dumps(data)).verify()
    assert finished().entries[-1].text in broken_off.value.legal
    assert "Legal there: " in str(broken_off.value)
    del data["result"]
    assert not Record.loads(json.dumps(data)).verify().over


def test_saving_leaves_no_half_written_file(tmp_path):
    target = tmp_path / "game.json"
    finished().save(target)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    (tmp_path / "none.jsonl").write_text("\n")
    with pytest.raises(RecordError, match="holds 0 games"):
        Record.load(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(tmp_path / "nothing.json")
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(tmp_path)


def test_a_record_can_start_from_a_position():
    state = preau.game("recess").load({"seats": 3, "children": {"0b1": "e6"}, "options": {"turns": 2}})
    record = Record.begin(state, from_position=True)
    state.apply(0, "pass")
    record.add(0, "pass")
    again = Record.loads(record.dumps())
    assert again.verify() == state


def test_a_seed_decides_the_deal_and_nothing_in_the_position_does():
    one, two, other = (Match.new(preau.game("recess"), 3, {"layout": "random"}, seed) for seed in (1, 1, 2))
    assert one.state == two.state
    assert one.state != other.state
    assert NATURE not in one.to_act


def test_every_folder_of_games_can_be_imported_by_its_whole_name():
    import preau.games.bagarre.game as module

    assert module.GAME is preau.game("bagarre")
    assert preau.game_ids() == preau.games.names()
