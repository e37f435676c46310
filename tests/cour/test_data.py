"""Card sets: the one that ships, and what is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from preau.core.errors import DataError, SetupError
from preau.games.cour import data
from preau.games.cour.game import GAME
from tests.cour.positions import per_card
from tests.support import says_what_to_do


def test_the_shipped_set_passes_its_own_schema():
    for name in data.SHIPPED:
        cards = data.shipped(name)
        assert cards["name"] == name
        data.read_deck(cards, cards)


def test_every_datum_says_where_it_comes_from():
    rows = {row["what"]: row for row in GAME.provenance()}
    assert {row["source"] for row in rows.values()} == {"sheet", "reconstructed"}
    assert rows["soldier left"]["value"] == "HMB"
    assert rows["soldier left"]["source"] == "reconstructed"
    assert rows["agent right"]["source"] == "reconstructed"
    assert rows["king stars"]["source"] == "reconstructed"
    for sure in ("soldier count", "soldier full", "chestnut_man stars", "agent bonus", "friend count"):
        assert rows[sure]["source"] == "sheet"


def broken(path: list[str], value: Any) -> dict[str, Any]:
    cards = copy.deepcopy(data.shipped("reconstructed"))
    inner: Any = cards
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return cards


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], "preau-leaf-pile/9"),
        (["name"], " "),
        (["about"], None),
        (["extra"], 1),
        (["provenance", "edges"], "hearsay"),
        (["provenance", "edges"], None),
        (["toys"], ["marble"]),
        (["toys", "ball"], {"count": 1, "full": 0, "left": "", "right": ""}),
        (["toys", "car"], None),
        (["toys", "car", "count"], -1),
        (["toys", "car", "count"], True),
        (["toys", "car", "full"], "3"),
        (["toys", "car", "left"], "HH"),
        (["toys", "car", "right"], 3),
        (["toys", "car"], {"cards": []}),
        (["toys", "car"], {"cards": [{"full": 1, "left": "H"}]}),
        (["toys", "car"], {"cards": [{"full": 1, "left": "H", "right": "H"}], "count": 1}),
        (["others", "glue"], 2),
        (["others", "leaf"], 1.5),
        (["characters", "agent"], None),
        (["characters", "pirate"], {}),
        (["characters", "boss", "bonus"], {"spider": 1}),
        (["characters", "boss", "bonus"], 3),
        (["characters", "boss", "left"], "Q"),
        (["stars", "king"], -2),
        (["stars"], {"king": 2}),
    ],
)
def test_a_broken_set_is_refused_with_its_field_and_rule(path, value):
    cards = broken(path, value)
    with pytest.raises(DataError) as error:
        data.read_deck(cards, cards)
    assert says_what_to_do(error.value)
    assert error.value.rule in ("C1", "C2", "C9", "C11", "C17")
    with pytest.raises(SetupError) as refused:
        GAME.start(3, {"cards": broken(path, value)})
    assert refused.value.field.startswith("option cards")


@pytest.mark.parametrize("value", ["mine", "../data/reconstructed.json", 7, None, [], float("nan")])
def test_an_option_value_that_is_no_set_is_refused(value):
    with pytest.raises(SetupError):
        GAME.start(3, {"cards": value})


def test_a_set_travels_in_the_options():
    cards = json.loads(json.dumps(per_card()))
    state = GAME.start(3, {"cards": cards})
    assert state.options["cards"] == cards
    again = GAME.load(json.loads(json.dumps(state.to_json())))
    assert again == state
    assert GAME.start(3) != state
