"""What holds in every game: cards are conserved, positions survive copying and JSON, records replay."""

from __future__ import annotations

import json
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preau.core import NATURE, Match, Record, Slate
from preau.core.errors import PositionError, PreauError
from preau.core.state import pick
from preau.games.cour.game import GAME
from preau.games.cour.position import (
    BEFRIENDING,
    CHALLENGING,
    GIVING,
    GLUING,
    KEEPING,
    POINTING,
    STEALING,
    TAKING,
    THROWING,
    TRADING,
)
from preau.games.cour.rules import CourState
from tests.cour.playthrough import FOLDER, GAMES, playthrough
from tests.cour.positions import OPTION_SETS, at, choose, deck, finished, per_card, steps
from tests.support import plain_twin, says_what_to_do

PUBLIC = (KEEPING, GIVING, CHALLENGING, STEALING, BEFRIENDING, GLUING, POINTING)
"""Decisions about public things: they are asked only if there is a choice."""
HIDDEN = (TRADING, TAKING, THROWING)


def cards_everywhere(state: CourState) -> list[int]:
    """How many cards of each kind there are, wherever they lie; those in the box are not counted."""
    kinds = state.deck
    counts = state.pool.copy()
    for card in state.under + state.open_cards:
        counts[card] += 1
    for seat in range(state.seats):
        for kind, count in enumerate(state.hand(seat)):
            counts[kind] += count
    counts[kinds.king] += sum(state.kings) + (state.event == kinds.king)
    counts[kinds.friend] += sum(mask.bit_count() for mask in state.friends) + (state.phase == BEFRIENDING)
    counts[kinds.glue] += state.pot >= 0
    return counts


@pytest.mark.parametrize("options", OPTION_SETS[:2], ids=str)
def test_what_a_slate_holds_of_the_pile_is_what_lies_there(options):
    """With a known order under the pile, which is drawn from in the end, and with a bag."""
    size = GAME.layout(GAME.start(6, options)).size
    used = Slate(1, size)
    for state, _, _ in steps(6, 1, options):
        clean = Slate(1, size)
        state.write(0, clean)
        used.turn_to(0)
        state.write(0, used)
        assert used.numbers == clean.numbers
    assert state.setup.bag or state.knows_next()


def check(state: CourState) -> None:
    """What is true of every position."""
    counts = cards_everywhere(state)
    total = state.deck.counts.copy()
    total[state.deck.chestnut] -= 3 if state.man >= 0 else 0
    events = (state.deck.spider, state.deck.butterfly)
    for kind, count in enumerate(counts):
        assert count <= total[kind] if kind in events else count == total[kind], state.deck.kinds[kind]
    assert state.pool_size == sum(state.pool)
    assert min(state.hands) >= 0
    assert [sum(state.hand(seat)) for seat in range(state.seats)] == state.sizes
    for actor in state.to_act:
        actions = state.legal(actor)
        numbers = [action.number for action in actions]
        assert numbers == sorted(set(numbers))
        assert len(actions) > (0 if actor == NATURE or state.phase in HIDDEN else 1)
        if actor == NATURE:
            outcomes = state.outcomes()
            assert [action for action, _ in outcomes] == list(actions)
            assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
            assert state.draw(Random(state.turn)) is pick(outcomes, Random(state.turn))
            assert all(state.allows(NATURE, action) for action in actions)
        else:
            assert state.phase in PUBLIC + HIDDEN
            assert state.zombie(actor) in actions
    assert state.over == (not state.to_act)


@settings(max_examples=40)
@given(st.integers(2, 8), st.integers(0, 10**6), st.sampled_from([*OPTION_SETS, {"cards": per_card()}]))
def test_every_position_of_a_game_is_sound(seats, seed, options):
    for state, actor, action in steps(seats, seed, options):
        check(state)
        quiet = state.copy()
        quiet.advance(actor, action)
        loud = state.copy()
        loud.apply(actor, action)
        assert quiet == loud
        assert hash(quiet) == hash(loud)


