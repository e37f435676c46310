"""Broken lines, reloaded pages, second tabs and restarted servers: nothing is lost, and the page says what goes on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.page.playing import CHOICE, OVER, actions, ask, decide, make, play_on, sit
from tests.server.processes import DefaultServer

LOST = r"WebSocket connection to .* failed"
"""The browser itself reports a line that cannot be made."""
BANNER = "[role=alert]"


OFFERED = "(css) => [...document.querySelectorAll(css)].map((one) => one.dataset.action ?? one.dataset.group)"


def choices(page: Page) -> list[str]:
    page.locator(CHOICE).first.wait_for()
    found: list[str] = page.evaluate(OFFERED, CHOICE)
    return found


def has_choices(page: Page, wanted: list[str]) -> None:
    """Wait until exactly these are on offer."""
    page.wait_for_function(f"([css, wanted]) => ({OFFERED})(css).join() === wanted", arg=[CHOICE, ",".join(wanted)])


class Cutter:
    """Sits in the line between page and server, and cuts it once, at the first move."""

    def __init__(self, *, before: bool) -> None:
        self.before = before  # the move itself gets lost; otherwise the answer does
        self.sent: list[Any] = []
        self.cuts = 0

    def __call__(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def to_server(message: str | bytes) -> None:
            data = json.loads(message)
            if data["type"] != "act":
                server.send(message)
                return
            self.sent.append(data)
            if self.cuts:
                server.send(message)
                return
            self.cuts += 1
            if not self.before:
                server.send(message)
            line.close()

        line.on_message(to_server)


@pytest.mark.parametrize("before", [True, False], ids=["the move is lost", "the answer is lost"])
def test_the_line_is_cut_in_the_middle_of_a_move(visit, server, before):
    """The page comes back by itself and sends the same move again, under the same name; it is made once."""
    visitor = visit(expected=LOST)
    cutter = Cutter(before=before)
    visitor.context.route_web_socket("**/socket", cutter)
    seated = make(server.url, "recess")
    page = sit(visitor, seated)
    answers = play_on(page, Random(1))
    assert cutter.cuts == 1
    assert cutter.sent[0] == cutter.sent[1]
    assert actions(server, seated["table"]["id"]) == answers


def test_offline_moves_are_refused_politely(visit, server):
    visitor = visit(expected=LOST)
    lines: list[WebSocketRoute] = []
    dead = False

    def through(line: WebSocketRoute) -> None:
        lines.append(line)
        if not dead:
            line.connect_to_server()  # otherwise silence: neither answered nor refused

    visitor.context.route_web_socket("**/socket", through)
    seated = make(server.url, "recess")
    page = sit(visitor, seated)
    offered = choices(page)
    dead = True
    lines[0].close()
    expect(page.locator(BANNER)).to_be_visible()
    decide(page, Random(1))
    expect(page.locator(".notice.bad")).to_be_visible()
    assert choices(page)
    assert ask(f"{server.url}/api/tables/{seated['table']['id']}")["status"] == "playing"
    page.locator(f"{BANNER} button").click()
    expect(page.locator(BANNER)).to_be_visible()  # as long as nobody answers
    dead = False
    lines[-1].close()
    expect(page.locator(BANNER)).to_have_count(0)
    page.reload()
    assert choices(page) == offered


def test_a_reload_comes_back_to_the_same_place(visit, server):
    page = sit(visit(), make(server.url, "bagarre"))
    before = choices(page)
    prompt = page.locator(".sentence").inner_text()
    page.reload()
    assert choices(page) == before
    assert page.locator(".sentence").inner_text() == prompt


def test_two_tabs_of_one_seat_agree(visit, server):
    visitor = visit()
    longer = {"turns": 12, "first": 0}  # four own turns: three decisions cannot end it, even three passes
    first = sit(visitor, make(server.url, "recess", options=longer))
    second = visitor.context.new_page()
    second.goto(first.url)
    rng = Random(4)
    for acting, watching in ((first, second), (second, first), (first, second)):
        has_choices(watching, choices(acting))
        decide(acting, rng)
        has_choices(watching, choices(acting))
    play_on(second, rng)
    expect(first.locator(OVER)).to_be_visible()


def test_the_server_restarts(visit, tmp_path):
    """A banner says that the line is broken; when the server is back, so is the game."""
    server = DefaultServer(tmp_path)
    try:
        visitor = visit(expected=f"{LOST}|Failed to load resource", home=server.url)
        seated = make(server.url, "recess")
        page = sit(visitor, seated)
        before = choices(page)
        server.kill()
        expect(page.locator(BANNER)).to_be_visible()
        server.start()
        server.wait()
        expect(page.locator(BANNER)).to_have_count(0)
        assert choices(page) == before
        assert decide(page, Random(5))
        assert choices(page)
        expect(page.locator(".notice.bad")).to_have_count(0)
    finally:
        server.stop()
