"""Whole games through the page."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

import preau
from tests.page.playing import BOT, CHOICE, ME, OPEN, OVER, ask, decide, key, make, play_on, sit, tap
from tests.server.services import Server


def over(server: Server, table: str) -> bool:
    return bool(ask(f"{server.url}/api/tables/{table}")["status"] == "over")


@pytest.mark.parametrize("game", preau.games())
def test_a_game_by_mouse(visit, server, game):
    seated = make(server.url, game)
    page = sit(visit(), seated)
    answers = play_on(page, Random(1))
    assert len(answers) > 3
    assert over(server, seated["table"]["id"])


def test_a_game_on_a_phone(visit, server):
    seated = make(server.url, "recess")
    page = sit(visit(phone=True), seated)
    play_on(page, Random(2), tap)
    assert over(server, seated["table"]["id"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_in_french(visit, server):
    seated = make(server.url, "bagarre")
    page = sit(visit(language="fr"), seated)
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    play_on(page, Random(3))
    assert over(server, seated["table"]["id"])


def test_a_game_by_keyboard_alone(visit, server):
    seated = make(server.url, "cour")
    page = sit(visit(), seated)
    play_on(page, Random(4), key)
    assert over(server, seated["table"]["id"])


def test_two_people_and_somebody_who_watches(visit, server):
    """Each at a device of their own; all three see the same game, to the end."""
    seated = make(server.url, "recess", seats=[ME, OPEN, BOT], start=False)
    table = seated["table"]["id"]
    joined = ask(f"{server.url}/api/tables/{table}/join", {"name": "Malo"})
    zoe, malo = sit(visit(), seated), sit(visit(), joined)
    ask(f"{server.url}/api/tables/{table}/start", {}, seated["token"])
    watcher = visit().page
    watcher.goto(f"/t/{table}")
    expect(zoe.locator(".watching")).to_be_visible()
    expect(watcher.locator(CHOICE)).to_have_count(0)
    rng = Random(6)
    asked = {zoe: 1, malo: 2}
    acting, other = zoe, malo
    for _ in range(60):
        elsewhere = f".seats li:nth-child({asked[other]}).active"
        acting.locator(f"{CHOICE}, {OVER}, {elsewhere}").first.wait_for()
        if acting.locator(OVER).count():
            break
        if acting.locator(CHOICE).count():
            decide(acting, rng)
        else:
            acting, other = other, acting
    for page in (zoe, malo, watcher):
        expect(page.locator(OVER)).to_be_visible()
    assert over(server, table)
    results = {page.locator(f"{OVER} h2").inner_text() for page in (zoe, malo, watcher)}
    assert len(results) == 1
