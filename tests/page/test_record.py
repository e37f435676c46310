"""My record: what stays on the device of finished games, and how it is taken to another one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.playing import BOT, ME, make, play_on, remember, sit, tap
from tests.page.records import a_record
from tests.page.screens import Tables

CHOSEN = "[data-import] + input"


@pytest.fixture(scope="module")
def tables(server) -> Tables:
    return Tables(server.url)


def totals(page: Page) -> str:
    """How many games there are, how many were won, and both streaks."""
    return page.locator("[data-totals] .totals").inner_text()


def saved(page: Page, folder: Path) -> Path:
    """Save the record as a file."""
    with page.expect_download() as download:
        page.locator("[data-export]").click()
    assert re.fullmatch(r"preau-record-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    download.value.save_as(folder / "record.json")
    return folder / "record.json"


def test_a_game_is_written_down_carried_and_forgotten(visit, server, tmp_path):
    """On a phone, in French: finish a game, find it again, save it, forget it, bring it back."""
    visitor = visit(phone=True, language="fr", size=(390, 664))
    seated = make(server.url, "cour", seats=[ME, BOT], options={"first": 0})
    table = seated["table"]["id"]
    page = sit(visitor, seated)
    play_on(page, Random(3), tap)
    page.locator("dialog [data-me]").tap()

    row = page.locator(f"[data-result='{table}']")
    expect(row).to_contain_text(re.compile("Dans la cour d’école · (Tu as gagné|Victoire partagée|Place 2 sur 2)"))
    expect(row).to_contain_text("étoile")
    card = page.locator("[data-record=cour]")
    expect(card.get_by_role("row", name=re.compile("robots"))).to_be_visible()
    expect(card.locator("[data-feat=row]")).to_contain_text(re.compile(r"une rangée de \d+ carte"))
    before = totals(page)
    assert before.startswith("1")
    page.reload()
    expect(row).to_be_visible()
    assert totals(page) == before

    file = saved(page, tmp_path)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert [one["id"] for one in written["games"]] == [table]
    assert seated["token"] not in file.read_text(encoding="utf-8")
    page.locator("[data-forget]").tap()
    page.locator("[data-sure]").tap()
    expect(page.locator("[data-empty]")).to_be_visible()
    page.reload()  # the table is still on the list of one's games, and does not bring it back
    expect(page.locator("[data-empty]")).to_be_visible()
    expect(page.locator("main [role=status]")).to_have_count(0)
    page.set_input_files(CHOSEN, file)
    expect(page.get_by_text("1 partie est arrivée.")).to_be_visible()
    assert totals(page) == before
    page.set_input_files(CHOSEN, file)
    expect(page.get_by_text("Rien de nouveau")).to_be_visible()
    assert totals(page) == before

    card.locator("[data-feat=row] a").tap()
    page.wait_for_url(f"**/replay/{table}*")


WRONG = {
    "a picture": ("\x89PNG", "It is no record that was saved here."),
    "newer": (json.dumps({"format": "preau-my-record", "version": 9, "games": []}), "newer page (version 9)"),
    "a field": (
        json.dumps({"format": "preau-my-record", "version": 1, "games": [{"id": "../x"}]}),
        "games[0].id is wrong: it takes a text of at most 32 letters",
    ),
    "large": ("x" * 2_000_001, "at most 2 MB"),
}


def test_a_wrong_file_is_refused_and_nothing_is_lost(visit):
    visitor = visit(expected="Failed to load resource.*404")
    page = visitor.page
    visitor.remember("preau.record", a_record())
    page.goto("/me")
    page.locator("[data-record=recess]").wait_for()
    before = totals(page)
    for text, words in WRONG.values():
        page.set_input_files(CHOSEN, {"name": "x.json", "mimeType": "application/json", "buffer": text.encode()})
        said = page.get_by_role("alert").filter(has_text="Nothing of this file was taken over.")
        expect(said).to_contain_text(words)
        assert totals(page) == before
    page.locator("[data-result] a").first.click()
    expect(page.get_by_text("The server no longer has this game.").first).to_be_visible()
    assert page.url.endswith("/me")


def test_without_a_line_the_record_is_there_and_the_rest_can_be_asked_for_again(visit, tables):
    visitor = visit(expected="Failed to load resource")
    page = visitor.page
    table = remember(visitor, tables["over bagarre"])
    visitor.remember("preau.record", a_record(6))
    for address in ("**/api/**", "**/offline.json"):  # nor does this device know any better
        page.route(address, lambda route: route.abort())
    page.goto("/me")
    expect(page.get_by_text("Some finished games could not be asked for.")).to_be_visible()
    expect(page.get_by_text(re.compile("The words of .* could not be loaded"))).to_be_visible()
    assert totals(page).startswith("6")
    expect(page.locator("[data-feat=points]").first).to_contain_text("point")
    page.unroute("**/api/**")
    for _ in range(2):
        page.get_by_role("button", name="Try again").first.click()
    expect(page.locator(f"[data-result='{table}']")).to_contain_text("marble")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.locator("[data-feat=points]").first).to_contain_text("coin")


ALONE = "(You won|You and .+ won|.+ won; you came (second|third)).*"
SEUL = "(Tu as gagné|Toi et .+ avez gagné|.+ (a|ont) gagné\u202f; tu finis [23]e).*"
AROUND = "(Zoé|Basile|Colette).* won.*"
AUTOUR = "(Zoé|Basile|Colette).* (a|ont) gagné.*"
HOUR = r"\d{1,2}:\d\d · \d+(–\d+)+ · Zoé"


@pytest.mark.parametrize(
    ("seats", "english", "french"), [([0], ALONE, SEUL), ([0, 1], AROUND, AUTOUR)], ids=["alone", "around one screen"]
)
def test_my_games_say_how_they_ended_and_when(visit, tables, seats, english, french):
    """A game that ended while nobody looked: in the reader's person if that is one person; and it is written down."""
    visitor = visit()
    page = visitor.page
    table = remember(visitor, {**tables["over bagarre"], "seats": seats})
    page.goto("/")
    row = page.locator(f"[data-mine='{table}']")
    expect(row).to_contain_text(re.compile(f"{english}{HOUR}"))
    page.get_by_role("button", name="FR: Passer au français").click()
    expect(row).to_contain_text(re.compile(f"{french}{HOUR}"))
    page.locator("footer a[href='/me']").click()
    expect(page.locator(f"[data-result='{table}']")).to_contain_text("règles maison")
    won: Locator = page.locator("[data-totals] li").nth(1)
    expect(won).to_contain_text("sur 1 qui compte" if len(seats) == 1 else "sur 0 qui compte")
