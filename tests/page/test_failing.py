"""Requests that fail: each kind once, twice and for good.

The page recovers by itself, or says so with a way to try again that works.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.page.local_tables import LOCAL_TABLE, start_local_table
from tests.page.playing import CHOICE, make, sit
from tests.page.screens import Tables
from tests.page.visitor import Visitor, accessibility_violations, settle

FAILED = (
    r"Failed to load|net::ERR_|Refused to apply style|WebSocket connection to .* failed|Failed to fetch|: (429|503)"
    r"|has not come|could not be loaded|Applying inline style|Couldn't load preload assets"
)
"""What the browser, the page and axe report of a request that fails."""
AGAIN = "[data-loading=failed] [data-again]"
FOR_GOOD = 1_000


class Failing:
    """Lets requests for some files fail, `times` of them from now on: aborted, refused as too many, or unavailable.

    With `kind`, only requests of this kind fail, as the browser calls it.
    """

    def __init__(self, visitor: Visitor, files: str, kind: str = "") -> None:
        self.times = 0
        self.failed = 0
        self._kind = kind
        self._ways = cycle(("abort", 429, 503))
        visitor.context.route(re.compile(files), self._handle)

    def _handle(self, route: Route) -> None:
        if self.times <= 0 or self._kind not in ("", route.request.resource_type):
            route.continue_()
            return
        self.times -= 1
        self.failed += 1
        way = next(self._ways)
        if isinstance(way, int):
            route.fulfill(status=way, json={"error": "TooMuch", "message": "too many requests"})
        else:
            route.abort()


HURRY = """
const wait = window.setTimeout;
window.setTimeout = (what, ms = 0, ...more) => wait(what, ms < 400 || ms > 5000 ? ms : ms / 10, ...more);
"""
"""Shortens the pauses between tries, and leaves time limits alone."""


@pytest.fixture
def impatient(visit: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Makes visitors for whom the page tries again sooner."""

    def come(**kind: Any) -> Visitor:
        visitor = visit(expected=FAILED, **kind)
        visitor.context.add_init_script(HURRY)
        return visitor

    return come


def goes_through(failing: Failing, visit: Callable[[], object], arrived: Callable[[], None], page: Page) -> None:
    """A visit arrives although something fails once or twice; if it fails for good, after a click on "Try again"."""
    for times in (1, 2):
        failing.times, failing.failed = times, 0
        visit()
        arrived()
        assert failing.failed == times
        expect(page.locator(AGAIN)).to_have_count(0)
    failing.times, failing.failed = FOR_GOOD, 0
    visit()
    again = page.locator(AGAIN).first
    again.wait_for()
    assert failing.failed >= 4
    assert accessibility_violations(page) == []
    failing.times = 1
    again.click()
    arrived()


def test_a_script_that_fails(impatient):
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, r"/Settings-[\w-]+\.js$")
    heading = page.get_by_role("heading", name="Settings", exact=True)
    goes_through(failing, lambda: page.goto("/settings"), heading.wait_for, page)


STYLED = """(name) => [...document.styleSheets].some((sheet) => {
  try {
    return sheet.href?.includes(name) && sheet.cssRules.length > 0;
  } catch {
    return false; // it has failed
  }
})"""


def test_a_style_sheet_that_fails(impatient, server):
    """Of a game, at a table: the yard is never shown without its colours."""
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, r"/recess-[\w-]+\.css$")
    address = sit(visitor, make(server.url, "recess")).url

    def arrived() -> None:
        page.locator(CHOICE).first.wait_for()
        assert page.evaluate(STYLED, "/recess-")

    arrived()
    goes_through(failing, lambda: page.goto(address), arrived, page)


@pytest.mark.parametrize("files", [r"/main-[\w-]+\.js$", r"/main-[\w-]+\.css$", r"/first-[\w-]+\.js$"])
def test_the_first_load_fails(impatient, files):
    """The main script, the style sheet, or the words: without any of them there is a sentence in both languages."""
    visitor = impatient()
    page = visitor.page

    def arrived() -> None:
        page.locator("[data-play=recess]").wait_for()
        assert page.evaluate(STYLED, "/main-")

    goes_through(Failing(visitor, files), lambda: page.goto("/"), arrived, page)


@pytest.mark.parametrize("times", [1, 2, FOR_GOOD])
def test_the_entry_script_fails(impatient, times):
    """Nothing can try it again, so the document itself says after some seconds what can be done."""
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, r"/index-[\w-]+\.js$")
    failing.times = times
    page.goto("/")
    for click in range(1, min(times, 2) + 1):
        page.wait_for_load_state()
        settle(page)  # the seconds
        page.get_by_text("Préau is still loading.").wait_for()
        assert failing.failed == click
        if click == 2:
            failing.times = 0
        page.get_by_role("link", name="Load again").click()
    page.locator("[data-play=recess]").wait_for()


def test_a_script_that_cannot_be_imported(impatient):
    """Most browsers never import again what has failed: the page is loaded again."""
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, r"/Settings-[\w-]+\.js$", "script")
    failing.times = 1
    page.goto("/settings")
    page.locator(AGAIN).wait_for()
    page.evaluate("window.same = true")
    page.locator(AGAIN).click()
    page.get_by_role("heading", name="Settings", exact=True).wait_for()
    assert page.evaluate("window.same") is None


