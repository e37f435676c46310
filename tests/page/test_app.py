"""The page as an app: it is kept on the device, opens and plays without a line, and is renewed when somebody says so.
The server is gone then, or there never was one: a host of files has the page somewhere among its own.
"""

from __future__ import annotations

import contextlib
import http.server
import io
import json
import re
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

import preau
from preau.learn.puzzles import puzzles
from preau.server.config import Limits
from tests.page.exercises import take_actions
from tests.page.playing import ASKED, CHOICE, OVER, SHORT, answer, click, decide, play_on, raise_curtain, tap
from tests.page.slow_connection import SlowConnection
from tests.page.visitor import PATIENCE_MS, Visitor, accessibility_violations, until
from tests.server.processes import DefaultServer, Server
from tools import site

FOLDER = "games/preau"
"""Where the site is on its host."""
FAST_3G = 1.6
"""Megabits a second."""
NO_LINE = "net::ERR_|Failed to load resource"
"""The browser's remark about a server that is not there."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A host of files that packs nothing and knows nothing of this page."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Host:
    """Serves a folder until it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self._server.server_port}/{FOLDER}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The site, once."""
    folder: Path = tmp_path_factory.mktemp("site") / "made"
    with contextlib.redirect_stdout(io.StringIO()):
        assert site.main([str(folder)]) == 0
    return folder


@pytest.fixture
def hosted(made, tmp_path) -> Iterator[Host]:
    """The site on a host of files; its folder may be changed."""
    shutil.copytree(made, tmp_path / FOLDER)
    host = Host(tmp_path)
    yield host
    host.stop()


def kept(visitor: Visitor, home: str) -> Page:
    """Come once, with a connection, and stay until the page says that it can be played without."""
    page = visitor.page
    page.goto(home)
    page.locator("[data-offline=here]").wait_for()
    return page


def way(home: str, to: str) -> str:
    """The address of a screen."""
    return f"{home}#{to}" if home.endswith(f"{FOLDER}/") else home + to


def begin(page: Page, home: str, game: str, people: int = 1) -> str:
    """A short game against greedy bots, or of several at one screen; its address."""
    wish = SHORT[game]
    seats = [{"kind": "here" if at < people else "bot", "name": f"Zoé {at}", "level": "greedy"} for at in range(8)]
    plan = {"count": len(wish["seats"]), "seats": seats, "options": wish["options"], "local": True}
    page.evaluate("([name, plan]) => localStorage.setItem(name, plan)", [f"preau.new.{game}", json.dumps(plan)])
    page.goto(way(home, f"/new/{game}"))
    page.reload()
    page.locator("[data-make]").click()
    page.wait_for_url("**/t/local*")
    page.locator(f"[data-curtain], {CHOICE}").first.wait_for()
    return page.url


def lose_the_line(visitor: Visitor, page: Page, host: Host | Server) -> Page:
    """The server stops, the browser is offline, and the app is opened anew."""
    host.stop()
    visitor.context.set_offline(True)
    page.close()
    return visitor.context.new_page()


def test_a_site_in_a_folder_plays_without_a_line(visit, hosted):
    """On a phone, in French: a whole game, left in the middle; what it says of itself; its links stay in the folder."""
    home = hosted.url
    visitor = visit(home=home, phone=True, language="fr", size=(390, 664), keep=True, expected=NO_LINE)
    page = lose_the_line(visitor, kept(visitor, home), hosted)
    rng = Random(3)
    page.goto(home)
    expect(page.locator("[data-alone]")).to_contain_text("sur ton appareil")
    expect(page.locator("[data-daily], #home-join")).to_have_count(0)
    assert accessibility_violations(page) == []
    rules = page.locator("a[href$='/rules/cour']")
    rules.focus()
    assert rules.evaluate("(link) => link.href") == f"{home}#/rules/cour"
    table = begin(page, home, "cour")
    decide(page, rng, tap)
    page.goto(home)
    page.reload()
    page.locator(f"[data-mine={table.rpartition('/')[2]}] a.way").click()
    expect(page).to_have_url(table)
    play_on(page, rng, tap)
    expect(page.locator("[data-rematch]")).to_be_visible()
    assert accessibility_violations(page) == []


@pytest.mark.parametrize("speed", [100, pytest.param(FAST_3G, marks=pytest.mark.nightly)])
def test_one_visit_to_a_default_server_is_enough(visit, tmp_path, speed):
    """Nothing is asked for twice or refused, and all of it would come within 27 s at 1.6 Mbit/s. Then the connection is
    lost at a table of the server, and this device plays on: all games, a lesson and a puzzle.
    """
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=Limits())
    line = SlowConnection(server.port, megabits=speed, round_trip_ms=10 if speed == 100 else 150)
    try:
        home = f"http://127.0.0.1:{line.port}"
        visitor = visit(home=home, keep=True, expected=f"{NO_LINE}|WebSocket")
        refused: list[str] = []
        visitor.context.on("response", lambda one: refused.append(one.url) if one.status >= 400 else None)
        page = kept(visitor, "/")
        assert refused == []
        assert line.received < 27 * FAST_3G * 1_000_000 / 8
        page.locator("[data-play=recess]").click()
        page.locator(CHOICE).first.wait_for()
        line.stop()
        visitor.context.set_offline(True)
        expect(page.locator("[role=alert]")).to_be_visible()
        page.reload()
        expect(page.locator("[role=alert]")).to_be_visible()
        page.locator("header a.home").click()
        expect(page.locator("[data-alone]")).to_be_visible()
        page.locator("[data-play=cour]").click()
        page.wait_for_url("**/t/local*")
        rng = Random(1)
        assert decide(page, rng)
        for game in preau.game_ids():
            begin(page, home, game)
            assert decide(page, rng)
            if speed == FAST_3G:
                play_on(page, rng)
                expect(page.locator("[data-rematch]")).to_be_visible()
        solve(page, home)
    finally:
        line.stop()
        server.stop()


class Busy:
    """Refuses the files of the page's Python until it may go on; counts how often each file was sent."""

    def __init__(self, folder: Path) -> None:
        self.refuses = True
        self.sent: Counter[str] = Counter()
        busy = self

        class Handler(Quiet):
            def do_GET(self) -> None:
                name = self.path.rpartition("/")[2]
                if busy.refuses and name.startswith("python-"):
                    self.send_response(429)
                    self.send_header("Retry-After", "1")
                    self.end_headers()
                    return
                busy.sent[name] += 1
                super().do_GET()

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self._server.server_port}/{FOLDER}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_what_does_not_come_is_said_and_tried_again(visit, made, tmp_path):
    """The settings say why, the page itself opens all the same, and nothing that is here is fetched again."""
    shutil.copytree(made, tmp_path / FOLDER)
    host = Busy(tmp_path)
    try:
        page = visit(home=host.url, keep=True, expected=NO_LINE).page
        page.goto(host.url)
        page.locator("[data-offline=failed] a").click()
        kept = page.locator("[data-kept=failed]")
        expect(kept).to_contain_text("the server has too much to do")
        expect(kept).to_contain_text("The page itself is here")
        expect(kept).to_contain_text(re.compile(r"Trying again in \d+ s\."))
        assert accessibility_violations(page) == []
        before = host.sent.copy()
        host.refuses = False
        page.evaluate("document.querySelector('[data-fetch]')?.click()")  # it may have tried again by itself
        page.locator("[data-kept=here]").wait_for()
        fetched = host.sent - before
        assert {name.partition("-")[0] for name in fetched} <= {"python", "service.js", "offline.json", "preau"}
        assert all(before[name] == 0 for name in fetched if name.endswith((".gz", ".mjs", ".pack")))
    finally:
        host.stop()


