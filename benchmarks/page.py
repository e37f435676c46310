"""`python -m benchmarks.page`: what the first visit and the first click cost on a slow line, how smoothly a turn of
Recess! moves, and what games without a server cost.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from benchmarks import offline
from benchmarks.report import table
from tests.page.playing import BOT, CHOICE, ME, OVER, decide, make, sit
from tests.page.visitor import Visitor
from tests.server.processes import Server
from tools import browser as chromium
from tools.page import BUILT

LATENCY_MS = 562.5
DOWN_KBIT = 1_474.56
UP_KBIT = 675.0
"""The developer tools' "Fast 3G" (in newer ones "Slow 4G"), which is also what Lighthouse applies for phones:
1.6 Mbit/s and 150 ms, as one request sees them: nine tenths of the rate, 3.75 times the time to the first byte."""
CONDITIONS = {
    "offline": False,
    "latency": LATENCY_MS,
    "downloadThroughput": DOWN_KBIT * 1000 / 8,
    "uploadThroughput": UP_KBIT * 1000 / 8,
}
TURNS = 3
SPENT = {
    "TaskDuration": "all of the main thread",
    "ScriptDuration": "scripts",
    "RecalcStyleDuration": "styles",
    "LayoutDuration": "layout",
}

WATCH = """
window.seen = { usable: 0, shift: 0, long: [], clicked: 0, table: 0 };
const usable = new MutationObserver(() => {
  if (!document.querySelector("[data-play]")) return;
  usable.disconnect();
  requestAnimationFrame(() => setTimeout(() => (seen.usable = performance.now())));
});
usable.observe(document, { subtree: true, childList: true });
addEventListener("click", () => (seen.clicked ||= performance.now()), true);
const table = new MutationObserver(() => {
  if (!document.querySelector(".stage [data-spot]")) return;
  table.disconnect();
  requestAnimationFrame(() => setTimeout(() => (seen.table = performance.now())));
});
table.observe(document, { subtree: true, childList: true });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) seen.long.push(one.duration);
}).observe({ type: "longtask", buffered: true });
"""
"""Usable: the first game's play button has been painted, and the page is free to answer a click. The table is there
when what lies on it has been painted.
"""
TABLE = """() => new Promise((told) => {
  const look = () => (seen.table ? told(seen.table - seen.clicked) : setTimeout(look, 10));
  look();
})"""

FRAMES = """
window.frames_seen = [];
let last = 0;
window.watch_frames = (on) => {
  watching = on;
  last = 0;
  if (on) requestAnimationFrame(frame);
};
let watching = false;
function frame(now) {
  if (last) frames_seen.push(now - last);
  last = now;
  if (watching) requestAnimationFrame(frame);
}
"""


Wanted = tuple[str, str, float, float | None, bool]
"""What was measured, what is wanted in words, what was reached, the bar if there is one, and whether more is better."""


class Visit(NamedTuple):
    """One first visit."""

    usable_ms: float
    table_ms: float
    bytes: Counter[str]
    requests: int
    shift: float
    long: list[float]


class Motion(NamedTuple):
    """What was seen of bots' turns: the time of each frame, and the main thread's own CPU time, in milliseconds.

    On a busy machine frames wait for others; the CPU time does not.
    """

    frames: list[float]
    cpu: Counter[str]


def main() -> int:
    """Measure, and print what was wanted beside what was reached; the exit status says nothing about speed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--visits", type=int, default=5, help="first visits to take the median of (5)")
    parser.add_argument("--turns", type=int, default=TURNS, help="rounds of bots' turns to watch (3)")
    parser.add_argument("--only", choices=("visit", "offline"), help="one half: with a server, or without")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write raw figures")
    args = parser.parse_args()
    if not BUILT.is_file():
        sys.exit("the page is not built: `make page` builds it")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(f"sqlite:///{folder}/preau.db", bot_pause_ms=700)
        browser = chromium.launch(playwright)
        try:
            raw: dict[str, Any] = {"browser": browser.version}
            announce(browser.version)
            if args.only != "offline":
                visits = [first_visit(browser, server.url) for _ in range(args.visits)]
                motion = turns_of_bots(browser, server.url, args.turns)
                show(visits, motion)
                raw |= {"visits": [one._asdict() for one in visits], "motion": motion._asdict()}
            if args.only != "visit":
                alone = offline.measure(
                    browser,
                    chromium.OwnBrowser(playwright, Path(folder) / "profile"),
                    server.url,
                    WATCH,
                    CONDITIONS,
                    repeats=args.visits,
                )
                show_offline(alone)
                raw["offline"] = alone._asdict()
        finally:
            browser.close()
            server.stop()
    if args.json:
        args.json.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")
    return 0


def first_visit(browser: Browser, home: str) -> Visit:
    """Open the page with an empty memory on a phone and a slow line."""
    visitor = Visitor(browser, home, phone=True, motion=True)
    page = visitor.page
    page.add_init_script(WATCH)
    line = visitor.context.new_cdp_session(page)
    kinds: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    line.on("Network.responseReceived", lambda event: kinds.__setitem__(event["requestId"], event["type"]))
    line.on(
        "Network.loadingFinished",
        lambda event: sizes.update({kinds.get(event["requestId"], "Other"): round(event["encodedDataLength"])}),
    )
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", CONDITIONS)
    page.goto("/", wait_until="networkidle")
    page.wait_for_function("() => seen.usable")
    seen: dict[str, Any] = page.evaluate("seen")
    first, requests = sizes.copy(), len(kinds)
    page.locator("[data-play]").first.tap()
    table_ms = page.evaluate(TABLE)
    visitor.leave()
    return Visit(seen["usable"], table_ms, first, requests, seen["shift"], seen["long"])