def test_words_that_fail(impatient):
    """The script and the texts of a screen."""
    visitor = impatient()
    page = visitor.page
    heading = page.get_by_role("heading", name="Open tables")
    goes_through(Failing(visitor, r"/Watch-[\w-]+\.js$"), lambda: page.goto("/watch"), heading.wait_for, page)


def test_a_review_that_cannot_be_loaded(impatient, server):
    """On a phone it would be a sheet: no empty one is left, and the button works again."""
    visitor = impatient(phone=True)
    page = visitor.page
    failing = Failing(visitor, r"/review-bundle-[\w-]+\.js$")
    page.goto(f"/replay/{Tables(server.url)['over recess']['table']['id']}")
    review = page.locator("[data-replay=review]")
    review.wait_for()
    failing.times = FOR_GOOD
    review.tap()
    page.locator(".notice.bad").wait_for()
    expect(page.locator("dialog")).to_have_count(0)
    failing.times = 0
    review.tap()
    page.locator("dialog").wait_for()


def test_a_question_that_fails(impatient):
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, "/api/challenges$")
    challenge = page.locator("main a[href^='/challenge/']").first
    for times in (1, 2):
        failing.times, failing.failed = times, 0
        page.goto("/challenge")
        challenge.wait_for()
        assert failing.failed == times
    failing.times = FOR_GOOD
    page.goto("/challenge")
    page.locator("[data-again]").first.wait_for()
    failing.times = 1
    page.locator("[data-again]").first.click()
    challenge.wait_for()


def test_words_of_a_game_that_fail_at_its_table(impatient, server):
    visitor = impatient()
    page = sit(visitor, make(server.url, "cour"))
    failing = Failing(visitor, "/api/games/cour/texts")
    goes_through(failing, page.reload, page.locator(CHOICE).first.wait_for, page)


def test_a_socket_that_fails(impatient, server):
    """From the first: nothing was lost, and so nothing is said to be back."""
    visitor = impatient()
    closed = 0
    times = 1

    def handle(line: WebSocketRoute) -> None:
        nonlocal closed
        closed += 1
        if closed <= times:
            line.close()
        else:
            line.connect_to_server()

    visitor.context.route_web_socket("**/socket", handle)
    page = sit(visitor, make(server.url, "bagarre"))
    for failures in (1, 2):
        closed, times = 0, failures
        page.reload()
        page.locator(CHOICE).first.wait_for()
        assert closed > failures
        assert page.locator(".notice").all_inner_texts() == []
    closed, times = 0, FOR_GOOD
    page.reload()
    again = page.locator("[role=alert] button")
    again.wait_for()
    times = 0
    again.click()
    page.locator(CHOICE).first.wait_for()
    assert page.locator(".notice").all_inner_texts() == []


@pytest.mark.parametrize(
    "files",
    [
        r"/worker-[\w-]+\.js$",
        pytest.param(r"/static/offline\.json$", marks=pytest.mark.nightly),
        r"/offline/preau-\w+\.bin$",
    ],
)
def test_what_a_game_on_this_device_needs_fails(impatient, files):
    """The worker, the list of Python's files, or one of those: once, and at a table that is there already twice and for
    good."""
    visitor = impatient()
    page = visitor.page
    failing = Failing(visitor, files)
    failing.times = 1
    page.goto("/")
    start_local_table(page, "bagarre", local=True)
    assert failing.failed == 1
    failing.times, failing.failed = 2, 0
    page.reload()
    page.locator(CHOICE).first.wait_for()
    assert failing.failed == 2
    failing.times, failing.failed = FOR_GOOD, 0
    page.reload()
    again = page.locator(AGAIN)
    again.wait_for()
    assert failing.failed >= 4
    assert accessibility_violations(page) == []
    failing.times = 0
    page.evaluate("(css) => document.querySelector(css)?.click()", AGAIN)  # it may have tried again by itself
    page.locator(CHOICE).first.wait_for()


def test_too_much_is_waited_for(impatient):
    """The page says what there was too much of and for how long, counts down, and goes on by itself."""
    visitor = impatient(language="fr")
    page = visitor.page
    refused = 0

    def refuse(route: Route) -> None:
        nonlocal refused
        if route.request.method != "POST" or refused >= 2:
            route.continue_()
            return
        refused += 1
        problem = {"error": "TooMuch", "message": "", "key": "rate", "params": {"what": "tables", "seconds": 2}}
        headers = {"retry-after": "2", "content-type": "application/json"}
        route.fulfill(status=429, headers=headers, body=json.dumps(problem))

    visitor.context.route(re.compile("/api/tables$"), refuse)
    page.goto("/")
    page.locator("[data-play=recess]").click()
    said = page.locator("[data-slowed=tables]")
    expect(said).to_contain_text("Trop de nouvelles tables depuis cette adresse.")
    expect(said).to_contain_text(re.compile(r"Nouvel essai dans \d s\."))
    expect(page).to_have_url(re.compile(r"/t/\w+$"))
    page.locator(CHOICE).first.wait_for()
    expect(said).to_have_count(0)
    assert refused == 2
    assert LOCAL_TABLE.search(page.url) is None  # at the server, as it was wished
