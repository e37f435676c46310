"""Whole games through the page."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.playing import actions, ask, key, make, on_the_board, on_the_table, play_on, sit, tap
from tests.server.services import Server

COUNT_BUTTONS = """
window.buttons_clicked = 0;
addEventListener("click", (event) => { if (event.target.closest(".choices")) buttons_clicked++; }, true);
"""


def over(server: Server, table: str) -> bool:
    return bool(ask(f"{server.url}/api/tables/{table}")["status"] == "over")


def by_itself(action: str) -> bool:
    """A friend that is picked before the toy goes down by itself (bagarre)."""
    return action.startswith("place F")


def test_a_game_by_mouse(visit, server):
    seated = make(server.url, "recess")
    page = sit(visit(), seated)
    answers = play_on(page, Random(1))
    assert len(answers) > 3
    assert over(server, seated["table"]["id"])


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_a_game_on_the_table(visit, server, game):
    """Cards, toys, piles and seats are clicked, and hardly a button."""
    seated = make(server.url, game)
    page = sit(visit(), seated)
    page.evaluate(COUNT_BUTTONS)
    answers = play_on(page, Random(1), on_the_table)
    done = actions(server, seated["table"]["id"])
    assert [one for one in done if not by_itself(one)] == [one for one in answers if not by_itself(one)]
    expect(page.locator("[role=log] li").last).to_be_in_viewport()
    assert page.evaluate("buttons_clicked") < len(answers) / 2


def test_a_game_on_the_board(visit, server):
    seated = make(server.url, "recess", options={"turns": 9, "first": 0})
    page = sit(visit(), seated)
    answers = play_on(page, Random(5), on_the_board)
    assert sum(" " in one for one in answers) > 3
    assert actions(server, seated["table"]["id"]) == answers


def test_a_game_on_a_phone(visit, server):
    seated = make(server.url, "recess")
    page = sit(visit(phone=True), seated)
    play_on(page, Random(2), tap)
    assert over(server, seated["table"]["id"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Log").tap()
    expect(page.locator("[role=log] li").last).to_be_in_viewport()


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
