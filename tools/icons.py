"""The pictures of the app: `python -m tools.icons` draws web/public/icons/ anew from icon.svg, after that has changed.

Systems that show an app's icon want PNG files, one of them with room at its edges to be cut into whatever shape.
"""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tools import browser
from tools.set_up import ROOT

PUBLIC = ROOT / "web" / "public"
FOLDER = PUBLIC / "icons"
SKY = "#d8e6e4"
"""The colour behind the picture, for what is cut into shape."""
ICONS = {"192": (192, 1.0, ""), "512": (512, 1.0, ""), "maskable": (512, 0.7, SKY), "touch": (180, 0.86, SKY)}
"""For each its size, how much of that the picture takes, and what is behind it."""


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        for name, (size, part, behind) in ICONS.items():
            page = chromium.new_page(viewport={"width": size, "height": size})
            style = f"margin:0;height:100vh;display:grid;place-items:center;background:{behind or 'transparent'}"
            inside = f'<div style="width:{part:.0%};line-height:0">{picture}</div>'
            page.set_content(f'<body style="{style}">{inside}</body>')
            (FOLDER / f"{name}.png").write_bytes(page.screenshot(omit_background=not behind))
            page.close()
        chromium.close()


if __name__ == "__main__":
    main()
