"""Arm wrestling at the end of a game: by keyboard against bots, by touch on one screen, over the network."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.playing import BOT, ME, OPEN, ask, make, sit, take_grouped_choice
from tests.page.visitor import accessibility_violations, expect_nothing_wrong
from tests.table.arm_wrestling import TWO_TIED

BASILE, ANA = {"kind": "me", "name": "Basile"}, {"kind": "me", "name": "Ana"}
WEAK = {"kind": "bot", "level": "random"}
SHORT = {"turns": 1, "first": 0}
"""One turn in which nothing happens: all are equal."""
HIDDEN = """() => {
  const room = document.documentElement;
  return [...document.querySelectorAll("dialog.full :is(.word, li, [data-pad], h2, header button)")]
    .filter((one) => {
      const at = one.getBoundingClientRect();
      const out = at.left < -1 || at.right > room.clientWidth + 1 || at.top < -1 || at.bottom > innerHeight + 1;
      const small = one.matches("[data-pad]") && (at.width < 44 || at.height < 44);
      return out || small;
    })
    .map((one) => `${one.outerHTML.slice(0, 80)} ${JSON.stringify(one.getBoundingClientRect())}`);
}"""
"""What of the desk is out of sight, and pads too small for a thumb."""


def stage(page: Page, name: str) -> None:
    page.locator(f"[data-stage={name}]").wait_for()


def outcome(page: Page) -> Any:
    return page.locator("[data-wrestle=over] [data-outcome]")


def test_one_person_against_bots_by_keyboard_alone(visit, server):
    page = sit(visit(), make(server.url, "recess", seats=[ME, WEAK, BOT], options=SHORT))
    page.locator("[data-action=pass]").focus()
    page.keyboard.press("Enter")
    asked = page.locator("[data-wrestle=asked]")
    expect(asked).to_contain_text("whoever taps most often in 5 seconds wins")
    expect(asked).to_contain_text("(dice-roller): it always wants to, and taps about 3 times a second.")
    expect(asked).to_contain_text("(grabber): it always wants to, and taps about 4 times a second.")
    assert accessibility_violations(page) == []
    asked.locator("[data-yes]").focus()
    page.keyboard.press("Enter")
    stage(page, "ready")
    pad = page.locator("[data-pad]")
    expect(pad).to_be_focused()
    expect(pad).to_have_accessible_name("Zoé: pull")
    page.keyboard.press("Space")
    expect(page.locator("dialog.full [role=status]")).to_have_text("Get ready: it goes in three seconds.")
    stage(page, "go")
    expect(page.locator("dialog.full [role=status]")).to_have_text("Go! Pull!")
    expect(pad.locator("[data-count]")).to_have_text("0", timeout=5_000)
    page.keyboard.down("Space")
    for _ in range(4):
        page.keyboard.down("Space")  # held down, it repeats
    page.keyboard.up("Space")
    expect(pad.locator("[data-count]")).to_have_text("1")
    for key in ("Space", "Enter", "s") * 9:
        page.keyboard.press(key)
    expect(pad.locator("[data-count]")).to_have_text("28")
    sight = page.get_by_role("button", name="Sight", include_hidden=True)
    expect(sight).to_have_attribute("aria-pressed", "false")  # nine times its key, and none for the table below
    expect(outcome(page)).to_contain_text("Zoé won the arm wrestling with 28 taps; the next best had")
    expect(outcome(page)).to_contain_text("In the ranking they stay equal.")
    expect(outcome(page)).to_be_focused()
    expect(page.locator(".inside > table tr.first")).to_have_count(3)
    assert accessibility_violations(page) == []
    page.keyboard.press("Tab")
    expect(page.locator("[data-rematch]")).to_be_focused()
    page.reload()
    expect(outcome(page)).to_contain_text("Zoé won the arm wrestling with 28 taps")


def touch(page: Page, *pads: str) -> None:
    """Fingers on several pads at once."""
    boxes = [page.locator(f"[data-pad='{pad}']").bounding_box() for pad in pads]
    points = [
        {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": at}
        for at, box in enumerate(boxes)
        if box
    ]
    line = page.context.new_cdp_session(page)
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    line.detach()


@pytest.mark.parametrize(
    "size",
    [
        (320, 568),
        pytest.param((390, 664), marks=pytest.mark.nightly),
        pytest.param((844, 390), marks=pytest.mark.nightly),
    ],
)
def test_two_at_one_phone_by_touch(visit, server, size):
    """Each has half of the screen and all fingers count, also at the same moment."""
    theme = "dark" if size[0] < 390 else "light"
    visitor = visit(phone=True, size=size, language="fr", theme=theme, motion=True)
    page = sit(visitor, make(server.url, "recess", seats=[ME, BASILE, ANA], options={"turns": 3, "first": 0}))
    for action in TWO_TIED:
        take_grouped_choice(page, action)
    expect(page.locator("[data-wrestle=asked]")).to_contain_text("Basile et Ana sont à égalité")
    for seat in (1, 2):
        page.locator(f"[data-asked='{seat}'] [data-yes]").tap()
    stage(page, "ready")
    expect_nothing_wrong(page, HIDDEN)
    stage(page, "go")
    for _ in range(5):
        touch(page, "1", "2")
    for _ in range(2):
        touch(page, "2")
    expect(page.locator("[data-pad='1'] [data-count]")).to_have_text("5")
    expect(page.locator("[data-pad='2'] [data-count]")).to_have_text("7")
    assert accessibility_violations(page) == []
    expect(outcome(page)).to_contain_text("Ana gagne le bras de fer, 7 à 5.")


def test_two_browsers_and_somebody_who_watches(visit, server):
    made = make(server.url, "recess", seats=[ME, OPEN, WEAK], options=SHORT, start=False)
    address = f"{server.url}/api/tables/{made['table']['id']}"
    joined = ask(f"{address}/join", {"name": "Malo"})
    made["table"] = ask(f"{address}/start", {}, made["token"])
    zoe, malo = sit(visit(), made), sit(visit(language="fr", theme="dark"), joined)
    watcher = visit(forced=True).page
    watcher.goto(zoe.url)
    zoe.locator("[data-action=pass]").click()
    for page in (zoe, malo, watcher):
        page.locator("[data-wrestle=asked]").wait_for()
    expect(watcher.locator("[data-yes], [data-no]")).to_have_count(0)
    zoe.locator("[data-yes]").click()
    for page, text in ((watcher, "Zoé wants to. Not answered yet: Malo."), (malo, "Zoé veut bien.")):
        expect(page.locator("[data-wrestle=asked]")).to_contain_text(text)
    zoe.keyboard.press("Escape")
    expect(zoe.locator("dialog[open]")).to_have_count(0)
    malo.locator("[data-yes]").click()
    for page in (zoe, malo, watcher):
        stage(page, "ready")
    expect(watcher.locator("[data-pad]")).to_have_count(0)
    stage(malo, "go")
    stage(zoe, "go")
    for _ in range(25):
        malo.keyboard.press("Space")
    zoe.locator("[data-pad]").click()
    expect(watcher.locator("[data-bar='1'] .numbers")).to_have_text("25")
    zoe.keyboard.press("Escape")
    expect(zoe.locator("[data-desk]")).to_be_visible()
    for page, text in ((zoe, "Malo won the arm wrestling with 25 taps"), (malo, "Malo gagne le bras de fer")):
        expect(outcome(page)).to_contain_text(text)
    expect(outcome(watcher)).to_contain_text("Malo won")


def test_whoever_would_rather_not_leaves_it_a_tie(visit, server):
    page = sit(visit(language="fr"), make(server.url, "recess", seats=[ME, BOT, BOT], options=SHORT))
    page.locator("[data-action=pass]").click()
    page.locator("[data-no]").click()
    said = page.locator("[data-wrestle=declined]")
    expect(said).to_contain_text("Zoé n’en a pas envie\u202f: on reste à égalité.")
    page.reload()
    expect(said).to_be_visible()
