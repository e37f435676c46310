"""Everything that leaves a game has the shape that its `shapes.py` declares, no key more or less."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Literal, NotRequired, TypedDict

import pytest

import preau
from preau.core import NATURE, REFEREE, Game, Option, PreauError, State
from preau.core.shapes import event_faults, faults, fields, position_faults, refusal_faults
from preau.core.texts import LANGUAGES

GAMES = [preau.game(name) for name in preau.game_ids()]
TABLES = [(game, seats) for game in GAMES for seats in game.seats]
SOME = 2
MANY = 250


def ids(table: tuple[Game, int]) -> str:
    return f"{table[0].id}-{table[1]}"


def any_value(option: Option, seats: int, rng: Random) -> Any:
    """A value of an option, its default half of the time."""
    if rng.random() < 0.5:
        return option.default
    if option.type == "seat":
        return rng.choice(["random", rng.randrange(seats)])
    if option.type == "number":
        assert option.low is not None
        return rng.randint(option.low, min(option.high or 12, 12))
    return rng.choice(option.choices or option.named or (option.default,))


def games(game: Game, seats: int, number: int) -> Iterator[tuple[State, Random]]:
    """First positions of games with all kinds of options."""
    for seed in range(number):
        rng = Random(seed)
        options = {option.name: any_value(option, seats, rng) for option in game.options}
        yield game.start(seats, options, seed=seed), rng


def play_and_look(game: Game, seats: int, number: int) -> set[str]:
    """Play games at random, look at everything that leaves them, and give the keys of the events that came up."""
    keys = set()
    for state, rng in games(game, seats, number):
        every = game.actions(state.options)
        while True:
            if rng.random() < 0.2 or state.over:
                assert position_faults(state) == []
                assert refused(state, rng.choice((*range(seats), NATURE, REFEREE)), rng.choice(every).text) == []
            if state.over:
                break
            assert refused(state, state.to_act[0], rng.choice(every).text) == []
            actor = rng.choice(state.to_act)
            referee = state.referee()
            if referee and rng.random() < 0.02:
                events = state.apply(REFEREE, rng.choice(referee))
            else:
                events = state.apply(actor, state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor)))
            assert event_faults(state, events) == []
            keys |= {event.key for event in events}
        assert refused(state, 0, "no action at all") == []
    return keys


def refused(state: State, actor: int, text: str) -> list[str]:
    """If the action is refused, the faults of the refusal."""
    try:
        state.check(actor, text)
    except PreauError as error:
        return refusal_faults(state, error)
    return []


@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_what_leaves_a_game_has_its_shape(table):
    assert play_and_look(table[0], table[1], SOME)


@pytest.mark.nightly
@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_what_leaves_many_games_has_its_shape(table):
    assert play_and_look(table[0], table[1], MANY)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_declared_is_what_can_be_said(game):
    """An event, prompt, refusal or hint is declared if and only if there is a sentence for it, in both languages."""
    shapes = game.part("shapes")
    for language in LANGUAGES:
        said = game.texts(language).messages
        for word, declared in (("event.", shapes.EVENTS), ("why.", shapes.REASONS)):
            assert {key.removeprefix(word) for key in said if key.startswith(word)} == set(declared)
        assert {key for key in said if key.startswith(("prompt.", "wait."))} == set(shapes.PROMPTS)
        assert {key for key in said if key.startswith(("do.", "because."))} == set(shapes.HINTS)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_declared_options_are_the_options(game):
    assert list(fields(game.part("shapes").Options)) == [option.name for option in game.options]


class Inner(TypedDict):
    cell: Literal["a", "b"]


class Outer(TypedDict):
    seat: int
    cells: list[Inner]
    pair: NotRequired[tuple[int, str]]
    by: dict[str, int | None]


GOOD: dict[str, Any] = {"seat": 1, "cells": [{"cell": "a"}], "by": {"x": None, "y": 2}}


def test_data_of_the_right_shape_has_no_faults():
    assert faults(GOOD, Outer) == []
    assert faults({**GOOD, "pair": [1, "x"]}, Outer) == []
    assert faults(1, float) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"more": 1}, "does not declare"),
        ({"seat": True}, "not int"),
        ({"seat": "1"}, "not int"),
        ({"cells": [{"cell": "c"}]}, "data.cells[0].cell"),
        ({"cells": [{}]}, "has no field 'cell'"),
        ({"cells": {"cell": "a"}}, "data.cells is"),
        ({"pair": [1]}, "data.pair"),
        ({"by": {"x": "y"}}, "data.by.x"),
        ({"by": {1: 1}}, "the key 1"),
    ],
)
def test_every_other_shape_is_a_fault(change, said):
    [fault] = faults({**GOOD, **change}, Outer)
    assert said in fault


def test_a_missing_field_is_a_fault():
    del (less := dict(GOOD))["seat"]
    assert faults(less, Outer) == ["data has no field 'seat', which Outer declares"]
