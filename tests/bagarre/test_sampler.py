"""Drawn positions: they agree with all that was seen, and they come with the right probabilities."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

import pytest

from preau.core.errors import ViewError
from preau.games.bagarre.belief import Belief, needs
from preau.games.bagarre.memory import in_order, memory_key, read, recall
from preau.games.bagarre.sampler import BagarreSampler, _recent, believe, believe_again
from preau.games.bagarre.views import open_state

from .enumeration import Watcher
from .helpers import GAME, card_set, load, random_states, random_step, start

EXACT = 10**9
"""No limit on the number of guesses."""

SMALL_SETS = {
    "duels": (2, {}, card_set({1: 4, 8: 3}, [(1, 1, False), (2, 2, False)], {"maman": 3, "cloche": 2, "mamie": 2})),
    "forfeits": (
        2,
        {"may_forfeit": True},
        card_set({1: 4, 8: 3}, [(1, 1, False), (1, 2, False)], {"maman": 3, "cloche": 2, "maitresse": 2}),
    ),
    "general fights": (3, {}, card_set({1: 7, 8: 4}, [(1, 1, True)], {"maman": 4, "cloche": 3})),
    "challenges": (
        2,
        {},
        card_set({1: 4, 8: 4}, [(1, 1, False), (1, 1, False)], {"maman": 2, "cloche": 2, "partie_de_billes": 3}),
    ),
}
"""Sets so small that all full histories can be followed; their piles are refilled every few turns."""


def alike(counts: Counter[Any], could_be: dict[Any, tuple[Any, float]], draws: int) -> bool:
    """Whether the numbers drawn fit the exact probabilities: nothing impossible, and a chi-square within reason."""
    assert set(counts) <= set(could_be)
    square = 0.0
    cells = 0
    rare = rare_drawn = 0.0
    for key, (_, chance) in could_be.items():
        expected = chance * draws
        if expected < 5.0:
            rare += expected
            rare_drawn += counts[key]
        else:
            square += (counts[key] - expected) ** 2 / expected
            cells += 1
    if rare >= 5.0:
        square += (rare_drawn - rare) ** 2 / rare
        cells += 1
    return square < cells + 4.0 * sqrt(2.0 * cells) + 16.0


def follow(name: str, seed: int, steps: int, every: int, draws: int) -> int:
    """Play a small game at random, and compare what is drawn with the exact posterior now and then."""
    seats, options, cards = SMALL_SETS[name]
    rng = Random(seed)
    state = start(seats, cards=cards, goal=99, **options)
    seat = rng.randrange(seats)
    watcher = Watcher(state, seat)
    compared = 0
    for number in range(steps):
        actor, action = random_step(state, rng)
        events = state.apply(actor, action)
        watcher.follow(actor, watcher.seen(events), state)
        assert state.table_key() in watcher.could_be
        if number > 5 * seats and number % every == 0:
            sampler = BagarreSampler(state.view(seat), EXACT)
            counts = Counter(sampler.draw(rng).table_key() for _ in range(draws))
            assert alike(counts, watcher.could_be, draws)
            compared += 1
    return compared


@pytest.mark.parametrize("name", SMALL_SETS)
def test_draws_follow_the_exact_posterior(name):
    """All full histories of small games against the slots of `belief.py`, refills, bells and Mamans included."""
    for seed in range(2):
        assert follow(name, seed, 70, 6, 1000) > 5


@pytest.mark.nightly
@pytest.mark.parametrize("name", SMALL_SETS)
def test_draws_follow_the_exact_posterior_in_many_games(name):
    for seed in range(100, 115):
        follow(name, seed, 80, 5, 2000)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_draw_agrees_with_the_view(seats):
    rng = Random(seats)
    for seed in range(2):
        for number, state in enumerate(random_states(seats, seed, may_forfeit=seed == 1)):
            if number % 29 or state.over:
                continue
            for seat in (None, *range(seats)):
                view = state.view(seat)
                sampler = BagarreSampler(view)
                drawn = sampler.draw(rng)
                assert drawn.view(seat) == view
                assert drawn.setup.options == state.setup.options
                if seat is not None:
                    assert drawn.legal(seat) == state.legal(seat)
                assert GAME.load(drawn.to_json()) == drawn
                drawn.playout(rng)
                assert drawn.over


def test_a_hand_that_was_seen_at_the_bell_is_known():
    five = ["F1", "F2", "F3", "T01", "maman"]
    state = load([{"hand": ["cloche", *five]}, {"hand": ["T02", "T03", "T04", "T05", "T06"]}, {"hand": ["F6"] * 5}])
    state.apply(0, "special cloche")
    state.apply(0, "done")
    rng = Random(0)
    for _ in range(20):
        assert BagarreSampler(state.view(0)).draw(rng).hands[1] == state.hands[1]
        assert BagarreSampler(state.view(1)).draw(rng).hands[2] == state.hands[2]
    hands = {tuple(BagarreSampler(state.view(0)).draw(rng).hands[2]) for _ in range(20)}
    assert len(hands) > 10


def test_no_friend_is_remembered_until_new_cards_come():
    plain = ["T02", "T03", "T04", "T05", "T06"]
    state = load([{"hand": ["F1", "F2", "F3", "F4", "F5", "F6"]}, {"hand": plain, "front": ["T13"]}])
    state.apply(0, "fight T13")
    state.apply(0, "place F1")
    state.apply(0, "maman no")
    state.apply(1, "maman no")
    rng = Random(1)
    sampler = BagarreSampler(state.view(0))
    assert not any(sampler.draw(rng).has_friend(1) for _ in range(200))


def test_a_friend_taken_back_is_still_there():
    state = load(
        [
            {"hand": ["F1", "F2", "F3", "F4", "F5", "maman"]},
            {"hand": ["F8", "T03", "T04", "T05", "T06"], "front": ["T13"]},
        ]
    )
    state.apply(0, "fight T13")
    state.apply(0, "place F1")
    state.apply(1, "place F8")
    state.apply(0, "maman yes")
    state.apply(1, "maman no")
    rng = Random(1)
    sampler = BagarreSampler(state.view(0))
    drawn = [sampler.draw(rng) for _ in range(300)]
    assert all(one.has_friend(1) for one in drawn)
    assert len({one.hands[1][0] for one in drawn}) > 4


def test_whoever_owes_a_friend_holds_one():
    state = load(
        [{"hand": ["F1", "F2", "F3", "F4", "F5", "F6"]}, {"hand": ["F8", "T03", "T04", "T05", "T06"], "front": ["T13"]}]
    )
    state.apply(0, "fight T13")
    state.apply(0, "place F1")
    rng = Random(2)
    sampler = BagarreSampler(state.view(0))
    assert all(sampler.draw(rng).has_friend(1) for _ in range(300))


def test_thinning_keeps_the_expectation_of_every_weight():
    *_, state = random_states(4, 3)
    belief = Belief(state.deck, 4, EXACT)
    for note in in_order(open_state(state.view(None)).memory):
        belief.remember(note)
        if len(belief.guesses) > 60:
            break
    whole = dict(belief.guesses)
    assert len(whole) > 60
    belief.limit = 40
    sums: Counter[Any] = Counter()
    rounds = 600
    for _ in range(rounds):
        kept = belief._thinned(whole)
        assert len(kept) <= 22
        sums.update(kept)
    total = sum(weight * belief.ways(guess) for guess, weight in whole.items())
    for guess, weight in whole.items():
        full = weight * belief.ways(guess) / total
        found = sums[guess] * belief.ways(guess) / total / rounds
        assert found == pytest.approx(full, abs=0.006)


def test_going_on_from_an_earlier_memory_changes_nothing():
    seen = 0
    for number, state in enumerate(random_states(4, 3)):
        if number % 37 == 0 and not state.over:
            view = state.view(1)
            from_before = believe(view["memory"], state.deck, 4, 256)
            _recent.clear()
            afresh = believe(view["memory"], state.deck, 4, 256)
            assert from_before.guesses == afresh.guesses
            seen += len(afresh.guesses) > 1
    assert seen


def test_a_memory_is_the_same_whatever_was_read_before_it():
    """Also of other seats, other tables, and of a game that was taken back a little."""
    games = [[state.view(seat)["memory"] for state in islice(random_states(4, 5), 200)] for seat in (0, 1, 1)]
    games[2].reverse()
    deck = GAME.start(4).deck
    for memories in games:
        for memory in memories[::9]:
            for seats in (4, 6):
                assert memory_key(recall(memory, deck, seats)) == memory_key(read(memory, deck, seats))
    assert max(len(memories[-1]) for memories in games) > 400
    with pytest.raises(ValueError, match="nonsense"):
        recall(f"{games[0][-1]} nonsense", deck, 4)


@pytest.mark.parametrize("name", SMALL_SETS)
def test_foresight_changes_no_weight(name):
    """Read with or without it, the same guesses are left in the end, and they weigh the same."""
    seats, options, cards = SMALL_SETS[name]
    rng = Random(7)
    state = start(seats, cards=cards, goal=99, **options)
    for number in range(1, 81):
        state.apply(*random_step(state, rng))
        if number % 10 == 0:
            memory = state.view(0)["memory"]
            ahead = believe_again(memory, state.deck, seats, EXACT, 1)
            _recent.clear()
            plain = believe(memory, state.deck, seats, EXACT)
            assert dict(ahead.weighted()) == pytest.approx(dict(plain.weighted()))
    assert memory.count("pool") > 2
    assert any(needs(in_order(read(memory, state.deck, seats)), state.deck, seats))


def test_guesses_that_all_turn_out_wrong_are_made_again():
    """With so few kept apart none is left after three refills; reading again with foresight finds others."""
    limit = 6
    rng = Random(3)
    for seed in (0, 2, 3):
        state = next(islice(random_states(4, seed, goal=40, cards="leaflet"), 420, None))
        view = state.view(2)
        _recent.clear()
        assert not believe(view["memory"], state.deck, 4, limit).weighted()
        assert BagarreSampler(view, limit).draw(rng).view(2) == view
        assert believe(view["memory"], state.deck, 4, limit).weighted()  # the next view goes on from there


@pytest.mark.parametrize(
    "change",
    [
        {"memory": "0d 0d"},
        {"memory": "nonsense"},
        {"seats": 9},
        {"players": []},
        {"pile": 3},
    ],
)
def test_a_view_nobody_could_have_is_refused(change):
    *_, state = zip(range(60), random_states(2, 1), strict=False)
    view = state[1].view(0)
    with pytest.raises(ViewError):
        BagarreSampler({**view, **change})