@settings(max_examples=8)
@given(st.integers(2, 8), st.integers(0, 10**6), st.sampled_from([*OPTION_SETS, {"cards": per_card()}]))
def test_json_keeps_every_position(seats, seed, options):
    for state, actor, action in steps(seats, seed, options):
        again = GAME.load(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert again.to_act == state.to_act
        assert again.legal(actor) == state.legal(actor)
        assert again.to_json() == state.to_json()
        last = state.copy()
        last.apply(actor, action)
    assert GAME.load(json.loads(json.dumps(last.to_json()))) == last


def test_copies_and_pickles_stand_alone():
    for state, actor, action in steps(4, 2):
        before = state.key()
        twin = state.copy()
        twin.apply(actor, action)
        assert state.key() == before
        assert pickle.loads(pickle.dumps(state)) == state
        assert pickle.loads(pickle.dumps(action)) is action


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_records_replay_and_verify(options, tmp_path):
    rng = Random(3)
    match = Match.new(GAME, 4, {**options, "first": "random"}, seed=11)
    while not match.over:
        seat = match.to_act[-1]
        match.apply(seat, rng.choice(match.legal(seat)))
    match.record.save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json").verify() == match.state
    entries = len(match.record.entries)
    match.undo()
    assert not match.over
    assert len(match.record.entries) < entries


def test_a_record_of_rules_version_1_is_still_read():
    state = Record.load(FOLDER / "record-v1.json").verify()
    assert state.result().to_json()["scores"] == [27, 29, 24, 49]


def test_the_numbering_of_actions_is_fixed():
    actions = GAME.actions()
    assert len(actions) == 228
    pinned = {0: "keep marble", 8: "keep glue", 9: "give marble 0", 81: "glue yes", 83: "point 0", 91: "point none"}
    pinned |= {110: "steal 5", 117: "friend 4", 121: "take marble", 128: "turn marble", 227: "character 7 general"}
    assert {number: actions[number].text for number in pinned} == pinned
    assert [action.number for action in actions] == list(range(len(actions)))


@pytest.mark.parametrize("seats", range(2, 9))
def test_random_games_end_soundly(seats):
    for seed in range(40):
        options = OPTION_SETS[seed % len(OPTION_SETS)]
        state = finished(seats, seed, options)
        check(state)
        assert state.reason() in ("threshold", "pile")
        assert state.round() < 15
        result = state.result()
        assert [working["total"] for working in result.detail["working"]] == list(result.scores)
        if state.reason() == "threshold":
            assert state.turn % seats == 0


@pytest.mark.nightly
@pytest.mark.parametrize("seats", range(2, 9))
def test_ten_thousand_random_games_end_soundly(seats):
    for seed in range(10_000):
        state = finished(seats, seed, OPTION_SETS[seed % len(OPTION_SETS)])
        check(state)
        assert state.reason() in ("threshold", "pile", "cap")


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name):
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def perft(state: CourState, depth: int) -> int:
    """How many sequences of `depth` actions there are, nature's included; one actor at a time."""
    if depth == 0 or state.over:
        return 1
    actor = state.to_act[0]
    total = 0
    for action in state.legal(actor):
        child = state.copy()
        child.advance(actor, action)
        total += perft(child, depth - 1)
    return total


PERFT: dict[str, tuple[list[int], dict[str, Any]]] = {
    "deal": ([8, 56, 336, 4032], {"seats": 3, "phase": "deal"}),
    "turn": ([12, 113, 1012, 2552], {"seats": 3, "hands": [{"car": 1}, {"leaf": 2, "brick": 1}, {"leaf": 2}]}),
    "keep": ([3, 10, 60, 552], {"seats": 3, "phase": "keep", "open": ["leaf", "friend", "glue"]}),
    "trade": (
        [4, 28, 254, 2254],
        {"seats": 3, "phase": "give", "open": ["leaf", "chestnut"], "hands": [{"car": 1}, {"leaf": 2}, {"leaf": 2}]},
    ),
}


@pytest.mark.parametrize("name", PERFT)
def test_perft(name):
    counts, position = PERFT[name]
    state = at(**position)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_compiled_and_plain_rules_are_the_same():
    twin = plain_twin().game("cour")
    for seats, options in ((2, {}), (4, OPTION_SETS[2]), (6, OPTION_SETS[5])):
        rng = Random(seats)
        ours, theirs = GAME.start(seats, options, seed=1), twin.start(seats, options, seed=1)
        while not ours.over:
            actor, action = choose(ours, rng)
            assert [one.text for one in ours.legal(actor)] == [one.text for one in theirs.legal(actor)]
            happened = [event.to_json() for event in ours.apply(actor, action)]
            assert happened == [event.to_json() for event in theirs.apply(actor, action.text)]
        assert ours.to_json() == theirs.to_json()
        assert ours.result().to_json() == theirs.result().to_json()


