"""Checks of the page's layout: parts outside of their box, scrolling, and touch targets that are too small."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.page.visitor import expect_nothing_wrong

MISFITS = """({ box, parts, many, targets, least: [width, height] }) => {
  const found = [];
  const wrong = (what, one) => found.push(`${what}: ${one.outerHTML.slice(0, 120)}`);
  const drawn = (one) => one.getBoundingClientRect().width > 0 && one.checkVisibility({ visibilityProperty: true });
  if (document.documentElement.scrollHeight > innerHeight + 1) found.push("the page scrolls");
  const frame = document.querySelector(box);
  for (const one of [frame, ...frame.querySelectorAll("*")]) {
    const { overflowX, overflowY } = getComputedStyle(one);
    if (/auto|scroll/.test(overflowY) && one.scrollHeight > one.clientHeight + 1) wrong("scrolls down", one);
    if (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1) wrong("scrolls sideways", one);
  }
  const room = frame.getBoundingClientRect();
  const inside = [...frame.querySelectorAll(parts)].filter(drawn);
  if (inside.length < many) found.push(`only ${inside.length} of ${parts}`);
  for (const one of inside) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const by = [room.left - left, room.top - top, right - room.right, bottom - room.bottom].map(Math.round);
    if (Math.max(...by) > 1) wrong(`outside by ${by}`, one);
  }
  for (const one of targets ? document.querySelectorAll(targets) : []) {
    const at = one.getBoundingClientRect();
    if (drawn(one) && (at.width < width - 0.5 || at.height < height - 0.5)) wrong("too small for a finger", one);
  }
  return found;
}"""

COVERED = """() => {
  const choices = [...document.querySelectorAll(".choices :is([data-action], [data-group])")];
  const top = document.querySelector(".prompt").getBoundingClientRect().top;
  const reached = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button") === one;
  };
  const wrong = choices.filter((one) => !reached(one) || one.getBoundingClientRect().bottom > top + 1);
  return choices.length < 2 ? ["no choices"] : wrong.map((one) => `out of reach: ${one.outerHTML.slice(0, 120)}`);
}"""


def fits(
    page: Page,
    parts: str,
    *,
    box: str = ".stage",
    many: int = 0,
    targets: str = "",
    least: tuple[int, int] = (44, 44),
) -> None:
    """Check that at least `many` `parts` lie inside their box, and that nothing in the box nor the page scrolls.

    All `targets` must be at least as wide and high as `least`.
    """
    expect_nothing_wrong(
        page, MISFITS, {"box": box, "parts": parts, "many": many, "targets": targets, "least": list(least)}
    )


def table_fits(page: Page, high: int = 44) -> None:
    """Check that all pieces on a table fit, and that the choices of the bar are `high` pixels high."""
    fits(page, "[data-spot], [data-card], button", targets=".choices :is([data-action], [data-group])", least=(0, high))


def all_choices_open(page: Page) -> None:
    """Check that the choices that do not fit into the bar open above it, neither covered nor cut."""
    page.locator("[data-more]").tap()
    expect_nothing_wrong(page, COVERED, None)
    page.locator("[data-more]").tap()


REPLAY_OVERFLOW = """() =>
  [document.documentElement, ...document.querySelectorAll("[data-hint], [data-curve], .replay button")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > innerWidth)
  .map((one) => one.outerHTML.slice(0, 120))"""
"""Parts of a replay that are wider than the window or beyond its right edge."""
