"""The first ten minutes of a new player, on a server as `preau serve` starts it, with a browser that was never used.

The player does everything through the page. A message in the console, a refused request or a repeated one fails the
test. The settings of the server are the default ones; of the page only the pace is changed, in its settings.
"""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, TimeoutError, expect

import preau
from preau.learn.puzzles import find
from tests.page.exercises import take_action
from tests.page.playing import CHOICE, answer, click, decide, play_on
from tests.page.visitor import DESKTOP, LISTEN, PATIENCE_MS
from tests.server.processes import DefaultServer
from tests.support import by_day
from tools.page import BUILT

KEPT = "[data-kept=here]"
"""Where the settings say that everything is ready to be played offline."""
BY_DESIGN = {
    "the icon: the browser asks for it whenever the title of the page changes": r"(worker )?GET .*/static/icon\.svg",
    "the documents of the home page's lists: asked each time it is opened": r"GET .*/api/(tables|challenges)$",
    "the player's own tables, for their state: asked each time the home page is opened": r"GET .*/api/tables/\w+$",
    "a review under way: polled until it is done": r"GET .*/api/(tables/\w+/review|reviews/\w+)$",
}
"""Requests that may be repeated in one visit, with the reason."""
OFFLINE = re.compile(r"net::ERR_INTERNET_DISCONNECTED")
"""What the browser itself says of each request while there is no network."""


class Newcomer:
    """A player with an empty browser profile. Records everything that must not happen."""

    def __init__(self, browser: Browser, home: str) -> None:
        size: Any = DESKTOP
        self.context = browser.new_context(base_url=home, viewport=size, locale="en-GB", reduced_motion="reduce")
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(LISTEN)
        self.faults: list[str] = []
        self.offline = False
        self._asked: set[str] = set()
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.faults.append(f"error: {error.error.message}"))
        self.context.on("response", self._response)
        self.context.on("request", self._request)
        self.page = self.context.new_page()

    def _console(self, message: ConsoleMessage) -> None:
        if self.offline and OFFLINE.search(message.text):
            return
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text} {message.location['url']}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status}: {response.request.method} {response.url}")

    def _request(self, request: Request) -> None:
        if request.is_navigation_request():
            self._asked.clear()  # the browser opens the page again
        asker = "worker " if request.service_worker else ""  # it fetches again what the page loaded before it
        asked = f"{asker}{request.method} {request.url} {request.post_data or ''}".strip()
        # A script is fetched, and then imported from the cache; test_the_first_load_is_small sees that.
        passed_on = asker and asked in self._asked and request.url.endswith(".js")
        if request.resource_type == "script" or passed_on:
            asked = f"import: {asked}"
        if asked in self._asked and not any(re.fullmatch(known, asked) for known in BY_DESIGN.values()):
            self.faults.append(f"repeated: {asked}")
        self._asked.add(asked)

    def cut(self, *, off: bool) -> None:
        """Take the network away, or give it back."""
        self.offline = off
        self.context.set_offline(off)

    def leave(self) -> list[str]:
        self.context.close()
        return self.faults


def refused(home: str) -> list[str]:
    """The statuses of 400 and above that the server has counted, the service worker's requests among them."""
    with urllib.request.urlopen(f"{home}/metrics") as answered:
        text = answered.read().decode()
    return [line for line in text.splitlines() if re.match(r'preau_requests_total\{status="[45]', line)]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[DefaultServer]:
    assert BUILT.is_file(), "the page is not built: `make page` builds it"
    one = DefaultServer(tmp_path)
    yield one
    one.stop()


@pytest.fixture
def newcomer(browser: Browser, serve: DefaultServer) -> Iterator[Callable[[], Newcomer]]:
    """Makes new players; at the end nothing may have gone wrong for any of them, nor at the server."""
    players: list[Newcomer] = []

    def come() -> Newcomer:
        players.append(Newcomer(browser, serve.url))
        return players[-1]

    yield come
    faults = [fault for one in players for fault in one.leave()]
    assert [*faults, *refused(serve.url)] == []


def go_home(page: Page) -> None:
    page.locator("header a.home").click()
    page.locator("[data-play]").first.wait_for()


def hurry(page: Page) -> None:
    """Show what happens at once, as the settings allow."""
    page.locator("header a[href='/settings']").click()
    page.locator("[name=pace][value=instant]").check()
    go_home(page)


