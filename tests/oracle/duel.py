"""Playing an engine against a second, literal reading of the same rules, move by move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

import pytest

from preau import NATURE, State


class Reading(Protocol):
    """What both card oracles offer."""

    def to_act(self) -> tuple[int, ...]: ...
    def legal(self, actor: int) -> list[str]: ...
    def chances(self) -> dict[str, float]: ...
    def apply(self, actor: int, text: str) -> None: ...
    def ranking(self) -> list[list[int]]: ...


def duel(state: State, oracle: Reading, rng: Random, lively: Callable[[str], bool]) -> None:
    """Play one random game on both; who acts, what is legal, all chances and the ranking must agree.

    Some games prefer the actions that `lively` names, so that the rare rules come up.
    """
    taste = rng.random()
    played: list[tuple[int, str]] = []
    while True:
        assert sorted(state.to_act) == sorted(oracle.to_act()), played[-12:]
        if state.over:
            break
        for actor in state.to_act:
            assert sorted(action.text for action in state.legal(actor)) == sorted(oracle.legal(actor)), played[-12:]
        actor = rng.choice(state.to_act)
        if actor == NATURE:
            chances = {action.text: chance for action, chance in state.outcomes()}
            assert chances == pytest.approx(oracle.chances()), played[-12:]
            text = rng.choices(list(chances), weights=list(chances.values()))[0]
        else:
            texts = [action.text for action in state.legal(actor)]
            wanted = [text for text in texts if lively(text)]
            text = rng.choice(wanted if wanted and rng.random() < taste else texts)
        state.apply(actor, text)
        oracle.apply(actor, text)
        played.append((actor, text))
    assert [list(group) for group in state.ranking()] == oracle.ranking(), played[-12:]
