"""Sitting down at tables and playing through the page, by mouse, touch or keyboard."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError

from tests.page.visitor import Visitor
from tests.server.services import Server

CHOICE = ".choices :is([data-action], [data-group]):enabled"
OVER = "dialog[open]"
ME = {"kind": "me", "name": "Zoé"}
OPEN = {"kind": "open"}
BOT = {"kind": "bot", "level": "greedy"}
SHORT: dict[str, dict[str, Any]] = {
    "recess": {"seats": [ME, BOT, BOT], "options": {"turns": 6, "first": 0}},
    "bagarre": {"seats": [ME, BOT, BOT], "options": {"goal": 6, "first": 0}},
    "cour": {"seats": [ME, BOT], "options": {"first": 0}},
}
"""A short game of each: a dozen or two of one's own decisions."""

Press = Callable[[Page, Locator, int], None]
"""How somebody takes the choice at a place in the row."""


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


def actions(server: Server, table: str, seat: int = 0) -> list[str]:
    """What a seat did at a table that is over, as the record has it."""
    record = ask(f"{server.url}/api/tables/{table}/record")
    return [action for actor, action in record["actions"] if actor == seat]


def sit(visitor: Visitor, seated: Any) -> Page:
    """Let a visitor come to a table they have a seat at, as if they had made it or joined it here."""
    table = seated["table"]
    known = {"id": table["id"], "token": seated["token"], "game": table["game"], "code": table["code"]}
    rest = {"seats": seated["seats"], "names": [], "status": table["status"], "turn": False, "time": 0}
    visitor.remember("preau.tables", [{**known, **rest}])
    visitor.page.goto(f"/t/{table['id']}")
    return visitor.page


def click(page: Page, button: Locator, place: int) -> None:
    button.click(timeout=2_000)


def tap(page: Page, button: Locator, place: int) -> None:
    button.tap(timeout=2_000)


def key(page: Page, button: Locator, place: int) -> None:
    """By keyboard: a number key for every second choice that has one, Tab and Enter for the others."""
    if place < 9 and place % 2:
        page.keyboard.press(str(place + 1))
        return
    for _ in range(300):
        page.keyboard.press("Tab")
        if button.evaluate("(one) => one === document.activeElement", timeout=2_000):
            assert button.evaluate("(one) => getComputedStyle(one).outlineStyle") != "none", "the focus cannot be seen"
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab does not get there")


def on_the_board(page: Page, button: Locator, place: int) -> None:
    """Recess!: on the cell itself, by mouse on every second one, else by arrow keys; by button what has no cell."""
    cell = target(button)
    if cell is None:
        click(page, button, place)
    elif place % 2:
        page.locator(f"[data-cell={cell}]").click(timeout=2_000)
    else:
        walk(page, cell)
        page.keyboard.press("Enter")


def target(button: Locator) -> str | None:
    """The cell that a choice is about, if it can be told from those of the other choices."""
    action = button.get_attribute("data-action", timeout=2_000) or ""
    others = button.locator("xpath=../button[@data-action]").evaluate_all(
        "(all) => all.map((one) => one.dataset.action)"
    )
    cell = action.split()[-1] if re.fullmatch(r".* [a-l]\d+", action) else None
    return cell if [one.split()[-1] for one in others].count(cell) == 1 else None


def walk(page: Page, cell: str) -> None:
    """Go to a cell with the arrow keys, from the one that the Tab key leads to."""
    here: str = page.locator("[data-cell][tabindex='0']").evaluate("(one) => (one.focus(), one.dataset.cell)")
    right, up = ord(cell[0]) - ord(here[0]), int(cell[1:]) - int(here[1:])
    for steps, forth, back in ((right, "ArrowRight", "ArrowLeft"), (up, "ArrowUp", "ArrowDown")):
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    assert page.evaluate("document.activeElement.dataset.cell") == cell


def answer(page: Page, rng: Random, press: Press = click) -> str:
    """Take one of the choices that are shown; which one. Empty, if that only led on to other choices.

    A choice may also go away at the last moment, because something happened at the table: that is no answer either.
    """
    shown = page.locator(CHOICE)
    place = rng.randrange(max(1, shown.count()))
    try:
        name = shown.nth(place).get_attribute("data-action", timeout=2_000) or ""
        press(page, shown.nth(place), place)
    except TimeoutError:
        return ""
    return name


def decide(page: Page, rng: Random, press: Press = click) -> str:
    """Answer the question that is asked, whatever that takes; the answer."""
    for _ in range(50):
        page.locator(CHOICE).first.wait_for()
        if done := answer(page, rng, press):
            return done
    raise AssertionError("no choice leads anywhere")


def play_on(page: Page, rng: Random, press: Press = click) -> list[str]:
    """Answer every question until the game is over; all answers."""
    answers: list[str] = []
    for _ in range(500):
        page.locator(f"{CHOICE}, {OVER}").first.wait_for()
        if page.locator(OVER).count():
            return answers
        answers.append(decide(page, rng, press))
    raise AssertionError("the game has no end")
