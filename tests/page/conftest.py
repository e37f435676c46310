"""A server with the built page, and a browser to visit it with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.page.visitor import PATIENCE_MS, Visitor
from tests.server.processes import DefaultServer, Server
from tools import browser as chromium
from tools.page import BUILT

Visit = Callable[..., Visitor]
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test here drives a browser, a server and bots at once; it gets a second try, and the summary names it then.

    `make nightly` gives no second try.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[Server]:
    """`preau serve` with default settings, limits included. Only bots act at once, because tests would wait for them,
    and players and the server have all the time they need, because the machine may be busy.
    """
    assert BUILT.is_file(), "the page is not built: `make page` builds it"
    times = [f"--set={name}" for name in ("bot_pause_ms=0", "speed_ms=600000", "away_ms=600000", "desk_ms=600000")]
    one = DefaultServer(tmp_path_factory.mktemp("page"), *times)
    yield one
    one.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder, and only as long: while it runs, nothing else here can use asyncio."""
    with sync_playwright() as playwright:
        one = chromium.launch(playwright)
        yield one
        one.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Makes visitors, each with a browser window and a memory of their own; see Visitor for the choices.

    Whatever a page complains about in the console, and every missing text, fails the test at the end.
    """
    visitors: list[Visitor] = []

    def come(**wishes) -> Visitor:
        one = Visitor(browser, wishes.pop("home", server.url), **wishes)
        visitors.append(one)
        return one

    yield come
    complaints = [complaint for one in visitors for complaint in one.leave()]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(visit: Visit) -> Page:
    """A page on a laptop, in English, by daylight."""
    return visit().page


@pytest.fixture
def phone(visit: Visit) -> Page:
    """A page on a phone."""
    return visit(phone=True).page
