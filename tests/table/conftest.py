"""Hosts of tables: a browser and the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import registered
from tests.table import sprint
from tests.table.browser_driver import BrowserDriver
from tests.table.driver import Driver


@pytest.fixture(autouse=True)
def sprints() -> Iterator[None]:
    """Register the game of races, for these tests only."""
    with registered(sprint.GAME):
        yield


@pytest.fixture(scope="module", params=["browser", "server"])
def hosting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The host of the tables, once a browser and once the server."""
    if request.param == "browser":
        yield BrowserDriver()
        return
    from tests.server.server_driver import ServerDriver

    driver = ServerDriver(tmp_path_factory.mktemp("server"))
    yield driver
    driver.stop()


@pytest.fixture
def host(hosting: Driver) -> Iterator[Driver]:
    """The same host, without viewers of the test before."""
    yield hosting
    hosting.disconnect_all()
