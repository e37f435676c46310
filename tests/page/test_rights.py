"""Seats without their people: a bot for somebody the others wait for, a seat that was left, somebody removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.playing import BOT, CHOICE, ME, OPEN, ask, make, sit
from tests.page.visitor import accessibility_violations
from tests.server.processes import DefaultServer, Server

MALO = {"name": "Malo"}


@pytest.fixture(scope="module")
def patient(tmp_path_factory) -> Iterator[Server]:
    """A server where people have to be waited for, but not for long."""
    one = DefaultServer(tmp_path_factory.mktemp("patient"), "--set=away_ms=5000", "--set=bot_pause_ms=0")
    yield one
    one.stop()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory) -> Iterator[Server]:
    """A server where nobody has to be waited for."""
    one = DefaultServer(tmp_path_factory.mktemp("hasty"), "--set=away_ms=0", "--set=bot_pause_ms=0")
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
    expect(ana.locator("[data-affair]")).to_contain_text("Malo is not here, and the others wait.")
    expect(ana.locator("[data-affair]")).to_contain_text("The host can let a bot play now.")
    expect(ana.locator("[data-let-bot]")).to_have_count(0)
    expect(menu(ana)).to_contain_text("The host can let a bot play now.")
    shown = zoe.locator("[data-affair]")
    expect(shown).to_contain_text("The bot is of the level “normal”: Plays like most people who know the rules.")
    shown.get_by_role("button", name="Let a bot play for Malo now").click()
    expect(zoe.locator("[data-affair]")).to_have_count(0)
    expect(zoe.locator("[data-level=normal]")).to_have_text("a bot sits in (normal)")
    ana.locator("dialog[open]").get_by_label("Close").tap()
    ana.locator(CHOICE).first.wait_for()  # the bot has done the turn
    back = sit(visit(home=hasty.url), malo)
    expect(back.locator("[data-stood-in]")).to_have_count(0)


def test_until_then_all_who_wait_see_a_countdown(visit, server):
    made, [_, friend] = begun(server.url, MALO, {"name": "Ana"})
    zoe, ana = sit(visit(), made), sit(visit(language="fr", phone=True), friend)
    zoe.locator("[data-action=pass]").click()
    shown, other = zoe.locator("[data-affair]"), ana.locator("[data-affair]")
    expect(shown).to_contain_text("Malo is not here, and the others wait. You can let a bot play in")
    expect(other).to_contain_text("L’hôte peut laisser un robot jouer dans")
    for one in (shown, other):
        expect(one.get_by_role("timer")).to_have_text(re.compile(r"^\s*\d+:\d\d\s*$"))
    expect(shown.locator("[data-let-bot]")).to_have_count(0)
    shown.locator("[data-later]").click()
    expect(shown).to_have_count(0)
    expect(menu(zoe)).to_contain_text("You can let a bot play in")


def test_the_button_comes_by_itself_when_the_time_is_up(visit, patient):
    """Also for somebody who has put the countdown aside."""
    made, _ = begun(patient.url, MALO, {"name": "Ana"})
    zoe = sit(visit(home=patient.url), made)
    zoe.locator("[data-action=pass]").click()
    shown = zoe.locator("[data-affair]")
    expect(shown.get_by_role("timer")).to_be_visible()
    shown.locator("[data-later]").click()
    shown.locator("[data-let-bot='1']").click()
    expect(zoe.locator("[data-level=normal]")).to_have_text("a bot sits in (normal)")
    expect(zoe.locator("[data-let-bot='1']")).to_have_count(0)  # soon the table may wait for Ana instead


def test_a_left_seat_is_taken_when_everybody_agrees(visit, server):
    made, [malo, ana] = begun(server.url, MALO, {"name": "Ana"})
    zoe, guest = sit(visit(), made), sit(visit(language="fr", phone=True), malo)
    watcher = visit().page
    watcher.goto(zoe.url)
    third = sit(visit(), ana)
    leave(third)
    expect(zoe.locator(".notice")).to_contain_text("Ana has left; a bot plays on.")
    expect(zoe.locator("[data-level=normal]")).to_have_text("has left; a bot plays (normal)")
    shown = menu(zoe)
    expect(shown).to_contain_text("Ana has left; a bot plays on.")
    expect(shown).to_contain_text("Not yet: Zoé and Malo.")
    shown.locator("[data-agree]").click()
    expect(shown.locator("[data-withdraw]")).to_be_visible()
    expect(watcher.locator("[data-sit]")).to_have_count(0)
    expect(menu(watcher)).to_contain_text("Yes: Zoé. Not yet: Malo.")
    watcher.keyboard.press("Escape")
    expect(guest.locator("[data-affair]")).to_contain_text("Pas encore\u202f: Malo.")
    for page in (zoe, guest):  # the menu, and what lies over the table
        assert accessibility_violations(page) == []
    guest.locator("[data-later]").tap()
    expect(guest.locator("[data-affair]")).to_have_count(0)
    menu(guest).locator("[data-agree]").tap()
    watcher.locator("[data-affair] [data-sit='2']").click()
    expect(watcher.locator("[data-affair]")).to_have_count(0)
    expect(watcher.locator("[data-undo]")).to_be_visible()
    expect(shown).not_to_contain_text("has left")
    late = visit().page
    late.goto(zoe.url)
    late.get_by_role("tab", name="Talk").click()
    expect(late.get_by_role("log", name="Talk")).to_contain_text("Ana has left; a bot plays on.")
    expect(late.get_by_role("log", name="Talk")).to_contain_text("takes the seat that was left.")


def leave(page: Page) -> None:
    """Leave the table for good, by the menu."""
    button = menu(page).get_by_role("button", name="Leave the table")
    button.click()
    expect(page.get_by_role("heading", name="Leave for good?")).to_be_visible()
    button.click()
    page.wait_for_url("**/")


def test_whoever_left_comes_back_by_the_link(visit, server):
    made, [malo, _] = begun(server.url, MALO, {"name": "Ana"})
    zoe, friend = sit(visit(), made), sit(visit(), malo)
    address = friend.url
    friend.locator("[data-menu]").wait_for()
    leave(friend)
    expect(friend.get_by_text("My games")).to_have_count(0)
    friend.goto(address)
    expect(friend.locator("[data-affair]")).to_contain_text("You left this seat; a bot plays on.")
    stranger = visit().page
    stranger.goto(address)
    stranger.locator("[data-menu]").wait_for()
    expect(stranger.locator("[data-affair]")).to_have_count(0)
    friend.locator("[data-come-back='1']").click()
    expect(friend.locator("[data-undo]")).to_be_visible()
    expect(zoe.locator(".notice").last).to_contain_text("Malo is back.")
    expect(zoe.locator(".seats > li").nth(1)).to_contain_text("Malo")
    friend.reload()
    expect(friend.locator("[data-undo]")).to_be_visible()


def test_where_nobody_new_is_wanted_nobody_is_asked(visit, server):
    page = visit().page
    page.goto("/new/recess")
    page.locator("[data-fill=friends]").click()
    page.locator("[data-newcomers]").uncheck()
    page.locator("[data-make]").click()
    expect(page.locator("main")).to_contain_text("Nobody new takes the seat of whoever leaves")
    table = page.url.rpartition("/")[2]
    address = f"{server.url}/api/tables/{table}"
    [ana] = [ask(f"{address}/join", {"name": name}) for name in ("Ana",)]
    page.locator("[data-start]").click()
    page.locator("[data-menu]").wait_for()
    leave(sit(visit(), ana))
    shown = menu(page)
    expect(shown).to_contain_text("Whoever made this table wants nobody new; Ana may come back.")
    expect(shown.locator("[data-agree]")).to_have_count(0)


# Sheets over the table.


def test_every_sheet_of_the_menu_closes_by_escape_and_gives_the_focus_back(visit, server):
    page = sit(visit(), make(server.url, "recess"))
    for opens in ("", "Continue on another device", "Leave the table"):
        page.locator("[data-menu]").focus()
        page.keyboard.press("Enter")
        sheet = page.locator("dialog[open]")
        if opens:
            sheet.get_by_role("button", name=opens).focus()
            page.keyboard.press("Enter")
            expect(sheet.get_by_role("heading", name="Menu")).to_have_count(0)
            expect(sheet.get_by_role("heading")).to_be_focused()
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        expect(page.locator("[data-menu]")).to_be_focused()
    page.locator("[data-menu]").click()
    page.locator("dialog[open]").get_by_label("Close").click()
    expect(page.locator("[data-menu]")).to_be_focused()


def test_escape_closes_a_sheet_also_when_the_focus_is_nowhere(visit, server):
    page = sit(visit(), make(server.url, "recess"))
    sheet = menu(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_the_link_to_another_device_is_shown_whole_and_can_be_copied(visit, server):
    for phone in (False, True):
        visitor = visit(phone=phone)
        visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = sit(visitor, make(server.url, "recess"))
        sheet = menu(page)
        sheet.get_by_role("button", name="Continue on another device").click()
        link = sheet.locator("[data-link]")
        expect(link).to_contain_text(f"{server.url}/move#")
        assert link.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert accessibility_violations(page) == []
        sheet.locator("[data-copy]").click()
        expect(page.locator(".notice")).to_contain_text("The link is copied.")
        assert page.evaluate("navigator.clipboard.readText()") == link.inner_text()


# Seats, levels and time.


def test_levels_are_explained_where_they_are_named(visit, server):
    page = visit().page
    page.goto("/new/cour")
    levels = page.locator("[data-levels]")
    expect(levels).to_contain_text("Plays like most people who know the rules.")
    expect(levels).to_contain_text("Where you have to be quick, it takes 1 to 2.2 seconds.")
    select = page.get_by_label("Player 2: how well the bot plays")
    select.select_option("easy")
    expect(select).to_have_accessible_description(re.compile("Thinks little .* 1.6 to 3.2 seconds"))
    page.goto("/new/recess")
    expect(levels).not_to_contain_text("seconds")
    lobby = sit(visit(language="fr", phone=True), make(server.url, "cour", seats=[ME, OPEN, BOT], start=False))
    expect(lobby.locator("[data-levels]")).to_contain_text("gourmand Prend ce qui rapporte tout de suite")
    expect(lobby.locator("[data-levels]")).to_contain_text("de 1 à 2,2 secondes")
    table = sit(visit(), make(server.url, "recess"))
    named = table.locator("[data-level=greedy]").first
    expect(named).to_have_attribute("aria-expanded", "false")
    named.click()
    expect(named).to_have_attribute("aria-expanded", "true")
    expect(table.get_by_text("Takes whatever brings most at once").first).to_be_visible()
    assert accessibility_violations(table) == []


def test_inviting_comes_before_beginning_with_bots(visit, server):
    for phone in (False, True):
        page = sit(visit(phone=phone), make(server.url, "recess", seats=[ME, OPEN, OPEN], start=False))
        link, start = page.get_by_label("Link to this table"), page.locator("[data-start]")
        start.wait_for()
        after = "(two) => !!(document.querySelector('#invite-link').compareDocumentPosition(two) & 4)"
        assert start.evaluate(after)
        top = "(one) => one.getBoundingClientRect().top"
        assert link.evaluate(top) < start.evaluate(top)
        assert accessibility_violations(page) == []


def test_sand_runs_down_beside_the_digits_and_a_time_out_is_told(visit, server):
    timer = {"kind": "turn", "amount": 5}
    page = sit(visit(), make(server.url, "recess", seats=[ME, {**ME, "name": "Malo"}, BOT], timer=timer))
    sand = page.locator("[data-sand]")
    expect(sand).to_be_visible()
    expect(page.locator(".notice")).to_contain_text("Zoé has run out of time.")
    alone = sit(visit(), make(server.url, "recess", timer=timer))
    expect(alone.locator(".notice")).to_contain_text("Your time is up.")
    usual = sit(visit(phone=True), make(server.url, "recess", timer={"kind": "turn", "amount": 60}))
    expect(usual.locator("[data-sand]")).to_be_visible()


def test_who_shares_a_screen_is_here_and_who_plays_alone_is_you(visit, server):
    made = make(server.url, "recess", seats=[ME, {**ME, "name": "Malo"}, {**ME, "name": "Ana"}])
    seats = sit(visit(), made).locator(".seats > li")
    for seat, name in enumerate(("Zoé", "Malo", "Ana")):
        expect(seats.nth(seat)).to_contain_text(name)
        expect(seats.nth(seat).locator("div.who")).to_have_text("here")
    alone = sit(visit(), make(server.url, "recess"))
    expect(alone.locator("div.who")).to_have_text("you")


def test_on_a_phone_ones_own_seat_is_marked_and_stays_in_sight(visit, server):
    seats = [*[BOT] * 7]
    seats.insert(3, ME)
    visitor = visit(phone=True)
    visitor.page.set_viewport_size({"width": 320, "height": 568})
    page = sit(visitor, make(server.url, "cour", seats=seats))
    strip = page.get_by_role("list", name="Seats")
    own = strip.locator(".own")
    expect(own).to_have_text("you")
    for place in ("0", "one.scrollWidth / 2", "one.scrollWidth"):
        strip.evaluate(f"(one) => one.scrollTo({{left: {place}, behavior: 'instant'}})")
        left, right = own.evaluate("(one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]")
        assert left >= 0
        assert right <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


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
    expect(zoe.locator(".prompt")).to_contain_text("Ana")  # the bot has done what it does
    zoe.locator("[data-undo]").click()
    expect(zoe.locator(".notice")).to_contain_text("A bot plays for Malo")
    expect(zoe.locator("[data-asks]")).to_have_count(0)
