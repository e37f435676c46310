"""Options come from anybody: whatever stands in them, reading them takes little and a refusal is short."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import preau
from preau.core import SetupError
from preau.games.bagarre import data as bagarre_data
from preau.games.bagarre import game as bagarre_game
from tests.support import lines_run

BIG = 60_000
"""About as many letters as a request may have."""
LITTLE_WORK = 5_000
"""Lines of Python for reading and refusing options: some milliseconds on a slow machine."""
AGAIN = {"recess": 4_000, "bagarre": 800, "cour": 800}
"""The same for a file that was read before; that of sections is small, and only its layouts are remembered."""

FILES = [("recess", "sections", "sections"), ("bagarre", "cards", "reconstructed"), ("cour", "cards", "reconstructed")]


def shipped(game: str, name: str) -> dict[str, Any]:
    path = preau.game(game).folder / "data" / f"{name}.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


NESTED = nested(20_000)
VALUES: dict[str, Any] = {
    "long text": "x" * BIG,
    "blanks": " " * BIG + "x",
    "nested": NESTED,
    "nested in fields": {"a": NESTED},
    "huge number": 10**3_999,
    "list of nothing": [{}] * (BIG // 4),
    "list of numbers": [1] * (BIG // 2),
    "many fields": {str(number): {} for number in range(BIG // 12)},
    "long field": {"x" * BIG: 1},
}


def places(data: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a file that holds something; of a list the first entry."""
    inside = (
        list(data.items()) if isinstance(data, dict) else list(enumerate(data))[:1] if isinstance(data, list) else []
    )
    for name, value in inside:
        yield (*way, name)
        yield from places(value, (*way, name))


def with_value(data: dict[str, Any], way: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """The file with something else in one place."""
    changed = copy.deepcopy(data)
    inside: Any = changed
    for step in way[:-1]:
        inside = inside[step]
    inside[way[-1]] = value
    return changed


def refuse(game: str, options: dict[str, Any]) -> SetupError:
    """The refusal of options, for which little was done."""
    refused: list[SetupError] = []

    def start() -> None:
        with pytest.raises(SetupError) as caught:
            preau.game(game).start(3, options)
        refused.append(caught.value)

    assert lines_run(start) < LITTLE_WORK
    return refused[0]


def is_short(error: SetupError) -> bool:
    return len(error.message) < 200 and len(error.field) < 200 and len(error.hint) < 300


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_an_option_refuses_what_it_cannot_be(game, what):
    for option in preau.game(game).options:
        error = refuse(game, {option.name: VALUES[what]})
        assert is_short(error), option.name
        assert error.field.startswith(f"option {option.name}")
    assert is_short(refuse(game, {"x" * BIG: VALUES[what]}))


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.parametrize(("game", "option", "name"), FILES)
def test_a_file_is_refused_whatever_stands_in_one_of_its_places(game, option, name, what):
    file = shipped(game, name)
    ways = list(places(file))
    assert len(ways) > 5
    for way in ways:
        assert is_short(refuse(game, {option: with_value(file, way, VALUES[what])})), way


@pytest.mark.parametrize("section", ["toys", "friends", "specials"])
def test_a_list_of_cards_that_repeat_is_not_walked_through(section):
    file = shipped("bagarre", "reconstructed")
    file[section]["cards"] = file[section]["cards"][:1] * 1_000
    error = refuse("bagarre", {"cards": file})
    assert error.field == f"option cards: {section}.cards"
    assert "At most" in error.hint


@pytest.mark.parametrize(
    ("game", "option", "name", "way", "most"),
    [
        ("recess", "sections", "sections", ("name",), 1_000),
        ("recess", "sections", "sections", ("provenance",), 1_000),
        ("bagarre", "cards", "reconstructed", ("name",), 1_000),
        ("bagarre", "cards", "reconstructed", ("provenance",), 1_000),
        ("bagarre", "cards", "reconstructed", ("toys", "cards", 0, "fr"), 60),
        ("bagarre", "cards", "reconstructed", ("toys", "cards", 0, "en"), 60),
        ("cour", "cards", "reconstructed", ("name",), 1_000),
        ("cour", "cards", "reconstructed", ("about",), 1_000),
    ],
)
def test_texts_in_a_file_have_a_longest(game, option, name, way, most):
    file = shipped(game, name)
    assert preau.game(game).start(3, {option: with_value(file, way, "é" * most)})
    error = refuse(game, {option: with_value(file, way, "é" * (most + 1))})
    assert error.message.startswith("too long")
    assert str(most) in f"{error.hint.replace(',', '')}"


@pytest.mark.parametrize(("game", "option", "name"), FILES)
def test_a_file_that_was_read_is_not_read_again(game, option, name):
    """A game begins anew whenever its table is looked at after a while."""
    file = with_value(shipped(game, name), ("name",), "read twice")
    preau.game(game).start(3, {option: file})
    again = copy.deepcopy(file)
    assert lines_run(lambda: preau.game(game).start(3, {option: again})) < AGAIN[game]


def test_sets_of_cards_do_not_pile_up():
    """However many different ones were looked at."""
    for number in range(70):
        file = with_value(shipped("bagarre", "reconstructed"), ("name",), f"set {number}")
        preau.game("bagarre").start(3, {"cards": file})
    assert bagarre_data._deck.cache_info().currsize <= 64
    assert bagarre_game._actions.cache_info().currsize <= 64
