"""Whole games through the page."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import ElementHandle, Page, expect

import preau
from tests.page.layout import fits, table_fits
from tests.page.playing import (
    ASKED,
    BOT,
    ME,
    OVER,
    SHORT,
    actions,
    answer,
    ask,
    click,
    decide,
    key,
    make,
    on_the_board,
    on_the_table,
    play_on,
    raise_curtain,
    sit,
    tap,
)
from tests.page.visitor import accessibility_violations, expect_nothing_wrong
from tests.server.processes import Server
from tests.support import by_day

COUNT_BUTTONS = """
window.buttons_clicked = 0;
addEventListener("click", (event) => { if (event.target.closest(".choices")) buttons_clicked++; }, true);
"""

HEAR = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    for (const node of addedNodes) {
      if (node.nodeType !== 1) continue;
      if (target.closest?.("[data-heard]")) heard.push(node.textContent);
      for (const line of node.querySelectorAll("[data-heard] p")) heard.push(line.textContent);
      if (node.matches("[data-curtain]") || node.querySelector("[data-curtain]")) heard.push("curtain");
    }
  }
}).observe(document, { subtree: true, childList: true });
"""
"""Keeps what is said in the live region, and when a curtain falls."""

OUT_OF_SIGHT = """() => [...document.querySelectorAll(".seats li")].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top < 0 || bottom > innerHeight + 1;
}).map((one) => one.outerHTML)"""
"""Seats that are not in sight, or not all of them."""

FIGHT = ".choices :is([data-action^=fight], [data-group=fight]):not([aria-disabled=true])"
SMALL = [(390, 664), (360, 640), (320, 568)]
HERE: dict[str, Any] = {"kind": "me", "name": "Malo"}


def over(server: Server, table: str) -> bool:
    return bool(ask(f"{server.url}/api/tables/{table}")["status"] == "over")


def replay(server: Server, table: str, eyes: str = "") -> list[Any]:
    """All steps of a game that is over."""
    found: list[Any] = []
    total = 1
    while len(found) < total:
        part = ask(f"{server.url}/api/tables/{table}/replay?{eyes}first={len(found)}&count=50")
        found, total = found + part["frames"], part["total"]
    return found


def told(server: Server, table: str, seat: int | None) -> list[tuple[int, set[str]]]:
    """Each step of a game that is over: who did it, and every sentence it can be told in to those eyes."""
    info = ask(f"{server.url}/api/tables/{table}")
    eyes = "" if seat is None else f"seat={seat}&"
    frames = replay(server, table, eyes)
    names = [one.get("name") or BOTS[one["seat"]] for one in info["seats"]]
    texts = preau.game(info["game"]).texts("en")
    return [
        (
            frame["actor"],
            {
                texts.say(f"event.{event['key']}", event, names, seat).replace("'", "’")
                for event in frame["events"]
                if event["key"] not in QUIET
            },
        )
        for frame in frames[1:]
    ]


def in_a_row(steps: list[tuple[int, set[str]]], heard: set[str]) -> set[int]:
    """The most seats that did something one after the other while every step that can be told was heard."""
    most: set[int] = set()
    row: set[int] = set()
    for actor, said in steps:
        row = row | {actor} if said & heard else set() if said else row
        most = max(most, row - {-1, -2}, key=len)
    return most


QUIET = {"draw", "down", "answer"}
"""What somebody else does with hidden cards is seen on the table of La grande bagarre, and not told."""


def by_itself(action: str) -> bool:
    """A friend that is picked before the toy goes down by itself (bagarre)."""
    return action.startswith("place F")


BOTS = ["Anouk", "Basile", "Colette", "Dario"]
"""The names of bots by their seats."""


@pytest.mark.parametrize("game", by_day(preau.game_ids(), "recess", "bagarre"))
def test_a_game_by_mouse(visit, server, game):
    """Cells, cards, toys, piles and seats are clicked, and hardly a button; whoever only listens hears who did what."""
    options = {"turns": 9, "first": 0} if game == "recess" else SHORT[game]["options"]
    seated = make(server.url, game, options=options)
    visitor = visit()
    visitor.context.add_init_script(HEAR)
    page = sit(visitor, seated)
    page.evaluate(COUNT_BUTTONS)
    table = seated["table"]["id"]
    answers = play_on(page, Random(5), on_the_board if game == "recess" else on_the_table)
    done = [one for one in actions(server, table) if not by_itself(one)]
    assert done == [one for one in answers if not by_itself(one)]
    expect(page.locator(".log li").last).to_be_in_viewport()
    if game != "recess":
        assert page.evaluate("buttons_clicked") < len(answers) / 2
    heard = page.evaluate("heard")
    steps = told(server, table, 0)
    rounds = [{actor for actor, said in steps if actor == seat and said & set(heard)} for seat in range(3)]
    seats = {actor for actor, _ in steps if actor >= 0}
    assert {seat for one in rounds for seat in one} == seats, "everybody was heard of"
    silent = [said for actor, said in steps if actor > 0 and said and not said & set(heard)]
    assert len(silent) < len(steps) / 3, silent
    assert in_a_row(steps, set(heard)) == seats, "a whole round was heard without a gap"
    assert accessibility_violations(page) == []


