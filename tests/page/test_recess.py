"""Recess! at the table: room on every screen, an answer to every tap, and what would come of it before one acts."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

import preau
from tests.page.layout import fits
from tests.page.playing import ASKED, BOT, CHOICE, ME, make, sit, take_grouped_choice
from tests.page.visitor import accessibility_violations, expect_nothing_wrong, settle

SMALL = [(390, 664), (360, 640), (320, 568), (844, 390)]
PARTS = "[data-spot], .entrance, .clock, .turn ol"
CUT = """() => {
  const { bottom } = document.querySelector(".choices").getBoundingClientRect();
  return [...document.querySelectorAll(".choices button")]
    .filter((one) => one.getBoundingClientRect().bottom > bottom || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.innerText);
}"""
"""What is to be chosen from and is not to be seen in its full height."""


def cell(page: Page, name: str) -> Locator:
    return page.locator(f"[role=gridcell][data-spot='{name}']")


def up_to_the_nun(page: Page) -> None:
    """The three movements of a first turn; two boys end in one cell of their shelter."""
    for action in ("b1 a2", "b2 a2", "g1 k12"):
        take_grouped_choice(page, action)
    page.locator("[data-group='nun 0']").wait_for()


def fitted(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".set")).to_be_visible()
    fits(page, PARTS, many=145)


def test_on_a_phone(visit, server):
    """Everything fits; a wrong tap is answered; a finger sees before it acts; children in one shelter have names."""
    page = sit(visit(phone=True), make(server.url, "recess", options={"turns": 9, "first": 0}))
    page.locator(ASKED).first.wait_for()
    for size in SMALL:
        fitted(page, *size)
    fitted(page, 390, 664)

    # before a child is chosen
    for wrong, said in (("f7", "Choose one of your children first"), ("a1", "A nun moves at the end of your turn")):
        cell(page, wrong).tap()
        expect(page.get_by_text(said)).to_be_visible()
    page.locator("[data-group=b1]").tap()
    expect(page.locator("[role=status].sentence")).to_contain_text("Boy 1")

    # a finger on small cells is asked which one it meant
    fitted(page, 320, 568)
    cell(page, "b1").tap()
    which = page.get_by_role("dialog", name="Which one?")
    assert which.get_by_role("button").count() > 1
    heights = [one.evaluate("(one) => one.offsetHeight") for one in which.get_by_role("button").all()]
    assert min(heights) >= 44
    assert accessibility_violations(page) == []
    page.keyboard.press("Escape")
    expect(which).to_have_count(0)
    expect(page.locator("[data-back]")).to_be_visible()  # the child is still chosen
    page.keyboard.press("Escape")

    # a nun: the first tap shows what she would see, the second moves her
    fitted(page, 390, 664)
    up_to_the_nun(page)
    page.locator("[data-group='nun 0']").click()
    target = cell(page, "a8")
    target.tap()
    expect(page.locator("[data-caption]")).to_contain_text("To a8. Sees no fight from there. Tap again")
    expect(page.locator("svg .seen")).to_have_count(1)
    expect(target).to_have_class(re.compile("target"))
    target.tap()
    expect(page.locator("svg .seen")).to_have_count(0)

    # children who share a shelter, in the next turn
    page.locator("[data-group=b1]", has_text="Boy 1 (a2)").wait_for()
    cell(page, "a2").tap()
    expect(which.get_by_role("button")).to_have_text([re.compile("Your boy 1"), re.compile("Your boy 2")])
    which.get_by_role("button", name="Your boy 2").tap()
    expect(page.get_by_role("button", name="Back, do not choose: Boy 2")).to_be_visible()


def test_on_a_laptop(visit, server):
    """What a nun would see shows under the pointer; the choice to see what they see is kept."""
    page = sit(visit(), make(server.url, "recess", options={"turns": 9, "first": 0}))
    up_to_the_nun(page)
    page.locator("[data-group='nun 0']").click()
    cell(page, "a8").hover()
    expect(page.locator("[data-caption]")).to_have_text("To a8. Sees no fight from there.")
    seen = page.locator("svg .seen")
    expect(seen).to_have_count(1)
    page.mouse.move(2, 2)
    expect(seen).to_have_count(0)
    expect(cell(page, "a8")).to_have_attribute("aria-label", re.compile("Sees no fight from there"))
    page.keyboard.press("s")
    expect(seen).to_have_count(1)
    page.reload()
    expect(seen).to_have_count(1)
    settle(page)
    ring = page.locator(".piece.ready").first
    assert ring.evaluate("(one) => getComputedStyle(one, '::before').boxShadow") != "none"
    assert page.locator(".own").count() >= 4


def moment(question: str, choices: int) -> dict[str, Any]:
    """A position in which the first seat is asked this and has so many choices."""
    rng = Random(3)
    for seed in range(100):
        match = preau.new("recess", 4, seed=seed, options={"first": 0})
        while not match.over:
            seat = match.to_act[0]
            legal = match.legal(seat)
            if seat == 0 and len(legal) == choices and match.state.prompt(0)["key"] == question:
                return dict(match.state.to_json())
            match.apply(seat, rng.choice(legal))
    raise AssertionError(question)


def test_long_choices_on_a_high_phone(visit, server):
    """What they mean makes them high, in French above all: none is cut off, and none lies under what is below."""
    for question, choices in (("prompt.choose", 2), ("prompt.choose", 3), ("prompt.tell", 3)):
        wish: Any = {"seats": [ME, BOT, BOT, BOT], "options": {}, "from": {"position": moment(question, choices)}}
        page = sit(visit(phone=True, language="fr"), make(server.url, "recess", **wish))
        expect(page.locator(CHOICE)).to_have_count(choices)
        assert accessibility_violations(page, "color-contrast") == []
        for width, height in ((390, 844), (360, 780), (320, 720)):
            page.set_viewport_size({"width": width, "height": height})
            expect_nothing_wrong(page, CUT)
    page.locator("[data-more]").click()
    page.set_viewport_size({"width": 320, "height": 760})  # as when the browser's bar goes away
    settle(page)
    expect(page.locator("[data-more]")).to_have_attribute("aria-expanded", "true")
