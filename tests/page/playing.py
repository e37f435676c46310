"""Sitting down at tables and playing through the page, by mouse, touch or keyboard."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError

from tests.page.visitor import Visitor

CHOICE = ".choices :is([data-action], [data-group]):enabled"
OVER = "dialog[open]"
ME = {"kind": "me", "name": "Zoé"}
OPEN = {"kind": "open"}
BOT = {"kind": "bot", "level": "greedy"}
SHORT: dict[str, dict[str, Any]] = {
    "recess": {"seats": [ME, BOT, BOT], "options": {"turns": 6, "first": 0}},
    "bagarre": {"seats": [ME, BOT, BOT], "options": {"goal": 3, "first": 0}},
    "cour": {"seats": [ME, BOT], "options": {"first": 0}},
}
"""A short game of each: a dozen or two of one's own decisions."""

Press = Callable[[Page, Locator], None]


def ask(url: str, body: object = None, token: str = "") -> Any:
    """What the server's HTTP interface answers."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def make(home: str, game: str, *, start: bool = True, **wishes: object) -> Any:
    """A new table: what its maker is told once, with the token."""
    return ask(f"{home}/api/tables", {"game": game, "start": start, **SHORT[game], **wishes})


def sit(visitor: Visitor, seated: Any) -> Page:
    """Let a visitor come to a table they have a seat at, as if they had made it or joined it here."""
    table = seated["table"]
    known = {"id": table["id"], "token": seated["token"], "game": table["game"], "code": table["code"]}
    rest = {"seats": seated["seats"], "names": [], "status": table["status"], "turn": False, "time": 0}
    visitor.remember("preau.tables", [{**known, **rest}])
    visitor.page.goto(f"/t/{table['id']}")
    return visitor.page


def click(page: Page, button: Locator) -> None:
    button.click(timeout=2_000)


def tap(page: Page, button: Locator) -> None:
    button.tap(timeout=2_000)


def answer(page: Page, rng: Random, press: Press = click) -> str:
    """Take one of the choices that are shown; which one.

    A choice may go away at the last moment, because something happened at the table: that is no answer, and empty.
    """
    shown = page.locator(CHOICE)
    button = shown.nth(rng.randrange(max(1, shown.count())))
    try:
        name = button.get_attribute("data-action", timeout=2_000) or ""
        press(page, button)
    except TimeoutError:
        return ""
    return name


def play_on(page: Page, rng: Random, press: Press = click) -> list[str]:
    """Answer every question until the game is over; all answers."""
    answers: list[str] = []
    for _ in range(1_000):
        page.locator(f"{CHOICE}, {OVER}").first.wait_for()
        if page.locator(OVER).count():
            return answers
        if done := answer(page, rng, press):
            answers.append(done)
    raise AssertionError("the game has no end")
