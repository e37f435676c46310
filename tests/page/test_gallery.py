"""The rule book's gallery and search, and the ways there and back: from a refusal, a line, a card, a house rule."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

import preau
from tests.page.galleries import FILE, galleries
from tests.page.playing import CHOICE, ME, OPEN, make, sit
from tests.page.visitor import accessibility_violations

THING, BOOK, BACK = "[data-about-thing]", "[data-to-book]", "[data-way-back]"
BARE = """() => [...document.querySelectorAll("[id^=card-]")].filter((one) => !one.querySelector(".picture svg"))
  .map((one) => one.id)"""
"""Things without a picture."""


def test_the_search_is_tested_with_what_there_is():
    """`python -m tests.page.galleries` writes the file anew."""
    assert json.loads(FILE.read_text(encoding="utf-8")) == galleries()


@pytest.mark.parametrize("game", preau.game_ids())
def test_everything_in_the_box_is_shown(visit, game):
    """Each with its picture, and in each of the boxes; a link to a thing leads to it, in whatever box it is."""
    gallery = preau.game(game).gallery
    assert gallery is not None
    page = visit(language="fr").page
    last = gallery.boxes[0].things[-1]
    page.goto(f"/rules/{game}#card-{last.name}")
    expect(page.locator(f"#card-{last.name}")).to_be_in_viewport()
    expect(page.locator(f"#card-{last.name}")).to_contain_text(str(last.copies))
    expect(page.locator("[id^=card-]")).to_have_count(len(gallery.boxes[0].things))
    page.wait_for_function(f"({BARE})().length === 0")
    for box in gallery.boxes[1:]:
        page.locator("section:has(> #gallery) select").select_option(index=gallery.boxes.index(box))
        expect(page.locator("[id^=card-]")).to_have_count(len(box.things))
    page.evaluate("location.hash = ''")
    page.evaluate(f"location.hash = 'card-{last.name}'")
    expect(page.locator(f"#card-{last.name}")).to_be_focused()
    page.locator(f"#card-{last.name} a").click()
    expect(page.locator(f"#{last.rule}")).to_be_in_viewport()


def test_a_gallery_that_cannot_be_loaded_can_be_asked_for_again(visit):
    page = visit(expected="Failed to load resource").page
    page.route("**/api/games/cour/gallery", lambda route: route.abort())
    page.goto("/rules/cour#gallery")
    again = page.locator("section:has(> #gallery) [role=alert] button")
    again.wait_for()
    expect(page.locator("#C16")).to_be_attached()
    page.unroute("**/api/games/cour/gallery")
    again.click()
    expect(page.locator("#card-butterfly")).to_be_visible()


def test_a_search_finds_rules_things_and_house_rules(visit):
    """By words of either language, marked where they stand; from there to the place in the book and back."""
    page = visit().page
    page.goto("/rules/recess")
    find = page.get_by_role("searchbox")
    find.fill("mouchard")
    expect(page.locator("[data-found]").first).to_have_attribute("data-found", "rule R29")
    expect(page.locator("[data-found]").first).to_contain_text("mouchard")
    find.fill("nun")
    expect(page.locator("[data-found='thing nun'] mark").first).to_have_text("Nun")
    expect(page.locator("[data-found='option nun_may_stay'] mark").first).to_have_text("Nuns")
    expect(page.get_by_role("status").filter(has_text="found")).to_contain_text(re.compile(r"^\d+ found$"))
    assert accessibility_violations(page) == []
    page.locator("[data-found='thing nun'] a").click()
    expect(page.locator("#card-nun")).to_be_focused()
    page.locator("[data-find-again]").click()
    expect(page.locator("[data-found='option nun_may_stay']")).to_be_visible()
    find.fill("submarine")
    expect(page.get_by_role("status").filter(has_text="found")).to_have_text("nothing found")
    expect(page.locator(".none")).to_contain_text("submarine")


def seated(visit, server, game: str, **wishes) -> Page:
    """At a table where one is asked something."""
    page = sit(visit(**wishes), make(server.url, game))
    page.locator(CHOICE).first.wait_for()
    return page


def there_and_back(page: Page, place: str, table: str | re.Pattern[str]) -> None:
    """From a dialog into the book, and from the book to where one was."""
    page.locator(BOOK).click()
    expect(page.locator(f"#{place}")).to_be_in_viewport()
    page.locator(BACK).click()
    expect(page).to_have_url(table)


def test_a_refusal_and_a_line_lead_to_the_rule_and_back(visit, server):
    page = seated(visit, server, "recess")
    table = page.url
    page.locator("[data-group=b1]").click()
    page.locator("[data-spot=f6]").click()
    page.locator(".notice .rule").click()
    there_and_back(page, "R14", table)
    page.locator(CHOICE).first.wait_for()
    page.locator("[data-action=pass]").click()
    line = page.locator(".log li", has_text="You pass")
    line.get_by_role("button", name="Rule R9").click()
    there_and_back(page, "R9", table)
    page.locator(CHOICE).first.wait_for()
    expect(line.get_by_role("button", name="Rule R9")).to_be_focused()


def test_a_card_says_what_it_is(visit, server):
    """By the right button, by key on what has the focus or is picked, and by the button beside what is picked."""
    page = seated(visit, server, "bagarre")
    card = page.locator("[data-card]").first
    name = card.get_attribute("data-card")
    card.click(button="right")
    expect(page.locator(f"[data-about-thing={name}]")).to_be_visible()
    assert accessibility_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(THING)).to_have_count(0)
    card.focus()
    page.keyboard.press("i")
    expect(page.locator(f"[data-about-thing={name}]")).to_be_visible()
    there_and_back(page, f"card-{name}", page.url)
    page.locator(CHOICE).first.wait_for()
    expect(page.locator(f"[data-card={name}]").first).to_be_focused()
    if page.locator("[data-action=draw]").count():
        page.locator("[data-action=draw]").click()
    group = page.locator("[data-group]").first
    group.click()
    page.locator("[data-about]").click()
    expect(page.locator(THING)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-about]")).to_be_focused()


def test_a_hint_says_what_it_speaks_of(visit, server):
    page = seated(visit, server, "recess")
    page.keyboard.press("h")
    page.locator("[data-hint-about]").click()
    expect(page.locator(THING)).to_have_attribute("data-about-thing", re.compile("boy|girl|boys|girls"))


def test_a_finger_that_rests_on_a_piece_asks(visit, server):
    """On a phone; what is under it is not chosen by that."""
    page = seated(visit, server, "recess", phone=True, language="fr")
    nun = page.locator("[data-spot][data-thing=nun]").first
    box = nun.bounding_box()
    assert box is not None
    line = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator("[data-about-thing=nun]")).to_be_visible()
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("[data-about-thing=nun]")).to_contain_text("2 dans la boîte")
    expect(page.locator(".notice")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(CHOICE).first).to_be_visible()


def test_a_house_rule_leads_to_the_rule_and_the_form_stays_as_it_was(visit, server):
    page = visit().page
    page.goto("/new/recess")
    page.locator("input[name=count][value='5']").check(force=True)
    page.locator("summary").click()
    page.locator("[data-option=turns] input").fill("44")
    page.locator("[data-option=turns] .rule button").click()
    there_and_back(page, "R7", re.compile("/new/recess$"))
    expect(page.locator("[data-option=turns] .rule button")).to_be_focused()
    expect(page.locator("[data-option=turns] input")).to_have_value("44")
    expect(page.locator("[data-option=turns] input")).to_be_in_viewport()
    expect(page.locator("input[name=count][value='5']")).to_be_checked()
    seats = [ME, OPEN, OPEN]
    page = sit(visit(), make(server.url, "recess", start=False, seats=seats, options={"turns": 12}))
    page.locator(".rules li", has_text="Turns: 12").get_by_role("button", name="Rule R7").click()
    there_and_back(page, "R7", page.url)
    expect(page.locator("[data-sit]").first).to_be_visible()
