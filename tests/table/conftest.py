"""Tables to be played at: those of a browser's own house, and behind the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from preau.core import registry
from tests.table import sprint
from tests.table.driver import Driver
from tests.table.housed import Housed


@pytest.fixture(autouse=True)
def sprints(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of races is there, for these tests only."""
    monkeypatch.setitem(registry._games, sprint.GAME.id, sprint.GAME)


@pytest.fixture(scope="module", params=["browser", "server"])
def hosting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """Whatever hosts the tables of these tests."""
    if request.param == "browser":
        yield Housed()
        return
    from tests.server.behind import Behind

    behind = Behind(tmp_path_factory.mktemp("behind"))
    yield behind
    behind.shut()


@pytest.fixture
def host(hosting: Driver) -> Iterator[Driver]:
    """The same, with nobody left from the test before."""
    yield hosting
    hosting.send_away()
