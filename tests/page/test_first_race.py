"""The race of Dans la cour d'école in a first game: the table is seen first, the race is explained and tried once."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from preau.games.cour.data import shipped
from tests.page.playing import ASKED, CHOICE, OPEN, VERDICTS, answer, ask, make, remember
from tests.page.visitor import Visitor, accessibility_violations, expect_nothing_wrong

TRIAL = "[data-trial]"
RACE = "dialog:has([data-sign])"
SIZES = [(360, 640), (390, 844), (1280, 720), (844, 390)]

HIDDEN = """() => {
  const found = [];
  for (const one of document.querySelectorAll("[data-trial] :is(h1, p, li, button), [data-trial] .stage")) {
    const { left, top, right, bottom, width } = one.getBoundingClientRect();
    if (width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1)) found.push(one.outerHTML);
  }
  const stage = document.querySelector("[data-trial] .stage").getBoundingClientRect();
  if (stage.height < 150) found.push(`the table is ${stage.height} high`);
  return found;
}"""
"""Lists the parts of the trial that are outside of the screen."""


def spiders() -> dict[str, Any]:
    """A card set in which almost every second card is a spider."""
    cards: dict[str, Any] = shipped("reconstructed")
    cards["others"].update(spider=99, butterfly=0, king=0)
    return cards


def racing(visitor: Visitor, first: int = 1) -> Page:
    """Change every table that the page makes, so that a race comes with the second turn."""

    def change(route: Route) -> None:
        wish: Any = route.request.post_data_json
        wish["options"] = {**wish.get("options", {}), "first": first, "cards": spiders()}
        route.continue_(post_data=json.dumps(wish))

    visitor.page.route(re.compile("/api/tables$"), change)
    return visitor.page


def play_now(page: Page) -> None:
    page.goto("/")
    page.locator("[data-play=cour]").click()
    page.wait_for_url("**/t/*")


def tap_the_sign(page: Page, *, right: bool = True) -> None:
    spider = "Spider" in page.locator(RACE).get_by_role("heading").inner_text()
    page.locator(f"[data-sign={'spider' if spider is right else 'butterfly'}]").click()


def to_the_race(page: Page) -> None:
    """Play until the signs are on the screen."""
    rng = Random(5)
    for _ in range(30):
        page.locator(ASKED).first.wait_for()
        if page.locator(RACE).count():
            return
        answer(page, rng)
    raise AssertionError("no race")


def status(home: str, page: Page) -> str:
    found: str = ask(f"{home}/api/tables/{page.url.rpartition('/')[2]}")["status"]
    return found


def test_a_first_game_begins_after_the_race_was_tried(visit, server):
    """The server starts the game only then, so no time runs out; each later game begins at once."""
    page = racing(visit(newcomer=True))
    page.add_init_script(VERDICTS)
    play_now(page)
    page.locator(f"{TRIAL}, {RACE}").first.wait_for()
    assert page.locator(RACE).count() == 0, "the race is the first thing to be seen"
    expect(page.locator(".cour .place").first).to_be_visible()
    expect(page.get_by_role("heading", name="Before you play: the race")).to_be_focused()
    assert accessibility_violations(page) == []
    assert status(server.url, page) == "waiting"

    page.locator("[data-trial-go]").click()
    expect(page.locator(RACE).get_by_role("timer")).to_contain_text("s left")
    expect(page.locator(RACE)).to_have_accessible_description(re.compile("Choose the sign of the card before"))
    tap_the_sign(page, right=False)
    verdict = page.locator("[data-trial-verdict]")
    expect(verdict).to_contain_text("Wrong sign")
    page.locator("[data-trial-go]").click()
    tap_the_sign(page)
    expect(verdict).to_contain_text(re.compile(r"Right sign\. Your time: \d\.\d\d s\. This race did not count\."))
    assert status(server.url, page) == "waiting"
    page.locator("[data-trial-close]").click()

    to_the_race(page)
    assert status(server.url, page) == "playing"
    expect(page.locator(RACE).get_by_role("timer")).to_be_visible()
    tap_the_sign(page, right=False)
    page.wait_for_function("verdicts.length > 0")
    (shown,) = page.evaluate("verdicts.slice(0, 1)")
    assert re.search(r"was fastest, pointing at .*Wrong sign: you are out of this race\.", shown, re.DOTALL)

    play_now(page)
    page.locator(f"{ASKED}, {TRIAL}").first.wait_for()
    expect(page.locator(TRIAL)).to_have_count(0)


def test_the_trial_by_keyboard(visit, server):
    page = racing(visit(newcomer=True))
    play_now(page)
    expect(page.get_by_role("heading", name="Before you play")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("[data-trial-go]")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(RACE).wait_for()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-trial-verdict]")).to_contain_text("Right sign")
    expect(page.locator("[data-trial-close]")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(ASKED).first.wait_for()
    assert status(server.url, page) == "playing"


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("fr", "light")])
def test_the_trial_fits_and_can_be_skipped(visit, server, language, theme):
    page = racing(visit(newcomer=True, language=language, theme=theme, phone=True))
    play_now(page)
    page.locator("[data-trial-go]").wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_nothing_wrong(page, HIDDEN)
    assert accessibility_violations(page) == []
    page.locator("[data-trial-close]").tap()
    page.locator(ASKED).first.wait_for()
    assert status(server.url, page) == "playing"


def test_a_trial_that_cannot_be_loaded_can_be_skipped(visit, server):
    """While the server is slow, and after it has failed, the page says so and the game can begin."""
    page = racing(visit(newcomer=True, expected="Failed to load|net::ERR_"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile("/api/practice$"), hold)
    play_now(page)
    heading = page.get_by_role("heading", name="Before you play: the race")
    expect(heading).to_be_focused()
    expect(page.locator(f"{TRIAL} [data-loading]")).to_be_visible()
    expect(page.locator("[data-trial-close]")).to_be_visible()
    assert accessibility_violations(page) == []
    page.unroute(re.compile("/api/practice$"))
    page.route(
        re.compile("/api/practice$"), lambda route: route.fulfill(status=400, json={"error": "", "message": "no"})
    )
    held[0].fulfill(status=400, json={"error": "Wrong", "message": "no"})
    again = page.locator(f"{TRIAL} [data-again]")
    again.click()
    again.wait_for()
    page.unroute(re.compile("/api/practice$"))
    again.click()
    page.locator("[data-trial-go]").wait_for()
    page.locator("[data-trial-close]").click()
    page.locator(ASKED).first.wait_for()
    assert status(server.url, page) == "playing"


def test_a_trial_without_an_answer_ends_after_eight_seconds(visit):
    page = racing(visit(newcomer=True))
    page.clock.install()
    play_now(page)
    page.locator("[data-trial-go]").click()
    page.locator(RACE).wait_for()
    page.clock.run_for(8_000)
    expect(page.locator("[data-trial-verdict=late]")).to_contain_text("Too late")
    expect(page.locator(RACE)).to_have_count(0)


def test_a_trial_in_the_lobby_ends_when_the_game_begins(visit, server):
    """A player who waits for others can try a race; it closes when the host starts the game."""
    visitor = visit(newcomer=True)
    made = make(
        server.url, "cour", start=False, seats=[{"kind": "me", "name": "Ana"}, OPEN], options={"reaction": "live"}
    )
    place = ask(f"{server.url}/api/tables/{made['table']['id']}/join", {"name": "Zoé"})
    page = visitor.page
    page.goto(f"/t/{remember(visitor, place)}")
    page.locator("[data-trial-open]").click()
    expect(page.locator("[data-trial-close]")).to_have_text("Back")
    page.locator("[data-trial-close]").click()
    page.locator("[data-trial-open]").click()
    page.locator("[data-trial-go]").click()
    page.locator(RACE).wait_for()
    ask(f"{server.url}/api/tables/{made['table']['id']}/start", {}, made["token"])
    expect(page.locator(RACE)).to_have_count(0)
    expect(page.locator(TRIAL)).to_have_count(0)
    expect(page.locator(".play .cour")).to_be_visible()


@pytest.mark.parametrize("game", ["recess", "bagarre"])
def test_a_game_without_races_begins_at_once(visit, server, game):
    page = visit(newcomer=True).page
    page.goto("/")
    page.locator(f"[data-play={game}]").click()
    page.wait_for_url("**/t/*")
    assert status(server.url, page) == "playing"
    page.locator(CHOICE).first.wait_for()
