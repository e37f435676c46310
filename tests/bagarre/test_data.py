"""Card files: the sets that ship, sets of one's own, and every way to get one wrong (B1 to B5)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from preau.core.errors import DataError, SetupError
from preau.games.bagarre import data

from .helpers import GAME, card_set, start


def small() -> dict[str, Any]:
    return card_set({1: 8, 8: 8}, [(1, 2, True), (4, 4, False)], {"maman": 2, "marie_edwige": 1})


def test_B4_the_sets_that_ship():
    full = data.deck("reconstructed")
    leaflet = data.deck("leaflet")
    assert (full.size, leaflet.size) == (84, 65)
    assert full.names[full.first_special :] == [
        "maman",
        "marie_edwige",
        "surveillant",
        "mamie",
        "echange",
        "partie_de_billes",
        "championne",
        "maitresse",
        "cloche",
    ]
    assert full.counts[full.first_special :] == [4, 3, 2, 2, 2, 2, 1, 2, 1]
    assert leaflet.maman == -1
    assert leaflet.value == full.value[: leaflet.kinds]


def test_B4_a_set_of_ones_own():
    cards = json.loads(json.dumps(small()))
    state = start(2, cards=cards)
    assert state.deck.size == 21
    assert state.options["cards"] == cards
    assert GAME.load(json.loads(json.dumps(state.to_json()))) == state
    assert [action.text for action in GAME.actions({"cards": cards})][5:7] == ["convert T01", "convert T02"]


def test_B4_the_numbering_is_that_of_the_set_alone():
    assert [action.number for action in GAME.actions()] == list(range(len(GAME.actions())))
    assert GAME.actions() is GAME.actions({"goal": 5})
    assert len(GAME.actions()) == 5 + 3 * 25 + 9 + 42 + 8 + 2 * 25 + 6 + 6 * 42


def test_B4_too_few_cards_for_the_table():
    cards = small()
    start(2, cards=cards)
    with pytest.raises(SetupError) as caught:
        start(4, cards=cards)
    assert caught.value.rule == "B4"


@pytest.mark.parametrize("value", ["mine", "@file.json", "../data/leaflet.json", 3, None, []])
def test_B4_what_is_no_set_is_refused(value):
    with pytest.raises(SetupError):
        start(2, cards=value)


GONE = object()


def broken(path: str, value: object) -> dict[str, Any]:
    """The small set with one field changed, or gone."""
    cards = copy.deepcopy(small())
    *way, last = path.split(".")
    inside: Any = cards
    for step in way:
        inside = inside[int(step)] if isinstance(inside, list) else inside[step]
    if value is GONE:
        del inside[last]
    else:
        inside[last] = value
    return cards


@pytest.mark.parametrize(
    ("path", "value", "field", "rule"),
    [
        ("format", "other", "format", "B4"),
        ("extra", 1, "extra", "B4"),
        ("provenance", " ", "provenance", "B4"),
        ("name", GONE, "name", "B4"),
        ("counts", GONE, "counts", "B4"),
        ("counts.toys", 3, "counts.toys", "B1"),
        ("counts.friends", 15, "counts.friends", "B1"),
        ("counts.specials", 2, "counts.specials", "B1"),
        ("toys", [], "toys", "B4"),
        ("toys.cards", [1], "toys.cards", "B4"),
        ("toys.cards.0.value", 0, "toys.cards[0].value", "B2"),
        ("toys.cards.0.value", True, "toys.cards[0].value", "B2"),
        ("toys.cards.0.second", GONE, "toys.cards[0].second", "B2"),
        ("toys.cards.1.general", 1, "toys.cards[1].general", "B2"),
        ("toys.cards.1.fr", "", "toys.cards[1].fr", "B2"),
        ("toys.cards.1.colour", "red", "toys.cards[1].colour", "B4"),
        ("toys.sources.value", "hearsay", "toys.sources.value", "B4"),
        ("toys.sources.value", GONE, "toys.cards[0].value", "B4"),
        ("friends.cards.1.number", 9, "friends.cards[1].number", "B3"),
        ("friends.cards.1.number", 1, "friends.cards[1].number", "B3"),
        ("friends.cards.1.copies", 0, "friends.cards[1].copies", "B3"),
        ("specials.cards.0.id", "papa", "specials.cards[0].id", "B4"),
        ("specials.cards.1.id", "maman", "specials.cards[1].id", "B4"),
        ("specials.cards.1.copies", "1", "specials.cards[1].copies", "B4"),
    ],
)
def test_B4_a_broken_file_is_refused_with_the_place(path, value, field, rule):
    cards = broken(path, value)
    with pytest.raises(DataError) as caught:
        data.read_cards(cards)
    assert (caught.value.field, caught.value.rule) == (field, rule)
    with pytest.raises(SetupError, match="option cards"):
        start(2, cards=cards)


def test_B4_a_set_too_small_for_anybody():
    with pytest.raises(DataError) as caught:
        data.read_cards(card_set({1: 6, 8: 5}, [(1, 1, False)]))
    assert caught.value.field == "counts"


def test_B4_every_datum_says_where_it_comes_from():
    rows = GAME.provenance()
    assert {row["source"] for row in rows} == {"sheet", "reconstructed"}
    by_what = {row["what"]: row for row in rows if row["where"].startswith("reconstructed")}
    assert by_what["T01 value"]["source"] == "sheet"
    assert by_what["T01 second"]["source"] == "reconstructed"
    assert by_what["T12 general"]["source"] == "reconstructed"
    assert by_what["F8 copies"]["source"] == "sheet"
    assert by_what["maman id"]["source"] == "sheet"
    assert by_what["maman copies"]["source"] == "reconstructed"
    assert by_what["cloche id"]["source"] == "reconstructed"
    assert len(by_what) == 25 * 4 + 8 * 2 + 9 * 2
    leaflet = [row for row in rows if row["where"].startswith("leaflet")]
    made_up = {row["what"].split()[1] for row in leaflet if row["source"] != "sheet"}
    assert made_up == {"name", "general"}


def test_B5_toys_have_names_in_both_languages():
    assert data.names("leaflet", "fr")["T25"] == "Vélo"
    assert data.names("reconstructed", "en")["T25"] == "bicycle"
    for language in ("en", "fr"):
        texts = GAME.texts(language)
        for number, name in enumerate(data.names("reconstructed", language).values(), 1):
            assert texts.say(f"card.T{number:02}").lower() == name.lower()
        assert "99" in texts.say("card.T99")


@pytest.mark.parametrize(
    ("option", "value"),
    [("goal", 0), ("goal", "many"), ("first", 2), ("first", -1), ("may_forfeit", "maybe"), ("colour", 1)],
)
def test_options_with_a_wrong_value_are_refused(option, value):
    with pytest.raises(SetupError):
        start(2, **{option: value})


def test_B6_a_random_first_seat_is_drawn_and_kept():
    found = {GAME.start(3, {"first": "random"}, seed=seed).options["first"] for seed in range(30)}
    assert found == {0, 1, 2}
