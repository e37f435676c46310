"""Every full position that agrees with what a seat knows, one by one, each with its weight.

`worlds` says which positions these are and why they are as likely as they are; there they are drawn, here they are all
written down, where they are few enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from .memory import UNKNOWN
from .rules import CourState
from .sampler import worlds_of
from .worlds import ADD, LOOK, WEIGH, Worlds

MOST = 1_000
"""More positions than this are too many."""

History = tuple[list[int], list[int], int]
"""The hands, the memory, and the weight."""


def every_world(view: Mapping[str, Any], *, characters: bool) -> list[tuple[CourState, int]] | None:
    """All positions, or None if they are too many. Where the characters of the others make no difference, one way to
    deal them stands for all. Answers that are still secret count as any.
    """
    worlds = worlds_of(view)
    histories = _histories(worlds)
    if histories is None:
        return None
    deals = list(permutations(worlds.left, len(worlds.unknown)))
    if not characters:
        del deals[1:]
    if len(histories) * len(deals) > MOST:
        return None
    found = []
    for hands, memory, weight in histories:
        for deal in deals:
            state = worlds.known.copy()
            state.hands = hands.copy()
            state.memory = memory.copy()
            for seat, character in zip(worlds.unknown, deal, strict=True):
                state.characters[seat] = character
            for seat, answers in zip(worlds.secret, worlds.answers, strict=True):
                state.answers[seat] = answers[0]
            found.append((state, weight))
    return found


def _histories(worlds: Worlds) -> list[History] | None:
    """What the hidden thefts can have moved: the cards of each kind in a hand are as likely as they are many."""
    histories: list[History] = [(worlds.start, worlds.memory, 1)]
    for number in range(len(worlds.thefts)):
        merged: dict[tuple[tuple[int, ...], tuple[int, ...]], History] = {}
        for history in histories:
            for hands, memory, weight in _after(worlds, number, history):
                key = (tuple(hands), tuple(memory))
                merged[key] = (hands, memory, weight + (merged[key][2] if key in merged else 0))
        histories = list(merged.values())
        if len(histories) > MOST:
            return None
    return histories


def _after(worlds: Worlds, number: int, history: History) -> Iterator[History]:
    """Each kind that a theft can have moved, if all that is known to have happened until the next one agrees."""
    theft = worlds.thefts[number]
    before, remembered, likely = history
    for kind in range(worlds.width):
        weight = likely * before[theft.victim + kind]
        hands = before.copy()
        hands[theft.victim + kind] -= 1
        hands[theft.thief + kind] += 1
        for fact in theft.facts:
            if fact.what == ADD:
                hands[fact.at] += fact.number
            elif fact.what == WEIGH:
                weight *= hands[fact.at]
            elif fact.what == LOOK:
                weight *= hands[fact.at : fact.at + worlds.width] == fact.hand
            else:
                weight *= hands[fact.at] >= fact.number
            if not weight:
                break
        if weight:
            memory = remembered.copy()
            memory[theft.place] += kind - UNKNOWN
            yield hands, memory, weight
