"""`make pictures`: every screen on laptop and phone, in French and English, by day and in the evening."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from itertools import product
from typing import Literal

from playwright.sync_api import sync_playwright

from tests.page.screens import SCREENS, Tables, go
from tests.page.visitor import Visitor, settle
from tests.server.processes import Server
from tools import browser as chromium
from tools.set_up import ROOT

FOLDER = ROOT / "pictures"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    """Take all pictures, or those of the screens that are named."""
    parser = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    names = [screen.name for screen in SCREENS]
    parser.add_argument("screens", nargs="*", metavar="screen", help=f"all, or some of: {', '.join(names)}")
    wanted = parser.parse_args().screens
    if unknown := set(wanted) - set(names):
        parser.error(f"no such screen: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    start = time.monotonic()
    if not wanted:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:///{folder}/preau.db")
        try:
            browser = chromium.launch(playwright)
            tables = Tables(server.url)
            count = 0
            for phone, language in product((False, True), ("fr", "en")):
                for screen in SCREENS:
                    if wanted and screen.name not in wanted:
                        continue
                    device = "phone" if phone else "desktop"
                    visitor = Visitor(browser, server.url, phone=phone, language=language, expected=screen.expected)
                    go(visitor, screen, tables)
                    for theme in THEMES:
                        visitor.page.emulate_media(color_scheme=theme)
                        settle(visitor.page)
                        visitor.page.screenshot(path=FOLDER / f"{screen.name}-{device}-{language}-{theme}.png")
                        count += 1
                    for complaint in visitor.leave():
                        print(f"{screen.name}, {device}, {language}: {complaint}")
            browser.close()
        finally:
            server.stop()
    print(f"{count} pictures in {FOLDER.name}/, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
