"""A game from a package, which nobody has drawn: found, set up, played, looked up and watched again on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import ElementHandle, Page, expect

from tests.examples.packages import SOLEIL, install
from tests.page.playing import OVER, actions, attached, click, play_on
from tests.page.visitor import PATIENCE_MS, accessibility_violations
from tests.server.processes import DefaultServer, Server
from tests.support import by_day


class Words(NamedTuple):
    """What a reader of one language is to find."""

    title: str
    chapter: str
    rule: str
    option: str
    prompt: str
    hand: str
    won: str


WORDS = {
    "en": Words(
        "One, two, three, sun!",
        "On the line",
        "turns round on one of the four words",
        "goes back to the line",
        "Choose a card.",
        "In your hand",
        "Winner",
    ),
    "fr": Words(
        "Un, deux, trois, soleil\u202f!",
        "Sur la ligne",
        "se retourne à l’un des quatre mots",
        "retourne à la ligne",
        "Choisis une carte.",
        "Dans ta main",
        "Gagnant",
    ),
}


@pytest.fixture(scope="module")
def offering(tmp_path_factory) -> Iterator[Server]:
    """A server beside which the package is installed."""
    folder = tmp_path_factory.mktemp("offering")
    one = DefaultServer(folder, "--set=bot_pause_ms=0", packages=install(SOLEIL, folder))
    yield one
    one.stop()


def card(page: Page, button: ElementHandle, place: int) -> None:
    """By the card itself where there is one such card, else by the button."""
    held = page.query_selector_all(f"[data-does='{button.get_attribute('data-action')}']:enabled")
    if held:
        attached(held[0].click)
    else:
        click(page, button, place)


@pytest.mark.parametrize(("language", "phone"), by_day([("en", False), ("fr", True)], ("fr", True)))
def test_a_whole_game_of_a_package(visit, offering, language, phone):
    words = WORDS[language]
    page = visit(home=offering.url, language=language, phone=phone).page

    page.goto("/")
    offer = page.locator("article", has=page.locator("[data-play=soleil]"))
    expect(offer.locator("h2")).to_have_text(words.title)
    picture = offer.locator("img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("(one) => one.naturalWidth") > 0
    assert page.locator("article h2").count() == 4
    expect(offer.locator("a[href='/rules/soleil']")).to_be_visible()
    assert offer.locator("[data-puzzles], [data-learn]").count() == 0, "it has neither"

    offer.locator("a[href='/rules/soleil']").click()
    expect(page.locator("#start")).to_have_text(words.chapter)
    expect(page.locator("#S4")).to_contain_text(words.rule)
    assert not accessibility_violations(page)

    page.goto("/new/soleil")
    page.locator("[name=count][value='3']").check(force=True)
    for seat in (1, 2):
        page.locator(f"li:has([data-seat='{seat}']) select").nth(1).select_option("random")
    page.locator("details summary").click()
    expect(page.locator("[data-option=back] option").first).to_have_text(words.option)
    page.locator("[data-option=rounds] input").fill("6")
    page.locator("[data-make]").click()

    expect(page.locator(".sentence")).to_contain_text(words.prompt)
    expect(page.locator(".stage section h2")).to_have_text(words.hand)
    expect(page.locator(".stage [data-seat]")).to_have_count(3)
    assert not accessibility_violations(page)
    answers = play_on(page, Random(3), card)
    expect(page.locator(OVER)).to_contain_text(words.won)
    assert 1 <= len(answers) <= 6
    table = page.url.rpartition("/")[2]
    assert actions(offering, table) == answers

    page.locator("dialog [data-replay]").click()
    expect(page.locator("h1")).to_contain_text(words.title)
    page.locator("[data-replay=last]").click()
    scrubber = page.locator("[data-scrub]")
    expect(scrubber).to_have_value(str(3 * len(answers)))
    expect(page.locator(".stage .stone")).to_have_count(3)
    expect(page.locator("[data-told] li").first).not_to_contain_text(re.compile("⟨|undefined"))
    assert not accessibility_violations(page)


def test_bare_ground_for_a_game_without_words(visit, offering):
    """Without any `stage.*` texts everything is shown under its own name."""
    page = visit(home=offering.url).page
    bare = re.compile("/api/games/soleil/texts/")

    def strip(route):
        answer = route.fetch()
        data = answer.json()
        data["messages"] = {
            key: text for key, text in data["messages"].items() if not key.startswith(("stage.", "action."))
        }
        route.fulfill(response=answer, json=data)

    page.route(bare, strip)
    page.goto("/")
    page.locator("[data-play=soleil]").click()
    expect(page.locator(".stage [data-seat='0']")).to_contain_text("Places")
    expect(page.locator(".choices [data-action]").first).to_contain_text("play ")
    assert not accessibility_violations(page)


def test_playing_on_this_device_is_offered_for_games_that_the_page_has(visit, offering):
    """The page's own Python has the games that ship. A wish that was saved before makes no difference to others."""
    page = visit(home=offering.url).page
    page.goto("/new/recess")
    expect(page.locator("[data-local]")).to_have_count(1)
    page.evaluate("localStorage.setItem('preau.new.soleil', JSON.stringify({ local: true }))")
    page.goto("/new/soleil")
    expect(page.locator("[data-make]")).to_be_visible()
    expect(page.locator("[data-local]")).to_have_count(0)
    page.locator("[data-make]").click()
    expect(page.locator(".stage [data-seat='0']")).to_be_visible()
    assert "/t/local" not in page.url


def test_without_a_server_a_game_of_a_package_says_in_french_what_is_missing(visit, offering):
    """The page tries its own Python, which does not have the game."""
    page = visit(home=offering.url, language="fr", expected="net::ERR_").page
    page.goto("/new/soleil")
    expect(page.locator("[data-make]")).to_be_visible()
    page.route(re.compile("/api/(tables|health)"), lambda route: route.abort())
    page.locator("[data-make]").click()
    expect(page.get_by_text("Serveur injoignable.")).to_be_visible(timeout=PATIENCE_MS)
