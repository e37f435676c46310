"""La grande bagarre at the table: everything fits, a friend can fight, a fight is shown, Maman's buttons stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import ClientConnection, connect

from tests.page.layout import fits
from tests.page.playing import BOT, CHOICE, ME, OPEN, ask, make, sit
from tests.page.visitor import accessibility_violations, expect_nothing_wrong, settle
from tests.server.processes import Server
from tests.support import PATIENCE, by_day

SIZES = [(390, 664), (360, 640), (320, 568), (844, 390)]
PARTS = ".place, .name, .hand, .jar, .toy, .pile, .heap, .tale, .clash, .side, .stake, [data-card]"
OVERLAP = """() => {
  const rows = [".round", ".middle", ".mine"].map((row) => document.querySelector(`.stage .table > ${row}`));
  const [round, middle, mine] = rows.map((row) => row.getBoundingClientRect());
  const fight = document.querySelector(".stage .clash")?.getBoundingClientRect();
  const wrong = [];
  if (round.bottom > middle.top + 1 || middle.bottom > mine.top + 1) wrong.push("rows overlap");
  if (fight && (fight.top < middle.top - 1 || fight.bottom > middle.bottom + 1)) wrong.push("no room for the fight");
  return wrong;
}"""
"""What of the table lies over something else."""
WATCH = """
window.fights = [];
new MutationObserver(() => {
  const fight = document.querySelector(".clash.over");
  const cards = fight && [...fight.querySelectorAll(".turn:not(.down) .face .number")].map((one) => one.dataset.text);
  if (cards?.length) fights.push(cards.join(" "));
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Remembers the cards of every fight that was seen to end."""


@contextmanager
def line(server: Server, seated: Any) -> Iterator[ClientConnection]:
    """A seat at a table without a page."""
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{seated['table']['id']}/socket"
    with connect(address, max_size=None, open_timeout=PATIENCE, ping_interval=None) as socket:
        socket.send(json.dumps({"type": "join", "token": seated["token"]}))
        yield socket


def act(socket: ClientConnection, asked: Any, action: str) -> None:
    number = asked["number"]
    socket.send(json.dumps({"type": "act", "id": f"n{number}", "at": number, "action": action}))


def toys(message: Any) -> int:
    return sum(len(player["front"]) for player in message["view"]["players"])


def can_fight(message: Any) -> bool:
    fights = any(action.startswith("fight") for action in message["legal"])
    return bool(fights and toys(message) > message["view"]["seats"] and message["prompt"]["key"] == "prompt.action")


def asked_last(message: Any) -> bool:
    """Maman is asked for in a fight, and everybody else has answered."""
    return message["view"]["phase"] == "maman" and bool(message["view"]["round"])


def until(server: Server, wanted: Callable[[Any], bool], **wishes: Any) -> Any:
    """A table that has come to where its maker is asked something wanted: toys are laid, and fought for."""
    for seed in range(50):
        seated = make(server.url, "bagarre", **wishes)
        rng = Random(seed)
        with line(server, seated) as socket:
            for data in socket:
                message = json.loads(data)
                if message.get("result"):
                    break
                if message["type"] not in ("hello", "step") or message.get("to_act") != [0]:
                    continue  # of what several are asked, this one answers last
                if wanted(message):
                    return seated
                act(socket, message, choose(message["legal"], rng))
    raise AssertionError("it never comes to that")


def choose(legal: list[str], rng: Random) -> str:
    for word in ("lay", "fight", "place", "draw", "maman no"):
        if found := [action for action in legal if action.startswith(word)]:
            return rng.choice(found)
    return rng.choice(legal)


def fits_everywhere(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        fits(page, PARTS, targets=".stage button[data-card]:not(.away)", least=(24, 44))
        fits(page, PARTS, targets=".stage button:not(.away)", least=(24, 24))
        expect_nothing_wrong(page, OVERLAP)


@pytest.mark.parametrize("seats", by_day([2, 3, 4, 6], 3))
def test_everything_fits_and_a_friend_can_fight(visit, server, seats):
    """On every phone, upright and on its side. A tapped friend offers fights, and goes down in the one chosen."""
    wishes: Any = {"seats": [ME, *[BOT] * (seats - 1)], "options": {"goal": 30, "first": 0}}
    page = sit(visit(phone=True), until(server, can_fight, **wishes))
    page.locator(CHOICE).first.wait_for()
    fits_everywhere(page)
    friend = page.locator("[data-card^=F]").first
    number = (friend.get_attribute("data-card") or "")[1:]
    friend.tap()
    fits_everywhere(page)
    page.locator("[data-action^=fight]").first.tap()
    expect(page.locator(".clash .mine")).to_have_text(number)
    page.locator("[data-action^=maman]").first.wait_for()
    fits_everywhere(page)


def test_the_cards_of_a_fight_are_seen_by_all(visit, server):
    """The last answer about Maman turns them: whoever gave it sees them, and so does somebody who watches."""
    for _ in range(8):  # a bot may have called Maman, in secret until now; then no card is turned
        seated = until(server, asked_last, seats=[ME, BOT, BOT], options={"goal": 30, "first": 0})
        zoe, watcher = visit(), visit()
        for one in (zoe, watcher):
            one.context.add_init_script(WATCH)
        watcher.page.goto(f"/t/{seated['table']['id']}")
        watcher.page.locator(".clash").wait_for()
        page = sit(zoe, seated)
        page.locator(".window [data-does='maman no']").wait_for()
        assert accessibility_violations(page) == []
        said = page.locator(".log li").count()
        page.locator(".window [data-does='maman no']").click()
        page.wait_for_function(
            "(said) => fights.length > 0 || document.querySelectorAll('.log li').length > said", arg=said
        )
        if page.evaluate("fights.length"):
            break
    watcher.page.wait_for_function("() => fights.length > 0")
    assert page.evaluate("fights[0]") == watcher.page.evaluate("fights[0]")


def newest(socket: ClientConnection, after: int) -> Any:
    """The next thing that is asked at the table, of whomever."""
    for data in socket:
        message = json.loads(data)
        asked = message.get("to_act") or []
        if message["type"] in ("hello", "step") and message["number"] > after and asked and min(asked) >= 0:
            return {"legal": [], **message}
    raise AssertionError("the line is cut")


def test_the_buttons_for_maman_stay(visit, server):
    """While others answer, the buttons are the same, and stay where they are."""
    options = {"goal": 30, "first": 0}
    host = make(server.url, "bagarre", seats=[ME, OPEN], options=options, start=False)
    address = f"{server.url}/api/tables/{host['table']['id']}"
    guest = ask(f"{address}/join", {"name": "Malo"})
    ask(f"{address}/start", {}, host["token"])
    rng = Random(3)
    with line(server, host) as mine, line(server, guest) as other:
        last = 0
        while True:
            pair = [(socket, newest(socket, last)) for socket in (mine, other)]
            if all("maman no" in message["legal"] for _, message in pair):
                break
            last = pair[0][1]["number"]
            socket, message = next((socket, message) for socket, message in pair if message["legal"])
            act(socket, message, choose(message["legal"], rng))
        page = sit(visit(motion=True), host)
        button = page.locator(".window [data-does='maman no']")
        button.wait_for()
        lines = page.locator(".log li")
        count = lines.count()
        button.evaluate("(one) => (window.before = one)")
        act(other, pair[1][1], "maman no")
        expect(lines).not_to_have_count(count)
        page.locator(CHOICE).first.wait_for()
        assert button.evaluate("(one) => one === before")
