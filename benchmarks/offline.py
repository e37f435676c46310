"""What games without a server cost, for `python -m benchmarks.page`: how much is loaded, how soon cards are dealt, how
quickly one's own action is seen, and how long bots think.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

import preau
from preau.host.bot_round import question
from tests.page.playing import CHOICE, OVER, SHORT, decide
from tests.page.visitor import Visitor
from tools.browser import OwnBrowser
from tools.page import STATIC

GAME = "recess"
LEVELS = ("normal", "hard", "expert")
DECISIONS = 24
"""How many of one's own are watched, and of each level in each game."""

ACTED = """
window.acted = [];
let at = 0;
addEventListener("click", ({ target }) => {
  if (target.closest(".choices [data-action]")) at = performance.now();
}, true);
new MutationObserver((changes) => {
  if (!at || !changes.some(({ target, addedNodes }) => addedNodes.length > 0 && target.closest?.(".log"))) return;
  const from = at;
  at = 0;
  requestAnimationFrame(() => setTimeout(() => acted.push(performance.now() - from)));
}).observe(document, { subtree: true, childList: true });
"""
"""From the click to the moment when what it did has been painted."""

KEPT = """async () => {
  const worker = await navigator.serviceWorker.ready;
  await new Promise((kept) => {
    navigator.serviceWorker.addEventListener("message", ({ data }) => data.python === 1 && kept());
    worker.active.postMessage("keep python");
  });
}"""
"""Have the service worker keep all of Python."""
COMPILED_MS = 10_000
"""After somebody has played for a while, the browser writes down what it has compiled; it does not say when."""

START = """async (worker) => {
  const bundle = await (await fetch("/static/offline.json")).json();
  window.thinker = new Worker(worker, { type: "module" });
  window.heard = () => new Promise((resolve, reject) => {
    thinker.onmessage = ({ data }) => {
      if (data.say === "failed") reject(new Error(data.why));
      else if (data.say !== "loading") resolve(data);
    };
  });
  thinker.postMessage({ do: "begin", role: "thinking", bundle, base: location.origin + "/static/" });
  return (await heard()).compiled;
}"""
THINK = """async (question) => {
  const from = performance.now();
  thinker.postMessage({ do: "think", number: 1, question });
  const { answer } = await heard();
  return [performance.now() - from, JSON.parse(answer).action ?? ""];
}"""


class Offline(NamedTuple):
    """Everything in milliseconds. From opening the page to the first deal: on a slow line with an empty memory; of
    somebody who comes again, whose service worker has page and Python, with a line and without; and of somebody who
    comes again and keeps nothing but what is in the browser's cache. Then one's own actions, and decisions of bots by
    game and level (CPU time where that is told).
    """

    bundle: int
    first: float
    loaded: int
    again: list[float]
    unconnected: list[float]
    unkept: list[float]
    acted: list[float]
    compiled: bool
    """Whether bots think with compiled rules."""
    bots: dict[str, dict[str, list[float]]]


def measure(
    browser: Browser, own: OwnBrowser, home: str, watch: str, conditions: dict[str, Any], *, repeats: int
) -> Offline:
    """Come first on a line like this, then again on a quick one, and play; `watch` notes when a table is seen."""
    listed = json.loads((STATIC / "offline.json").read_text(encoding="utf-8"))
    stranger = guest(browser, home, watch, keep=True)
    loaded: list[int] = []
    slow(stranger.page, conditions, loaded)
    first = dealt(stranger.page)
    stranger.leave()

    passing = guest(browser, home, watch, keep=False)
    dealt(passing.page)
    unkept = visits(passing, repeats)
    passing.leave()

    owner = guest(own, home, watch, keep=True)
    page = owner.page
    page.goto("/")
    page.evaluate(KEPT)
    dealt(page)
    acted = own_actions(page)
    page.wait_for_timeout(COMPILED_MS)
    again = visits(owner, repeats)
    owner.context.set_offline(offline=True)
    unconnected = visits(owner, repeats)
    owner.context.set_offline(offline=False)

    page = owner.context.new_page()
    page.goto("/")
    [worker] = (STATIC / "assets").glob("worker-*.js")
    compiled = page.evaluate(START, f"/static/assets/{worker.name}")
    bots = {game: thinking(page, game) for game in preau.game_ids()}
    owner.leave()
    size = sum(one["brotli"] for one in listed["files"])
    return Offline(size, first, sum(loaded), again, unconnected, unkept, acted, compiled, bots)


