"""A newcomer's first game: easy bots, what it is about, and a hint for every new kind of moment, each once."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import preau
from tests.page.layout import table_fits
from tests.page.playing import CHOICE, ask, decide, make, sit, tap
from tests.page.visitor import accessibility_violations, expect_nothing_wrong
from tests.support import by_day

BESIDE = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [guide, stage, foot] = [box("[data-guide]"), box(".stage"), box(".foot")];
  const found = [];
  if (guide.top < stage.bottom - 1) found.push(`over the table by ${stage.bottom - guide.top}`);
  if (guide.bottom > foot.top + 1) found.push(`over the bar by ${guide.bottom - foot.top}`);
  return found;
}"""
"""Where the hint covers something."""


def levels(home: str, page: Page) -> set[str]:
    table = ask(f"{home}/api/tables/{page.url.rpartition('/')[2]}")
    return {seat["level"] for seat in table["seats"] if seat["kind"] == "bot"}


def hint(page: Page) -> str:
    found = page.locator("[data-guide]")
    return (found.get_attribute("data-guide") or "") if found.count() else ""


@pytest.mark.parametrize(
    ("game", "language"), by_day([("recess", "fr"), ("bagarre", "en"), ("cour", "fr")], ("recess", "fr"))
)
def test_a_newcomer_is_guided(visit, server, game, language):
    """On the smallest phone, where the hint covers nothing: one for each new kind of question, until it is enough."""
    wish: Any = {"options": {"first": 0}} if game == "bagarre" else {}  # a short game can end before the second hint
    page = sit(visit(phone=True, language=language, size=(320, 568), newcomer=True), make(server.url, game, **wish))
    expect(page.locator("[data-guide=goal]")).to_be_visible()
    page.locator(CHOICE).first.wait_for()
    table_fits(page)
    expect_nothing_wrong(page, BESIDE)
    assert accessibility_violations(page, without="target-size" if game == "recess" else "") == []
    page.keyboard.press("h")
    expect(page.locator("[data-hint]")).to_be_visible()
    expect(page.locator("[data-guide]")).to_have_count(0)
    page.locator("[data-hint-close]").tap()
    expect(page.locator("[data-guide=goal]")).to_be_visible()
    page.locator("[data-guide-next]").tap()
    expect(page.locator("[data-guide=goal]")).to_have_count(0)
    hints = {hint(page)} - {""}
    rng = Random(3)
    for _ in range(60):
        table_fits(page)
        expect_nothing_wrong(page, BESIDE)
        assert decide(page, rng, tap), "the game is over"
        said = hint(page)
        hints |= {said} - {""}
        if said and len(hints) > 1:
            break
    assert len(hints) > 1
    page.locator("[data-guide-end]").tap()
    expect(page.locator("[data-guide]")).to_have_count(0)
    page.reload()
    page.locator(CHOICE).first.wait_for()
    assert hint(page) == ""


@pytest.mark.parametrize("game", by_day(preau.game_ids(), "cour"))
def test_play_now_is_against_easy_bots_for_a_newcomer(visit, server, game):
    visitor = visit(newcomer=True)
    page = visitor.page
    for known, level in ((False, "easy"), (True, preau.game(game).facts.usual.level)):
        page.goto("/")
        page.evaluate(
            "(guide) => localStorage.setItem('preau.guide', guide)", json.dumps({game: {"known": known, "seen": []}})
        )
        page.reload()
        page.locator(f"[data-play={game}]").click()
        page.wait_for_url("**/t/*")
        assert levels(server.url, page) == {level}


def test_whoever_has_done_the_lesson_needs_no_guide(visit, server):
    visitor = visit(newcomer=True)
    visitor.remember("preau.lessons", {"recess": {"at": 0, "done": True}})
    page = sit(visitor, make(server.url, "recess"))
    page.locator(CHOICE).first.wait_for()
    assert hint(page) == ""


def test_people_among_themselves_are_not_guided(visit, server):
    seats = [{"kind": "me", "name": "Zoé"}, {"kind": "me", "name": "Malo"}, {"kind": "bot"}]
    page = sit(visit(newcomer=True), make(server.url, "recess", seats=seats))
    page.locator(CHOICE).first.wait_for()
    assert hint(page) == ""


@pytest.mark.parametrize("game", preau.game_ids())
def test_every_hint_belongs_to_a_question_of_the_game(game):
    of = preau.game(game)
    prompts = {key.removeprefix("prompt.") for key in of.part("shapes").PROMPTS if key.startswith("prompt.")}
    words = {key.removeprefix("guide.") for key in of.texts("en").messages if key.startswith("guide.")}
    assert words - prompts == {"goal"}
    assert len(words) > 5
