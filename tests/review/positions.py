"""Decisions out of games that are played half well, for hints to be asked in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import preau
from preau.bots.simple import rules_of_thumb
from preau.core import State

NAMES = ["Ann", "Bob", "Cléo", "Dan", "Eve", "Flo", "Gus", "Hal"]
APART = 11
"""Decisions between two that are looked at."""


def decisions(game: str, number: int) -> Iterator[tuple[State, int]]:
    """So many positions with a seat that owes a decision and has a choice, at tables of all sizes."""
    sizes = preau.game(game).seats
    left, seed = number, 0
    while left:
        rng = Random(seed)
        match = preau.new(game, seats=sizes[seed % len(sizes)], seed=seed)
        seed += 1
        count = 0
        while not match.over and left:
            seat = rng.choice(match.to_act)
            legal = match.legal(seat)
            count += len(legal) > 1
            if len(legal) > 1 and count % APART == 0:
                yield match.state.copy(), seat
                left -= 1
            thumb = rules_of_thumb(game)
            action = thumb(seat, match.state.view(seat), legal, rng) if rng.random() < 0.7 else rng.choice(legal)
            match.apply(seat, action)


@cache
def some(game: str, number: int) -> tuple[tuple[State, int], ...]:
    """The same, found once."""
    return tuple(decisions(game, number))
