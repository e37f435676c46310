"""Without a server: the page's own Python plays, keeps and knows what the server would. Files come from the server
here, as they would from a cache; whatever else it could answer is refused before it gets there.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import preau
from preau.learn.puzzles import puzzles
from tests.page.playing import CHOICE, SHORT, decide, play_on, raise_curtain, tap
from tests.page.test_lessons import take
from tests.page.visitor import Visitor, barriers
from tools.page import STATIC

REFUSED = "net::ERR_|Failed to load resource"
"""The browser's remark about a server that is not there."""
TABLE = re.compile(r"/t/local\w+$")


def cut_off(context: BrowserContext) -> None:
    """From now on no server answers."""
    context.route(re.compile("/api/"), lambda route: route.abort())


def planned(visitor: Visitor, game: str, *, people: int = 1, level: str = "greedy", local: bool = True) -> None:
    """The form for a new table, filled in: a short game, on this device if so wished."""
    wish = SHORT[game]
    seats = [{"kind": "here" if at < people else "bot", "name": f"Zoé {at}", "level": level} for at in range(8)]
    plan = {"count": len(wish["seats"]), "seats": seats, "options": wish["options"], "local": local}
    visitor.remember(f"preau.new.{game}", plan)


def begin(page: Page, game: str) -> str:
    """Make that table and come to its first question; its id."""
    page.goto(f"/new/{game}")
    page.locator("[data-make]").click()
    expect(page).to_have_url(TABLE)
    page.locator(f"[data-curtain], {CHOICE}").first.wait_for()
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("game", preau.game_ids())
def test_a_whole_game_without_a_server(visit, game):
    """It is left in the middle and goes on; in the end it counts as any other. A list of games needs no Python."""
    visitor = visit(expected=REFUSED)
    planned(visitor, game)
    page, rng = visitor.page, Random(3)
    cut_off(visitor.context)
    table = begin(page, game)
    for _ in range(2):
        decide(page, rng)
    page.goto("/")
    expect(page.locator(f"[data-mine={table}]")).to_contain_text("on this device")
    page.goto(f"/t/{table}")
    page.locator(CHOICE).first.wait_for()
    play_on(page, rng)
    expect(page.locator("[data-rematch]")).to_be_visible()
    assert barriers(page) == []
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto("/me")
    expect(page.locator(f"[data-record={game}]")).to_be_visible()
    assert not [url for url in asked if "offline" in url]


def test_what_else_needs_no_server(visit):
    """On a phone, in French: several at one screen, a hint, a lesson, a puzzle, a replay and a review."""
    visitor = visit(phone=True, language="fr", size=(390, 664), expected=REFUSED)
    page, rng = visitor.page, Random(5)
    planned(visitor, "bagarre", level="normal")
    planned(visitor, "cour", people=2)
    cut_off(visitor.context)

    begin(page, "cour")  # nobody has chosen this device: there is no other way
    for _ in range(4):
        page.locator(f"[data-curtain], {CHOICE}").first.wait_for()
        if curtain := page.query_selector("[data-curtain]"):
            raise_curtain(page, curtain)
        decide(page, rng, tap)

    table = begin(page, "bagarre")
    page.locator("[data-ask-hint]").click()
    page.locator("[data-hint]").wait_for()
    assert barriers(page) == []
    play_on(page, rng, tap)
    page.goto(f"/replay/{table}")
    page.locator("[data-replay=review]").click()
    expect(page.locator("[data-review=done]").last).to_be_visible()
    assert barriers(page) == []

    exercise = preau.game("recess").lessons[0]
    page.goto("/learn/recess")
    page.locator(f"[data-exercise={exercise.name}]").wait_for()
    take(page, exercise.way, tap)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    puzzle = next(one for one in puzzles("cour") if one.difficulty == 1)
    page.goto(f"/puzzles/cour/{puzzle.id}")
    take(page, puzzle.line, tap)
    expect(page.locator("[data-verdict=done]")).to_be_visible()


def test_a_game_moves_to_the_server_and_two_windows_play_at_one_table(visit):
    visitor = visit()
    planned(visitor, "recess")
    page = visitor.page
    table = begin(page, "recess")
    other = visitor.context.new_page()
    other.goto(f"/t/{table}")
    other.locator(CHOICE).first.wait_for()
    rng = Random(1)
    for window in (page, other, page):
        decide(window, rng)
        expect(window.locator(".notice.bad")).to_have_count(0)
    said = page.locator(".log li").all_inner_texts()
    expect(other.locator(".log li")).to_have_text(said)
    other.close()
    page.keyboard.press("Escape")
    page.locator("[data-menu]").click()
    page.locator("[data-to-server]").click()
    expect(page).to_have_url(re.compile(r"/t/(?!local)\w+$"))
    page.locator("[data-start]").click()
    assert decide(page, rng)
    page.goto("/")
    expect(page.locator(f"[data-mine={table}]")).to_have_count(0)
    expect(page.locator("[data-mine]")).to_have_count(1)


PLAY = """async ({ worker, wishes }) => {
  const bundle = await (await fetch("/static/offline.json")).json();
  const python = new Worker(worker, { type: "module" });
  const found = [];
  await new Promise((resolve, reject) => {
    python.onmessage = ({ data }) => {
      if (data.say === "failed") reject(new Error(data.why));
      if (data.say === "reply") found.push(data.body);
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
  return found;
}"""


def test_the_same_seed_makes_the_same_game_in_the_browser(visit):
    """All games, several seat counts and levels: to the last letter the record that plays here, compiled or not."""
    wishes: list[dict[str, Any]] = []
    for game in preau.game_ids():
        counts = preau.game(game).seats
        for seats, levels in ((counts[0], ("easy", "hard")), (counts[-1], ("greedy", "random", "normal", "easy"))):
            bots = [levels[seat % len(levels)] for seat in range(seats)]
            options = {**SHORT[game]["options"], **({"turns": 4} if game == "recess" else {})}
            wishes.append({"game": game, "bots": bots, "seed": 11 + seats, "options": options})
    [worker] = (STATIC / "assets").glob("worker-*.js")
    page = visit().page
    page.goto("/help")
    found = page.evaluate(PLAY, {"worker": f"/static/assets/{worker.name}", "wishes": wishes})
    for wish, text in zip(wishes, found, strict=True):
        here = preau.play(wish["game"], bots=wish["bots"], options=wish["options"], seed=wish["seed"])
        assert json.loads(text) == json.loads(here.record.dumps()), wish


def test_the_bundle_is_small_and_listed():
    """Whoever wants all of it for later finds the list beside the page; every file has its compressed forms."""
    listed = json.loads((STATIC / "offline.json").read_text(encoding="utf-8"))
    files = {one["path"]: one for one in listed["files"]}
    assert {listed["stdlib"], listed["package"], *(path for path in files if path.startswith(listed["index"]))} == set(
        files
    )
    for path, one in files.items():
        assert (STATIC / path).stat().st_size == one["bytes"]
        assert (STATIC / f"{path}.br").stat().st_size == one["brotli"] < (STATIC / f"{path}.gz").stat().st_size
    assert sum(one["brotli"] for one in files.values()) < 4_800_000
    assert sorted(path.suffix for path in (STATIC / "assets/offline").iterdir() if path.is_file()) == sorted(
        [".bin", ".br", ".gz", ".br", ".gz", ".zip"]
    ), "nothing is left over"
