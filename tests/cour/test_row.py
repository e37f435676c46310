"""The best row (C16) against every order there is."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preau.games.cour import data
from preau.games.cour.deck import BITS, CHARACTERS
from preau.games.cour.row import Orders, Rows
from tests.cour.positions import per_card


def rows(cards: object = "reconstructed") -> Rows:
    return Rows(data.deck(cards))


def joins_of(order: tuple[tuple[int, int], ...]) -> int:
    return sum(BITS[one[1] & other[0]] for one, other in pairwise(order))


def test_no_order_of_the_worked_example_does_better_than_its_own():
    """C16: monster, soldier, car, boss, car, soldier, brick, marble has 9 joins, and that is the most."""
    table = rows()
    look = {name: (one.left, one.right) for name, one in zip(table.deck.kinds, table.deck.looks, strict=False)}
    boss = table.deck.characters[CHARACTERS.index("boss")]
    look["boss"] = (boss.left, boss.right)
    row = ["monster", "soldier", "car", "boss", "car", "soldier", "brick", "marble"]
    printed = tuple(look[name] for name in row)
    assert [BITS[a[1] & b[0]] for a, b in pairwise(printed)] == [1, 1, 2, 2, 2, 1, 0]
    assert max(joins_of(order) for order in set(permutations(printed))) == 9
    hand = [1, 1, 2, 1, 2, 0, 0]
    assert table.joins(hand, CHARACTERS.index("boss")) == 9
    assert table.full(hand, CHARACTERS.index("boss")) == 11


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=7))
def test_the_search_finds_the_best_of_all_orders(edges):
    classes = sorted(set(edges))
    orders = Orders([one[0] for one in classes], [one[1] for one in classes])
    counts = tuple(edges.count(one) for one in classes)
    found, numbers = orders.best(counts)
    assert orders.joins(counts) == found
    assert found == max(joins_of(order) for order in permutations(edges))
    order = tuple(classes[number] for number in numbers)
    assert sorted(order) == sorted(edges)
    assert joins_of(order) == found


@pytest.mark.parametrize("cards", ["reconstructed", per_card()], ids=["per type", "per card"])
def test_the_row_shown_has_every_card_once_and_the_joins_counted(cards):
    table = rows(cards)
    deck = table.deck
    rng = Random(4)
    pool = [kind for kind in range(deck.in_hand) for _ in range(deck.counts[kind])]
    for size in (0, 1, 5, 8, 9):
        hand = [0] * deck.in_hand
        for kind in rng.sample(pool, size):
            hand[kind] += 1
        character = rng.randrange(8)
        order = table.order(hand, character)
        assert sorted(order) == sorted([-1] + [kind for kind, count in enumerate(hand) for _ in range(count)])
        working = table.row_working(hand, character)
        assert sum(join["stars"] for join in working["joins"]) == working["joined"] == table.joins(hand, character)
        assert sum(card["full"] for card in working["row"]) == working["full"]


def test_a_bare_hand_is_a_row_of_the_character_alone():
    table = rows()
    assert table.order([0] * 7, 0) == [-1]
    assert table.order([0] * 7, -1) == []
    assert table.joins([0] * 7, -1) == 0


def test_more_cards_never_make_a_worse_row():
    table = rows()
    rng = Random(8)
    for _ in range(60):
        hand = [rng.randrange(3) for _ in range(5)] + [0, 0]
        before = table.joins(hand, 0)
        hand[rng.randrange(5)] += 1
        assert table.joins(hand, 0) >= before


@pytest.mark.parametrize("cards", ["reconstructed", per_card()])
def test_what_one_more_card_adds(cards):
    """It is told without counting all stars anew, and is what counting them says."""
    table = rows(cards)
    kinds = table.deck.in_hand
    rng = Random(5)
    for number in range(80):
        hand = [0] * kinds
        for _ in range(rng.randrange(8)):
            hand[rng.randrange(kinds)] += 1
        character, agent_min = number % 8, 1 + rng.randrange(3)
        more, joins = table.more_stars(hand, character, agent_min), table.more_joins(hand, character)
        for kind in range(kinds):
            bigger = [count + (one == kind) for one, count in enumerate(hand)]
            assert joins[kind] == table.joins(bigger, character) - table.joins(hand, character)
            stars = [table.stars(cards, character, agent_min) for cards in (hand, bigger)]
            assert more[kind] == stars[1] - stars[0]
