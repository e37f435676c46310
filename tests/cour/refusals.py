"""Refused actions."""

from __future__ import annotations

import pytest

from preau.core import IllegalAction
from preau.games.cour.rules import CourState
from tests.support import says_what_to_do


def refused(state: CourState, actor: int, text: str) -> IllegalAction:
    before = state.copy()
    with pytest.raises(IllegalAction) as error:
        state.apply(actor, text)
    assert state == before
    assert says_what_to_do(error.value)
    return error.value