def test_kept_and_forgotten_by_keyboard(visit, made, tmp_path):
    """The focus stays where a button goes away. Switched off in the middle, nothing is left; switched on, all comes."""
    shutil.copytree(made, tmp_path / FOLDER)
    host = Busy(tmp_path)
    caches = "async () => (await caches.keys()).filter((name) => name.startsWith('preau-'))"
    try:
        page = visit(home=host.url, keep=True, expected=NO_LINE).page
        page.goto(way(host.url, "/settings"))
        page.locator("[data-kept=failed]").wait_for()
        page.locator("[data-fetch]").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.matches('[data-kept=coming]')")
        page.locator("[data-keep]").uncheck()
        until(page, f"async () => (await ({caches})()).length === 0")
        host.refuses = False
        page.locator("[data-keep]").check()
        page.locator("[data-kept=here]").wait_for()
        assert page.evaluate(caches) != []
        page.locator("[data-keep]").uncheck()
        until(page, f"async () => (await ({caches})()).length === 0")
    finally:
        host.stop()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_browser_that_is_set_to_keep_nothing(visit, hosted, language):
    visitor = visit(home=hosted.url, keep=True, language=language)
    visitor.context.add_init_script(
        """ServiceWorkerContainer.prototype.register = async () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        };"""
    )
    page = visitor.page
    page.goto(way(hosted.url, "/settings"))
    kept = page.locator("[data-kept=failed]")
    expect(kept).to_contain_text({"en": "keep nothing for this page", "fr": "ne rien garder de cette page"}[language])
    expect(kept.locator(".muted")).to_have_count(0)  # it is not tried again by itself
    assert accessibility_violations(page) == []


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("where", ["server", "site"])
def test_everything_works_without_a_line(visit, hosted, tmp_path, where, language):
    """All games, one with several at one screen, a lesson and a puzzle; closed in the middle it goes on."""
    host: Host | Server = hosted if where == "site" else DefaultServer(tmp_path)
    home = host.url
    visitor = visit(home=home, size=(390, 664), language=language, keep=True, expected=NO_LINE)
    page = lose_the_line(visitor, kept(visitor, home), host)
    rng = Random(5)
    page.goto(home)
    expect(page.locator("[data-alone]")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert accessibility_violations(page) == []
    for game in preau.game_ids():
        table = begin(page, home, game)
        for _ in range(2):
            decide(page, rng)
        assert (
            accessibility_violations(page, without="target-size" if game == "recess" else "") == []
        )  # cells are small on a phone
        page.close()
        page = visitor.context.new_page()
        page.goto(table)
        page.locator(CHOICE).first.wait_for()
        play_on(page, rng)
        expect(page.locator("[data-rematch]")).to_be_visible()
        assert accessibility_violations(page) == []
    begin(page, home, "bagarre", people=2)
    assert accessibility_violations(page) == []
    pass_around(page, rng)
    expect(page.locator("[data-rematch]")).to_be_visible()
    solve(page, home)


def solve(page: Page, home: str) -> None:
    """Finish a lesson's exercise and a puzzle."""
    exercise = preau.game("recess").lessons[0]
    page.goto(way(home, "/learn/recess"))
    page.locator(f"[data-exercise={exercise.name}]").wait_for()
    take_actions(page, exercise.way, click)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    assert accessibility_violations(page) == []
    puzzle = next(one for one in puzzles("cour") if one.difficulty == 1)
    page.goto(way(home, f"/puzzles/cour/{puzzle.id}"))
    take_actions(page, puzzle.line, click)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    assert accessibility_violations(page) == []


def pass_around(page: Page, rng: Random) -> None:
    """Play a game of several at one screen to its end: whoever is asked takes the device first."""
    for _ in range(500):
        page.locator(f"[data-curtain], {ASKED}").first.wait_for()
        if page.locator(OVER).count():
            return
        if curtain := page.query_selector("[data-curtain]"):
            raise_curtain(page, curtain)
        else:
            answer(page, rng)
    raise AssertionError("the game has no end")


def test_an_update_with_a_game_under_way(visit, hosted, tmp_path):
    """The new version waits until somebody wants it. The game goes on in it, also without a line; the old one is gone
    only after the next.
    """
    home, folder = hosted.url, tmp_path / FOLDER
    visitor = visit(home=home, keep=True, expected=NO_LINE)
    page = kept(visitor, home)
    table = begin(page, home, "bagarre")
    decide(page, Random(1))
    said = page.locator(".log li").all_inner_texts()
    for number in (1, 2):
        publish(folder, number)
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        page.locator("[data-renewal=waiting]").wait_for()
        expect(page.locator(f"meta[name=build-{number}]")).to_have_count(0)
        assert accessibility_violations(page) == []
        page.locator("[data-renew]").click()
        page.locator(f"meta[name=build-{number}]").wait_for(state="attached")
        expect(page.locator("[data-renewal]")).to_have_count(0)
        page.locator(CHOICE).first.wait_for()
    assert len(page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('preau-page-'))")) == 2
    page = lose_the_line(visitor, page, hosted)
    page.goto(table)
    page.locator(CHOICE).first.wait_for()
    assert page.locator(".log li").all_inner_texts()[: len(said)] == said
    assert decide(page, Random(2))


MUTE = """
const { postMessage } = ServiceWorker.prototype;
ServiceWorker.prototype.postMessage = function (wish) {
  if (wish === "take over") postMessage.call(this, wish);
};
"""
"""Pages of older releases do not know the other wishes."""


def test_an_update_from_a_release_whose_page_asks_for_nothing(visit, hosted, tmp_path):
    """Its worker is replaced, but its page is still shown: the new worker has to fetch the new page by itself."""
    home, folder = hosted.url, tmp_path / FOLDER
    visitor = visit(home=home, keep=True)
    page = kept(visitor, home)
    visitor.context.add_init_script(MUTE)
    publish(folder, 1)
    page.reload()
    page.evaluate("async () => void (window.worker = await navigator.serviceWorker.getRegistration()).update()")
    page.wait_for_function("worker.waiting !== null")
    page.evaluate("worker.waiting.postMessage('take over')")
    page.wait_for_function("worker.waiting === null && worker.active.state === 'activated'")
    page.reload()
    expect(page.locator("meta[name=build-1]")).to_have_count(0)
    until(
        page,
        """async () => {
      const found = await Promise.all((await caches.keys()).map((cacheName) => caches.match("./", { cacheName })));
      const texts = await Promise.all(found.map((one) => one?.text()));
      return texts.some((text) => text?.includes("build-1"));
    }""",
    )
    page.reload()
    page.locator("meta[name=build-1]").wait_for(state="attached")


def publish(folder: Path, number: int) -> None:
    """Put another build in the place of the site: other bytes of the first page and of the service worker."""
    front = folder / "index.html"
    front.write_text(
        front.read_text(encoding="utf-8").replace("<title>", f'<meta name="build-{number}"><title>'), encoding="utf-8"
    )
    service = folder / "service.js"
    text = re.sub(r"(?<=[`\"'])[0-9a-f]{16}(?=[`\"'])", f"{number:016x}", service.read_text(encoding="utf-8"), count=1)
    service.write_text(text, encoding="utf-8")


def test_a_file_from_another_app_is_opened(visit, server):
    """What the system hands over is posted to the page, which opens it as any other file."""
    visitor = visit(keep=True)
    page = visitor.page
    page.goto("/")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    page.wait_for_function("navigator.serviceWorker.controller !== null", timeout=PATIENCE_MS)
    record = preau.play("cour", bots=["greedy", "greedy"], seed=4).record.dumps()
    page.evaluate(
        """(record) => {
          const form = Object.assign(document.createElement("form"), {
            method: "POST", action: "/share", enctype: "multipart/form-data",
          });
          const field = Object.assign(document.createElement("input"), { type: "file", name: "record" });
          const files = new DataTransfer();
          files.items.add(new File([record], "game.json", { type: "application/json" }));
          field.files = files.files;
          form.append(field);
          document.body.append(form);
          form.submit();
        }""",
        record,
    )
    page.wait_for_url("**/replay/file*")
    expect(page.locator("[data-replay]").first).to_be_visible()


def test_the_app_says_who_it_is(server):
    """Both manifests name files that are there, and places that lie in the page."""
    for language in ("en", "fr"):
        asked = server.ask("GET", "/", headers={"Accept-Language": language})
        assert f'href="/static/{language}.webmanifest"' in asked.text
        found = server.ask("GET", f"/static/{language}.webmanifest").json()
        assert found["lang"] == language
        assert found["start_url"] == found["scope"] == found["id"] == "../"
        assert {"192x192", "512x512"} <= {icon["sizes"] for icon in found["icons"]}
        for icon in found["icons"]:
            assert server.ask("GET", f"/static/{icon['src']}").status_code == 200
