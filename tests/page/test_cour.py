"""Dans la cour d'école at the table: room for everything, slapping the pile, and colours that somebody forces."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import preau
from preau.games.cour.data import shipped
from tests.page.layout import fits
from tests.page.playing import BOT, CHOICE, ME, PAD, VERDICTS, answer, make, raise_curtain, remember, sit
from tests.page.screens import Tables
from tests.page.visitor import Visitor, accessibility_violations, expect_nothing_wrong
from tests.support import by_day

SMALL = ((390, 664), (360, 640), (320, 568), (844, 390))
LARGE = (1280, 800)
CHARACTERS = ["queen", "agent", "boss", "minx", "architect", "lucky", "herbalist", "general"]
TWELVE = {"marble": 2, "brick": 2, "soldier": 2, "monster": 1, "car": 1, "chestnut": 1, "leaf": 3}
OPEN = ["marble", "monster", "leaf"]
QUESTIONS: dict[str, dict[str, Any]] = {
    "keep": {"open": OPEN},
    "give": {"open": OPEN[1:]},
    "glue": {"open": OPEN, "pot": 0},
    "challenge": {},
    "trade": {"open": OPEN[:2], "gainer": 0, "step": "keep"},
    "throw": {"choices": ["waiting", "waiting", None, None]},
}

PARTS = ".place, .pile, .slot, .held, .character, .question button, .hand"
TARGETS = ".cour :is(button:is(.place, .pile, .slot, .held, .character), .question button, .slot:has(button))"

CRAMPED = """() => {
  const found = [];
  for (const one of document.querySelectorAll("[data-race] :is([data-place], [data-sign], [data-aim], [role=img])")) {
    const box = one.getBoundingClientRect();
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) found.push(one.className);
    const wanted = one.matches("[data-sign]") ? 43.5 : 24;
    if (Math.min(box.width, box.height) < wanted) found.push(`small ${one.className}`);
  }
  return found;
}"""
"""What of a race lies outside of the screen or is too small."""

CONTRAST = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
      const one = Number(part) / 255;
      return one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll(".cour .card:has(text)")].map((card) => {
    const [ink, paper] = [getComputedStyle(card.querySelector("text")).fill, getComputedStyle(card).backgroundColor];
    const [one, other] = [light(ink), light(paper)].sort((one, other) => other - one);
    return (one + 0.05) / (other + 0.05);
  });
}"""
"""How well the names on cards can be read."""


def position(seats: int, phase: str, **more: Any) -> dict[str, Any]:
    """A table in the middle of a game: twelve cards in one's own hand, something in front of everybody."""
    rest = {"marble": 2, "brick": 1, "leaf": 1}
    hands = [TWELVE, *(rest if seat < 4 else {"brick": 1} for seat in range(1, seats))]
    front = {"kings": [1] * min(seats, 4) + [0] * (seats - 4), "friends": [[1], [0], *([] for _ in range(2, seats))]}
    if phase == "trade":
        more["ledger"] = [
            {"op": "gain", "seat": seat, "card": card}
            for seat in reversed(range(seats))
            for card, count in hands[seat].items()
            for _ in range(count)
        ]
    data = {"game": "cour", "seats": seats, "phase": phase, "characters": CHARACTERS[:seats], "hands": hands, **front}
    return {**data, "options": {"first": 0}, **more}


def racing(seats: int, card: str) -> dict[str, Any]:
    """The same table as the pile is to be slapped, and speed counts."""
    options = {"first": 0, "reaction": "live"}
    return position(seats, "point", event=card, choices=["waiting"] * seats, options=options)


