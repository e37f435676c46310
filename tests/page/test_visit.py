"""Coming to the page: one click to a game, tables made and joined by link or code, the browser's own buttons."""

from __future__ import annotations

import json
import re
import time
from random import Random

import pytest
from playwright.sync_api import Page, Request, expect

import preau
from preau.core import LANGUAGES
from preau.games.bagarre import data
from preau.games.cour import data as cour_data
from tests.page.playing import BOT, CHOICE, ME, OPEN, OVER, PAD, actions, ask, decide, make, play_on, remember, sit
from tests.page.screens import Tables
from tests.page.visitor import PATIENCE_MS

IN_A_HURRY = "WebSocket is closed before"
"""The browser's remark when somebody leaves a table while the line to it is being made."""
TABLE = re.compile(r"/t/\w+$")
PLAY = {"en": "Play now", "fr": "Jouer"}
FIRST_LOAD = 46_000
"""Bytes of compressed script on the home page, without headers: some 3 % more than there were when it was made small.
Whatever only other screens need belongs in what is loaded with them; see docs/page.md."""


@pytest.mark.parametrize("game", preau.game_ids())
def test_one_click_and_a_first_move(page, game):
    """Nobody reads anything: press play, take whatever is offered, and it is a legal move."""
    page.goto("/")
    page.locator(f"[data-play={game}]").click()
    expect(page).to_have_url(TABLE)
    assert decide(page, Random(1))
    expect(page.locator(".notice.bad")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_load_is_small(visit, language):
    """Three scripts: what is shown, what it says in one language, and a small one that fetches both, because only a
    script can try again what fails. The other language is loaded when somebody wants it, and so are games, lessons,
    puzzles and all other screens. Each is transferred once: what was fetched is imported from the browser's cache.
    """
    page = visit(language=language).page
    scripts: list[Request] = []
    page.on("requestfinished", lambda one: scripts.append(one) if one.url.endswith(".js") else None)
    page.goto("/")
    play = page.locator("[data-play=recess] > span")
    expect(play).to_have_text(re.compile(PLAY[language]))
    sizes = [(one.url.rpartition("/")[2].partition("-")[0], one.sizes()["responseBodySize"]) for one in scripts]
    transferred = sorted((name, size) for name, size in sizes if size > 0)
    assert [name for name, _ in transferred] == ["first", "index", "main"]
    assert sum(size for _, size in transferred) < FIRST_LOAD
    other = next(one for one in LANGUAGES if one != language)
    page.locator(f"header button[lang={other}]").click()
    expect(play).to_have_text(re.compile(PLAY[other]))
    expect(page.locator("html")).to_have_attribute("lang", other)


def test_back_and_forward(visit):
    page = visit(expected=IN_A_HURRY).page
    page.goto("/")
    page.locator("[data-play=recess]").click()
    page.locator(CHOICE).first.wait_for()
    page.go_back()
    expect(page.locator("[data-play=recess]")).to_be_visible()
    page.go_forward()
    page.locator(CHOICE).first.wait_for()


def test_my_games_are_found_again(page):
    page.goto("/")
    page.locator("[data-play=bagarre]").click()
    expect(page).to_have_url(TABLE)
    table = page.url.rpartition("/")[2]
    page.locator("header a.home").click()
    page.locator(f"main a[href='/t/{table}']").first.click()
    page.locator(CHOICE).first.wait_for()


def new_table(page: Page) -> str:
    """A short game of Recess! with a friend and a quick bot, made as people make it; the link to it."""
    page.goto("/new/recess")
    page.locator("[data-seat='1']").select_option("open")
    page.locator("li:has([data-seat='2']) select").nth(1).select_option("greedy")
    page.locator("details summary").click()
    page.locator("[data-option=turns] input").fill("6")
    page.locator("[data-make]").click()
    expect(page.locator("[data-start]")).to_be_visible()
    return page.url


def whoever_is_asked(*pages: Page) -> Page | None:
    """Whose decision it is, as soon as a page says so; nobody's once all of them say that the game is over."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < end:
        for page in pages:
            if page.locator(f"{CHOICE}, {PAD}").count():
                return page
        if all(page.locator(OVER).count() for page in pages):
            return None
        pages[0].wait_for_timeout(20)
    raise AssertionError("nobody is asked")


def test_two_people_and_somebody_who_watches(visit, server):
    """Each at a device of their own; all three see the same game, to the end."""
    zoe, malo, watcher = visit().page, visit(language="fr").page, visit().page
    link = new_table(zoe)
    malo.goto(link)
    malo.locator("[data-sit]").click()
    expect(malo.locator("[data-sit]")).to_have_count(0)
    watcher.goto(link)
    zoe.locator("[data-start]").click()
    expect(zoe.locator(".watching")).to_be_visible()
    rng = Random(6)
    answers: dict[Page, list[str]] = {zoe: [], malo: []}
    while asked := whoever_is_asked(zoe, malo):
        expect(watcher.locator(CHOICE)).to_have_count(0)
        answers[asked].append(decide(asked, rng))
    for page in (zoe, malo, watcher):
        expect(page.locator(OVER)).to_be_visible()
    for seat, page in enumerate((zoe, malo)):
        assert actions(server, link.rpartition("/")[2], seat) == answers[page] != []
    told = [page.locator(".log li").all_inner_texts() for page in (zoe, watcher)]
    assert len(told[0]) == len(told[1])  # the same lines, to each in their own person
    assert told[0][-1:] == told[1][-1:] != []


def test_the_faster_hand(visit, server):
    """A live table of two: a spider or butterfly fills both screens, and whoever makes its sign takes a card.

    In this pile they come thick and fast: one that follows upon another is a new race.
    """
    cards = cour_data.shipped("reconstructed")
    cards["others"].update(spider=50, butterfly=49)
    options = {"reaction": "live", "first": 0, "cards": cards}
    seats = [{"kind": "me", "name": "Zoé"}, {"kind": "open"}]
    host = make(server.url, "cour", seats=seats, options=options, start=False)
    address = f"{server.url}/api/tables/{host['table']['id']}"
    guest = ask(f"{address}/join", {"name": "Malo"})
    ask(f"{address}/start", {}, host["token"])
    zoe, malo = sit(visit(), host), sit(visit(), guest)
    rng = Random(9)
    races = 0
    while races < 5:
        asked = whoever_is_asked(zoe, malo)
        assert asked, "the game is over too soon"
        if not asked.locator(PAD).count():
            decide(asked, rng)
            continue
        races += 1
        for page in (zoe, malo):
            expect(page.locator(PAD)).to_have_count(2)
        spider = zoe.locator("dialog .card.spider").count() == 1
        malo.keyboard.press("ArrowRight" if spider else "ArrowLeft")  # the wrong one
        zoe.locator("[data-sign=spider]" if spider else "[data-sign=butterfly]").click()
        for page, said in ((zoe, "You were fastest, pointing at Malo."), (malo, "Zoé was fastest, pointing at you.")):
            expect(page.locator(".log").get_by_text(said)).to_have_count(races)


def test_a_move_is_taken_back_if_the_others_agree(visit, server):
    """Whoever asks gets their own move back, not what came after it; whoever is refused hears so."""
    made = make(server.url, "recess", seats=[ME, OPEN, BOT], start=False)
    zoe = sit(visit(), made)
    malo = visit(phone=True).page
    malo.goto(zoe.url)
    malo.locator("[data-sit='1']").tap()
    expect(malo.locator("[data-sit='1']")).to_have_count(0)
    zoe.locator("[data-start]").click()
    expect(zoe.locator("[data-undo]")).to_be_disabled()
    zoe.locator("[data-action=pass]").click()
    malo.locator("[data-group=b1]").tap()
    malo.locator("[data-action^='b1 ']").first.tap()
    expect(zoe.locator(".log")).to_contain_text("boy 1 walks")
    for answer in ("no", "yes"):
        zoe.locator("[data-undo]").click()
        expect(zoe.locator("[data-asks]")).to_contain_text("Waiting")
        malo.locator("[data-asks]").get_by_role("button", name=answer).tap()
        expect(zoe.locator("[data-asks]")).to_have_count(0)
        if answer == "no":
            expect(zoe.locator(".notice")).to_contain_text("rather not")
    expect(zoe.locator("[data-action=pass]")).to_be_enabled()
    expect(malo.locator(".log li")).to_have_count(0)


def test_a_bot_plays_for_whoever_wants_that(visit, server):
    page = sit(visit(phone=True), make(server.url, "recess", seats=[ME, OPEN, BOT], start=False))
    friend = visit().page
    friend.goto(page.url)
    friend.locator("[data-sit='1']").click()
    expect(friend.locator("[data-sit='1']")).to_have_count(0)
    page.locator("[data-start]").tap()
    page.locator("[data-menu]").tap()
    page.get_by_role("button", name="Let a bot play for me").tap()
    friend.locator(CHOICE).first.wait_for()  # the bot has done the turn
    page.locator("[data-stood-in] button").tap()
    expect(page.locator("[data-stood-in]")).to_have_count(0)
    friend.locator("[data-action=pass]").click()
    page.locator(CHOICE).first.wait_for()


def test_a_code_leads_to_the_table(visit, server):
    waiting = Tables(server.url)["waiting"]["table"]
    page = visit().page
    page.goto("/join")
    page.locator("[data-code]").fill(waiting["code"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(waiting["id"]))
    expect(page.locator("[data-sit]").first).to_be_visible()


def test_a_device_that_goes_round(visit, server):
    """Pass and play: a curtain falls before another person's cards, and nothing of them is in the page until then."""
    seats = [{"kind": "me", "name": "Zoé"}, {"kind": "me", "name": "Malo"}]
    page = sit(visit(), make(server.url, "bagarre", seats=seats, options={"goal": 1, "first": 0}))
    rng = Random(7)
    falls = 0
    for _ in range(500):
        page.locator(f"{CHOICE}, {OVER}, [data-curtain]").first.wait_for()
        if page.locator(OVER).count():
            break
        if page.locator("[data-curtain]").count():
            falls += 1
            expect(page.locator(CHOICE)).to_have_count(0)
            page.locator("[data-curtain]").click()
            expect(page.locator("[data-curtain]")).to_have_count(0)
        else:
            decide(page, rng)
    expect(page.locator(OVER)).to_be_visible()
    assert falls > 0


def test_once_more_and_the_replay(visit, server):
    """After the end: the replay can be scrubbed, and a rematch is a new table with the same people."""
    page = sit(visit(expected=IN_A_HURRY), make(server.url, "recess"))
    play_on(page, Random(8))
    expect(page.locator("dialog h2")).to_be_focused()
    expect(page.locator("dialog figure li")).to_have_count(3)  # a line for everybody's coins
    link = page.url
    page.locator("[data-replay]").click()
    expect(page.locator("[data-scrub]")).to_be_visible()
    page.go_back()
    page.locator("[data-rematch]").click()
    expect(page).not_to_have_url(link)
    expect(page).to_have_url(TABLE)
    page.locator(CHOICE).first.wait_for()


def test_my_games_know_whose_turn_it_is(visit, server):
    """The list asks the server: what this device saw last may be long ago."""
    visitor = visit()
    table = remember(visitor, make(server.url, "recess"))
    page = visitor.page
    page.goto("/")
    expect(page.locator(f"li.turn a[href='/t/{table}']")).to_be_visible()


def test_a_set_of_cards_of_ones_own(visit):
    """A broken file is refused with the place in it; a right one is played with, and its names are in the log."""
    page = visit(expected="Failed to load resource.*400").page
    page.goto("/new/bagarre")
    page.locator("details summary").click()
    option = page.locator("[data-option=cards]")
    option.locator("select").select_option("a file of one’s own")
    cards = json.loads(json.dumps(data.shipped("reconstructed")))
    for toy in cards["toys"]["cards"]:
        toy["en"] = f"wooden {toy['en']}"
    cards["toys"]["cards"][3]["value"] = "three"
    option.locator("textarea").fill("{")
    expect(option.locator(".bad").first).to_contain_text("JSON")
    option.locator("textarea").fill(json.dumps(cards))
    page.locator("[data-make]").click()
    expect(option.locator(".bad").last).to_contain_text("toys.cards[3]")
    cards["toys"]["cards"][3]["value"] = 3
    file = {"name": "wood.json", "mimeType": "application/json", "buffer": json.dumps(cards).encode()}
    option.locator("input[type=file]").set_input_files(file)
    expect(option.locator("textarea")).to_have_value(json.dumps(cards))
    page.locator("[data-make]").click()
    expect(page).to_have_url(TABLE)
    rng = Random(3)
    for _ in range(200):
        if "wooden" in page.locator(".log").inner_text():
            break
        assert decide(page, rng)
    expect(page.locator(".log")).to_contain_text("wooden")
