"""Take the actions of lessons and puzzles on the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.playing import CHOICE, Gone, Press, on_the_board, on_the_table

ACTIONS_TAKEN = "(count) => Number(document.querySelector('[data-taken]')?.dataset.taken) === count"
"""Whether the page shows that this number of actions was taken."""


def take_actions(page: Page, actions: tuple[str, ...], press: Press) -> None:
    """Take several actions, each after the page has shown the one before it."""
    for count, action in enumerate(actions, 1):
        take_action(page, action, press)
        if count < len(actions):
            expect(page.locator("[data-back-one]")).to_be_visible()
            page.wait_for_function(ACTIONS_TAKEN, arg=count)


def mouse_press(game: str) -> Press:
    """Return how a player takes a choice by mouse: on the board or on the table."""
    return on_the_board if game == "recess" else on_the_table


def take_action(page: Page, action: str, press: Press) -> None:
    """Take an action, through the groups of choices that lead to it."""
    tried = {""}
    while True:
        page.locator(CHOICE).first.wait_for()
        shown = page.query_selector_all(CHOICE)
        names = [one.get_attribute("data-action") or one.get_attribute("data-group") or "" for one in shown]
        words = [action, *(name for name in names if name in action.split()), *names]
        wanted = next((name for name in words if name in names and name not in tried), None)
        if wanted is None:
            page.locator("[data-back]").click()  # not in this group
            continue
        tried.add(wanted)
        place = names.index(wanted)
        if shown[place].get_attribute("data-action") and wanted != action:
            continue
        try:
            press(page, shown[place], place)
        except Gone:
            tried.discard(wanted)
            continue
        if wanted == action:
            return
        page.wait_for_function("(one) => !one.isConnected", arg=shown[place])