def turns_of_bots(browser: Browser, home: str, turns: int) -> Motion:
    """Watch the bots of a Recess! table take their turns."""
    visitor = Visitor(browser, home, motion=True)
    visitor.page.add_init_script(FRAMES)
    line = visitor.context.new_cdp_session(visitor.page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})
    cpu: Counter[str] = Counter()

    def spent() -> Counter[str]:
        found = line.send("Performance.getMetrics")["metrics"]
        return Counter({one["name"]: 1000 * one["value"] for one in found if one["name"] in SPENT})

    page = sit(visitor, make(home, "recess", seats=[ME, BOT, BOT, BOT], options={"first": 0}))
    rng = Random(1)
    for _ in range(turns):
        for _ in range(20):
            page.locator(f"{CHOICE}, {OVER}").first.wait_for()
            page.evaluate("watch_frames(false)")
            decide(page, rng)
            if page.locator(".seats li:not(.mine).active").count():
                break
        before = spent()
        page.evaluate("watch_frames(true)")
        page.locator(f"{CHOICE}, {OVER}").first.wait_for()
        page.evaluate("watch_frames(false)")
        cpu += spent() - before
    frames: list[float] = page.evaluate("frames_seen")
    visitor.leave()
    return Motion(frames, cpu)


def announce(version: str) -> None:
    """Print what is measured, and where."""
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(f"the page in Chromium {version}, software rendering{load}")


def show(visits: list[Visit], motion: Motion) -> None:
    """Print the tables."""
    print(f"first visit: phone, {DOWN_KBIT:.0f} kbit/s, {LATENCY_MS} ms to the first byte, median of {len(visits)}\n")
    kinds = sorted({kind for one in visits for kind in one.bytes})
    rows = [[kind.lower(), f"{median(one.bytes[kind] for one in visits) / 1000:.1f}"] for kind in kinds]
    rows.append(["all", f"{median(sum(one.bytes.values()) for one in visits) / 1000:.1f}"])
    print(table(["first screen, compressed", "kB"], rows), "\n")
    frames = motion.frames
    ordered = sorted(frames)
    wanted: list[Wanted] = [
        ("usable (s)", "<= 3", median(one.usable_ms for one in visits) / 1000, 3.0, False),
        (
            "JavaScript of the first screen (kB)",
            "<= 90",
            median(one.bytes["Script"] for one in visits) / 1000,
            90.0,
            False,
        ),
        ("from the click to the table (s)", "", median(one.table_ms for one in visits) / 1000, None, False),
        ("requests", "", median(one.requests for one in visits), None, False),
        ("layout shift", "<= 0.1", median(one.shift for one in visits), 0.1, False),
        ("long tasks (ms, all together)", "", median(sum(one.long) for one in visits), None, False),
        ("frames a second, bots' turns", ">= 50", 1000 * len(frames) / sum(frames), 50.0, True),
        ("95 of 100 frames (ms)", "", ordered[len(ordered) * 95 // 100], None, False),
        ("longest frame (ms)", "<= 50", ordered[-1], 50.0, False),
        *(
            (f"CPU of a frame: {text} (ms)", "", motion.cpu[name] / len(frames), None, False)
            for name, text in SPENT.items()
        ),
        ("frames over 50 ms", "<= 0", float(sum(one > 50 for one in frames)), 0.0, False),
    ]
    compare(wanted)
    print(f"\n{len(frames)} frames were watched\n")


def show_offline(found: offline.Offline) -> None:
    """Print what games without a server cost."""
    print("without a server: from opening the form for a new table; decisions of bots are mean and longest\n")
    bars = {"normal": 0.15, "hard": 0.3, "expert": 0.5 if found.compiled else 2.0}
    print(f"bots think with {'compiled' if found.compiled else 'plain'} rules\n")
    wanted: list[Wanted] = [
        ("Python, compressed with brotli (MB)", "<= 4.8", found.bundle / 1e6, 4.8, False),
        ("first deal, first visit on that slow line (s)", "<= 32", found.first / 1000, 32.0, False),
        ("came over the line for it (MB)", "", found.loaded / 1e6, None, False),
        (f"first deal, coming again, median of {len(found.again)} (s)", "<= 3", median(found.again) / 1000, 3.0, False),
        ("the same without a line (s)", "<= 3", median(found.unconnected) / 1000, 3.0, False),
        ("the same, nothing kept but the browser's cache (s)", "", median(found.unkept) / 1000, None, False),
        (f"own action is seen, mean of {len(found.acted)} (ms)", "<= 100", mean(found.acted), 100.0, False),
    ]
    for game, levels in found.bots.items():
        for level, times in levels.items():
            wanted.append((f"{game}: {level}, mean of {len(times)} (s)", "", mean(times) / 1000, None, False))
            bar = bars[level]
            wanted.append((f"{game}: {level}, longest (s)", f"<= {bar:g}", max(times) / 1000, bar, False))
    compare(wanted)


def compare(wanted: list[Wanted]) -> None:
    """Print what was wanted beside what was reached."""
    rows = []
    for text, figure, reached, bound, at_least in wanted:
        verdict = "" if bound is None else "yes" if (reached >= bound if at_least else reached <= bound) else "no"
        rows.append([text, figure, f"{reached:.3g}" if reached < 10 else f"{reached:.0f}", verdict])
    print(table(["what", "wanted", "reached", ""], rows))


if __name__ == "__main__":
    sys.exit(main())
