"""Without a server: the page's own Python plays, keeps and knows what the server would. Files come from the server
here, as they would from a cache; whatever else it could answer is refused before it gets there.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import preau
from preau.host.bot_round import question
from preau.host.questions import encode
from preau.learn.puzzles import puzzles
from tests.page.exercises import take_actions
from tests.page.local_tables import LOCAL_TABLE, follow_link, start_local_table
from tests.page.playing import CHOICE, SHORT, decide, play_on, raise_curtain, tap
from tests.page.visitor import Visitor, accessibility_violations
from tests.server.processes import Server
from tests.support import plain_twin
from tools import offline, wasm
from tools.page import STATIC
from tools.set_up import ROOT

REFUSED = "net::ERR_|Failed to load resource"
"""The browser's remark about a server that is not there."""


def cut_off(context: BrowserContext) -> None:
    """From now on no server answers."""
    context.route(re.compile("/api/"), lambda route: route.abort())


@pytest.fixture(scope="module")
def alone(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Somebody with a phone and no server, in French. Python is started once for all who move about with `move`."""
    visitor = Visitor(browser, server.url, phone=True, language="fr", size=(390, 664), expected=REFUSED)
    cut_off(visitor.context)
    visitor.page.goto("/")
    yield visitor
    assert visitor.leave() == []


def made_compiled() -> bool:
    """Whether there are compiled rules beside the page."""
    return "compiled" in json.loads((STATIC / "offline.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", preau.game_ids())
def test_a_whole_game_without_a_server(alone, game):
    """Nobody has chosen this device: there is no other way. In the end the game counts as any other."""
    page, rng = alone.page, Random(3)
    table = start_local_table(page, game)
    decide(page, rng, tap)
    follow_link(page, "/")
    expect(page.locator(f"[data-mine={table}]")).to_contain_text("sur cet appareil")
    follow_link(page, f"/t/{table}")
    play_on(page, rng, tap)
    expect(page.locator("[data-rematch]")).to_be_visible()
    assert accessibility_violations(page) == []
    follow_link(page, "/me")
    expect(page.locator(f"[data-record={game}]")).to_be_visible()


def test_what_else_needs_no_server(alone):
    """Several at one screen, a hint, a lesson and a puzzle."""
    page, rng = alone.page, Random(5)
    start_local_table(page, "cour", people=2)
    for _ in range(3):
        page.locator(f"[data-curtain], {CHOICE}").first.wait_for()
        if curtain := page.query_selector("[data-curtain]"):
            raise_curtain(page, curtain)
        decide(page, rng, tap)

    start_local_table(page, "bagarre", level="normal")
    page.locator("[data-ask-hint]").tap()
    page.locator("[data-hint]").wait_for()
    assert accessibility_violations(page) == []
    follow_link(page, "/settings")
    expect(page.locator("[data-rules]")).to_have_attribute("data-rules", "compiled" if made_compiled() else "plain")

    exercise = preau.game("recess").lessons[0]
    follow_link(page, "/learn/recess")
    page.locator(f"[data-exercise={exercise.name}]").wait_for()
    take_actions(page, exercise.way, tap)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    puzzle = next(one for one in puzzles("cour") if one.difficulty == 1)
    follow_link(page, f"/puzzles/cour/{puzzle.id}")
    take_actions(page, puzzle.line, tap)
    expect(page.locator("[data-verdict=done]")).to_be_visible()


def test_a_game_goes_on_after_the_browser_was_closed_and_then_at_the_server(visit):
    """Meanwhile two windows play at one table. A list of games needs no Python."""
    visitor = visit()
    page, rng = visitor.page, Random(1)
    page.goto("/")
    table = start_local_table(page, "recess", local=True)
    assert accessibility_violations(page) == []
    other = visitor.context.new_page()
    other.goto(f"/t/{table}")
    other.locator(CHOICE).first.wait_for()
    told = 0
    for window in (page, other, page):
        log = window.locator(".log li")
        expect(log).to_have_count(told)  # what the other window has done is here
        decide(window, rng)
        expect(log).not_to_have_count(told)
        expect(window.locator(".notice.bad")).to_have_count(0)
        told = log.count()
    expect(other.locator(".log li")).to_have_text(page.locator(".log li").all_inner_texts())
    page.close()
    asked: list[str] = []
    other.on("request", lambda one: asked.append(one.url))
    other.goto("/")
    expect(other.locator(f"[data-mine={table}]")).to_contain_text("on this device")
    assert not [url for url in asked if "offline" in url]
    other.goto(f"/t/{table}")
    other.locator(CHOICE).first.wait_for()
    other.locator("[data-menu]").click()
    other.locator("[data-to-server]").click()
    expect(other).to_have_url(re.compile(r"/t/(?!local)\w+$"))
    other.locator("[data-start]").click()
    assert decide(other, rng)
    other.goto("/")
    expect(other.locator(f"[data-mine={table}]")).to_have_count(0)
    expect(other.locator("[data-mine]")).to_have_count(1)


def test_a_browser_without_room_plays_all_the_same_and_says_so(visit, server):
    visitor = visit(language="fr")
    page, rng, told = visitor.page, Random(2), "garder la partie"
    line = visitor.context.new_cdp_session(page)
    line.send("Storage.overrideQuotaForOrigin", {"origin": server.url, "quotaSize": 1})
    page.goto("/")
    start_local_table(page, "bagarre", local=True)
    expect(page.locator(".notice.bad")).to_contain_text(told)
    for _ in range(3):
        decide(page, rng)
    expect(page.locator(".notice.bad")).to_have_count(0)  # that was said once
    page.locator("[data-menu]").click()
    expect(page.locator("dialog")).to_contain_text(told)  # and can be read again
    assert accessibility_violations(page) == []


def test_a_browser_that_keeps_nothing_says_so(visit):
    visitor = visit()
    broken = "indexedDB.open = () => { throw new Error('it keeps nothing'); };"

    def breaks(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{broken}{answer.text()}")

    visitor.context.route(re.compile(r"/worker-[\w-]+\.js$"), breaks)
    page, rng = visitor.page, Random(2)
    page.goto("/")
    table = start_local_table(page, "bagarre", local=True)
    notice = page.locator(".notice.bad")
    expect(notice).to_contain_text("cannot keep the game")
    decide(page, rng)
    page.goto(f"/t/{table}")
    expect(notice).to_contain_text("cannot be read")


@pytest.mark.nightly
def test_a_review_without_a_server(alone):
    page, rng = alone.page, Random(5)
    table = start_local_table(page, "bagarre")
    play_on(page, rng, tap)
    follow_link(page, f"/replay/{table}")
    page.locator("[data-replay=review]").tap()
    expect(page.locator("[data-review=done]").last).to_be_visible(timeout=600_000)
    assert accessibility_violations(page) == []


PLAY = """async ({ worker, wishes }) => {
  const bundle = await (await fetch("/static/offline.json")).json();
  let compiled;
  const python = new Worker(worker, { type: "module" });
  const found = [];
  await new Promise((resolve, reject) => {
    python.onmessage = ({ data }) => {
      if (data.say === "failed") reject(new Error(data.why));
      if (data.say === "reply") found.push(data.body);
      if (data.say === "ready") compiled = data.compiled;
      if (data.say === "ready")
        wishes.forEach((wish, number) => {
          const body = JSON.stringify(wish);
          python.postMessage({ do: "call", number, method: "POST", address: "/match", token: null, body });
        });
      if (found.length === wishes.length) resolve();
    };
    python.postMessage({ do: "begin", role: "tables", bundle, base: location.origin + "/static/" });
  });
  python.terminate();
  return [found, compiled];
}"""


def worker() -> str:
    """The address of the program that has Python in it."""
    [found] = (STATIC / "assets").glob("worker-*.js")
    return f"/static/assets/{found.name}"


def plays_alike(
    page: Page, wishes: Sequence[tuple[str, int, tuple[str, ...]]], *packages: ModuleType, compiled: bool = False
) -> None:
    """Matches between bots of some levels, in turn, have to the last letter the record that they have here, compiled or
    not: by the rules as a server has them, and by those of other `packages`.
    """
    asked: list[dict[str, Any]] = []
    for game, seats, levels in wishes:
        bots = [levels[seat % len(levels)] for seat in range(seats)]
        options = {**SHORT[game]["options"], **({"turns": 4} if game == "recess" else {})}
        asked.append({"game": game, "bots": bots, "seed": 11 + seats, "options": options})
    found, were = page.evaluate(PLAY, {"worker": worker(), "wishes": asked})
    assert were == compiled
    for wish, text in zip(asked, found, strict=True):
        for package in (preau, *packages):
            here = package.play(wish["game"], bots=wish["bots"], options=wish["options"], seed=wish["seed"])
            assert json.loads(text) == json.loads(here.record.dumps()), wish


def test_the_same_seed_makes_the_same_game_in_the_browser(alone):
    plays_alike(alone.page, [(game, preau.game(game).seats[0], ("normal", "easy")) for game in preau.game_ids()])


def every_level(game: str) -> list[tuple[str, int, tuple[str, ...]]]:
    """At tables of every size."""
    levels = ("expert", "hard", "normal", "easy", "greedy", "random")
    return [(game, seats, levels[at % 2 :]) for at, seats in enumerate(preau.game(game).seats)]


@pytest.mark.nightly
@pytest.mark.parametrize("game", preau.game_ids())
def test_every_level_plays_the_same_game_in_the_browser(alone, game):
    """Natively with compiled rules, if there are any, and with plain ones."""
    plays_alike(alone.page, every_level(game), plain_twin())


@pytest.fixture(scope="module")
def compiled_modules() -> dict[str, Path]:
    """The compiled modules for the page's own Python, made anew if they are of another source."""
    kits = [sys.executable, "tools/set_up.py", "wasm"]
    if subprocess.run(kits, cwd=ROOT, check=False).returncode:
        pytest.skip("the compiler for the page's own Python cannot be installed: pip's message is above")
    try:
        wasm.make()
    except wasm.Missing as missing:
        pytest.skip(str(missing))
    return wasm.made()


@pytest.mark.nightly
@pytest.mark.parametrize("game", preau.game_ids())
def test_every_level_plays_the_same_game_compiled_in_the_browser(visit, compiled_modules, game):
    """Here the house has them, too: it can be asked for whole matches."""
    visitor = visit()
    listed = json.loads((STATIC / "offline.json").read_text(encoding="utf-8"))
    plain = (STATIC / listed["package"]).read_bytes()
    both = joined(plain, offline.joined(compiled_modules))
    visitor.context.route(f"**/{listed['package']}", lambda route: route.fulfill(body=both))
    visitor.page.goto("/")
    plays_alike(visitor.page, every_level(game), compiled=True)


def joined(*packages: bytes) -> bytes:
    """Several packages as one."""
    heads, bodies = zip(*(one.split(b"\n", 1) for one in packages), strict=True)
    return json.dumps([file for head in heads for file in json.loads(head)]).encode() + b"\n" + b"".join(bodies)


THINK = """async ({ worker, compiled, question }) => {
  const bundle = { ...(await (await fetch("/static/offline.json")).json()), compiled };
  const python = new Worker(worker, { type: "module" });
  const heard = () => new Promise((resolve, reject) => {
    python.onmessage = ({ data }) => {
      if (data.say === "failed") reject(new Error(data.why));
      else if (data.say !== "loading") resolve(data);
    };
  });
  const ready = heard();
  python.postMessage({ do: "begin", role: "thinking", bundle, base: location.origin + "/static/" });
  const { compiled: rules } = await ready;
  const thought = heard();
  python.postMessage({ do: "think", number: 1, question });
  const { answer } = await thought;
  python.terminate();
  return [rules, JSON.parse(answer).action];
}"""
NO_MODULE = "preau/core/state.cpython-314-wasm32-emscripten.so"


def test_code_that_breaks_off_on_its_way(visit):
    """It is fetched once more; if that breaks off as well, somebody is told, and can try again."""
    visitor = visit(expected=f"{REFUSED}|wasm instantiation|CompileError")
    page, broken = visitor.page, [2]

    def breaks(route: Any) -> None:
        answer = route.fetch()
        half = answer.body()[:1_000_000] if broken[0] > 0 else answer.body()
        broken[0] -= 1
        route.fulfill(response=answer, body=half)

    cut_off(visitor.context)
    visitor.context.route("**/pyodide.asm*.wasm", breaks)
    page.goto("/new/cour")
    page.locator("[data-make]").click()
    expect(page.locator(".notices")).to_contain_text("cannot be reached")
    broken[0] = 1
    page.locator("[data-make]").click()
    expect(page).to_have_url(LOCAL_TABLE)
    page.locator(CHOICE).first.wait_for()
    assert broken[0] <= 0


@pytest.mark.parametrize(("status", "module"), [(200, b"\0asm of another time"), (404, b"")])
def test_compiled_rules_that_do_not_run_are_done_without(visit, status, module):
    """In the same start. Plain rules answer the question, and say that they are plain."""
    visitor = visit(expected=REFUSED)
    body = json.dumps([[NO_MODULE, len(module)]]).encode() + b"\n" + module
    visitor.context.route("**/compiled-0.bin", lambda route: route.fulfill(status=status, body=body))
    visitor.page.goto("/")
    state = preau.game("recess").start(seats=3)
    asked = msgspec.structs.replace(question("a table", state, 0, "easy", []), seed=1)
    compiled = "assets/offline/compiled-0.bin"
    rules, action = visitor.page.evaluate(
        THINK, {"worker": worker(), "compiled": compiled, "question": encode(asked).decode()}
    )
    assert not rules
    assert action in [one.text for one in state.legal(0)]


def test_the_bundle_is_small_and_listed():
    """Whoever wants all of it for later finds the list beside the page; every file has its compressed forms."""
    listed = json.loads((STATIC / "offline.json").read_text(encoding="utf-8"))
    files = {one["path"]: one for one in listed["files"]}
    of_python = {path for path in files if path.startswith(listed["index"])}
    compiled = [listed["compiled"]] if "compiled" in listed else []
    assert {listed["stdlib"], listed["package"], *compiled, *of_python} == set(files)
    for path, one in files.items():
        assert (STATIC / path).stat().st_size == one["bytes"]
        assert (STATIC / f"{path}.br").stat().st_size == one["brotli"] < (STATIC / f"{path}.gz").stat().st_size
    assert sum(one["brotli"] for one in files.values()) < 4_800_000
    assert sorted(path.suffix for path in (STATIC / "assets/offline").iterdir() if path.is_file()) == sorted(
        [".bin", ".br", ".gz", ".br", ".gz", ".zip", *(".bin", ".br", ".gz") * len(compiled)]
    ), "nothing is left over"
