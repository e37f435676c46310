"""Nature by clocks: the right probabilities, and the same luck in games that differ."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest

import preau
from preau import Action
from preau.arena.chance import Clocks, DealtMatch

CARDS = {name: Action(number, name) for number, name in enumerate("abcdefghijklmnopqrstuvwxyz")}


def even(names: str) -> list[tuple[Action, float]]:
    return [(CARDS[name], 1 / len(names)) for name in names]


def shuffled(deal: int, names: str) -> str:
    clocks, drawn = Clocks(deal), ""
    while names:
        drawn += clocks.draw(even(names)).text
        names = names.replace(drawn[-1], "")
    return drawn


def test_drawing_without_putting_back_gives_every_order_alike():
    found = Counter(shuffled(deal, "abcd") for deal in range(12_000))
    assert set(found) == {"".join(order) for order in permutations("abcd")}
    squares = sum((count - 500) ** 2 / 500 for count in found.values())
    assert squares < 49.7  # 23 degrees of freedom: 1 in 1,000 is above


def test_draws_that_are_put_back_are_independent_and_have_their_chances():
    chances = {"a": 0.6, "b": 0.3, "c": 0.1}
    pairs: Counter[tuple[str, str]] = Counter()
    for deal in range(200):
        clocks = Clocks(deal)
        drawn = [clocks.draw([(CARDS[name], chance) for name, chance in chances.items()]).text for _ in range(101)]
        pairs.update(pairwise(drawn))
    squares = 0.0
    for first, one in chances.items():
        for second, other in chances.items():
            expected = 20_000 * one * other
            squares += (pairs[first, second] - expected) ** 2 / expected
    assert squares < 26.1  # 8 degrees of freedom: 1 in 1,000 is above


def test_chances_that_depend_on_what_was_drawn_are_kept():
    """After an a, b is nine times as likely as c; after anything else they are alike."""
    after: dict[str, Counter[str]] = {name: Counter() for name in "abc"}
    for deal in range(300):
        clocks, last = Clocks(deal), "c"
        for _ in range(100):
            likely = 0.45 if last == "a" else 0.25
            now = clocks.draw([(CARDS["a"], 0.5), (CARDS["b"], likely), (CARDS["c"], 0.5 - likely)]).text
            after[last][now] += 1
            last = now
    assert after["a"]["b"] / after["a"].total() == pytest.approx(0.45, abs=0.015)
    assert after["b"]["b"] / after["b"].total() == pytest.approx(0.25, abs=0.015)
    assert after["c"]["a"] / after["c"].total() == pytest.approx(0.5, abs=0.015)


def test_an_impossible_outcome_never_happens():
    clocks = Clocks(1)
    assert {clocks.draw([(CARDS["a"], 0.0), (CARDS["b"], 1.0)]).text for _ in range(50)} == {"b"}


def test_luck_stays_the_same_when_games_go_different_ways():
    """Taking one card out of the deck changes nothing about the order of the others."""
    for deal in range(50):
        whole = shuffled(deal, "abcdefghij")
        assert shuffled(deal, "abcdefhij") == whole.replace("g", "")
    assert len({shuffled(deal, "abcdefghij") for deal in range(50)}) == 50


@pytest.mark.parametrize("name", [name for name in preau.game_ids() if name != "auction"])
def test_the_opening_of_a_deal_is_the_same_for_everybody(name):
    game = preau.game(name)
    openings = set()
    for deal in (1, 2, 1):
        match = DealtMatch(game, game.start(seed=deal), deal)
        openings.add(tuple(match.record.entries))
        match.record.verify()
    assert len(openings) == (2 if match.record.entries else 1)
