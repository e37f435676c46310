"""Tables that the page hosts itself, without a server."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.page.playing import CHOICE, SHORT
from tests.page.visitor import quoted

LOCAL_TABLE = re.compile(r"/t/local\w+$")
"""The address of a table that the page hosts."""
FOLLOW_LINK = """(to) => {
  const link = document.body.appendChild(document.createElement("a"));
  link.href = to;
  link.click();
  link.remove();
}"""


def follow_link(page: Page, to: str) -> None:
    """Go to an address by a link inside the page, which does not load the page again."""
    page.evaluate(FOLLOW_LINK, to)


def start_local_table(page: Page, game: str, *, people: int = 1, level: str = "greedy", local: bool = False) -> str:
    """Create a table for a short game and wait for its first question. Return the table's id.

    `people` seats belong to players at this device, all others to bots. With `local` the page hosts the table even
    where a server is reachable.
    """
    wish = SHORT[game]
    seats = [{"kind": "here" if at < people else "bot", "name": f"Zoé {at}", "level": level} for at in range(8)]
    plan = {"count": len(wish["seats"]), "seats": seats, "options": wish["options"], "local": local}
    page.locator("header a.home").wait_for()  # until then a link reloads the page
    follow_link(page, "/")
    page.evaluate(f"localStorage.setItem('preau.new.{game}', {quoted(plan)})")
    follow_link(page, f"/new/{game}")
    page.locator("[data-make]").click()
    expect(page).to_have_url(LOCAL_TABLE)
    page.locator(f"[data-curtain], {CHOICE}").first.wait_for()
    return page.url.rpartition("/")[2]
