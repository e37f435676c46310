"""Looking at a finished game together: one leads, the others see the same on whatever they have."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.layout import REPLAY_OVERFLOW
from tests.page.recorded_game import RECORD, play_recorded_game
from tests.page.screens import Tables
from tests.page.visitor import Visitor, accessibility_violations, expect_nothing_wrong

LAST = str(len(RECORD.entries))
MISPLACED = """(names) => names.filter((name) => {
  const [at, to] = name.split(" → ").map((one) => document.querySelector(
    `[data-place="${one}"], [data-spot="${one}"]:not([data-place])`)?.getBoundingClientRect());
  const marks = [...document.querySelectorAll("[data-mark]")];
  const shape = marks.find((one) => one.dataset.mark === name)?.lastElementChild;
  if (!shape || !at) return true;
  const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  if (to) {
    const [, x1, y1, x2, y2] = /^M([\\d.]+) ([\\d.]+)L([\\d.]+) ([\\d.]+)/.exec(shape.getAttribute("d")).map(Number);
    return !inside(at, x1, y1) || !inside(to, x2, y2);
  }
  const { x, y, width, height } = shape.getBBox();
  return Math.hypot(x + width / 2 - at.x - at.width / 2, y + height / 2 - at.y - at.height / 2) > 2;
})"""
"""Marks that are not there, or not where the place of this name is on this board."""


@pytest.fixture(scope="module")
def tables(server) -> Tables:
    return Tables(server.url)


def sits(visitor: Visitor, table: str, game: str) -> Page:
    """Somebody who had the first seat of a game that is over."""
    seat = {"id": table, "token": "x" * 32, "game": game, "code": "", "seats": [0], "names": [], "status": "over"}
    visitor.remember("preau.tables", [{**seat, "turn": False, "time": 0}])
    return visitor.page


def link(page: Page, table: str, at: str) -> str:
    """Make a link to look together, and begin to lead."""
    page.goto(f"/replay/{table}#{at}")
    page.locator("[data-replay=together]").click()
    url = page.locator("[data-together-url]").input_value()
    assert re.search(rf"/replay/{table}/with/[a-z0-9]+$", url)
    expect(page.get_by_alt_text("QR")).to_be_visible()
    assert not accessibility_violations(page)
    page.keyboard.press("Escape")
    expect(page.locator("[data-together]")).to_have_attribute("data-together", "leading")
    expect(page.locator("[data-replay=together]")).to_have_count(0)
    return url


def sees(page: Page, step: str, state: str = "following") -> None:
    """This step is shown, and it is said how one looks."""
    expect(page.locator("[data-scrub]")).to_have_value(step)
    expect(page.locator("[data-together]")).to_have_attribute("data-together", state)


def slide(page: Page, start: Locator, end: Locator) -> None:
    """Draw with a finger from one thing to another."""
    boxes = [one.bounding_box() for one in (start, end)]
    (x1, y1), (x2, y2) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    finger = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x1, "y": y1}]),
        ("touchMove", [{"x": (x1 + x2) / 2, "y": (y1 + y2) / 2}]),
        ("touchMove", [{"x": x2, "y": y2}]),
        ("touchEnd", []),
    ):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_three_look_at_a_game_together(visit, server):
    """One leads on a laptop, one follows on a phone in French, one steps aside and comes back by keyboard."""
    table = play_recorded_game(server.url)
    leads = visit()
    leads.context.grant_permissions(["clipboard-read", "clipboard-write"])
    leader = sits(leads, table, "recess")
    url = link(leader, table, "2")
    leader.locator("[data-together-link]").click()
    leader.locator("[data-together-copy]").click()
    expect(leader.get_by_text("The link is copied.")).to_be_visible()
    assert leader.evaluate("navigator.clipboard.readText()") == url
    leader.keyboard.press("Escape")
    expect(leader.locator("[data-together]")).to_contain_text("Nobody else is here.")

    phone = visit(phone=True, language="fr", size=(390, 664)).page
    other = visit(size=(1024, 700), theme="dark", expected="WebSocket|ERR_INTERNET_DISCONNECTED").page
    for one in (phone, other):
        one.goto(url)
        sees(one, "2")
    expect(leader.locator("[data-looking]")).to_have_attribute("data-looking", "3")
    expect(leader.locator("[data-together]")).to_contain_text("2 others look")
    expect(phone.locator("[data-together] [role=status]").first).to_have_text("Zoé guide, tu suis.")
    expect(phone.locator("[data-together]")).to_contain_text("3 regardent")

    # Marks: by mouse, from lists, and by keys on the board; the same for all, and gone with the step.
    leader.locator("h1").click()
    leader.keyboard.press("m")
    leader.locator("[data-mark-at]").wait_for()
    leader.locator("[data-spot=h8]").drag_to(leader.locator("[data-spot=f6]"))
    leader.locator("[data-spot=d4]").click()
    leader.locator("[data-mark-at]").select_option("boys")
    leader.locator("[data-mark-to]").select_option(label="a5")
    leader.locator("[data-mark-add]").press("Enter")
    leader.locator("[data-spot=c3]").focus()
    leader.keyboard.press("Enter")
    leader.keyboard.press("ArrowRight")
    leader.keyboard.press("Enter")
    marks = ["h8 → f6", "d4", "boys → a5", "c3 → d3"]
    for one in (leader, phone, other):
        expect(one.locator("[data-mark]")).to_have_count(4)
        expect_nothing_wrong(one, MISPLACED, marks)
        assert not accessibility_violations(one)
    told = "Zoé montre\u202f: h8 → f6, d4, l’entrée des garçons → a5, c3 → d3"
    expect(phone.locator("[data-marks-told]")).to_have_text(told)
    leader.get_by_role("button", name="Take away: d4").click()
    expect(phone.locator("[data-mark]")).to_have_count(3)
    leader.keyboard.press("Escape")
    expect(leader.locator("[data-mark-at]")).to_have_count(0)
    for width, height in ((320, 568), (664, 320), (390, 664)):
        phone.set_viewport_size({"width": width, "height": height})
        expect_nothing_wrong(phone, MISPLACED, ["h8 → f6"])
        expect_nothing_wrong(phone, REPLAY_OVERFLOW)

    # Aside, by a key, by other eyes, and back by a key and by the button.
    leader.locator("h1").click()
    leader.keyboard.press("ArrowRight")
    for one in (phone, other):
        sees(one, "3")
        expect(one.locator("[data-mark]")).to_have_count(0)
    other.keyboard.press("Home")
    sees(other, "0", "aside")
    leader.locator("[data-eyes]").select_option("1")
    leader.keyboard.press("Tab")
    leader.keyboard.press("End")
    sees(phone, LAST)
    expect(phone.locator("[data-eyes]")).to_have_value("1")
    sees(other, "0", "aside")
    assert not accessibility_violations(other)
    other.keyboard.press("b")
    sees(other, LAST)
    expect(other.locator("[data-eyes]")).to_have_value("1")
    other.locator("[data-eyes]").select_option("2")
    sees(other, LAST, "aside")
    other.locator("[data-together-back]").press("Enter")
    sees(other, LAST)
    expect(other.locator("[data-together]")).to_be_focused()
    expect(other.locator("[data-eyes]")).to_have_value("1")

    # A line breaks and comes back.
    other.context.set_offline(True)
    sees(other, LAST, "lost")
    leader.keyboard.press("PageUp")
    expect(phone.locator("[data-scrub]")).not_to_have_value(LAST)
    step = leader.locator("[data-scrub]").input_value()
    sees(phone, step)
    other.context.set_offline(False)
    sees(other, step)

    # Whoever leads goes away; a reload leads on, and whoever plays on takes all along.
    leader.goto("/help")
    for one in (phone, other):
        sees(one, step, "alone")
    assert not accessibility_violations(phone)
    leader.goto(url)
    sees(leader, step, "leading")
    for one in (phone, other):
        sees(one, step)
    leader.locator("[data-replay=first]").click()
    sees(phone, "0")
    leader.get_by_label("Speed").select_option("4")
    leader.locator("[data-replay=play]").click()
    for one in (phone, other):
        sees(one, LAST)

    # A review is looked at: one tap opens it here as well. Whoever leaves has the replay for themselves.
    leader.locator("[data-replay=review]").click()
    phone.locator("[data-together-review]").tap()
    expect(phone.locator("dialog [data-review]")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.locator("[data-together-review]")).to_have_count(0)
    phone.locator("[data-together-leave]").tap()
    expect(phone.locator("[data-together]")).to_have_count(0)
    expect(leader.locator("[data-looking]")).to_have_attribute("data-looking", "2")
    assert "with" not in phone.url


@pytest.mark.parametrize(("game", "places"), [("bagarre", "[data-spot^='jar:']"), ("cour", "[data-spot^='seat:']")])
def test_cards_and_seats_are_marked_by_finger(visit, tables, game, places):
    """Whoever leads has a phone, and opens all hands; whoever follows has a laptop."""
    table = tables[f"over {game}"]["table"]["id"]
    leader = visit(phone=True, language="fr", size=(390, 664)).page
    url = link(leader, table, "4")
    page = visit().page
    page.goto(url)
    sees(page, "4")
    leader.locator("[data-together-mark]").tap()
    leader.locator(f".stage {places}").first.tap()
    expect(page.locator("[data-mark]")).to_have_count(1)
    name = page.locator("[data-mark]").get_attribute("data-mark")
    expect_nothing_wrong(page, MISPLACED, [name])
    expect_nothing_wrong(leader, MISPLACED, [name])
    expect_nothing_wrong(leader, REPLAY_OVERFLOW)
    assert not accessibility_violations(leader)
    leader.locator(f".stage {places}").first.tap()
    expect(page.locator("[data-mark]")).to_have_count(0)
    slide(leader, leader.locator(f".stage {places}").first, leader.locator(".stage [data-spot=pile]"))
    expect_nothing_wrong(page, MISPLACED, [f"{name} → pile"])
    leader.locator("[data-mark-named]").tap()
    leader.locator("[data-mark-at]").select_option("pile")
    leader.locator("[data-mark-add]").tap()
    expect_nothing_wrong(page, MISPLACED, [f"{name} → pile", "pile"])
    expect_nothing_wrong(leader, REPLAY_OVERFLOW)
    assert not accessibility_violations(leader)
    leader.locator("[data-mark-clear]").tap()
    expect(page.locator("[data-mark]")).to_have_count(0)
    leader.locator("[data-replay=last]").tap()
    leader.locator("[data-replay=back]").tap()  # everybody has cards by then
    leader.locator("[data-eyes]").select_option("all")
    expect(page.locator("[data-open-hand]")).to_have_count(leader.locator("[data-open-hand]").count())
    leader.locator("[data-open-hand] [data-place]").first.tap()
    held = page.locator("[data-mark^='held:']")
    expect(held).to_have_count(1)
    expect_nothing_wrong(page, MISPLACED, [held.get_attribute("data-mark")])
    expect(page.locator("[data-marks-told]")).not_to_be_empty()
    leader.locator("[data-mark-clear]").tap()
    expect(held).to_have_count(0)
