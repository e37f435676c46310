"""Bad input of every kind is refused with one of our errors, which says what is wrong where, and changes nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import preau
from preau import REFEREE
from preau.core import DataError, MalformedAction, NotYourTurn, PositionError, PreauError, SetupError, UnknownGame
from preau.games.recess.data import read_sections
from tests.oracle.recess_oracle import SECTIONS
from tests.recess.positions import GAME, Json, fight, impossible, moving, position, start
from tests.support import is_sentence

# ------------------------------------------------------------------ setting up a game


@pytest.mark.parametrize("seats", [0, 1, 2, 6, 7, -1, 3.5, "three", True, [3]])
def test_a_wrong_number_of_seats(seats):
    for make in (GAME.start, lambda number: preau.new("recess", number)):
        with pytest.raises(SetupError) as caught:
            make(seats)
        assert caught.value.rule == "R1"
        assert caught.value.field == "seats"
        assert is_sentence(str(caught.value))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layout", "nowhere"),
        ("layout", ["A0", "B0", "C0", "D0"]),
        ("layout", "A0 B0 C0 D٣"),
        ("sections", "mine"),
        ("sections", 5),
        ("sections", {}),
        ("first", 4),
        ("first", -1),
        ("first", True),
        ("first", 1.0),
        ("first", "²"),
        ("turns", 0),
        ("turns", 301),
        ("turns", "a lot"),
        ("turns", "²"),
        ("turns", "+-5"),
        ("turns", 30.0),
        ("equal_turns", 2),
        ("equal_turns", "maybe"),
        ("exits", "two"),
        ("exits", None),
        ("shove", 6),
        ("shove", True),
        ("nun_may_stay", []),
        ("nun_may_stay", "sometimes"),
    ],
)
def test_a_value_an_option_does_not_take(name, value):
    options = {name: value}
    kept = copy.deepcopy(options)
    with pytest.raises(PreauError) as caught:
        GAME.start(4, options)
    error = caught.value
    assert error.rule == next(option.rule for option in GAME.options if option.name == name)
    assert name in error.field
    assert is_sentence(str(error)), str(error)
    assert options == kept


def test_an_unknown_option_or_game():
    with pytest.raises(SetupError, match="no option 'colour'") as caught:
        GAME.start(4, {"colour": "red"})
    assert "nun_may_stay" in str(caught.value)
    with pytest.raises(UnknownGame, match="no game 'chess'"):
        preau.game("chess")


def test_text_is_understood_where_it_can_only_mean_one_thing():
    state = start(4, {"shove": "4", "equal_turns": "yes", "turns": " 12", "layout": "STANDARD", "first": "2"})
    assert state.options["shove"] == 4
    assert state.options["equal_turns"] is True
    assert state.options["turns"] == 12
    assert state.active == 2


# ------------------------------------------------------------------ section files


def section_file() -> Json:
    rows = {letter: list(SECTIONS[letter]) for letter in "ABCD"}
    return {"format": "preau-sections/1", "name": "ours", "provenance": "drawn by us", "sections": rows}


def changed(**changes: Any) -> Json:
    return {**section_file(), **changes}


def with_rows(letter: str, rows: Any) -> Json:
    data = section_file()
    data["sections"][letter] = rows
    return data


def without(field: str) -> Json:
    data = section_file()
    del data[field]
    return data


OPEN = ["......"] * 6


@pytest.mark.parametrize(
    ("data", "field", "words"),
    [
        ([], "sections", "JSON object"),
        (changed(format="preau-sections/2"), "format", "unknown format"),
        (without("format"), "format", "unknown format"),
        (without("name"), "name", "missing or empty"),
        (without("provenance"), "provenance", "missing or empty"),
        (changed(provenance="  "), "provenance", "missing or empty"),
        (changed(author="me"), "author", "no such field"),
        (without("sections"), "sections", "0 sections, not four"),
        (changed(sections=["A", "B", "C", "D"]), "sections", "0 sections, not four"),
        (changed(sections={"A": OPEN, "B": OPEN, "C": OPEN}), "sections", "3 sections, not four"),
        (with_rows("E", OPEN), "sections", "5 sections, not four"),
        (changed(sections=dict.fromkeys(("A", "B", "C", "dd"), OPEN)), "sections.dd", "one capital letter"),
        (changed(sections=dict.fromkeys(("A", "B", "C", "É"), OPEN)), "sections.É", "one capital letter"),
        (with_rows("A", OPEN[:5]), "sections.A", "six rows"),
        (with_rows("A", "......" * 6), "sections.A", "six rows"),
        (with_rows("A", [*OPEN[:5], "......."]), "sections.A", "row 6 does not have six cells"),
        (with_rows("A", [7, *OPEN[:5]]), "sections.A", "row 1 does not have six cells"),
        (with_rows("A", [*OPEN[:5], "..X..."]), "sections.A", "row 6 has 'X'"),
        (with_rows("A", [*OPEN[:5], "..s..."]), "sections.A", "row 6 has 's'"),
        (with_rows("A", [*OPEN[:5], ".SSS.."]), "sections.A", "slide covers more than two"),
        (with_rows("A", [*OPEN[:4], "..T...", ".TT..."]), "sections.A", "seesaw covers more than two"),
        (with_rows("A", [".M....", "S.....", *OPEN[:4]]), "sections", "cannot be reached"),
    ],
)
def test_a_broken_section_file(data, field, words):
    kept = copy.deepcopy(data)
    with pytest.raises(DataError, match=words) as caught:
        read_sections(data)
    assert caught.value.field == field
    assert caught.value.rule == "R2"
    assert is_sentence(str(caught.value))
    with pytest.raises(PreauError, match=words):
        GAME.start(3, {"sections": data})
    assert data == kept


# ------------------------------------------------------------------ actions


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "jump",
        "b1",
        "b1 ",
        "b3 d4",
        "b1 m4",
        "b1 d13",
        "b1 d0",
        "b1 boys",
        "b1 d4 e4",
        "stay",
        "stay z1",
        "nun f6",
        "nun 2 f6",
        "nun 0",
        "tattle e5",
        "tattle 0",
        "shove",
        "pass e5",
        "skip 3",
        "0b1 d4",
        "b1d4",
        "b1 d\u0664",
        "B1 ➜ D4",
        "x" * 3000,
    ],
)
def test_a_text_that_is_no_action(text):
    state = position()
    before = state.copy()
    for actor in (0, 1, REFEREE):
        with pytest.raises(MalformedAction) as caught:
            state.apply(actor, text)
        assert caught.value.field == "action"
        assert "The forms are" in str(caught.value)
    assert state == before


@pytest.mark.parametrize("text", ["PASS", "  pass ", "b1\ta3", "B1   A3", "b1 a3\n"])
def test_case_and_spacing_do_not_matter(text):
    state = position()
    state.apply(0, text)
    assert state != position()


def test_an_action_of_somebody_else():
    match = preau.new("recess", 4)
    for seat in (1, 2, 3, 4, -1, 77):
        with pytest.raises(NotYourTurn):
            match.apply(seat, "pass")
    assert match.record.entries == []
    assert match.state == GAME.start(4)


def test_a_refused_action_is_not_recorded():
    match = preau.new("recess", 3)
    for actor, text in ((0, "b1 l12"), (0, "rubbish"), (REFEREE, "pass"), (1, "pass")):
        with pytest.raises(PreauError):
            match.apply(actor, text)
    assert match.record.entries == []
    match.apply(0, "b1 a3")
    assert [entry.text for entry in match.record.entries] == ["b1 a3"]


# ------------------------------------------------------------------ positions


@pytest.mark.parametrize(
    ("rule", "field", "fields"),
    [
        ("R16", "children", {"children": {"0b1": "f6", "1b1": "f6"}}),
        ("R16", "children", {"children": {"0b1": "f6"}, "nuns": ["f6", "l12"]}),
        ("R16", "children", {"nuns": ["f6", "f6"]}),
        ("R16", "children", {"children": {"2b1": "f6"}, "fights": [fight("f6", "0b1", "1b1")]}),
        ("R16", "children", {"fights": [fight("f6", "0b1", "1b1"), fight("f6", "0b2", "1b2")]}),
        ("R5", "children", {"children": {"0b3": "f6"}}),
        ("R5", "children", {"children": {"0b5": "f6"}}),
        ("R5", "children", {"children": {"3b1": "f6"}}),
        ("R5", "children", {"children": {"b1": "f6"}}),
        ("R5", "children", {"children": {"²b1": "f6"}}),
        ("R2", "children.0b1", {"children": {"0b1": "m6"}}),
        ("R2", "children.0b1", {"children": {"0b1": 66}}),
        ("R14", "children.0b1", {"children": {"0b1": "e5"}}),
        ("R4", "children.0b1", {"children": {"0b1": "girls"}}),
        ("", "children", {"children": ["f6"]}),
        ("R37", "coins", {"coins": [10, 10, 11]}),
        ("R37", "coins[1]", {"coins": [20, -1, 11]}),
        ("R5", "coins", {"coins": [10, 20]}),
        ("R14", "nuns[1]", {"nuns": ["a1", "e5"]}),
        ("R2", "nuns[0]", {"nuns": ["girls", "l12"]}),
        ("R5", "nuns", {"nuns": ["a1", "b1", "l12"]}),
        ("R17", "fights[0]", {"fights": [fight("b2", "0b1", "1b1")]}),
        ("R19", "fights[0]", {"fights": [fight("f6", "0b1", "0b2")]}),
        ("R22", "fights[1]", {"fights": [fight("f6", "0b1", "1b1"), fight("g4", "2b1", "1b1")]}),
        ("R22", "fights[0]", {"children": {"0b1": "f7"}, "fights": [fight("f6", "0b1", "1b1")]}),
        ("R22", "fights[0]", {"fights": [{"cell": "f6"}]}),
        ("R22", "fights[0]", {"fights": ["f6"]}),
        ("", "fights", {"fights": {"f6": ["0b1", "1b1"]}}),
        ("R14", "fights[0].cell", {"fights": [fight("e5", "0b1", "1b1")]}),
        ("R5", "fights[0].victim", {"fights": [fight("f6", "0b1", "9b1")]}),
        (
            "R18",
            "fights[3]",
            {
                "seats": 4,
                "fights": [
                    fight("f6", "0b1", "1b1"),
                    fight("g4", "0b2", "1b2"),
                    fight("c7", "0g1", "2b1"),
                    fight("i4", "0g2", "2b2"),
                ],
            },
        ),
        ("R34", "detention", {"children": {"0b1": "f6"}, "detention": ["0b1"]}),
        ("R34", "detention", {"fights": [fight("f6", "0b1", "1b1")], "detention": ["0b1"]}),
        ("R5", "detention", {"detention": ["7b1"]}),
        ("", "detention", {"detention": "0b1"}),
        ("R6", "active", {"turn": 2, "active": 0}),
        ("R1", "active", {"active": 3}),
        ("R7", "turn", {"turn": 31}),
        ("R7", "turn", {"turn": "2"}),
        ("", "game", {"game": "cour"}),
        ("", "rules", {"rules": "2"}),
        ("", "options", {"options": []}),
        ("", "position", {"weather": "fine"}),
        ("R8", "step", {"step": "move"}),
        ("R8", "step", {"step": {"phase": "move", "mood": "good"}}),
        ("R8", "step.phase", {"step": {"phase": "lunch"}}),
        ("R8", "step.phase", {"step": {}}),
        ("R8", "step.movement", {"step": {"phase": "move", "movement": 4}}),
        ("R8", "step.movement", {"step": {"phase": "nun", "movement": 1}}),
        ("", "step.moved", {"step": {"phase": "move", "moved": ["b3"]}}),
        ("", "step.moved", {"step": {"phase": "move", "moved": "b1"}}),
        ("R10", "step.leaving", {"step": {"phase": "move", "leaving": ["b1"]}}),
        ("R10", "step.watched", {"step": {"phase": "nun", "watched": ["b1"]}}),
        ("R10", "step.undecided", {"step": {"phase": "choose"}}),
        ("R34", "step.serving", {"step": {"phase": "move", "serving": ["b1"]}}),
        ("R5", "step.hand", {"step": {"phase": "shove"}}),
        ("R2", "step.from", {"step": {"phase": "shove", "hand": "nun 0"}}),
        ("R29", "step.teller", {"step": {"phase": "tell"}}),
        ("R29", "step.teller", {"children": {"0b1": "f6"}, "step": {"phase": "tell", "teller": "b1"}}),
        ("R33", "end.kisser", {"end": {"kisser": 3}}),
        ("", "end", {"end": {"winner": 1}}),
        ("", "end", {"end": []}),
    ],
)
def test_an_impossible_position(rule, field, fields):
    kept = copy.deepcopy(fields)
    error = impossible(rule, field, **fields)
    assert isinstance(error, PositionError)
    assert fields == kept


def test_an_impossible_position_by_its_setup():
    impossible("R1", "seats", seats=None)
    impossible("R1", "seats", seats=2)
    impossible("R7", "option turns", options={"turns": 0})
    impossible("", "options", options={"colour": "red"})
    junk: list[Any] = [None, [], "recess", 3]
    for data in junk:
        with pytest.raises(PositionError, match="JSON object"):
            GAME.load(data)


SHOVING = {"phase": "shove", "movement": 1, "hand": "1b1", "from": "f6"}


@pytest.mark.parametrize(
    "fields",
    [
        {"children": {"0b1": "f6", "1b1": "c7"}, "step": SHOVING},
        {"children": {"0b1": "f6"}, "step": SHOVING},
        {"children": {"0b1": "f6"}, "detention": ["1b1"], "step": SHOVING},
        {"children": {"0b1": "f6", "1b1": "f6"}, "step": {**SHOVING, "waiting": "2b1"}},
        {"children": {"0b1": "f6", "1b1": "f6", "2b1": "c7"}, "step": {**SHOVING, "waiting": "2b1"}},
        {"children": {"0b1": "f6", "1b1": "f6"}, "step": {**SHOVING, "waiting": "1b1"}},
        {"children": {"0b1": "f7"}, "fights": [fight("f6", "1b1", "2b1")], "step": SHOVING},
    ],
    ids=[
        "hand elsewhere",
        "hand at the entrance",
        "hand in detention",
        "waiting at the entrance",
        "waiting elsewhere",
        "waiting is in hand",
        "hand is fighting",
    ],
)
def test_a_shove_of_a_piece_that_is_not_there(fields):
    """R26, R28: what is in hand, and what waits for its turn, lies on the cell it is shoved from."""
    with pytest.raises(PositionError):
        GAME.load({"seats": 3, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"turn": 3, "end": {}},
        {"turn": 1, "end": {"kisser": 0}},
        {"turn": 2, "end": {"kisser": 0}, "children": {"0b1": "f6", "0g1": "f6"}},
        {"turn": 30, "end": {}, "step": {"phase": "move", "movement": 3}},
    ],
    ids=["no kiss before the bell", "nobody to kiss", "the kiss of another's turn", "over and going on"],
)
def test_an_end_that_cannot_have_come(fields):
    """R33, R35: it ends by a kiss of the active seat, whose two children share a cell, or after the last turn."""
    with pytest.raises(PositionError):
        GAME.load({"seats": 3, **fields})


def test_a_position_after_a_kiss_is_read_back_as_it_was():
    """Contract: JSON in and out without loss, and pickle with it, also in the middle of a turn."""
    state = moving(3, children={"0b1": "f6", "0g1": "f3"}, detention=["0b2"], step={"serving": ["b2"]})
    state.apply(0, "b1 f3")
    assert state.over
    assert GAME.load(state.to_json()) == state
