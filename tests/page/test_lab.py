"""The lab through the page: the published studies with their figures, in both languages, wide and narrow."""

from __future__ import annotations

from playwright.sync_api import expect

from preau.lab.published import studies
from preau.lab.words import Words
from tests.page.visitor import accessibility_violations

SMALLEST = (320, 568)


def test_published_studies_are_shown_with_their_figures(visit):
    """From the help: every study is there, and says what its file says; the rest opens on demand."""
    page = visit().page
    page.goto("/help")
    page.locator("[data-lab]").click()
    expect(page.locator("[data-study]")).to_have_count(len(studies()))
    report = studies()["shove"]
    words = Words(report["game"], "en")
    study = page.locator("[data-study=shove]")
    first = study.locator("[data-line='seat 1 wins']")
    for arm in report["arms"]:
        expect(first).to_contain_text(words.estimate("seats", arm["figures"]["seats"][0]))
    expect(first).to_contain_text(words.estimate("seats", report["differences"]["seats"][0], signed=True))
    expect(first.locator("svg")).to_be_visible()
    expect(study).to_contain_text(report["command"])
    expect(study.locator("[data-line='wins with: kiss']")).to_be_hidden()
    study.locator("summary").click()
    expect(study.locator("[data-line='wins with: kiss']")).to_be_visible()
    assert accessibility_violations(page) == []


def test_the_lab_in_french_on_the_smallest_phone(visit):
    """Nothing sticks out but tables, which can be pushed aside; without an answer one can try again."""
    page = visit(phone=True, language="fr", size=SMALLEST, expected="Failed to load resource").page
    page.route("**/api/studies/*", lambda route: route.abort())
    page.goto("/lab")
    again = page.locator("[role=alert] button")
    expect(again).to_be_visible()
    page.unroute("**/api/studies/*")
    again.click()
    expect(page.locator("[data-study]")).to_have_count(len(studies()))
    expect(page.locator("[data-study=exits]")).to_contain_text("Entrées")
    expect(page.locator("[data-study=exits]")).to_contain_text("siège 1 gagne")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_violations(page) == []
