"""The pictures that go with links: `python -m tools.previews` draws web/public/previews/ anew, after the art changed.

Chats show no SVG, so these are PNG files, 1200 by 630. Chromium draws them from the page's own art: the yard of the
first page, and the cover of each game that has one. They have few flat colours and hard edges: a pixel takes half a
byte, and all of them together stay small.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from tests.server.processes import Server
from tools import browser
from tools.set_up import ROOT

FOLDER = ROOT / "web" / "public" / "previews"
WIDTH, HEIGHT = 1200, 630
COLOURS = 16
APART = 24
"""How far two colours of the palette are apart at least, so that shades of an edge do not crowd out a colour."""
MOST_BYTES = 100_000
"""Of all pictures together."""
SHOW = """([source, label]) => {
  const art = document.querySelector(source);
  document.querySelectorAll("dialog, .seats").forEach((one) => one.remove());
  const frame = document.createElement("div");
  frame.style.cssText = "position:fixed;inset:0;z-index:99;overflow:hidden;background:var(--asphalt)";
  frame.append(art);
  art.style.cssText = "position:absolute;inset:0;width:100%;height:100%;max-height:none;border:0;" +
    "shape-rendering:crispEdges";
  const name = document.createElement("div");
  name.textContent = label;
  name.style.cssText = "position:absolute;left:32px;bottom:26px;padding:2px 30px 8px;font:400 64px/1.1 var(--title);" +
    "color:var(--ink);background:var(--paper);border:5px solid var(--ink);border-radius:24px 28px 22px 30px;" +
    "transform:rotate(-2deg)";
  frame.append(name);
  document.body.append(frame);
}"""


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:///{folder}/preau.db")
        try:
            chromium = browser.launch(playwright)
            size = {"width": WIDTH, "height": HEIGHT}
            page = chromium.new_page(viewport=size, reduced_motion="reduce", color_scheme="light")  # type: ignore[arg-type]
            for name, source in sources(page, server.url):
                page.goto(server.url)
                page.locator(source).first.wait_for()
                page.evaluate(SHOW, [source, "Préau"])
                (FOLDER / f"{name}.png").write_bytes(smaller(page.screenshot()))
            chromium.close()
        finally:
            server.stop()
    sizes = {path.name: path.stat().st_size for path in sorted(FOLDER.glob("*.png"))}
    print(sizes)
    assert sum(sizes.values()) < MOST_BYTES, "the pictures have become too large"


def sources(page: Page, home: str) -> Iterator[tuple[str, str]]:
    """What is drawn: a name, and where the art is on the first page."""
    yield "home", ".picture"
    page.goto(home)
    page.locator("[data-play]").first.wait_for()
    for game in page.locator("[data-play]").evaluate_all("(all) => all.map((one) => one.dataset.play)"):
        yield game, f"article:has([data-play={game}]) .art"


def smaller(data: bytes) -> bytes:
    """The same picture in at most `COLOURS` colours."""
    width, height, rows = read(data)
    counts = Counter(pixel for row in rows for pixel in zip(row[0::3], row[1::3], row[2::3], strict=True))
    palette: list[tuple[int, ...]] = []
    for colour, _ in counts.most_common():
        if all(distance(colour, other) > APART**2 for other in palette):
            palette.append(colour)
        if len(palette) == COLOURS:
            break
    nearest = {one: min(range(len(palette)), key=lambda at: distance(one, palette[at])) for one in counts}
    lines = []
    for row in rows:
        places = [nearest[pixel] for pixel in zip(row[0::3], row[1::3], row[2::3], strict=True)]
        lines.append(b"\0" + bytes(high << 4 | low for high, low in zip(places[0::2], places[1::2], strict=True)))
    head = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", bytes(sum(palette, ()))), (b"IDAT", zlib.compress(b"".join(lines), 9)))
    return data[:8] + b"".join(chunk(*part) for part in (*parts, (b"IEND", b"")))


def distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How far apart two colours are, squared."""
    return sum((first - second) ** 2 for first, second in zip(one, other, strict=True))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def read(data: bytes) -> tuple[int, int, list[bytes]]:
    """The size of a PNG file in true colour, and its rows of pixels."""
    packed, at = b"", 8
    width = height = 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2), "not in true colour"
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    raw, size = zlib.decompress(packed), 3 * width
    rows, above = [], bytearray(size)
    for start in range(0, len(raw), size + 1):
        row = bytearray(raw[start + 1 : start + 1 + size])
        unfilter(raw[start], row, above)
        rows.append(bytes(row))
        above = row
    return width, height, rows


def unfilter(kind: int, row: bytearray, above: bytearray) -> None:
    """Undo what PNG does to a row before it is packed."""
    for at in range(len(row)):
        left, corner = (row[at - 3], above[at - 3]) if at >= 3 else (0, 0)
        guess = (0, left, above[at], (left + above[at]) // 2, paeth(left, above[at], corner))[kind]
        row[at] = (row[at] + guess) & 255


def paeth(left: int, up: int, corner: int) -> int:
    """The neighbour that is nearest to left + up - corner."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


if __name__ == "__main__":
    main()