@pytest.mark.parametrize(
    ("game", "language"), by_day([("recess", "en"), ("bagarre", "fr"), ("cour", "en")], ("bagarre", "fr"))
)
def test_a_game_on_small_phones(visit, server, game, language):
    """At every question all of it is in sight, on phones of three sizes. In a yard that small a tap on something tiny
    asks what is meant, and the buttons below do the same.
    """
    seated = make(server.url, game)
    page = sit(visit(phone=True, language=language), seated)
    rng = Random(2)
    for count in range(300):
        page.locator(ASKED).first.wait_for()
        if page.locator(OVER).count():
            break
        for width, height in SMALL:
            page.set_viewport_size({"width": width, "height": height})
            table_fits(page)
            if count == 4:
                assert accessibility_violations(page, without="target-size" if game == "recess" else "") == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        answer(page, rng, tap)
    assert over(server, seated["table"]["id"])
    page.keyboard.press("Escape")
    page.locator("[data-log]").tap()
    expect(page.locator(".log li").last).to_be_in_viewport()


@pytest.mark.parametrize(
    ("game", "size", "phone"),
    by_day(
        [("recess", (844, 390), True), ("bagarre", (640, 400), False), ("cour", (844, 390), True)],
        ("cour", (844, 390), True),
    ),
)
def test_a_game_in_little_height(visit, server, game, size, phone):
    """A phone on its side, and a laptop at twice the size: everybody's facts are in sight, in forced colours too."""
    wishes: Any = {"options": {"first": 0, "cards": full_of_events()}} if game == "cour" else {}
    seated = make(server.url, game, **wishes)
    page = sit(visit(phone=phone, size=size, forced=True), seated)
    rng = Random(3)
    for count in range(12):
        page.locator(ASKED).first.wait_for()
        if page.locator(OVER).count():
            break
        table_fits(page, 44 if phone else 24)
        if page.locator(".throw").count():
            fits(page, ".throw", box=".lying", many=3)  # also while what was thrown before lies over them
        expect_nothing_wrong(page, OUT_OF_SIGHT)
        if count == 4:
            assert accessibility_violations(page, without="color-contrast") == []
        answer(page, rng, tap if phone else click)
    play_on(page, rng, tap if phone else click)
    assert over(server, seated["table"]["id"])


def test_a_game_by_keyboard_alone(visit, server):
    """The focus stays where the next choice is."""
    seated = make(server.url, "cour")
    page = sit(visit(), seated)
    rng = Random(4)
    while decide(page, rng, key):
        page.locator(ASKED).first.wait_for()
        assert page.evaluate("document.activeElement !== document.body"), "the focus was lost"
    assert over(server, seated["table"]["id"])
    assert accessibility_violations(page) == []


@pytest.mark.parametrize("game", by_day(["bagarre", "cour"], "bagarre"))
def test_a_game_from_hand_to_hand(visit, server, game):
    """Two people and one screen: all that is public is said to both before the curtain falls."""
    options: Any = {"first": 0, "cards": full_of_events()} if game == "cour" else {"goal": 6}
    seated = make(server.url, game, seats=[ME, HERE, BOT], options=options)
    visitor = visit(pace="instant")
    visitor.context.add_init_script(HEAR)
    page = sit(visitor, seated)
    rng = Random(6)
    asked = f"[data-curtain], {ASKED}"
    page.locator("[data-curtain]").wait_for()
    assert accessibility_violations(page) == []
    for count in range(600):
        page.locator(asked).first.wait_for()
        if page.locator(OVER).count():
            break
        if curtain := page.query_selector("[data-curtain]"):
            raise_curtain(page, curtain)
        else:
            answer(page, rng, fight if count < 60 else click)
    table = seated["table"]["id"]
    assert over(server, table)
    assert accessibility_violations(page) == []
    heard: list[str] = page.evaluate("heard")
    assert heard.count("curtain") > 4
    between: list[set[str]] = [set()]
    for one in heard:
        if one == "curtain":
            between.append(set())
        else:
            between[-1].add(one)
    info = ask(f"{server.url}/api/tables/{table}")
    names = [one.get("name") or BOTS[one["seat"]] for one in info["seats"]]
    texts = preau.game(game).texts("en")
    at = seen = 0
    for frame in replay(server, table)[1:]:
        shown = [event for event in frame["events"] if event["key"] in REVEALS[game]]
        said = {texts.say(f"event.{event['key']}", event, names).replace("'", "’") for event in shown}
        at = next((part for part in range(at, len(between)) if said <= between[part]), -1)
        assert at >= 0, f"not said to both before a curtain fell: {said}"
        seen += len(shown)
    assert seen > 0


def fight(page: Page, button: ElementHandle, place: int) -> None:
    """La grande bagarre: fight where that is possible, or a game may end in which nothing was laid open."""
    click(page, page.query_selector(FIGHT) or button, place)


def full_of_events() -> Any:
    """A leaf pile with more spiders, butterflies and kings than usual: enough for every game."""
    usual = json.loads((preau.game("cour").folder / "data" / "reconstructed.json").read_text(encoding="utf-8"))
    return usual | {"name": "events", "others": usual["others"] | {"spider": 15, "butterfly": 15, "king": 20}}


REVEALS = {"bagarre": {"show", "win_toy", "keep_toy", "tie"}, "cour": {"throws", "king", "fastest"}}
"""Events that lay open what was secret."""
