"""The lessons through the page: all of them by mouse, touch and keyboard; wrong tries are seen and taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import preau
from preau.core import Exercise
from preau.core.texts import LANGUAGES
from tests.page.exercises import ACTIONS_TAKEN, mouse_press, take_actions
from tests.page.layout import all_choices_open, table_fits
from tests.page.playing import CHOICE, Press, key, tap
from tests.page.visitor import accessibility_violations, expect_nothing_wrong

ASKED = f"{CHOICE}, [data-verdict]"
SMALL = (390, 664)


def begins(page: Page, exercise: Exercise) -> None:
    page.locator(f"[data-exercise={exercise.name}]").wait_for()
    page.locator(CHOICE).first.wait_for()


def astray_and_back(page: Page, exercise: Exercise, press: Press) -> None:
    """Everything that something is said of: it is said, and can be taken back."""
    for wrong in exercise.wrong:
        take_actions(page, wrong.tries, press)
        expect(page.locator("[data-verdict=astray]")).to_be_visible()
        for left in range(len(wrong.tries) - 1, -1, -1):
            page.locator("[data-next], [data-back-one]").first.click()
            page.wait_for_function(ACTIONS_TAKEN, arg=left)


def in_both_languages(**usual: str) -> pytest.MarkDecorator:
    """Every lesson in both languages, but by day only what is usual."""
    found = [
        pytest.param(game, language, marks=() if usual.get(game) == language else pytest.mark.nightly)
        for game in preau.game_ids()
        for language in LANGUAGES
    ]
    return pytest.mark.parametrize(("game", "language"), found)


@in_both_languages(cour="en")
def test_a_lesson_by_mouse(visit, game, language):
    """On the board and the cards themselves, with every wrong try first."""
    page = visit(language=language).page
    page.goto("/")
    page.locator(f"[data-learn={game}]").click()
    for place, exercise in enumerate(preau.game(game).lessons):
        begins(page, exercise)
        if place == 0:
            assert accessibility_violations(page) == []
        astray_and_back(page, exercise, mouse_press(game))
        take_actions(page, exercise.way, mouse_press(game))
        expect(page.locator("[data-verdict=done]")).to_be_visible()
        if place == 0:
            assert accessibility_violations(page) == []
        page.locator("[data-next]").click()
    expect(page.locator("[data-learned]")).to_be_focused()
    assert accessibility_violations(page) == []
    page.goto("/")
    expect(page.locator(f"[data-learn={game}]")).to_contain_text({"en": "learned", "fr": "appris"}[language])


INTO_THE_SWITCH = """() => {
  const box = (name) => document.querySelector(name)?.getBoundingClientRect();
  const [words, known] = [box(".told .chalk"), box(".remember")];
  return words && known?.height && words.bottom > known.top + 1 ? [`${words.bottom} > ${known.top}`] : [];
}"""
"""Where words below the leaf pile lie over the switch for known cards."""


@in_both_languages(recess="fr")
def test_a_lesson_by_touch(visit, game, language):
    """On a phone: all of it is in sight at every question."""
    page = visit(phone=True, language=language, size=SMALL).page
    page.goto(f"/learn/{game}")
    for exercise in preau.game(game).lessons:
        begins(page, exercise)
        table_fits(page)
        expect(page.locator(CHOICE).first).to_be_in_viewport(ratio=0.9)
        if exercise.name in ("walk", "lay"):
            all_choices_open(page)
        if exercise is preau.game(game).lessons[-1]:
            for width, height in ((360, 640), (390, 600), SMALL):
                page.set_viewport_size({"width": width, "height": height})
                expect_nothing_wrong(page, INTO_THE_SWITCH)
        take_actions(page, exercise.way, tap)
        expect(page.locator("[data-verdict=done]")).to_be_visible()
        table_fits(page)
        expect(page.locator("[data-next]")).to_be_in_viewport(ratio=1)
        page.locator("[data-next]").tap()
    expect(page.locator("[data-learned]")).to_be_visible()


@in_both_languages(bagarre="en")
def test_a_lesson_by_keyboard_alone(visit, game, language):
    """The focus is on what comes next; a wrong try is taken back with a key."""
    page = visit(language=language).page
    page.goto(f"/learn/{game}")
    for exercise in preau.game(game).lessons:
        begins(page, exercise)
        expect(page.locator(f"[data-exercise={exercise.name}]")).to_be_focused()
        for wrong in exercise.wrong[:1]:
            take_actions(page, wrong.tries, key)
            expect(page.locator("[data-verdict=astray] [data-next]")).to_be_focused()
            for left in range(len(wrong.tries) - 1, -1, -1):
                page.keyboard.press("u")
                page.wait_for_function(ACTIONS_TAKEN, arg=left)
        take_actions(page, exercise.way, key)
        expect(page.locator("[data-verdict=done] [data-next]")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("[data-learned]")).to_be_focused()


def test_a_lesson_is_left_and_taken_up_again(visit):
    """What to do can be shown; the step is kept on the device; what is refused says why."""
    page = visit(expected="409").page
    first, second, third = preau.game("recess").lessons[:3]
    page.goto("/learn/recess")
    begins(page, first)
    for _ in first.way:
        page.locator(CHOICE).first.wait_for()
        page.locator("[data-show]").click()
    page.locator("[data-verdict=done] [data-next]").click()
    begins(page, second)
    page.locator("[data-leave]").click()
    expect(page.locator("[data-learn=recess]")).to_contain_text("step 2 of 9")
    page.locator("[data-learn=recess]").click()
    begins(page, second)
    page.locator("[data-show]").click()
    page.locator("[data-verdict=done] [data-next]").click()
    begins(page, third)
    page.locator("[data-spot=g6]").click()  # in sight of a nun
    expect(page.locator(".notices, [role=alert], [data-notice]").first).to_contain_text("R18")


def test_an_address_without_a_lesson_says_so(visit):
    page = visit(expected="404").page
    page.goto("/learn/chess")
    expect(page.locator("main h1")).to_be_visible()
    assert page.locator("[data-exercise]").count() == 0
