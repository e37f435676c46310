"""Sitting down at tables and playing through the page, by mouse, touch or keyboard."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from playwright.sync_api import ElementHandle, Error, Page

from tests.page.visitor import Visitor
from tests.server.processes import Server
from tests.support import PATIENCE

CHOICE = ".choices :is([data-action], [data-group]):not([aria-disabled=true])"
PAD = "dialog [data-sign]:enabled"
"""Where hands slap, at a table where speed counts."""
OVER = "[data-over]"
ASKED = f"{CHOICE}, {PAD}, {OVER}"
ME = {"kind": "me", "name": "Zoé"}
OPEN = {"kind": "open"}
BOT = {"kind": "bot", "level": "greedy"}
SHORT: dict[str, dict[str, Any]] = {
    "recess": {"seats": [ME, BOT, BOT], "options": {"turns": 6, "first": 0}},
    "bagarre": {"seats": [ME, BOT, BOT], "options": {"goal": 6, "first": 0}},
    "cour": {"seats": [ME, BOT], "options": {"first": 0}},
}
"""A short game of each: a dozen or two of one's own decisions."""

VERDICTS = """
window.verdicts = [];
new MutationObserver(() => {
  const shown = document.querySelector("[data-race-verdict]")?.closest("button").innerText;
  if (shown && !verdicts.includes(shown)) verdicts.push(shown);
}).observe(document, { subtree: true, childList: true });
"""
"""Keeps the result of each race that the page shows, because it goes away after a moment."""

Press = Callable[[Page, ElementHandle, int], None]
"""How somebody takes the choice at a place in the row: that button and no other, or Gone."""


class Gone(Exception):
    """The choice went away at the last moment, because something happened at the table."""


def ask(url: str, body: object = None, token: str = "") -> Any:
    """What the server's HTTP interface answers."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def make(home: str, game: str, *, start: bool = True, **wishes: object) -> Any:
    """A new table: what its maker is told once, with the token."""
    return ask(f"{home}/api/tables", {"game": game, "start": start, **SHORT[game], **wishes})


def actions(server: Server, table: str, seat: int = 0) -> list[str]:
    """What a seat did at a table that is over, as the record has it."""
    record = ask(f"{server.url}/api/tables/{table}/record")
    return [action for actor, action in record["actions"] if actor == seat]


def sit(visitor: Visitor, seated: Any) -> Page:
    """Let a visitor come to a table they have a seat at, as if they had made it or joined it here."""
    visitor.page.goto(f"/t/{remember(visitor, seated)}")
    return visitor.page


def remember(visitor: Visitor, seated: Any) -> str:
    """Put a seat into a visitor's list of games; the table's id."""
    table = seated["table"]
    known = {"id": table["id"], "token": seated["token"], "game": table["game"], "code": table["code"]}
    rest = {"seats": seated["seats"], "names": [], "status": table["status"], "turn": False, "time": 0}
    visitor.remember("preau.tables", [{**known, **rest}])
    return str(table["id"])


def click(page: Page, button: ElementHandle, place: int) -> None:
    attached(button.click)


def tap(page: Page, button: ElementHandle, place: int) -> None:
    attached(button.tap)


def attached(act: Callable[[], None]) -> None:
    """Do something to a part of the page that may go away meanwhile."""
    try:
        act()
    except Error as error:
        if "not attached" not in error.message:
            raise
        raise Gone from None


def raise_curtain(page: Page, curtain: ElementHandle) -> None:
    """Take the device; the curtain rises by itself when something more is to be seen by all."""
    with suppress(Gone):
        attached(curtain.click)
    page.wait_for_function("(one) => !one.isConnected", arg=curtain)


def key(page: Page, button: ElementHandle, place: int) -> None:
    """By keyboard: a number key for every second choice that has one, Tab and Enter for the others."""
    if place < 9 and place % 2:
        page.keyboard.press(str(place + 1))
        return
    for _ in range(300):
        page.keyboard.press("Tab")
        there = button.evaluate("(one) => (one.isConnected ? one === document.activeElement : null)")
        if there is None:
            raise Gone
        if there:
            assert button.evaluate("(one) => getComputedStyle(one).outlineStyle") != "none", "the focus cannot be seen"
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab does not get there")


def on_the_board(page: Page, button: ElementHandle, place: int) -> None:
    """Recess!: on the cell if it is marked, by mouse or by arrow keys in turn; by button what has no such cell."""
    action = button.get_attribute("data-action") or ""
    cell = page.locator(f"[data-spot='{action.split(' ')[-1]}'].target")
    if not cell.count():
        click(page, button, place)
    elif place % 2:
        cell.click()
    else:
        walk(page, action.split(" ")[-1])
        page.keyboard.press("Enter")


def on_the_table(page: Page, button: ElementHandle, place: int) -> None:
    """The card games: on the pile, seat, toy or card itself; by button what lies nowhere."""
    name = button.get_attribute("data-action") or button.get_attribute("data-group") or ""
    does = page.locator(f"[data-does='{name}']")
    word, _, card = name.partition(" ")
    toy = page.locator(f"[data-spot='toy:{card}']")
    held = page.locator(f"[data-card='{card or word}']")
    if does.count():
        does.first.click()
    elif toy.count():
        friend = page.locator("[data-card][aria-pressed=true]").count()
        toy.click()
        if word == "fight" and not friend:
            does.click()
    elif held.count():
        held.first.click()
    else:
        click(page, button, place)


def walk(page: Page, cell: str) -> None:
    """Go to a cell with the arrow keys, from the one that the Tab key leads to."""
    here: str = page.locator("[role=gridcell][tabindex='0']").evaluate("(one) => (one.focus(), one.dataset.spot)")
    right, up = ord(cell[0]) - ord(here[0]), int(cell[1:]) - int(here[1:])
    for steps, forth, back in ((right, "ArrowRight", "ArrowLeft"), (up, "ArrowUp", "ArrowDown")):
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    assert page.evaluate("document.activeElement.dataset.spot") == cell


def answer(page: Page, rng: Random, press: Press = click) -> str:
    """Take one of the choices that are shown; which one. Empty, if that only led on to others, or if it went away."""
    try:
        if pads := page.query_selector_all(PAD):
            pad = rng.choice(pads)
            sign = pad.get_attribute("data-sign")
            click(page, pad, 0)
            return f"point {sign}"
        shown = page.query_selector_all(CHOICE)
        if not shown:
            return ""
        place = rng.randrange(len(shown))
        name = shown[place].get_attribute("data-action") or ""
        press(page, shown[place], place)
    except Gone:
        return ""
    return name


def decide(page: Page, rng: Random, press: Press = click) -> str:
    """Answer the question that is asked, whatever that takes; the answer, or nothing if the game is over."""
    for _ in range(50):
        page.locator(ASKED).first.wait_for()
        if page.locator(OVER).count():
            return ""
        if done := answer(page, rng, press):
            return done
    raise AssertionError("no choice leads anywhere")


def play_on(page: Page, rng: Random, press: Press = click) -> list[str]:
    """Answer every question until the game is over; all answers."""
    answers: list[str] = []
    while done := decide(page, rng, press):
        answers.append(done)
        assert len(answers) < 500, "the game has no end"
    return answers


def take_grouped_choice(page: Page, action: str) -> None:
    """Take a choice by its buttons: first the group (the piece), then the action (where it goes)."""
    group = " ".join(action.split(" ")[:-1])
    page.locator(f"{CHOICE}[data-group='{group}']").click()
    page.locator(f"{CHOICE}[data-action='{action}']").click()
