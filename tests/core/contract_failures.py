"""A check that fails with certain words."""

from __future__ import annotations

import pytest

from preau.core import Game
from preau.testing import CHECKS, cases
from preau.testing.helpers import Check

from .auction import GAME

SEATS = 3


def fails(check: Check, words: str, game: Game = GAME, seats: int = SEATS) -> None:
    """Require that a check of the suite fails with these words."""
    assert check in CHECKS
    assert any(one is check for one, _ in cases(game))
    with pytest.raises(AssertionError, match=words):
        check(game, seats)
