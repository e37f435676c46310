"""A replay fit to share, and the ways to and from a table: home, open tables, rules, help."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

import preau
from preau.core.record import Record
from preau.pictures import picture
from preau.table.replay import replay_of
from tests.page.layout import fits
from tests.page.playing import BOT, ME, OPEN, ask, make, sit
from tests.page.screens import Tables
from tests.page.visitor import accessibility_violations, expect_nothing_wrong

GOLDEN = Path(__file__).parent / "golden"
"""Whole games in words."""
SMALL = {"width": 320, "height": 568}
LOST = "Failed to load resource.*404"
CLIPPED = """() => {
  const box = document.querySelector(".told");
  const { top, bottom, left, right } = box.getBoundingClientRect();
  const inside = top >= 0 && bottom <= innerHeight + 1 && left >= 0 && right <= innerWidth + 1;
  return !inside || box.scrollHeight > box.clientHeight + 1 || document.documentElement.scrollWidth > innerWidth;
}"""
"""Whether some of what is told cannot be seen."""
SMALL_YARD = """() => {
  const { width } = document.querySelector(".stage [role=grid]").getBoundingClientRect();
  return width > 0.6 * innerWidth ? [] : [`the yard is ${width} wide`];
}"""
IN_SIGHT = "(one) => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"


@pytest.fixture(scope="module")
def tables(server) -> Tables:
    return Tables(server.url)


def scrub(page: Page) -> str:
    """Which step is shown."""
    page.locator("[data-scrub]").wait_for()
    return page.locator("[data-scrub]").input_value()


def test_a_replay_fit_to_share(visit, tables):
    """Seats with their facts, turns to jump to, all hands open, and a link that shows another just that."""
    table = tables["over bagarre"]["table"]["id"]
    visitor = visit()
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visitor.page
    page.goto(f"/replay/{table}")
    expect(page.locator(".seats [data-seat]")).to_have_count(3)
    expect(page.locator(".seats [data-seat='0']")).to_contain_text("Zoé")
    expect(page.locator(".seats [data-seat='0'] .facts [role=img]")).to_have_count(3)

    turns = page.locator(".turns [data-turn]")
    assert page.locator(".marks i").count() == turns.count() > 5
    wanted = turns.nth(4).get_attribute("data-turn") or ""
    turns.nth(4).click()
    expect(page.locator("[data-scrub]")).to_have_value(wanted)
    expect(turns.nth(4)).to_have_attribute("aria-current", "step")
    expect(page.locator(".seats .active")).to_have_count(1)
    page.locator("h1").click()
    page.keyboard.press("PageDown")
    expect(page.locator("[data-scrub]")).to_have_value(turns.nth(5).get_attribute("data-turn") or "")
    page.keyboard.press("PageUp")
    expect(page.locator("[data-scrub]")).to_have_value(wanted)

    page.keyboard.press("?")
    expect(page.locator("dialog kbd").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)

    page.locator("[data-eyes]").select_option("all")
    expect(page.locator("[data-open-hand]")).to_have_count(3)
    hands = page.locator("[data-open-hand] li").all_inner_texts()
    assert len(hands) >= 12
    page.locator("[data-replay=share]").click()
    page.locator("[data-share=copy-link]").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/replay/{table}#{wanted}.all")
    page.locator("[data-share=copy-text]").click()
    expect(page.get_by_text("The game is copied in words.")).to_be_visible()
    words = page.evaluate("navigator.clipboard.readText()")
    assert words.startswith("La grande bagarre\nZoé, ")
    assert "all hands open" in words
    page.locator("[data-share-picture]").wait_for()
    page.locator("[data-share=copy-picture]").click()
    expect(page.get_by_text("The picture is copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.read().then(([one]) => one.types)") == ["image/png"]
    page.keyboard.press("Escape")
    assert not accessibility_violations(page)

    other = visit(phone=True, language="fr").page
    other.set_viewport_size({"width": 390, "height": 664})
    other.goto(link)
    assert scrub(other) == wanted
    expect(other.locator("[data-eyes]")).to_have_value("all")
    expect(other.locator("[data-open-hand] li")).to_have_count(len(hands))
    expect(other.locator("h1")).to_contain_text("Revoir")
    expect(other.locator("[data-replay=play]")).to_have_text("Lecture")
    expect(other.locator(".controls option").first).to_have_text("0,5 ×")
    other.locator("[data-replay=turns]").click()
    other.locator("dialog [data-turn]").nth(2).click()
    expect(other.locator("dialog")).to_have_count(0)
    expect(other.locator("[data-scrub]")).to_have_value(turns.nth(2).get_attribute("data-turn") or "")
    assert not accessibility_violations(other)


def show(page: Page, seated: Any, record: Record, names: Sequence[str]) -> None:
    """Let the replay of a table be that of a record, played by people with these names."""
    table = seated["id"]

    def part(route: Route) -> None:
        asked = {name: int(values[0]) for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        found = replay_of(record, asked.get("seat"), asked["first"], asked["count"])
        route.fulfill(body=msgspec.json.encode(found), content_type="application/json")

    people = [{"seat": seat, "kind": "person", "name": name} for seat, name in enumerate(names)]
    page.route(f"**/api/tables/{table}", lambda route: route.fulfill(json={**seated, "seats": people}))
    page.route(f"**/api/tables/{table}/replay?*", part)
    page.route(f"**/api/tables/{table}/record", lambda route: route.fulfill(json=record.to_json()))


def saved(page: Page, what: str) -> bytes:
    """The file that a button of the sheet gives."""
    with page.expect_download() as found:
        page.locator(f"[data-share={what}]").click()
    return Path(found.value.path()).read_bytes()


@pytest.mark.parametrize(
    ("game", "eyes", "wishes"),
    [
        ("recess", None, {"language": "en", "theme": "dark"}),
        ("bagarre", "all", {"language": "fr", "phone": True}),
        ("cour", 1, {"language": "en"}),
    ],
)
def test_a_moment_is_shared_as_picture_words_and_record(visit, tables, game, eyes, wishes):
    """The picture is, letter by letter, what the command line draws; the words are those of a golden text."""
    seated = tables[f"over {game}"]["table"]
    names = ["Zoé", "Łukasz", "Inès"][: len(seated["seats"])]
    options = {"goal": 1} if game == "bagarre" else {"turns": 6} if game == "recess" else {}
    record = preau.play(game, bots=["greedy"] * len(names), options=options, seed=4).record
    page = visit(**wishes).page
    show(page, seated, record, names)
    language, dark = wishes["language"], wishes.get("theme") == "dark"
    last = replay_of(record, None, 0, 0).total - 1
    for step in (last // 2, last):
        whose = "" if eyes is None else f".{eyes if eyes == 'all' else eyes + 1}"
        page.goto(f"/replay/{seated['id']}#{step}{whose}")
        page.reload()
        page.locator("[data-replay=share]").click()
        page.locator("[data-share-picture]").wait_for()
        svg = saved(page, "svg").decode()
        assert svg == picture(record, step, eyes=eyes, language=language, dark=dark, names=names)
        ElementTree.fromstring(svg)
    assert "<style" not in svg
    assert "var(" not in svg
    pixels = saved(page, "png")
    assert pixels[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", pixels[16:24]) == (2400, 1800)
    assert json.loads(saved(page, "record")) == ask(f"{tables.home}/api/tables/{seated['id']}/record")
    words = saved(page, "text").decode().replace(page.url.split("/replay")[0], "")
    golden = GOLDEN / f"{game}-{language}.txt"
    assert words.replace(seated["id"], "TABLE") == golden.read_text(encoding="utf-8")
    assert not accessibility_violations(page)


def test_the_end_of_a_game_can_be_shared(visit, tables):
    """From the result there is a way to the picture of the last moment."""
    seated = tables["over recess"]
    page = sit(visit(phone=True, language="fr"), seated)
    page.locator("dialog [data-share-game]").click()
    expect(page.locator("[data-share-picture]")).to_have_attribute("alt", re.compile(".{20,}"))
    assert scrub(page) == page.locator("[data-scrub]").get_attribute("max")
    assert not accessibility_violations(page)


def test_what_is_told_is_never_cut_off(visit, tables):
    """On the smallest phone, step by step; coins are there too, and the buttons and the yard stay where they are."""
    page = visit(phone=True).page
    page.set_viewport_size(SMALL)
    page.goto(f"/replay/{tables['over recess']['table']['id']}")
    scrub(page)
    expect(page.locator(".seats .coins")).to_have_count(3)
    place = page.locator("[data-scrub]").bounding_box()
    for step in range(1, 16):
        page.locator("[data-replay=next]").tap()
        expect(page.locator("[data-scrub]")).to_have_value(str(step))
        assert not page.evaluate(CLIPPED), page.locator(".told").inner_text()
        assert page.locator("[data-scrub]").bounding_box() == place
    for width, height in ((390, 664), (360, 640), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page, "[data-spot], .entrance, .clock", many=144)
        fits(page, ".seats .coins, .stage, .told, [data-scrub], [data-replay]", box=".replay", many=9)
        expect_nothing_wrong(page, SMALL_YARD)


def test_home_says_how_games_stand(visit, tables):
    """Whose turn it is near the top, how others ended, and a wrong code where it was typed."""
    visitor = visit(phone=True, expected=LOST)
    over, going = tables["over cour"], tables["middle recess"]
    known = [
        {"id": one["table"]["id"], "token": one["token"], "game": one["table"]["game"], "code": "", "seats": [0]}
        for one in (over, going)
    ]
    rest = {"names": [], "status": "playing", "turn": False, "time": 0}
    visitor.remember("preau.tables", [{**one, **rest} for one in known])
    page = visitor.page
    page.goto("/")
    row = page.locator(f"[data-mine='{over['table']['id']}']")
    expect(row).to_contain_text(re.compile("won"))
    expect(row.locator(f"a[href='/replay/{over['table']['id']}']")).to_be_visible()
    first = page.locator(f"[data-mine='{going['table']['id']}']")
    expect(first).to_contain_text("Your turn")
    assert first.evaluate(IN_SIGHT)

    field = page.locator("[data-code]")
    field.fill("zzzzzz")
    field.press("Enter")
    wrong = page.locator("form [role=alert]")
    expect(wrong).to_have_text("No table has this code. Check it letter by letter.")
    expect(field).to_be_focused()
    assert field.get_attribute("aria-describedby") == wrong.get_attribute("id")
    assert wrong.evaluate(IN_SIGHT)
    assert field.evaluate(IN_SIGHT)


def test_open_tables_tell_bots_from_people(visit, server):
    wishes = {"options": {"turns": 6}, "timer": {"kind": "turn", "amount": 60}, "visibility": "listed"}
    table = make(server.url, "recess", seats=[ME, OPEN, BOT], start=False, **wishes)["table"]["id"]
    page = visit().page
    page.goto("/watch")
    row = page.locator("li", has=page.locator(f"[data-watch='{table}']"))
    expect(row.locator(".seats li").first).to_have_text("Zoé")
    expect(row.locator(".seats li").last).to_contain_text("bot")
    expect(row).to_contain_text("60 seconds for each turn")
    expect(row).to_contain_text("Turns: 6")


def test_rules_and_help_lead_back_to_the_table(visit, server):
    """A rule is found by the word of the sheets; keys are named as on the reader's keyboard."""
    visitor = visit(language="fr")
    page = sit(visitor, make(server.url, "recess"))
    table = page.url
    page.locator(".choices button").first.wait_for()
    page.locator("header a[href='/settings']").click()
    page.locator("[data-way-back]").click()
    expect(page).to_have_url(table)
    page.locator(".choices button").first.wait_for()
    page.goto("/rules/recess")
    expect(page.locator("[data-way-back]")).to_have_text("Retour à la table")
    page.locator("#rules-find").fill("rapporter")
    expect(page.locator("[data-found='rule R29']")).to_be_visible()
    page.goto("/help")
    for key in ("Entrée", "Échap", "Début", "Fin", "S", "U", "R"):
        expect(page.locator("kbd", has_text=re.compile(f"^{key}$")).first).to_be_visible()
    page.locator("header a[href='/']").click()
    page.goto("/help")
    expect(page.locator("[data-way-back]")).to_have_count(0)


def test_an_address_that_leads_nowhere_says_so(visit, tables):
    """With the status of the answer, and in words; a link to a game says which one before the page runs."""
    visitor = visit(expected=LOST)
    page = visitor.page
    for path in ("/nowhere", "/t/nosuchtable", "/rules/chess"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 404
    page.goto("/t/nosuchtable")
    expect(page.locator("h1")).to_have_text("There is nothing here")
    answer = page.goto(f"/replay/{tables['over cour']['table']['id']}")
    assert answer is not None
    assert "Dans la cour d’école: a game to watch again" in answer.text()
    assert page.request.get(page.locator("meta[property='og:image']").get_attribute("content") or "").ok
