"""Every screen: nothing in anybody's way, nothing wider than the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.page.screens import SCREENS, Tables, go
from tests.page.visitor import accessibility_violations
from tests.support import by_day

WIDER = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""
"""What sticks out of the window, for the message."""
OFTEN = [screen for screen in SCREENS if not screen.name.endswith(("-recess", "-bagarre"))]
"""Of screens that every game has, by day one game's is enough."""


@pytest.fixture(scope="session")
def tables(server) -> Tables:
    return Tables(server.url)


@pytest.mark.parametrize("screen", by_day(SCREENS, *OFTEN), ids=lambda screen: screen.name)
def test_nothing_is_in_the_way(visit, tables, screen):
    """On a laptop by day and in the evening, then as narrow as a small phone."""
    visitor = visit(expected=screen.expected)
    page = visitor.page
    go(visitor, screen, tables)
    found = accessibility_violations(page)
    page.emulate_media(color_scheme="dark")
    found += accessibility_violations(page, "color-contrast")
    page.set_viewport_size({"width": 320, "height": 640})
    found += too_wide(page)
    assert not found, "\n".join(found)


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_nothing_is_in_the_way_on_a_phone(visit, tables, screen, language, theme):
    visitor = visit(phone=True, language=language, theme=theme, expected=screen.expected)
    go(visitor, screen, tables)
    found = accessibility_violations(visitor.page) + too_wide(visitor.page)
    assert not found, "\n".join(found)


def too_wide(page: Page) -> list[str]:
    """What makes the page wider than its window."""
    if page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        return []
    found: list[str] = page.evaluate(WIDER)
    return found or ["something that cannot be seen"]
