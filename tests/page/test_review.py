"""After the game: a review beside the replay, where it turned, and playing on from there."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.layout import REPLAY_OVERFLOW
from tests.page.playing import BOT, ME, OPEN, OVER, ask, click, decide, make, play_on, sit, tap
from tests.page.recorded_game import RECORD, play_recorded_game
from tests.page.screens import Tables
from tests.page.visitor import accessibility_violations, expect_nothing_wrong
from tests.support import by_day


@pytest.fixture(scope="module")
def table(server) -> str:
    return play_recorded_game(server.url)


@pytest.fixture(scope="module")
def tables(server) -> Tables:
    return Tables(server.url)


def open_review(page: Page, table: str) -> None:
    """Have a game reviewed, and wait for it."""
    page.goto(f"/replay/{table}")
    page.locator("[data-replay=review]").click()
    page.locator("[data-review=done]").last.wait_for()


def at(page: Page) -> str:
    """Which step is shown."""
    return page.locator("[data-scrub]").input_value()


def test_a_review_is_waited_for_and_says_where_the_game_turned(visit, table):
    """The place in the queue, the pieces, a failure and a refusal are told where the review will be, and then is."""
    visitor = visit(expected="429")
    page = visitor.page
    stands: list[Any] = [
        (200, {"id": "r", "status": "waiting", "of": 4, "place": 2}),
        (200, {"id": "r", "status": "working", "of": 4, "done": 3}),
        (200, {"id": "r", "status": "failed", "of": 4, "done": 3}),
        (429, {"error": "TooMuch", "message": "", "key": "reviews_waiting", "params": {"most": 5}}),
    ]

    def stand(route: Any) -> None:
        if stands:
            status, body = stands.pop(0)
            route.fulfill(status=status, json=body)
        else:
            route.continue_()

    page.route("**/api/tables/*/review", stand)
    page.goto(f"/replay/{table}")
    page.locator("[data-replay=review]").click()
    panel = page.locator(".turns [data-review]")
    expect(panel).to_contain_text("2 other games are reviewed first.")
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "3")
    expect(panel.get_by_role("alert")).to_contain_text("The review did not work out.")
    panel.get_by_role("button").click()
    expect(panel.get_by_role("alert")).to_contain_text("You have 5 games waiting to be reviewed.")
    panel.get_by_role("button").click()
    expect(panel).to_have_attribute("data-review", "done")

    turning = panel.locator("[data-turning]")
    expect(turning).to_have_count(2)
    expect(panel.locator("[data-review-together]")).to_be_visible()
    expect(page.locator("[data-curve-turn]")).to_have_count(2)
    expect(turning.first).to_contain_text("A mistake by Zoé: 29 to 37 points below the best choice.")
    turning.first.focus()
    page.keyboard.press("Enter")
    assert at(page) == page.locator("[data-curve-turn]").first.get_attribute("data-curve-turn") == "3"
    card = page.locator("[data-hint]")
    expect(card).to_contain_text("Played: Zoé moves nun 1 from a1 to c1.")
    expect(card).to_contain_text("Better: move nun 2 to j10: in her sight nobody can pin Zoé’s girl 2 down.")
    expect(page.locator("[data-hint-mark]")).to_have_count(2)
    assert not accessibility_violations(page)
    card.locator("[data-hint-close]").click()
    expect(card).to_have_count(0)

    curve = page.locator("[data-curve]").bounding_box()
    assert curve is not None
    page.mouse.click(curve["x"] + curve["width"] - 9, curve["y"] + curve["height"] / 2)
    expect(page.locator("[data-scrub]")).to_have_value(str(len(RECORD.entries)))
    panel.locator("summary").first.click()
    expect(panel.locator("tbody tr").last).to_contain_text("33 %")
    expect(panel.locator("[data-standing]")).to_have_count(3)
    panel.locator("summary").last.click()
    expect(panel).to_contain_text("Strength “normal”: 800 simulations for a decision, seed 0.")
    assert not accessibility_violations(page)


def test_a_review_on_a_phone_in_french(visit, table):
    """From the result on; nothing is wider than the smallest phone, by any light, and with few colours."""
    page = visit(phone=True, language="fr", theme="dark", size=(390, 664)).page
    page.goto(f"/t/{table}")
    page.locator("[data-review]").click()
    expect(page.locator("dialog [data-review=done]")).to_be_visible()
    assert not accessibility_violations(page)
    page.locator("dialog [data-turning='2']").tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-hint]")).to_contain_text("Une erreur de Malo")
    expect(page.locator("[data-hint]")).to_contain_text("Mieux\u202f:")
    for width, height in ((390, 664), (320, 568), (664, 320)):
        page.set_viewport_size({"width": width, "height": height})
        expect_nothing_wrong(page, REPLAY_OVERFLOW)
        assert not accessibility_violations(page)
    page.emulate_media(forced_colors="active")
    assert not accessibility_violations(page, without="color-contrast")


@pytest.mark.parametrize(("phone", "language"), by_day([(False, "en"), (True, "fr")], (True, "fr")))
def test_playing_on_from_where_it_turned(visit, table, phone, language):
    """Against bots, from the choice that was open then to the end: the try is remembered, and leads back and forth."""
    page = visit(phone=phone, language=language).page
    english = language == "en"
    open_review(page, table)
    page.locator("[data-turning='2']").last.click()
    page.locator("[data-hint] [data-play-on]").click()
    page.locator("[data-play-as]").select_option(label="Malo")
    expect(page.locator("[data-hidden-hands]")).to_have_count(0)
    assert not accessibility_violations(page)
    page.locator("[data-begin]").click()
    expect(page).to_have_url(re.compile("/t/"))
    tried = page.url.rpartition("/")[2]
    assert decide(page, Random(3))

    def show_tries() -> None:
        """Beside the replay they are shown anyway; on a phone in a sheet."""
        if phone:
            page.locator("[data-replay=onward]").click()
            page.locator("dialog[open]").wait_for()

    page.goto(f"/replay/{table}#5")
    show_tries()
    attempt = page.locator(f"[data-try='{tried}']").last
    expect(attempt).to_contain_text("From step 5" if english else "À partir du coup 5")
    attempt.click()
    expect(page).to_have_url(re.compile(tried))
    play_on(page, Random(3), tap if phone else click)
    page.goto(f"/replay/{tried}")
    show_tries()
    page.locator("[data-origin]").last.click()
    expect(page.locator("[data-scrub]")).to_have_value("5")
    show_tries()
    expect(page.locator(f"[data-try='{tried}']").last).to_have_attribute("href", f"/replay/{tried}")
    if phone:
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("[data-scrub]")).not_to_have_value("5")
    page.locator("[data-replay=onward]").click(force=True)
    over = "The game is over at this step." if english else "À cette étape, la partie est finie."
    expect(page.get_by_text(over)).to_be_visible()


def test_hidden_hands_are_as_they_were_or_drawn_anew(visit, tables):
    """On a phone, in French, with friends: the table waits for them, and says where it is from."""
    over = tables["over bagarre"]["table"]["id"]
    page = visit(phone=True, language="fr", size=(320, 568)).page
    page.goto(f"/replay/{over}#4")
    page.locator("[data-replay=onward]").tap()
    page.get_by_label("Avec des amis, par lien").check()
    page.get_by_label("Retirées au sort").check()
    page.get_by_label("D’après ce que savait").select_option("1")
    assert not accessibility_violations(page)
    expect_nothing_wrong(page, REPLAY_OVERFLOW)
    page.locator("[data-begin]").tap()
    expect(page.locator("[data-sit]").first).to_be_visible()
    made = ask(f"{page.url.replace('/t/', '/api/tables/')}")
    assert made["origin"] == {"kind": "table", "table": over, "step": 4, "eyes": 1}


def test_the_score_of_the_evening(visit, tables):
    """Who has won how many games of how many: in the lobby, where a rematch waits for somebody new, and at its end."""
    made = make(tables.home, "recess", seats=[ME, OPEN, BOT], start=False)
    path = f"{tables.home}/api/tables/{made['table']['id']}"
    gone = ask(f"{path}/join", {"name": "Malo"})
    ask(f"{path}/start", {}, made["token"])
    ask(f"{path}/leave", {}, gone["token"])
    tables.play_to_the_end(made)
    again = ask(f"{path}/rematch", {}, made["token"])["id"]
    path = f"{tables.home}/api/tables/{again}"
    seated = {**made, "table": ask(path)}
    page = sit(visit(phone=True, language="fr", size=(390, 664)), seated)
    evening = page.locator("[data-evening]")
    expect(evening).to_contain_text("Score de la soirée, 1 partie")
    assert evening.locator("[data-scorer] td:last-child").all_inner_texts() == ["1", "1", "1"]
    expect(evening.locator("[data-scorer]", has_text="Malo")).to_contain_text("plus là")
    expect_nothing_wrong(page, REPLAY_OVERFLOW)
    assert not accessibility_violations(page)

    new = ask(f"{path}/join", {"name": "Ines"})
    ask(f"{path}/start", {}, made["token"])
    ask(f"{path}/leave", {}, new["token"])
    tables.play_to_the_end(seated)
    page.locator(OVER).wait_for()
    expect(evening).to_contain_text("Score de la soirée, 2 parties")
    expect(evening.locator("[data-scorer]", has_text="Zoé").locator("td").last).to_have_text("2")
    page.set_viewport_size({"width": 320, "height": 568})
    expect_nothing_wrong(page, REPLAY_OVERFLOW)
    assert not accessibility_violations(page)
