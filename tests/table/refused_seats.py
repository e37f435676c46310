"""Requests about seats that a table refuses, and the wishes of these requests."""

from __future__ import annotations

import pytest

from tests.table.driver import Driver, Json, Refused

SIT_IN: Json = {"kind": "bot", "level": "random"}
YES: Json = {"kind": "open"}
BACK: Json = {"kind": "back"}


def no(host: Driver, table: str, seat: int, wish: Json, token: str | None) -> Json:
    """The refusal of a wish about a seat, which changes nothing."""
    before = host.info(table)
    with pytest.raises(Refused) as refusal:
        host.set_seat(table, seat, wish, token)
    assert host.info(table) == before
    return refusal.value.problem