class Dressed:
    """A real table at which things stand as a test says, and nothing is done."""

    def __init__(self, visitor: Visitor, home: str, seats: list[dict[str, Any]]) -> None:
        self.page = visitor.page
        self.acts: list[dict[str, Any]] = []
        self._standing: dict[str, Any] = {}
        self._table = remember(visitor, make(home, "cour", seats=seats, options={"first": 0}))
        self.tell: Callable[[dict[str, Any]], None] = lambda step: None
        """Send the page a step of the game."""
        self.page.route_web_socket(re.compile("/socket$"), self._connect)

    def show(self, data: dict[str, Any]) -> Page:
        """The table in this position, through the eyes of the first seat."""
        state = preau.game("cour").load(data)
        seen = json.loads(json.dumps(state.view(0)))
        legal = [str(action) for action in state.legal(0)]
        self._standing = {"view": seen, "prompt": seen["prompt"], "legal": legal, "to_act": seen["prompt"]["seats"]}
        self.page.goto(f"/t/{self._table}")
        self.page.locator(".cour").wait_for()
        return self.page

    def _connect(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hello":
                message |= self._standing
                last = {"type": "step", "first": message["number"] + 1, "number": message["number"] + 1, "time": 0}
                self.tell = lambda step: page_side.send(json.dumps({**last, **step}))
            if message["type"] != "step":
                page_side.send(json.dumps(message))

        def to_server(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "act":
                self.acts.append(message)
            else:
                server_side.send(text)

        server_side.on_message(to_page)
        page_side.on_message(to_server)


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("seats", by_day([2, 4, 8], 4))
def test_everything_is_in_sight(visit, server, seats):
    """Everybody's place, the pile and one's own whole hand, on small screens too, whatever is asked."""
    table = Dressed(visit(phone=True), server.url, [ME, *[BOT] * (seats - 1)])
    for phase in QUESTIONS if seats == 4 else ["keep", "give"]:
        page = table.show(position(seats, phase, **QUESTIONS[phase]))
        for size in (*SMALL, LARGE):
            resized(page, size)
            fits(page, PARTS, targets=TARGETS)
            fits(page, ".held", box=".cour .hand", many=12)


def test_forced_colours(visit, server):
    table = Dressed(visit(), server.url, [ME, BOT, BOT, BOT])
    table.page.emulate_media(forced_colors="active", color_scheme="dark")
    page = table.show(position(4, "keep", **QUESTIONS["keep"]))
    contrast = page.evaluate(CONTRAST)
    assert len(contrast) >= 3
    assert min(contrast) > 4.5
    assert [
        one for one in accessibility_violations(page) if "data-action" not in one
    ] == []  # the row of buttons is not the game's


def test_the_slap_says_what_it_is_about(visit, server):
    """The dialog names the card, both signs and what to do; Escape lets it pass; keys are shown to who has some."""
    live = racing(3, "butterfly")
    table = Dressed(visit(), server.url, [ME, BOT, BOT])
    page = table.show(live)
    dialog = page.get_by_role("dialog", name="Butterfly: choose its sign!")
    expect(dialog).to_have_accessible_description(
        re.compile("Choose the sign of the card.*Left arrow: spider. Right arrow: butterfly")
    )
    expect(dialog.get_by_role("img", name="butterfly")).to_be_visible()
    expect(dialog.get_by_text("→")).to_be_visible()
    expect(dialog.get_by_role("timer")).to_have_text("8 s left")
    assert accessibility_violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog.locator("[data-sign]").first).to_be_disabled()
    expect(dialog.get_by_role("status")).to_have_text("You let it pass.")
    assert [act["action"] for act in table.acts] == ["point none"]

    table = Dressed(visit(phone=True), server.url, [ME, BOT, BOT])
    page = table.show(live)
    for size in SMALL:
        resized(page, size)
        for pad in page.locator("[data-sign], [data-pass], [data-race-clock]").all():
            expect(pad).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_text("→")).to_be_hidden()
    page.locator("[data-sign=butterfly]").tap()
    expect(page.locator("[data-sign]").first).to_be_disabled()
    assert table.acts[0]["action"] in ("point 1", "point 2")
    assert table.acts[0]["delay"] >= 0


