"""The first page of the rule books: every picture is drawn and fits, and leads to its rules and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import preau
from tests.page.visitor import accessibility_violations
from tests.support import by_day

FIGURES = "[aria-labelledby=book] [data-figure]"
FAULTS = """async () => {
  // once the window has its new size and everything in it, too
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const found = [];
  for (const figure of document.querySelectorAll("[aria-labelledby=book] [data-figure]")) {
    const [inside, column] = [figure.getBoundingClientRect(), figure.closest("li").getBoundingClientRect()];
    const say = (fault) => found.push(`${figure.dataset.figure} ${fault}, at ${innerWidth} pixels`);
    const drawing = figure.firstElementChild;
    const isOut = (one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 0 && (left < inside.left - 1 || right > inside.right + 1);
    };
    if (!drawing || inside.width < 150 || inside.height < 60) say("is empty");
    else if (drawing.querySelectorAll("path").length < 5) say("has nothing in it");
    // a part of a board is cut out of it, everything else is there as a whole
    else if (!drawing.matches(".window")) {
      const out = [...drawing.querySelectorAll("*")].find(isOut);
      if (out) say(`has ${out.outerHTML.slice(0, 90)} sticking out`);
    }
    if (inside.left < column.left || inside.right > column.right) say("sticks out of its column");
    if (!figure.getAttribute("aria-label")) say("has no words");
  }
  return found;
}"""


def open_book(page: Page, game: str, rule: str = "") -> None:
    page.goto(f"/rules/{game}{rule}")
    expect(page.locator(FIGURES)).to_have_count(len(preau.game(game).book))


@pytest.mark.parametrize("language", by_day(["en", "fr"], "fr"))
@pytest.mark.parametrize("game", preau.game_ids())
def test_every_picture_is_drawn_and_fits(visit, game, language):
    page = visit(language=language).page
    open_book(page, game)
    found = []
    for width, height in ((1280, 800), (390, 664), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        found += page.evaluate(FAULTS)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"the page is wider than {width} pixels")
    assert found == []
    texts = preau.game(game).texts(language)
    titles = [texts.say(f"book.{figure.name}.title") for figure in preau.game(game).book]
    shown = page.locator("[aria-labelledby=book] h3").all_inner_texts()
    assert [plain(one.partition("\n")[2] or one) for one in shown] == [plain(title) for title in titles]


def plain(text: str) -> str:
    """Without what typesetting changes, and the number before it."""
    return re.sub(r"^\d+\s*", "", text.replace("’", "'").replace("\N{NARROW NO-BREAK SPACE}", " ")).replace("\xa0", " ")


def test_from_a_picture_to_its_rule_and_back(page):
    open_book(page, "recess")
    page.locator("#book-pin a[href='#R22']").press("Enter")
    expect(page.locator("#R22")).to_be_in_viewport()
    page.locator("#R22 a[href='#book-pin']").press("Enter")
    expect(page.locator("#book-pin h3")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#R22")).to_be_in_viewport()
    expect(page.locator("#R18 [data-figure=pin]")).to_be_visible()


def test_a_link_to_a_rule_or_picture_finds_it_below_all_the_others(page):
    open_book(page, "bagarre", "#B20")
    expect(page.locator("#B20")).to_be_in_viewport()
    page.goto("about:blank")
    open_book(page, "bagarre", "#book-maman")
    expect(page.locator("#book-maman h3")).to_be_in_viewport()
    page.locator("input[type=search]").fill("Maman")
    expect(page.locator(FIGURES)).to_have_count(0)
    expect(page.get_by_role("link", name="Rule B18")).to_be_visible()


def test_beside_a_rule_a_picture_stays_folded_on_a_phone(visit):
    page = visit(phone=True, size=(390, 664), theme="dark").page
    open_book(page, "cour")
    expect(page.locator("#C13 [data-figure]")).to_have_count(0)
    page.locator("#C13 summary").tap()
    expect(page.locator("#C13 [data-figure=glue]")).to_be_visible()
    assert accessibility_violations(page) == []


def test_without_the_pictures_there_are_still_the_rules(visit):
    page = visit(expected="Failed to load resource").page
    page.route("**/api/games/recess/book", lambda route: route.abort())
    page.goto("/rules/recess#R18")
    expect(page.locator("#R18")).to_be_in_viewport()
    page.unroute("**/api/games/recess/book")
    page.locator("[role=alert] button").click()
    expect(page.locator(FIGURES)).to_have_count(len(preau.game("recess").book))


def test_whoever_has_read_it_can_try_and_play(page):
    open_book(page, "recess")
    expect(page.locator("[aria-labelledby=book] [data-learn=recess]")).to_have_attribute("href", "/learn/recess")
    page.locator("[aria-labelledby=book] [data-play=recess]").click()
    expect(page).to_have_url(re.compile(r"/t/\w+$"))
