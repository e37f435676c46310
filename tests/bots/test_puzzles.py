"""Positions with one right answer: `expert` must find it, and win where a win is forced."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import preau
from preau.bots import Budget, Seen, explain, make_bot
from preau.core import NATURE, State

FRIENDS = ["F1", "F2", "F3", "F4", "F5"]


def recess(**fields: Any) -> State:
    return preau.game("recess").load({"seats": 3, **fields})


def bagarre(players: list[dict[str, Any]], **fields: Any) -> State:
    return preau.game("bagarre").load({"game": "bagarre", "seats": len(players), "players": players, **fields})


def cour(**fields: Any) -> State:
    return preau.game("cour").load({"seats": 3, **fields})


def choice(state: State, seat: int, seed: int = 1, level: str = "expert") -> str:
    seen = Seen(state.game, seat, state.view(seat), state.legal(seat), (), Random(seed))
    return make_bot(level).choose(seen).text


def play_on(state: State, seat: int, seed: int = 1) -> State:
    """Let the seat play as expert while it is its turn, and nature do as it likes."""
    bot, rng = make_bot("expert"), Random(seed)
    for _ in range(20):
        if state.to_act == (NATURE,):
            state.apply(NATURE, state.draw(rng))
        elif seat in state.to_act:
            state.apply(seat, bot.choose(Seen(state.game, seat, state.view(seat), state.legal(seat), (), rng)))
        else:
            break
    return state


# Recess!


def test_recess_a_kiss_that_wins_now():
    state = recess(children={"0b1": "f6", "0g1": "g6"})
    assert play_on(state, 0).over
    assert state.result().reason == "kiss"
    assert state.result().winners == (0,)


def test_recess_a_kiss_that_loses_is_avoided():
    """The boy could go back and forth or aside; landing on the girl would hand the game to seat 2."""
    state = recess(
        coins=[7, 8, 15], children={"0b1": "f6", "0g1": "g6", "2b1": "i7"}, step={"phase": "move", "movement": 1}
    )
    assert "b1 g6" in [action.text for action in state.legal(0)]
    for seed in range(5):
        assert choice(state, 0, seed) not in ("b1 g6", "g1 f6")


def test_recess_a_coin_in_the_last_turn():
    """Level on coins in the last turn of all: whoever takes one more wins."""
    state = recess(options={"first": 1}, turn=30, children={"0b1": "f6", "1g1": "h7"})
    assert play_on(state, 0).over
    assert state.result().winners == (0,)
    assert state.scores() == (11, 9, 10)


def test_recess_tell_a_nun_away_then_kiss():
    """Nun 1 sees where the couple could meet. Telling her of a fight far away takes her eyes off it."""
    state = recess(
        options={"first": 1},
        turn=30,
        coins=[8, 11, 11],
        nuns=["a1", "g9"],
        children={"0b1": "f6", "0g1": "g7", "0g2": "j9"},
        fights=[{"cell": "k2", "attacker": "1b1", "victim": "2b1"}],
    )
    assert choice(state, 0) == "g2 g9"
    assert play_on(state, 0).over
    assert state.result().reason == "kiss"
    assert state.result().winners == (0,)


def test_recess_a_forced_win_is_proven_and_explained():
    state = recess(children={"0b1": "f6", "0g1": "g6"})
    thought = explain(state.view(0), Budget(200))
    best = thought["actions"][0]
    assert best["proven"]
    assert best["value"] == 1.0
    assert thought["chances"] == [1.0, 0.0, 0.0]
    for actor, text in best["line"]:
        state.apply(actor, text)
    assert state.result().winners == (0,)


# La grande bagarre


def test_bagarre_convert_for_the_win():
    state = bagarre(
        [
            {"hand": FRIENDS, "front": ["T01", "T12"], "marbles": 7},
            {"hand": ["F6"] * 4 + ["F8"], "front": ["T24"], "marbles": 9},
            {"hand": ["F7"] * 5},
        ]
    )
    assert choice(state, 0).startswith("convert")
    assert play_on(state, 0).result().winners == (0,)


def test_bagarre_marie_edwige_for_the_win():
    """The toy is worth one marble; she gives two for it."""
    state = bagarre(
        [
            {"hand": ["F1", "F2", "F3", "T13", "T20", "marie_edwige"], "front": ["T03"], "marbles": 8},
            {"hand": ["F6"] * 5, "marbles": 9, "front": ["T24"]},
        ]
    )
    assert choice(state, 0) == "special marie_edwige"
    assert play_on(state, 0).result().winners == (0,)


def test_bagarre_stop_the_one_who_is_about_to_win():
    """Seat 1 needs one more marble and has a toy in front; the champion takes it away."""
    state = bagarre(
        [
            {"hand": ["F1", "F1", "T01", "T02", "T04", "championne"], "marbles": 7},
            {"hand": ["F8"] * 5, "marbles": 9, "front": ["T05"]},
        ]
    )
    assert choice(state, 0) == "special championne"


# Dans la cour d'école


def last_turn(**fields: Any) -> State:
    """Seat 2 has the last turn of the game."""
    return cour(characters=["boss", "minx", "general"], active=2, turn=12, ending=True, **fields)


@pytest.mark.parametrize("seed", range(3))
def test_cour_keep_the_card_that_wins(seed):
    state = last_turn(
        phase="keep",
        open=["marble", "car", "leaf"],
        hands=[{"brick": 7}, {"marble": 7}, {"brick": 6, "leaf": 1}],
    )
    assert choice(state, 2, seed) == "keep car"
    assert play_on(state, 2, seed).over
    assert 2 in state.result().winners


def test_cour_give_to_the_one_who_is_no_danger():
    """Whatever goes to seat 0 makes it win; seat 1 is far behind."""
    state = last_turn(
        phase="give",
        open=["car", "monster"],
        hands=[{"brick": 6}, {"leaf": 1}, {"brick": 6, "soldier": 1}],
    )
    assert choice(state, 2).endswith(" 1")


def test_cour_trade_three_chestnuts_for_the_win():
    state = cour(
        characters=["boss", "minx", "general"],
        active=1,
        turn=11,
        ending=True,
        phase="give",
        open=["chestnut", "leaf"],
        hands=[{"brick": 7}, {"brick": 2, "leaf": 5}, {"brick": 6, "chestnut": 2}],
    )
    state.apply(1, "give chestnut 2")
    assert choice(state, 2) == "trade yes"


def test_cour_a_friend_looks_to_the_largest_collection():
    state = last_turn(
        phase="keep",
        open=["friend", "leaf", "leaf"],
        hands=[{"brick": 2, "marble": 2}, {"marble": 6}, {"brick": 5, "soldier": 1}],
    )
    state.apply(2, "keep friend")
    assert choice(state, 2) == "friend 1"
