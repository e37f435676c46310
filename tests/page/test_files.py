"""Games from a file: opened, looked at, loaded anew, reviewed and played on from, without any table of theirs."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

import preau
from tests.page.layout import REPLAY_OVERFLOW
from tests.page.playing import ask, play_on, tap
from tests.page.recorded_game import NAMES, RECORD
from tests.page.records import a_record
from tests.page.visitor import accessibility_violations, expect_nothing_wrong

WRONG = "[data-file-wrong]"


def text(record: Any = RECORD, **fields: Any) -> str:
    """A game as it is saved, with the names of those who played."""
    return json.dumps({**record.to_json(), "meta": {"names": list(NAMES)}, **fields}, indent=1)


def choose(page: Page, contents: str) -> None:
    """Open a file as somebody does who has pressed the button."""
    with page.expect_file_chooser() as chooser:
        page.locator("[data-open-file]").click()
    file: Any = {"name": "game.json", "mimeType": "application/json", "buffer": contents.encode()}
    chooser.value.set_files(file)


def drop(page: Page, contents: str) -> None:
    """Carry a file over the page, and let go."""
    carried = page.evaluate_handle(
        "(text) => { const all = new DataTransfer(); all.items.add(new File([text], 'game.json')); return all; }",
        contents,
    )
    page.dispatch_event("main", "dragover", {"dataTransfer": carried})
    expect(page.locator("[data-drop]")).to_be_visible()
    page.dispatch_event("main", "drop", {"dataTransfer": carried})
    expect(page.locator("[data-drop]")).to_have_count(0)


def test_a_game_from_a_file_on_a_phone_in_french(visit, server):
    """Chosen among the open tables; it survives loading the page anew, is reviewed, and is played on to the end."""
    page = visit(phone=True, language="fr", size=(390, 664)).page
    page.goto("/watch")
    assert not accessibility_violations(page)
    choose(page, text())
    expect(page).to_have_url(re.compile("/replay/file-[0-9a-f]{8}$"))
    page.locator("[data-replay=next]").tap()
    page.get_by_label("Ce qu’on voit").select_option(label="vu par Malo")
    expect(page).to_have_url(re.compile(r"#1\.2$"))
    page.reload()
    expect(page.locator("[data-scrub]")).to_have_value("1")
    page.locator("[data-replay=share]").tap()
    expect(page.get_by_text("il n’y a pas de lien")).to_be_visible()
    expect(page.locator("[data-share-picture]")).to_be_visible()
    assert not accessibility_violations(page)
    page.keyboard.press("Escape")
    page.locator("[data-replay=result]").tap()
    expect(page.locator("dialog")).to_contain_text("Zoé")
    assert not accessibility_violations(page)
    page.keyboard.press("Escape")
    page.locator("[data-replay=review]").tap()
    expect(page.locator("dialog [data-review=done]")).to_be_visible()
    page.locator("dialog [data-turning='2']").tap()
    expect(page.locator("[data-hint]")).to_contain_text("Une erreur de Malo")
    expect_nothing_wrong(page, REPLAY_OVERFLOW)
    page.locator("[data-hint] [data-play-on]").tap()
    page.locator("[data-play-as]").select_option(label="Malo")
    page.locator("[data-begin]").tap()
    expect(page).to_have_url(re.compile("/t/"))
    tried = page.url.rpartition("/")[2]
    made = ask(f"{server.url}/api/tables/{tried}")
    assert made["origin"] == {"kind": "record", "step": 5}
    play_on(page, Random(3), tap)
    page.goto(f"/replay/{tried}")
    page.locator("[data-replay=onward]").tap()
    page.get_by_role("link", name="La partie elle-même").tap()
    expect(page).to_have_url(re.compile("/replay/file-"))
    expect(page.locator("[data-scrub]")).to_have_attribute("max", str(len(RECORD.entries)))


def test_a_game_that_breaks_off_and_a_position(visit):
    """Shown and played on from as far as they go, with a sentence; a file can be dropped wherever one is looked at."""
    page = visit().page
    record = preau.play("bagarre", bots=["random"] * 3, seed=2).record
    record.cut(40)
    page.goto("/me")
    page.locator("[data-open-file]").wait_for()
    drop(page, text(record))
    expect(page.get_by_role("status").get_by_text("This game breaks off before its end.")).to_be_visible()
    expect(page.locator("[data-replay=result]")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("[data-unfinished]")).to_contain_text("breaks off")
    page.locator("[data-replay=review]").click()
    expect(page.locator("[data-review]")).to_have_count(0)
    assert not accessibility_violations(page)
    page.locator("[data-replay=onward]").click()
    expect(page.locator("[data-begin]")).to_be_visible()
    page.keyboard.press("Escape")

    drop(page, json.dumps(record.replay().to_json()))
    expect(page.locator("[data-unfinished]")).to_contain_text("This is a single position")
    page.locator("[data-replay=onward]").click()
    page.locator("[data-begin]").click()
    expect(page).to_have_url(re.compile("/t/"))


def refused() -> dict[str, str]:
    """What is wrong with a file, by what is in it."""
    line = json.dumps(RECORD.to_json())
    actions = RECORD.to_json()["actions"]
    return {
        line[:-30]: "breaks off, or there is no game in it",
        f"{line}\n{line}\n": "several games",
        json.dumps(a_record() | {"format": "preau-my-record", "version": 1}): "belongs on the page My record",
        "{}": "no record of a game",
        text(options={"board": "x" * 60_000}): "too large",
    } | {
        text(actions=actions[:-2]): "This record breaks off after",
        text(rules="0"): "by version 0 of its rules",
        text(game="chess"): "does not know the game “chess”",
        text(actions=[[0, "sing"], *actions[1:]]): "was altered after it was saved: action 1",
    }


def test_what_cannot_be_opened_is_said(visit):
    """By the page at once, by the server where it has to look; a file that the tab has no more is asked for again."""
    visitor = visit(expected="status of 400")
    page = visitor.page
    page.goto("/replay/file-00000000")
    expect(page.locator("[data-file-gone]")).to_be_visible()
    assert not accessibility_violations(page)
    for contents, said in refused().items():
        choose(page, contents)
        expect(page.locator("[role=alert]", has_text=said)).to_be_visible()
    assert not accessibility_violations(page)
    choose(page, text())
    expect(page.locator("[data-scrub]")).to_have_value("0")
    drop(page, "nothing")
    expect(page.get_by_text("there is no game in it")).to_be_visible()