def follow(page: Page, way: Sequence[str]) -> None:
    """Take the actions of an exercise or puzzle; the page itself takes those that are the only choice."""
    table = page.locator("[data-taken]")
    while True:
        page.locator(f"{CHOICE}, [data-verdict]").first.wait_for()
        if page.locator("[data-verdict]").count():
            return
        taken = int(table.get_attribute("data-taken") or 0)
        take_action(page, way[taken], click)
        page.wait_for_function(TAKEN_MORE, arg=taken)


TAKEN_MORE = "(before) => Number(document.querySelector('[data-taken]')?.dataset.taken) > before"


def learn(page: Page, game: str) -> None:
    """Take the whole lesson of a game."""
    page.locator(f"[data-learn={game}]").click()
    for exercise in preau.game(game).lessons:
        page.locator(f"[data-exercise={exercise.name}]").wait_for()
        follow(page, exercise.way)
        page.locator("[data-verdict=done] [data-next]").click()
    page.locator("[data-exercise]").wait_for(state="detached")
    go_home(page)


def play(page: Page, game: str) -> None:
    """Play a first game to its end: in cour after the trial race."""
    page.locator(f"[data-play={game}]").click()
    if game == "cour":
        page.locator("[data-trial-go]").click()
        page.locator("[data-sign=spider]").click()
        page.locator("[data-trial-close]").click()
    play_on(page, Random(11))


def review(page: Page) -> None:
    """Have the game reviewed that has just ended."""
    page.locator("a[data-review]").click()
    page.locator("[data-review=done]").last.wait_for()
    go_home(page)


def solve(page: Page, game: str) -> None:
    page.locator(f"[data-puzzles={game}]").click()
    page.locator("[data-next-puzzle]").click()
    page.locator(CHOICE).first.wait_for()
    puzzle = find(page.locator("[data-exercise]").get_attribute("data-exercise") or "", preau.game_ids())
    follow(page, puzzle.line)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    go_home(page)


def challenge(page: Page, game: str) -> None:
    """Take some decisions of the challenge of the day."""
    page.locator("[data-daily]").click()
    page.locator(f"[data-challenge={game}]").click()
    page.locator("[data-try]").click()
    for _ in range(3):
        decide(page, Random(2))
    go_home(page)


def make(page: Page, game: str, company: str, *, local: bool = False) -> None:
    """Make a table of the smallest size by the form."""
    page.locator(f"[data-new={game}]").click()
    page.locator(f"[data-fill={company}]").click()
    page.locator("[name=count]").first.check(force=True)
    if local:
        page.locator("[data-local]").check()
    page.locator("[data-make]").click()
    page.wait_for_url("**/t/*")


def together(host: Page, guest: Page, game: str) -> None:
    """Make a table that a second browser joins by its code, and play there."""
    make(host, game, "friends")
    code = host.locator("[data-table-code]").inner_text()
    guest.goto("/")
    guest.locator("[data-code]").first.fill(code)
    guest.keyboard.press("Enter")
    guest.locator("[data-sit]").click()
    expect(guest.locator("[data-sit]")).to_have_count(0)  # a game that begins sooner fills the seat with a bot
    host.locator("[data-start]").click()
    left = {host: 2, guest: 2}
    for _ in range(100):
        for page in left:
            with suppress(TimeoutError):
                page.locator(CHOICE).first.wait_for(timeout=1_000)  # else it is the other one's turn
                left[page] -= bool(answer(page, Random(left[page])))
        if max(left.values()) <= 0:
            break
    else:
        raise AssertionError(f"not both have decided twice: {list(left.values())}")
    go_home(host)


def offline(one: Newcomer, game: str) -> None:
    """Wait until the page is ready offline; go on with a game on the device without network, and return."""
    page, rng = one.page, Random(7)
    page.locator("header a[href='/settings']").click()
    page.locator(KEPT).wait_for()
    go_home(page)
    make(page, game, "bots", local=True)
    decide(page, rng)
    one.cut(off=True)
    page.reload()
    for _ in range(3):
        decide(page, rng)
    one.cut(off=False)
    go_home(page)


@pytest.mark.parametrize("games", by_day(["cour", "recess bagarre"], "cour"))
def test_the_first_ten_minutes(newcomer: Callable[[], Newcomer], games: str) -> None:
    """Lesson, first games, review, puzzle, challenge, a table with a friend, offline and back."""
    player = newcomer()
    page = player.page
    page.goto("/")
    hurry(page)
    learn(page, "recess")
    for game in games.split():
        play(page, game)
        review(page)
    solve(page, "recess")
    challenge(page, "bagarre")
    together(page, newcomer().page, "bagarre")
    offline(player, "bagarre")
