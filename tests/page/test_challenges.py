"""The challenge of the day through the page: the same for all, played to the end, kept, shared; past days too."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Page, expect

from tests.page.playing import CHOICE, ask, play_on, tap
from tests.page.visitor import Visitor

SMALL = (390, 664)
PAST = "2026-11-02"


def hand(page: Page) -> list[str]:
    """The cards in one's own hand, once one is asked for the first time."""
    page.locator(CHOICE).first.wait_for()
    return sorted(card.get_attribute("data-card") or "" for card in page.query_selector_all("[data-card]"))


def sit_down(visitor: Visitor, game: str) -> Page:
    """From the first page to today's challenge of a game."""
    page = visitor.page
    page.goto("/")
    page.locator("[data-daily]").click()
    page.locator(f"[data-challenge={game}]").click()
    page.locator("[data-try]").click()
    return page


def test_two_browsers_get_the_same_challenge_and_one_plays_it_to_the_end(visit, server):
    """By touch on a small phone in French; what came of it is kept, counted and shared."""
    there = sit_down(visit(), "bagarre")
    one = visit(phone=True, size=SMALL, language="fr")
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = sit_down(one, "bagarre")
    dealt = hand(page)
    assert len(dealt) > 2
    assert dealt == hand(there)
    tables = [ask(f"{server.url}/api/tables/{one.url.rpartition('/')[2]}") for one in (page, there)]
    assert tables[0]["options"] == tables[1]["options"]
    assert tables[0]["challenge"] == tables[1]["challenge"]
    expect(page.locator("[data-undo], [data-ask-hint]")).to_have_count(0)

    play_on(page, Random(3), tap)
    measured = page.locator("[data-challenge-end]")
    points = measured.get_attribute("data-challenge-end")
    expect(page.locator("[data-rematch]")).to_have_count(0)
    page.reload()
    expect(measured).to_have_attribute("data-challenge-end", str(points))
    expect(measured).to_contain_text("Essai 1 sur 3.")
    expect(measured).to_contain_text("Il te reste 2 essais.")

    page.locator("[data-share]").click()
    expect(page.get_by_text("Résultat copié")).to_be_visible()
    text, address = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert re.fullmatch(rf"Préau, La grande bagarre du \d.*\s: {points} billes? \(en un essai\)", text)
    page.locator("[data-to-challenge]").click()
    expect(page.locator("ol li.best")).to_contain_text(f"{points} bille")
    assert page.url == address

    page.locator("[data-all]").click()
    expect(page.locator("[data-streak]")).to_have_attribute("data-streak", "1")
    page.goto("/")
    expect(page.locator("[data-daily]")).to_contain_text("1 sur 3 aujourd’hui. 1 jour à la suite")


def test_a_past_day_can_be_played_and_a_try_is_taken_up_again(visit):
    page = visit().page
    page.goto(f"/challenge/recess/{PAST}")
    expect(page.locator("h1")).to_have_text("Recess!")
    page.get_by_text("Check a result").click()
    expect(page.locator("[data-key]")).to_have_text(re.compile("[0-9a-f]{64}"))
    page.locator("[data-try]").click()
    page.locator(CHOICE).first.wait_for()
    table = page.url
    page.keyboard.press("u")
    expect(page.get_by_text("In a challenge nothing is taken back.")).to_be_visible()
    page.goto(f"/challenge/recess/{PAST}")
    expect(page.get_by_text("2 tries are left.")).to_be_visible()
    page.reload()
    page.locator("[data-continue]").click()
    page.locator(CHOICE).first.wait_for()
    assert page.url == table
    page.goto(f"/challenge/recess/{PAST}")
    page.locator("[data-after]").click()
    expect(page.get_by_text("Tuesday 3 November")).to_be_visible()
    expect(page.get_by_text("3 tries are left.")).to_be_visible()


def test_without_the_server_one_can_try_again_and_other_days_are_refused(visit):
    page = visit(expected="Failed to load resource").page
    page.route("**/api/challenges", lambda route: route.abort())
    page.goto("/challenge")
    retry = page.get_by_role("alert").get_by_role("button")
    retry.wait_for()
    page.unroute("**/api/challenges")
    retry.click()
    page.locator("[data-next]").wait_for()
    for day in ("yesterday", "2999-01-01"):
        page.goto(f"/challenge/recess/{day}")
        expect(page.get_by_text("There is no challenge on that day")).to_be_visible()
    page.locator("[data-all]").click()
    page.locator("[data-challenge=recess]").wait_for()
