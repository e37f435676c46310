"""Seats without their people: a bot for somebody the others wait for, a seat that was left, somebody removed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.playing import CHOICE, ME, OPEN, ask, make, sit
from tests.page.visitor import barriers
from tests.server.services import Server

MALO = {"name": "Malo"}


@pytest.fixture(scope="module")
def hasty(tmp_path_factory) -> Iterator[Server]:
    """A server where nobody has to be waited for."""
    one = Server(f"sqlite:///{tmp_path_factory.mktemp('hasty')}/preau.db", away_ms=0)
    yield one
    one.stop()


def begun(home: str, *guests: dict[str, str]) -> tuple[Any, list[Any]]:
    """A game of Recess! that its maker begins: what the maker and the guests were told."""
    made = make(home, "recess", seats=[ME, *[OPEN] * len(guests)], start=False)
    address = f"{home}/api/tables/{made['table']['id']}"
    seated = [ask(f"{address}/join", guest) for guest in guests]
    made["table"] = ask(f"{address}/start", {}, made["token"])
    return made, seated


def menu(page: Page) -> Any:
    page.locator("[data-menu]").click()
    return page.locator("dialog[open]")


def test_the_host_lets_a_bot_in_for_somebody_who_is_away(visit, hasty):
    made, [malo, friend] = begun(hasty.url, MALO, {"name": "Ana"})
    zoe, ana = sit(visit(home=hasty.url), made), sit(visit(home=hasty.url, phone=True), friend)
    zoe.locator("[data-action=pass]").click()
    expect(ana.locator("[data-affair]")).to_have_count(0)
    expect(menu(ana)).to_contain_text("The host can let a bot play.")
    zoe.locator("[data-affair] [data-let-bot]").click()
    expect(zoe.locator("[data-affair]")).to_have_count(0)
    ana.locator("dialog[open]").get_by_label("Close").tap()
    ana.locator(CHOICE).first.wait_for()  # the bot has done the turn
    back = sit(visit(home=hasty.url), malo)
    expect(back.locator("[data-stood-in]")).to_have_count(0)


def test_until_then_the_menu_says_when(visit, server):
    made, _ = begun(server.url, MALO, {"name": "Ana"})
    zoe = sit(visit(), made)
    zoe.locator("[data-action=pass]").click()
    shown = menu(zoe)
    expect(shown).to_contain_text("Malo is not here, and the others wait. A bot can be let in soon:")
    expect(shown.locator("[data-let-bot]")).to_have_count(0)
    expect(zoe.locator("[data-affair]")).to_have_count(0)


def test_a_left_seat_is_taken_when_everybody_agrees(visit, server):
    made, [malo, ana] = begun(server.url, MALO, {"name": "Ana"})
    zoe, guest = sit(visit(), made), sit(visit(language="fr", phone=True), malo)
    watcher = visit().page
    watcher.goto(zoe.url)
    third = sit(visit(), ana)
    leave = menu(third).get_by_role("button", name="Leave the table")
    leave.click()
    expect(third.get_by_text("Leave for good?")).to_be_visible()
    leave.click()
    shown = menu(zoe)
    expect(shown).to_contain_text("Player 3 has left; a bot plays on.")
    expect(shown).to_contain_text("Not yet: Zoé and Malo.")
    shown.locator("[data-agree]").click()
    expect(shown.locator("[data-withdraw]")).to_be_visible()
    expect(watcher.locator("[data-sit]")).to_have_count(0)
    expect(menu(watcher)).to_contain_text("Yes: Zoé. Not yet: Malo.")
    watcher.keyboard.press("Escape")
    expect(guest.locator("[data-affair]")).to_contain_text("Pas encore\u202f: Malo.")
    for page in (zoe, guest):  # the menu, and what lies over the table
        assert barriers(page) == []
    guest.locator("[data-later]").tap()
    expect(guest.locator("[data-affair]")).to_have_count(0)
    menu(guest).locator("[data-agree]").tap()
    watcher.locator("[data-affair] [data-sit='2']").click()
    expect(watcher.locator("[data-affair]")).to_have_count(0)
    expect(watcher.locator("[data-undo]")).to_be_visible()
    expect(shown).not_to_contain_text("has left")


def test_whoever_was_removed_is_told(visit, server):
    made = make(server.url, "recess", seats=[ME, OPEN, OPEN], start=False)
    zoe, malo = sit(visit(), made), visit().page
    malo.goto(zoe.url)
    malo.locator("[data-sit='1']").click()
    expect(malo.locator("[data-sit='1']")).to_have_count(0)
    zoe.locator("[data-change='1']").select_option("open")
    expect(malo.locator("main")).to_contain_text("The host has removed you from this table.")
    malo.reload()
    expect(malo.locator("[data-sit='1']")).to_be_visible()


def test_what_a_bot_sits_in_for_is_not_taken_back(visit, server):
    made, [malo, _] = begun(server.url, MALO, {"name": "Ana"})
    zoe, friend = sit(visit(), made), sit(visit(), malo)
    zoe.locator("[data-action=pass]").click()
    friend.locator("[data-group=b1]").click()
    friend.locator("[data-action^='b1 ']").first.click()
    menu(friend).get_by_role("button", name="Let a bot play for me").click()
    expect(friend.locator("[data-stood-in]")).to_be_visible()
    zoe.locator("[data-undo]").click()
    expect(zoe.locator(".notice")).to_contain_text("A bot plays for Malo")
    expect(zoe.locator("[data-asks]")).to_have_count(0)
