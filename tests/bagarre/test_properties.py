"""What holds in every game, whoever plays."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import preau
from preau.core.record import Record
from preau.core.state import NATURE, pick
from preau.games.bagarre.position import ACTION, DRAWING, TURN

from .helpers import GAME, conserved, random_states, random_step, start


def check_game(seats: int, seed: int, **options) -> None:
    turn = 0
    for state in random_states(seats, seed, **options):
        assert conserved(state)
        assert state.pile_size == sum(state.pile)
        assert min(state.marbles) >= 0
        assert 0.0 <= state.progress() <= 1.0
        if state.to_act == (NATURE,):
            outcomes = state.outcomes()
            assert abs(sum(chance for _, chance in outcomes) - 1.0) < 1e-9
            assert [action for action, _ in outcomes] == list(state.legal(NATURE))
            assert state.draw(Random(state.turn)) is pick(outcomes, Random(state.turn))
        for seat in range(seats):
            legal = state.legal(seat)
            assert (seat in state.to_act) == bool(legal)
            numbers = [action.number for action in legal]
            assert numbers == sorted(set(numbers))
            if legal:
                assert state.zombie(seat) in legal
        if state.turn != turn and state.phase in (TURN, DRAWING):
            turn = state.turn
            assert [len(hand) for hand in state.hands] == [5] * seats
    assert state.over
    assert state.progress() == 1.0
    result = state.result()
    assert sorted(seat for group in result.ranking for seat in group) == list(range(seats))
    assert max(result.scores) >= state.setup.goal or state.turn == 400


@given(
    st.integers(2, 6),
    st.integers(0, 10**6),
    st.booleans(),
    st.integers(0, 1),
    st.sampled_from(["reconstructed", "leaflet"]),
    st.integers(1, 12),
)
@settings(max_examples=60)
def test_every_game_keeps_the_rules(seats, seed, may_forfeit, first, cards, goal):
    check_game(seats, seed, may_forfeit=may_forfeit, first=first, cards=cards, goal=goal)


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_end(seats):
    for seed in range(60):
        state = start(seats)
        assert state.playout(Random(seed)) > 0
        assert state.over
        assert conserved(state)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", range(2, 7))
def test_ten_thousand_random_games(seats):
    for seed in range(10_000):
        state = start(seats, may_forfeit=seed % 2 == 1, cards="leaflet" if seed % 5 == 0 else "reconstructed")
        state.playout(Random(seed))
        assert state.over
        assert conserved(state)


def test_advance_and_apply_agree():
    rng = Random(1)
    one, other = start(4), start(4)
    while not one.over:
        actor, action = random_step(one, rng)
        one.apply(actor, action)
        other.advance(actor, action)
        assert one == other
        assert other.events is None


def test_the_action_is_always_asked_once_a_card_was_drawn():
    for state in random_states(2, 3, goal=4):
        if state.phase == ACTION:
            assert state.to_act == (state.active,)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_records_replay(seats, tmp_path):
    match = preau.new("bagarre", seats=seats, seed=seats, options={"goal": 5})
    rng = Random(0)
    while not match.over:
        seat = rng.choice(match.to_act)
        match.apply(seat, rng.choice(match.legal(seat)))
    match.record.save(tmp_path / "game.json")
    record = Record.load(tmp_path / "game.json")
    assert record.verify() == match.state
    assert record.result == match.result().to_json()


def test_undo():
    match = preau.new("bagarre", seats=3, seed=4)
    rng = Random(2)
    before = []
    for _ in range(25):
        before.append(match.state.copy())
        seat = match.to_act[0]
        match.apply(seat, rng.choice(match.legal(seat)))
    for state in reversed(before):
        match.undo()
        assert match.state == state


def test_zombies_finish_the_game():
    rng = Random(3)
    state = start(3)
    while not state.over:
        actor = state.to_act[0]
        state.apply(actor, state.draw(rng) if actor == NATURE else state.zombie(actor))
    assert state.result().reason == "turns"
    assert state.result().tie_break == "shared"


# Counting paths.


def perft(state, depth: int) -> int:
    """How many sequences of actions there are, nature's outcomes counted once each."""
    if depth == 0 or state.over:
        return 1
    total = 0
    actor = state.to_act[0]
    for action in state.legal(actor):
        child = state.copy()
        child.advance(actor, action)
        total += perft(child, depth - 1)
    return total


PERFT = [
    (
        {"hand": ["F1", "F8", "maman", "T01", "T13", "echange"], "front": ["T02"]},
        {"hand": ["F1", "F7", "maman", "T03", "cloche"], "front": ["T12", "T24"], "marbles": 2},
        ([11, 30, 326, 2932], [11, 30, 330, 2940]),
    ),
    (
        {"hand": ["F2", "F3", "mamie", "T01", "partie_de_billes", "championne"], "front": []},
        {"hand": ["F2", "F6", "maman", "T03", "surveillant"], "front": ["T12"], "marbles": 1},
        ([11, 21, 581, 4850], [11, 21, 583, 4852]),
    ),
]


@pytest.mark.parametrize(("mine", "theirs", "counts"), PERFT)
def test_perft(mine, theirs, counts):
    for may_forfeit in (False, True):
        state = GAME.load({"seats": 2, "players": [mine, theirs], "options": {"may_forfeit": may_forfeit}})
        found = [perft(state, depth) for depth in range(1, 5)]
        assert found == counts[may_forfeit]