@pytest.mark.parametrize(
    ("key", "language", "said"),
    [
        ("ArrowLeft", "en", r"Basile was fastest, pointing at you.\n+Wrong sign: you are out of this race."),
        ("ArrowRight", "fr", r"celle de .* : elle te désigne.\n+Bon signe. Ton temps : \d,\d\d s."),
        ("", "fr", r"celle de .* : elle te désigne.\n+Trop tard : tu es hors jeu pour cette fois."),
    ],
)
def test_the_verdict_of_a_race(visit, server, key, language, said):
    """The table says who was first, and whether the player's own sign was right, wrong or too late."""
    table = Dressed(visit(language=language), server.url, [ME, BOT, BOT])
    table.page.add_init_script(VERDICTS)
    page = table.show(racing(3, "butterfly"))
    page.locator(PAD).first.wait_for()
    if key:
        page.keyboard.press(key)
        expect(page.locator("[data-sign]").first).to_be_disabled()
    view = json.loads(json.dumps(preau.game("cour").load(position(3, "keep", **QUESTIONS["keep"])).view(0)))
    events = [{"key": "points", "seat": 1, "target": 0}, {"key": "fastest", "seat": 1, "target": 0}]
    table.tell({"actor": 1, "events": events, "asked": 9, "view": view, "prompt": view["prompt"], "to_act": [1]})
    page.wait_for_function("verdicts.length > 0")
    (shown,) = page.evaluate("verdicts")
    assert re.search(said, shown.replace("\u202f", " ").replace("’", "'"))


def me(name: str) -> dict[str, str]:
    return {"kind": "me", "name": name}


def test_a_race_on_one_screen(visit, server):
    """Everybody at one device has a place and keys; each answers for themselves, and several at once."""
    people = [me(name) for name in ("Zoé", "Malo", "Inès", "Tom", "Ana", "Léo", "Noé", "Lou")]
    for seats in (2, 4, 8):
        table = Dressed(visit(phone=True), server.url, people[:seats])
        page = table.show(racing(seats, "spider"))
        expect(page.get_by_role("dialog", name="Spider: choose its sign!")).to_be_visible()
        expect(page.locator("[data-place]")).to_have_count(seats)
        for size in (*SMALL, (768, 1024)):
            resized(page, size)
            expect_nothing_wrong(page, CRAMPED)
    assert accessibility_violations(page) == []
    page.locator("[data-place='1'] [data-aim]").tap()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.keyboard.press("d")
    page.locator("[data-place='2'] [data-sign=spider]").tap()
    expect(page.locator("[data-sign]:disabled")).to_have_count(6)
    assert [(act["seat"], act["action"]) for act in table.acts] == [(1, "point 2"), (0, "point none"), (2, "point 0")]
    delays = [act["delay"] for act in table.acts]
    assert delays == sorted(delays)


def test_two_people_slap_at_one_screen(visit, server):
    """A real table: no curtain before the race, one after it, and both answers are taken.

    Of the usual pile one game in thirty has no race.
    """
    cards = shipped("reconstructed")
    cards["others"].update(spider=25, butterfly=25)
    options = {"first": 0, "reaction": "live", "cards": cards}
    seated = make(server.url, "cour", seats=[ME, me("Malo")], options=options)
    page = sit(visit(), seated)
    race = page.locator("[data-race]")
    asked = page.locator(f"[data-curtain], {CHOICE}, [data-race]")
    rng = Random(7)
    curtain = page.locator("[data-curtain]")
    for _ in range(200):
        asked.first.wait_for()
        if race.count():
            break
        if fallen := page.query_selector("[data-curtain]"):
            raise_curtain(page, fallen)
        else:
            answer(page, rng)
    while race.count():  # another event may follow at once
        expect(curtain).to_have_count(0)
        title = race.locator("h2").element_handle()
        for key in "sk" if "Spider" in title.inner_text() else "dl":
            page.keyboard.press(key)
        page.wait_for_function("(one) => !one.isConnected", arg=title)
        page.locator("[data-curtain], [data-race]").first.wait_for()
    curtain.click()
    expect(page.locator(".log")).to_contain_text(re.compile(r"(Zoé|Malo) was fastest, pointing at (Zoé|Malo)"))


def test_stars_are_counted_seat_after_seat(visit, server):
    """The totals are not there before they are counted; the button shows them all."""
    over = Tables(server.url)["over cour"]
    page = sit(visit(motion=True), over)
    totals = page.locator(".score .total")
    skip = page.get_by_role("button", name="Show all stars")
    skip.wait_for()
    assert totals.count() < 2
    expect(totals).to_have_count(2)
    expect(skip).to_be_hidden()
