"""Every screen: nothing in anybody's way, nothing wider than the window, small things large enough to hit."""

from __future__ import annotations

import pytest

from tests.page.screens import SCREENS, Tables, go
from tests.page.visitor import barriers

WIDER = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""
"""What sticks out of the window, for the message."""


@pytest.fixture(scope="session")
def tables(server) -> Tables:
    return Tables(server.url)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_nothing_is_in_the_way(visit, tables, screen):
    """By daylight on a laptop and in the evening on a phone: axe finds nothing, and nobody scrolls sideways."""
    for wishes in ({"theme": "light", "language": "en"}, {"theme": "dark", "language": "fr", "phone": True}):
        visitor = visit(**wishes)
        go(visitor, screen, tables)
        assert barriers(visitor.page) == [], wishes
        if visitor.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            assert visitor.page.evaluate(WIDER) == [], wishes
