"""A visitor of the page: a browser window with its own storage, and every complaint in its console."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, TimeoutError

import preau
from tests.support import PATIENCE
from tools.browser import OwnBrowser
from tools.page import MODULES

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = PATIENCE * 1000
AXE = MODULES / "axe-core" / "axe.min.js"
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

LISTEN = """
new MutationObserver((changes) => {
  for (const { target, addedNodes, attributeName } of changes) {
    const texts = attributeName ? [target.getAttribute(attributeName)] : [target.data];
    for (const node of addedNodes) texts.push(node.outerHTML ?? node.data);
    for (const text of texts) {
      for (const found of (text ?? "").match(/⟨[^⟩]*⟩/g) ?? []) console.error(`missing text ${found}`);
    }
  }
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
"""Reports each missing text, even one that is shown for a moment."""


SETTLE = """async () => {
  for (let round = 0; round < 20; round++) {
    const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    if (moving.every((one) => one.playState === "finished")) return;
    for (const one of moving) one.finish();
    await new Promise(requestAnimationFrame);
  }
}"""


class Visitor:
    """A browser window on a laptop or a `phone`, in a language, with a light or dark theme.

    Motion is off unless `motion` is set, and events are shown at once unless `pace` says otherwise. With `obvious` the
    page answers questions that have one answer. With `forced` the system's colours apply. Only a `newcomer` gets the
    guide. With `keep` the page is stored on the device. Complaints that match `expected` are ignored.
    """

    def __init__(
        self,
        browser: Browser | OwnBrowser,
        home: str,
        *,
        phone: bool = False,
        language: str = "en",
        theme: str = "light",
        motion: bool = False,
        pace: str = "instant",
        obvious: bool = False,
        size: tuple[int, int] | None = None,
        forced: bool = False,
        newcomer: bool = False,
        keep: bool = False,
        expected: str = "",
    ) -> None:
        self.context = browser.new_context(
            base_url=home,
            viewport={"width": size[0], "height": size[1]} if size else PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            locale={"en": "en-GB", "fr": "fr-FR"}[language],
            color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="no-preference" if motion else "reduce",
            forced_colors="active" if forced else "none",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(LISTEN)
        self.remember("preau.settings", {"pace": pace, "obvious": obvious, "keep": keep})
        if not newcomer:
            self.remember("preau.guide", {game: {"known": True, "seen": []} for game in preau.game_ids()})
        self.complaints: list[str] = []
        self._expected = re.compile(expected) if expected else None
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self.complaints.append(f"{error.error.message}\n{error.error.stack}"))
        self.page = self.context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self._expected and self._expected.search(message.text)):
            self.complaints.append(f"{message.type}: {message.text} {message.location['url']}")

    def remember(self, key: str, value: object) -> None:
        """Put a value into the browser's local storage before the page reads it."""
        keep = f"localStorage.getItem({key!r}) ?? localStorage.setItem({key!r}, {quoted(value)})"
        self.context.add_init_script(f"if (location.protocol === 'http:') {keep}")

    def leave(self) -> list[str]:
        """Close the window. Return all complaints."""
        self.context.close()
        return self.complaints


def quoted(value: object) -> str:
    """Return a value as JSON inside a JavaScript string."""
    return json.dumps(json.dumps(value))


def settle(page: Page) -> None:
    """Finish all animations and transitions, and those that follow from them."""
    page.evaluate(SETTLE)


def until(page: Page, script: str) -> None:
    """Wait until an async script returns something true. `wait_for_function` would take its promise for that."""
    page.evaluate(f"""async () => {{
      const end = Date.now() + {PATIENCE_MS};
      while (!(await ({script})())) {{
        if (Date.now() > end) throw new Error("it does not become true");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }}
    }}""")


def expect_nothing_wrong(page: Page, script: str, arg: object = None) -> None:
    """Wait until a script that lists faults of the page lists none."""
    try:
        page.wait_for_function(f"(arg) => ({script})(arg).length === 0", arg=arg, timeout=20_000)
    except TimeoutError:
        raise AssertionError(f"{page.viewport_size}: {page.evaluate(script, arg)}") from None


def accessibility_violations(page: Page, rule: str = "", *, without: str = "") -> list[str]:
    """Return rule and place of each violation that axe finds: by all its rules, by one `rule`, or `without` one.

    axe cannot see forced colours: leave out `color-contrast` there.
    """
    page.locator("h1").first.wait_for(state="attached")  # the screen is there
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    settle(page)
    only = {"type": "rule", "values": [rule]} if rule else {"type": "tag", "values": STANDARDS}
    rules = {without: {"enabled": False}} if without else {}
    wanted = {"runOnly": only, "resultTypes": ["violations"], "rules": rules}
    found: dict[str, Any] = page.evaluate("(wanted) => axe.run(document, wanted)", wanted)
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
