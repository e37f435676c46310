"""Plain and compiled modules of the core take the same arguments, so that a package works with either."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

import preau
from tests.support import plain_twin


@pytest.fixture(params=["as installed", "plain"])
def state(request) -> ModuleType:
    if request.param == "plain" and not preau.compiled:
        pytest.skip("the modules as installed are plain already")
    package = preau.__name__ if request.param == "as installed" else plain_twin().__name__
    return importlib.import_module(f"{package}.core.state")


@pytest.mark.parametrize(
    "order", [[-3, -5, -3], (-3, -5, -3), [(-3, 1), (-5, 2), (-3, 1)], ((-3,), (-5,), (-3,)), [[-3], [-5], [-3]]]
)
def test_seats_are_ranked_by_numbers_or_tuples(state, order):
    assert state.rank(order) == ((1,), (0, 2))


@pytest.mark.parametrize("kind", [tuple, list])
def test_a_result_takes_lists_and_tuples(state, kind):
    result = state.Result(kind([3, 5]), kind([kind([1]), kind([0])]), "end")
    assert (result.scores, result.ranking, result.winners) == ((3, 5), ((1,), (0,)), (1,))
    assert result.to_json() == {"scores": [3, 5], "ranking": [[1], [0]], "reason": "end"}
