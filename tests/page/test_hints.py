"""Hints on the page: asked for by key, button and touch, followed, and gone with the move."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.page.playing import ASKED, BOT, ME, PAD, ask, decide, make, play_on, sit
from tests.page.visitor import accessibility_violations, expect_nothing_wrong
from tests.support import by_day

GAMES = ["recess", "bagarre", "cour"]
SMALL = [(390, 664), (320, 568), (844, 390)]
HINT, MORE, MARK = "[data-hint]", "[data-hint-more]", "[data-hint-mark]"
HINTED = ".choices .hinted"
PARTS = "[data-hint], [data-hint] button, [data-hint-mark]"
OUT_OF_SIGHT = """(parts) => [...document.querySelectorAll(parts)].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return left < -16 || top < -16 || right > innerWidth + 16 || bottom > innerHeight + 16;
}).map((one) => one.outerHTML)"""
HIDDEN = """() => [...document.querySelectorAll("[data-hint-mark]")].filter((one) => {
  const [mark, hint] = [one, document.querySelector("[data-hint]")].map((it) => it.getBoundingClientRect());
  return mark.bottom > hint.top + 4 && mark.top < hint.bottom - 4;
}).map((one) => one.outerHTML)"""


def ready(page: Page) -> None:
    """Play on to a question that leaves time for a hint."""
    page.locator(ASKED).first.wait_for()
    while page.locator(PAD).count() or page.locator("[data-ask-hint]:disabled").count():
        decide(page, Random(1))
        page.locator(ASKED).first.wait_for()


def asked(page: Page) -> str:
    """Ask by key; what the hint says."""
    ready(page)
    page.keyboard.press("h")
    page.locator(HINT).wait_for()
    return page.locator(HINT).inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_asked_for_and_followed(visit, server, game):
    made = make(server.url, game)
    page = sit(visit(), made)
    said = asked(page)
    assert "%" in said
    assert not any(letter in said for letter in "{}⟨⟩")
    expect(page.locator(HINTED)).to_have_count(1)
    page.locator(HINTED).click()
    expect(page.locator(HINT)).to_have_count(0)
    expect(page.locator(MARK)).to_have_count(0)
    assert ask(f"{server.url}/api/tables/{made['table']['id']}")["hinted"] == 1


def test_another_idea_comes_with_another_press(visit, server):
    page = sit(visit(), make(server.url, "recess"))
    first = asked(page)
    expect(page.locator(MARK)).to_have_count(2)
    page.locator(MORE).click()
    page.wait_for_function("(said) => document.querySelector('[data-hint]')?.innerText !== said", arg=first)
    page.keyboard.press("Escape")
    expect(page.locator(HINT)).to_have_count(0)
    page.locator("[data-ask-hint]").click()
    page.locator(HINT).wait_for()
    assert page.locator(HINT).inner_text() == first, "put away, one begins anew"


def test_what_is_marked_on_the_board_is_what_is_meant(visit, server):
    page = sit(visit(), make(server.url, "recess"))
    asked(page)
    action = page.locator(HINTED).get_attribute("data-action")
    assert action is not None
    cell = page.locator(f"[data-spot='{action.split(' ')[-1]}']").bounding_box()
    marks = [page.locator(MARK).nth(at).bounding_box() for at in range(2)]
    assert cell is not None
    assert any(mark and abs(mark["x"] - cell["x"]) < 3 and abs(mark["y"] - cell["y"]) < 3 for mark in marks)
    page.locator(f"[data-spot='{action.split(' ')[-1]}'].target").click()
    expect(page.locator(HINT)).to_have_count(0)


@pytest.mark.parametrize("game", by_day(GAMES, "recess"))
def test_a_hint_fits_on_a_phone_and_hides_nothing_it_speaks_of(visit, server, game):
    page = sit(visit(phone=True, language="fr"), make(server.url, game))
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        page.locator("[data-ask-hint]").tap()
        page.locator(HINT).wait_for()
        expect_nothing_wrong(page, OUT_OF_SIGHT, PARTS)
        if game == "recess":
            expect_nothing_wrong(page, HIDDEN)
        page.keyboard.press("Escape")
        expect(page.locator(HINT)).to_have_count(0)
    page.locator("[data-ask-hint]").tap()
    page.locator(HINT).wait_for()
    assert "Sinon" in page.locator(HINT).inner_text() or "chances" in page.locator(HINT).inner_text()


def test_a_hint_is_for_everybody(visit, server):
    page = sit(visit(), make(server.url, "bagarre"))
    said = asked(page)
    assert accessibility_violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert accessibility_violations(page, "color-contrast") == []
    status = [text for text in page.locator("[role=status]").all_inner_texts() if text]
    assert any(text and text in said.replace("\n", " ").replace("  ", " ") for text in status)


def test_the_result_says_that_it_was_a_practice_game(visit, server):
    page = sit(visit(), make(server.url, "recess", options={"turns": 1, "first": 0}))
    asked(page)
    play_on(page, Random(1))
    expect(page.locator("[data-practice]")).to_contain_text("a hint was asked for")


def test_with_a_friend_there_are_no_hints(visit, server):
    seats = [ME, {"kind": "me", "name": "Bo"}, BOT]
    page = sit(visit(), make(server.url, "recess", seats=seats))
    page.locator(ASKED).first.wait_for()
    expect(page.locator("[data-ask-hint]")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.get_by_text("everybody else is a bot")).to_be_visible()


def test_a_table_can_be_made_without_hints(page):
    page.goto("/new/recess")
    page.locator("[data-hints]").uncheck()
    page.locator("[data-make]").click()
    page.locator(ASKED).first.wait_for()
    expect(page.locator("[data-ask-hint]")).to_have_count(0)