def guest(browser: Browser | OwnBrowser, home: str, watch: str, *, keep: bool) -> Visitor:
    """Somebody who plays on their own device."""
    visitor = Visitor(browser, home, keep=keep)
    visitor.context.add_init_script(watch)
    visitor.context.add_init_script(ACTED)
    seats = [{"kind": "here" if at == 0 else "bot", "name": "Zoé", "level": "greedy"} for at in range(8)]
    plan = {"count": len(SHORT[GAME]["seats"]), "seats": seats, "options": {"first": 0}, "local": True}
    visitor.remember(f"preau.new.{GAME}", plan)
    return visitor


def visits(visitor: Visitor, count: int) -> list[float]:
    """Come again and again, each time in a new window."""
    for page in visitor.context.pages:
        page.close()
    found = []
    for _ in range(count):
        page = visitor.context.new_page()
        found.append(dealt(page))
        page.close()
    return found


def slow(page: Page, conditions: dict[str, Any], loaded: list[int]) -> None:
    """Slow a page's line down, and that of its workers, which have lines of their own; notes what comes over them."""
    line = page.context.new_cdp_session(page)
    numbers = count(1)

    def attached(event: dict[str, Any]) -> None:
        def send(method: str, params: dict[str, Any]) -> None:
            message = json.dumps({"id": next(numbers), "method": method, "params": params})
            line.send("Target.sendMessageToTarget", {"sessionId": event["sessionId"], "message": message})

        throttle(send)
        send("Runtime.runIfWaitingForDebugger", {})

    def throttle(send: Callable[[str, dict[str, Any]], object]) -> None:
        send("Network.enable", {})
        send("Network.emulateNetworkConditions", conditions)

    def heard(event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if message.get("method") == "Network.loadingFinished":
            finished(message["params"])

    def finished(event: dict[str, Any]) -> None:
        loaded.append(round(event["encodedDataLength"]))

    line.on("Network.loadingFinished", finished)
    line.on("Target.receivedMessageFromTarget", heard)
    line.on("Target.attachedToTarget", attached)
    throttle(line.send)
    line.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": False})


def dealt(page: Page) -> float:
    """Open the form for a new table and make it; when the table is seen, since the page was opened."""
    page.goto(f"/new/{GAME}", wait_until="commit")
    page.locator("[data-make]").click()
    page.wait_for_function("() => seen.table")
    return float(page.evaluate("seen.table"))


def own_actions(page: Page) -> list[float]:
    """How long one's own actions take to be seen."""
    rng = Random(1)
    for _ in range(DECISIONS):
        page.locator(f"{CHOICE}, {OVER}").first.wait_for()
        if not decide(page, rng):
            break
    found: list[float] = page.evaluate("acted")
    return found


def thinking(page: Page, game: str) -> dict[str, list[float]]:
    """How long each level thinks about positions of a game between bots, without anything kept from before."""
    record = preau.play(game, ["normal"] * preau.game(game).facts.usual.seats, seed=5).record
    state, positions = record.start_state(), []
    for entry in record.entries:
        if entry.actor >= 0 and len(state.legal(entry.actor)) > 1:
            positions.append((state.copy(), entry.actor))
        state.apply(entry.actor, entry.text)
    chosen = [positions[at * len(positions) // DECISIONS] for at in range(DECISIONS)]
    found: dict[str, list[float]] = {}
    for level in LEVELS:
        found[level] = []
        for number, (state, seat) in enumerate(chosen):
            asked = {**question(f"{game} {level} {number}", state, seat, level, []), "seed": number}
            before = worker_cpu()
            ms, action = page.evaluate(THINK, json.dumps(asked))
            assert action, asked
            found[level].append(worker_cpu() - before or ms)
    return found


def worker_cpu() -> float:
    """The CPU time of all workers of the browsers that we have started, in milliseconds; 0 where that is not told."""
    parents = {int(path.name): _parent(path) for path in Path("/proc").glob("[0-9]*")}
    total = 0.0
    for process in parents:
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        for task in Path(f"/proc/{process}/task").glob("*") if above == os.getpid() else ():
            with suppress(OSError):
                if (task / "comm").read_text(encoding="utf-8").startswith("DedicatedWorker"):
                    total += int((task / "schedstat").read_text(encoding="utf-8").split()[0]) / 1e6
    return total


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return 0
