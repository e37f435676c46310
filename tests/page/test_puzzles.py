"""Puzzles through the page: by mouse, touch and keyboard, with hints, wrong tries and progress that stays."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from preau.learn.puzzles import Puzzle, find, puzzles
from preau.learn.solving import solve
from tests.page.exercises import ACTIONS_TAKEN, mouse_press, take_actions
from tests.page.layout import table_fits
from tests.page.playing import CHOICE, Press, key, tap
from tests.page.visitor import accessibility_violations
from tests.support import by_day

GAMES = ("recess", "bagarre", "cour")
SMALL = (390, 664)
SMALLEST = (320, 568)


def begins(page: Page, puzzle: Puzzle | None = None) -> Puzzle:
    """Wait for a puzzle, this one or whichever it is."""
    page.locator(f"[data-exercise='{puzzle.id}']" if puzzle else "[data-exercise]").wait_for()
    page.locator(CHOICE).first.wait_for()
    return puzzle or find(page.locator("[data-exercise]").get_attribute("data-exercise") or "", GAMES)


def wrong_of(puzzle: Puzzle) -> str:
    return next(one.text for one in puzzle.state().legal(puzzle.seat) if one.text not in puzzle.best)


def ends_it(puzzle: Puzzle, action: str) -> bool:
    """Whether nothing is left to do after this first choice."""
    return solve(puzzle, [action]).walked.verdict == "done"


def longest(game: str) -> Puzzle:
    """One with several decisions, where there is one, and another first choice that is right as well."""
    return max(puzzles(game), key=lambda one: (len(one.line), len(one.best)))


def astray_and_back(page: Page, puzzle: Puzzle, press: Press) -> None:
    take_actions(page, (wrong_of(puzzle),), press)
    expect(page.locator("[data-verdict=astray]")).to_be_visible()
    page.locator("[data-next]").click()
    page.wait_for_function(ACTIONS_TAKEN, arg=0)
    page.locator(CHOICE).first.wait_for()


@pytest.mark.parametrize("game", by_day(GAMES, "cour"))
def test_a_puzzle_by_mouse(visit, game):
    """From the first page: a hint, a wrong try, the right one, the next puzzle; and it is still known afterwards."""
    page = visit().page
    page.goto("/")
    page.locator(f"[data-puzzles={game}]").click()
    page.locator("[data-next-puzzle]").click()
    puzzle = begins(page)
    assert puzzle.difficulty == 1
    page.locator("[data-ask-hint]").click()
    expect(page.locator("[data-hint]")).to_be_visible()
    if game == "recess":
        expect(page.locator("[data-hint-mark]")).to_have_count(1)
    assert accessibility_violations(page) == []
    page.locator("[data-hint-close]").click()
    astray_and_back(page, puzzle, mouse_press(game))
    take_actions(page, puzzle.line, mouse_press(game))
    expect(page.locator("[data-verdict=done]")).to_contain_text("Solved!")
    assert accessibility_violations(page) == []
    page.locator("[data-next]").click()
    assert begins(page, find(page.url.rpartition("/")[2], GAMES)).id != puzzle.id
    page.locator("[data-leave]").click()
    expect(page.locator("[data-solved='1']")).to_be_visible()
    page.reload()
    expect(page.locator(f"[data-puzzle='{puzzle.id}']")).to_contain_text("solved with help")
    expect(page.locator("[data-days='1']")).to_be_visible()
    expect(page.locator(f"[data-topic={puzzle.theme}]")).to_contain_text("1 of")


@pytest.mark.parametrize("game", by_day(GAMES, "recess"))
def test_a_puzzle_by_touch(visit, game):
    """On a phone, in French: all of it is in sight, also on the smallest; another right way is as good."""
    page = visit(phone=True, language="fr", size=SMALL).page
    puzzle = longest(game)
    page.goto(f"/puzzles/{game}/{puzzle.id}")
    begins(page, puzzle)
    table_fits(page)
    take_actions(page, puzzle.line, tap)
    expect(page.locator("[data-verdict=done]")).to_be_visible()
    if not page.locator("[data-score]").count():  # a game that is over shows more than there is room for
        table_fits(page)
    expect(page.locator("[data-next]")).to_be_in_viewport(ratio=1)
    other = next(one for one in puzzles(game) if len(one.best) > 1 and ends_it(one, one.best[-1]))
    page.set_viewport_size({"width": SMALLEST[0], "height": SMALLEST[1]})
    page.goto(f"/puzzles/{game}/{other.id}")
    begins(page, other)
    table_fits(page)
    take_actions(page, other.best[-1:], tap)
    expect(page.locator("[data-verdict=done]")).to_contain_text("Trouvé")
    expect(page.locator("[data-next]")).to_be_in_viewport(ratio=1)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_fits_on_the_smallest_phone(visit, game):
    page = visit(phone=True, language="fr", size=SMALLEST).page
    for puzzle in puzzles(game):
        page.goto(f"/puzzles/{game}/{puzzle.id}")
        begins(page, puzzle)
        table_fits(page)


@pytest.mark.parametrize("game", by_day(GAMES, "bagarre"))
def test_a_puzzle_by_keyboard_alone(visit, game):
    """Hints by a key, in three steps; a wrong try is taken back with a key; the focus is on what comes next."""
    page = visit().page
    many = Counter(one.theme for one in puzzles(game))
    puzzle = next(one for one in puzzles(game) if len(one.line) == 2 and many[one.theme] > 1)
    page.goto(f"/puzzles/{game}/{puzzle.id}#{puzzle.theme}")
    begins(page, puzzle)
    expect(page.locator("[data-exercise]")).to_be_focused()
    take_actions(page, (wrong_of(puzzle),), key)
    expect(page.locator("[data-verdict=astray] [data-next]")).to_be_focused()
    page.keyboard.press("u")
    page.wait_for_function(ACTIONS_TAKEN, arg=0)
    page.locator(CHOICE).first.wait_for()
    said = page.locator("[data-hint] .words")
    page.keyboard.press("h")
    first = said.inner_text()
    page.keyboard.press("h")
    expect(said).not_to_have_text(first)
    page.keyboard.press("h")
    page.wait_for_function(ACTIONS_TAKEN, arg=1)
    take_actions(page, puzzle.line[1:], key)
    expect(page.locator("[data-verdict=done] [data-next]")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(f"[data-exercise]:not([data-exercise='{puzzle.id}'])").wait_for()
    assert begins(page).theme == puzzle.theme, "the theme was chosen"
    expect(page.locator("[data-exercise]")).to_be_focused()


def test_a_solution_that_was_shown_counts_as_not_solved(visit):
    """It is played from where one is, and told step by step; what was refused says why."""
    page = visit(expected="409").page
    puzzle = next(one for one in puzzles("recess") if len(one.line) > 2)
    page.goto(f"/puzzles/recess/{puzzle.id}")
    begins(page, puzzle)
    page.locator("[data-spot=a1]").click()
    page.locator("[data-show]").click()
    expect(page.locator("[data-verdict=done]")).to_contain_text("That is the solution")
    page.locator("[data-steps]").click()
    expect(page.locator("dialog li")).to_have_count(len(puzzle.line))
    page.keyboard.press("Escape")
    page.locator("[data-leave]").click()
    expect(page.locator(f"[data-puzzle='{puzzle.id}']")).to_contain_text("not solved yet")
    expect(page.locator("[data-solved='0']")).to_be_visible()


def test_what_cannot_be_loaded_can_be_tried_again(visit):
    page = visit(expected="Failed to load resource").page
    for address, path, there in (
        ("/puzzles/cour", "**/api/games/cour/puzzles", "[data-topic]"),
        (f"/puzzles/cour/{puzzles('cour')[0].id}", "**/api/puzzle", CHOICE),
    ):
        page.route(path, lambda route: route.abort())
        page.goto(address)
        page.locator("[role=alert] button").wait_for()
        page.unroute(path)
        page.locator("[role=alert] button").click()
        page.locator(there).first.wait_for()


@pytest.mark.parametrize("address", ["/puzzles/chess", "/puzzles/recess/nothing", "/puzzles"])
def test_an_address_without_a_puzzle_says_so(visit, address):
    page = visit(expected="404").page
    page.goto(address)
    expect(page.locator("main h1")).to_be_visible()
    assert page.locator("[data-exercise], [data-topic]").count() == 0
