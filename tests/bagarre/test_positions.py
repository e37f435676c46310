"""Positions in and out of JSON, copies, comparison, and positions that cannot be (B24 and others)."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random

import pytest

from preau.core.errors import PositionError
from preau.core.state import NATURE
from preau.games.bagarre.rules import BagarreState
from preau.games.bagarre.views import load as read_position

from .helpers import GAME, load, random_states, start

FRIENDS = ["F1", "F2", "F3", "F4", "F5"]
PLAIN = ["T02", "T03", "T04", "T05", "T06"]


def through_json(state: BagarreState) -> BagarreState:
    return read_position(json.loads(json.dumps(state.to_json())))


@pytest.mark.parametrize(("seats", "forfeit"), [(2, True), (3, False), (4, True), (6, False)])
def test_json_at_every_step(seats, forfeit):
    for seed in range(3):
        for state in random_states(seats, seed, may_forfeit=forfeit, goal=6):
            back = through_json(state)
            assert back == state
            assert hash(back) == hash(state)
            assert back.to_act == state.to_act
            assert [back.legal(seat) for seat in back.to_act] == [state.legal(seat) for seat in state.to_act]
            assert [back.view(seat) for seat in (None, 0, 1)] == [state.view(seat) for seat in (None, 0, 1)]


def test_copies_are_independent():
    for state in random_states(3, 5, goal=4):
        before = state.to_json()
        for one in (state.copy(), copy.copy(state), copy.deepcopy(state)):
            assert one == state
            if not one.over:
                actor = one.to_act[0]
                one.advance(actor, one.legal(actor)[0])
                assert one != state
        assert state.to_json() == before


def test_a_table_that_forgets_is_played_the_same():
    """B24: notes are for views and samplers; where nobody asks for those, copies included, none are taken."""
    state = start(4, goal=6)
    forgetful = state.copy()
    forgetful.forget()
    rng = Random(1)
    while not state.over:
        assert forgetful.table_key() == state.table_key()
        assert forgetful.to_act == state.to_act
        actor = state.to_act[0]
        assert forgetful.legal(actor) == state.legal(actor)
        action = rng.choice(state.legal(actor))
        state.advance(actor, action)
        forgetful.advance(actor, action)
        forgetful = forgetful.copy()
    assert forgetful.result().to_json() == state.result().to_json()
    assert state.memory is not None
    assert forgetful.memory is None


def test_pickle():
    for number, state in enumerate(random_states(2, 1, goal=3)):
        if number % 10 == 0:
            assert pickle.loads(pickle.dumps(state)) == state
    action = start(2).action("place F6")
    assert pickle.loads(pickle.dumps(action)).text == "place F6"


def test_a_position_by_hand_has_sensible_defaults():
    state = load([{"hand": FRIENDS}, {"hand": PLAIN}])
    assert (state.turn, state.active, state.to_act, state.pile_size) == (1, 0, (NATURE,), 74)
    assert load([{"hand": FRIENDS, "front": ["T01"]}, {"hand": PLAIN}]).to_act == (0,)
    assert load([{"hand": [*FRIENDS, "F6"]}, {"hand": PLAIN}]).to_act == (0,)
    fight = load(
        [{"hand": FRIENDS, "placed": "F8"}, {"hand": ["F7", *PLAIN[:4]], "front": ["T24"]}], phase="answer", toy="T24"
    )
    assert fight.to_act == (1,)
    assert through_json(fight) == fight
    window = load([{"hand": FRIENDS, "placed": "F8"}, {"hand": PLAIN, "front": ["T24"]}], phase="maman", toy="T24")
    assert window.to_act == (0, 1)


TWO = [{"hand": FRIENDS}, {"hand": PLAIN}]
TOY = [{"hand": FRIENDS}, {"hand": ["F7", *PLAIN[:4]], "front": ["T24"]}]


IMPOSSIBLE = [
    ({"players": TWO, "colour": 1}, "position"),
    ({"players": TWO, "game": "cour"}, "game"),
    ({"players": TWO, "rules": "0"}, "rules"),
    ({"players": TWO, "options": []}, "options"),
    ({"players": TWO[:1]}, "players"),
    ({"players": [{"hands": []}, {}]}, "players[0]"),
    ({"players": [{"hand": ["F9"]}, {}]}, "players[0].hand"),
    ({"players": [{"hand": "F1"}, {}]}, "players[0].hand"),
    ({"players": [{"hand": FRIENDS, "front": ["F1"]}, {"hand": PLAIN}]}, "players[0].front"),
    ({"players": [{"hand": FRIENDS, "marbles": -1}, {"hand": PLAIN}]}, "players[0].marbles"),
    ({"players": [{"hand": FRIENDS, "marbles": 10}, {"hand": PLAIN}]}, "players"),
    ({"players": [{"hand": FRIENDS[:4]}, {"hand": PLAIN}]}, "players[0].hand"),
    ({"players": [{"hand": FRIENDS}, {"hand": [*PLAIN, "F1", "F2"]}]}, "players[1].hand"),
    ({"players": [{"hand": ["F1"] * 6}, {"hand": PLAIN}]}, "players"),
    ({"players": [{"hand": ["T02", *FRIENDS[:4]]}, {"hand": PLAIN}]}, "players"),
    ({"players": TWO, "pile": {"F1": 1}}, "pile"),
    ({"players": TWO, "discard": {"F1": 9}}, "discard.F1"),
    ({"players": TWO, "turn": 401}, "turn"),
    ({"players": TWO, "active": 2}, "active"),
    ({"players": TWO, "phase": "nap"}, "phase"),
    ({"players": TWO, "phase": "turn"}, "phase"),
    ({"players": TOY, "phase": "attack"}, "toy"),
    ({"players": TOY, "phase": "attack", "toy": "T20"}, "toy"),
    ({"players": TOY, "phase": "answer", "toy": "T24", "active": 1}, "toy"),
    ({"players": TOY, "phase": "take", "special": "championne"}, "phase"),
    ({"players": TOY, "phase": "maman", "toy": "T24", "to_act": []}, "to_act"),
    ({"players": TOY, "phase": "action", "to_act": [1]}, "to_act"),
    ({"players": TWO, "to_act": [0]}, "to_act"),
    ({"players": TWO, "special": "papa"}, "special"),
    ({"players": TWO, "ban": 7}, "ban"),
    ({"players": [{"hand": FRIENDS, "placed": "T01"}, {"hand": PLAIN}]}, "players[0].placed"),
    ({"players": [{"hand": FRIENDS, "answer": "yes"}, {"hand": PLAIN}]}, "players[0].answer"),
    ({"players": TWO, "memory": "0x"}, "memory"),
    ({"players": TWO, "memory": "0d 0d"}, "memory"),
    ({"players": TWO, "memory": 3}, "memory"),
]


@pytest.mark.parametrize(("data", "field"), IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_positions_that_cannot_be(data, field):
    with pytest.raises(PositionError) as caught:
        GAME.load({"seats": 2, **data})
    assert caught.value.field == field


def test_a_position_is_an_object():
    with pytest.raises(PositionError):
        GAME.load([])  # type: ignore[arg-type]


def test_the_memory_reads_what_it_writes():
    *_, state = random_states(4, 2, goal=5)
    words = state.to_json()["memory"].split()
    assert {word.split(":")[0][-1] for word in words if word != "bell"} >= set("dspt")
    assert through_json(state).to_json()["memory"].split() == words


def test_the_memory_is_told_alike_whoever_asked_before():
    """What was written for one reader at one moment is gone on from; that must not show."""
    readers = (None, 0, 1, 2)
    old: list[BagarreState] = []
    for number, state in enumerate(random_states(3, 8, goal=4)):
        if number % 7 == 0:
            old.append(state.copy())
        state.view(readers[number % 4])
        for one in (state, old[number % len(old)]):
            assert [one.view(seat) for seat in readers] == [through_json(one).view(seat) for seat in readers]