# Positions written by hand.


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("", {"color": 1}),
        ("", {"game": "recess"}),
        ("", {"rules": "99"}),
        ("C5", {"phase": "lunch"}),
        ("C3", {"characters": ["agent", "agent", "boss"]}),
        ("C3", {"characters": ["agent", None, "boss"]}),
        ("C3", {"characters": ["agent"]}),
        ("C3", {"phase": "deal", "hands": [{"car": 1}, {}, {}]}),
        ("C6", {"hands": [{"car": 1}, {}]}),
        ("C6", {"hands": [{"spider": 1}, {}, {}]}),
        ("C1", {"hands": [{"car": 6}, {}, {}]}),
        ("C1", {"hands": [{"car": 3}, {"car": 3}, {}]}),
        ("C1", {"pool": {"marble": 21}}),
        ("C1", {"box": {"marble": 1}}),
        ("C20", {"ledger": [{"op": "lose", "seat": 0, "victim": 1, "card": "car"}]}),
        ("C20", {"ledger": [{"op": "lose", "seat": 0, "victim": 1}]}),
        ("C20", {"ledger": [{"op": "gain", "seat": 0, "card": "car"}], "hands": [{}, {"car": 1}, {}]}),
        ("C20", {"ledger": ["gain"]}),
        ("C14", {"ledger": [{"op": "lose", "seat": 0, "victim": 0, "card": "car"}]}),
        ("C10", {"ledger": [{"op": "trade", "seat": 0, "card": "car"}]}),
        ("C15", {"turn": 99}),
        ("C6", {"turn": 2, "active": 0}),
        ("C5", {"open": ["spider"]}),
        ("C6", {"open": ["car", "car", "car"]}),
        ("C6", {"phase": "keep", "open": ["car"]}),
        ("C6", {"phase": "keep", "step": "turn", "open": ["car"]}),
        ("C4", {"options": {"pile": "bag"}, "under": ["car"]}),
        ("C7", {"options": {"cards": deck(marble=7)}, "hands": [{"marble": 3}, {}, {}]}),
        ("C9", {"kings": [7, 0, 0]}),
        ("C1", {"kings": [4, 3, 0]}),
        ("C9", {"phase": "throw"}),
        ("C9", {"phase": "throw", "choices": ["rock", "paper", None]}),
        ("C9", {"phase": "throw", "draws": 10, "choices": ["waiting", "waiting", None]}),
        ("C9", {"phase": "throw", "choices": [None, "waiting", "waiting"]}),
        ("C8", {"choices": ["waiting", None, None]}),
        ("C8", {"phase": "point", "event": "leaf", "choices": ["waiting"] * 3}),
        ("C8", {"phase": "point", "event": "king", "choices": ["waiting"] * 3}),
        ("C14", {"phase": "point", "choices": [0, "waiting", "waiting"]}),
        ("C8", {"phase": "point", "choices": ["none", "waiting", "waiting"]}),
        ("C8", {"phase": "take", "event": "spider", "gainer": 0, "victim": 1, "hands": [{}, {"car": 1}, {}]}),
        ("C12", {"friends": [[0], [], []]}),
        ("C12", {"friends": [[1, 1], [], []]}),
        ("C12", {"phase": "friend", "gainer": 0, "open": ["car", "car"], "friends": [[1, 2], [], []]}),
        ("C13", {"pot": 3}),
        ("C13", {"pot": 1, "pot_waits": True}),
        ("C13", {"phase": "glue", "open": ["car", "car", "brick"]}),
        ("C14", {"gainer": 1}),
        ("C14", {"phase": "lose", "gainer": 0, "victim": 1}),
        ("C10", {"phase": "trade", "gainer": 0}),
        ("C10", {"phase": "steal", "gainer": 0, "hands": [{}, {"car": 1}, {}]}),
        ("C15", {"phase": "over", "turn": 3}),
        ("C15", {"ending": 1}),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(rule, fields):
    with pytest.raises(PositionError) as error:
        at(3, **fields)
    assert error.value.rule == rule
    assert says_what_to_do(error.value)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from(["", "car", "none", "waiting", "hidden"]),
    st.lists(st.one_of(st.none(), st.integers(-1, 9), st.text(max_size=3)), max_size=4),
    st.dictionaries(st.sampled_from(["car", "op", "seat"]), st.integers(-1, 9), max_size=2),
)


@settings(max_examples=100)
@given(st.integers(0, 90), st.data())
def test_junk_in_a_position_is_refused_politely_or_makes_sense(length, data):
    for turn, (state, actor, action) in enumerate(steps(3, 8, OPTION_SETS[length % 6])):
        last = state.copy()
        last.apply(actor, action)
        if turn == length:
            break
    position = last.to_json()
    field = data.draw(st.sampled_from(sorted(set(position) - {"options", "seats"})))
    position[field] = data.draw(JUNK)
    refused: PreauError | None = None
    try:
        last = at(**position)
    except PreauError as error:
        refused = error
    if refused is not None:
        assert says_what_to_do(refused)
    else:
        last.playout(Random(1))
        assert last.over


def test_a_position_by_hand_has_sensible_defaults():
    state = at(3)
    assert (state.turn, state.active, state.round()) == (1, 0, 1)
    assert sum(state.pool) == 100
    assert at(3, chestnut_man=1).pool[state.deck.chestnut] == 3
    assert at(3, box={"spider": 2}).pool[state.deck.spider] == 4
    assert at(4, options={"first": 2}, active=1).turn == 4
