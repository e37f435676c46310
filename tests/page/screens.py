"""Every screen of the page, and how to get there: for the tests of all of them, and for the pictures."""

from __future__ import annotations

import json
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from websockets.sync.client import connect

import preau
from preau.learn.puzzles import puzzles
from tests.page.playing import BOT, CHOICE, ME, OPEN, OVER, SHORT, ask, make, sit
from tests.page.records import a_record
from tests.page.visitor import Visitor
from tests.support import PATIENCE

LIVELY: dict[str, dict[str, Any]] = {
    "recess": {"seats": [ME, BOT, BOT, BOT], "options": {"first": 0}},
    "bagarre": {"seats": [ME, BOT, BOT, BOT], "options": {"first": 0}},
    "cour": {"seats": [ME, BOT, BOT, BOT], "options": {"first": 0}},
}
MIDDLE = {"recess": 18, "bagarre": 12, "cour": 14}
"""How many decisions of one's own lead to where a game is in full swing."""


class Screen(NamedTuple):
    """A screen: its name, its address or table, what is pressed there, what shows that it is there."""

    name: str
    address: str = ""
    table: str = ""
    press: str = ""
    there: str = "main :is(h1, h2)"
    expected: str = ""
    """What the browser complains about there."""


GAMES = preau.game_ids()
SCREENS = [
    Screen("home", "/"),
    *(Screen(f"new-{game}", f"/new/{game}") for game in GAMES),
    Screen("join", "/join"),
    Screen("watch", "/watch"),
    Screen("move", "/move"),
    Screen("mail", "/mail#abcdefgh", there="[data-agree]"),
    *(Screen(f"rules-{game}", f"/rules/{game}", there="[data-figure], [id^=card-] h4") for game in GAMES),
    *(Screen(f"learn-{game}", f"/learn/{game}", there=CHOICE) for game in GAMES),
    Screen("me", "/me", there="[data-record]"),
    Screen("me-empty", "/me", there="[data-empty]"),
    Screen("puzzles", "/puzzles/recess", there="[data-topic]"),
    *(Screen(f"puzzle-{game}", f"/puzzles/{game}/{puzzles(game)[0].id}", there=CHOICE) for game in GAMES),
    Screen("challenges", "/challenge", there="[data-next]"),
    Screen("challenge-recess", "/challenge/recess/2026-11-02", there="[data-try]"),
    Screen("settings", "/settings"),
    Screen("help", "/help"),
    Screen("lab", "/lab", there="[data-study]"),
    Screen("not-found", "/nowhere", expected="Failed to load resource.*404"),
    Screen("lobby", table="waiting"),
    *(Screen(f"play-{game}", table=f"middle {game}", there=CHOICE) for game in GAMES),
    Screen("play-menu", table="middle recess", press="[data-menu]", there="dialog[open]"),
    Screen("curtain", table="passed", there="[data-curtain]"),
    *(Screen(f"end-{game}", table=f"over {game}", there=OVER) for game in GAMES),
    Screen("end-challenge", table="challenge cour", there="[data-challenge-end]"),
    *(Screen(f"replay-{game}", f"/replay/over {game}") for game in GAMES),
]


class Tables:
    """One table of each kind that a screen wants, made when it is first asked for."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._made: dict[str, Any] = {}

    def __getitem__(self, kind: str) -> Any:
        if kind not in self._made:
            word, _, game = kind.partition(" ")
            self._made[kind] = getattr(self, f"_{word}")(game)
        return self._made[kind]

    @cached_property
    def listed(self) -> Any:
        """A table that anybody may find."""
        return make(self.home, "recess", seats=[ME, OPEN, OPEN, BOT], start=False, visibility="listed")

    def _waiting(self, _: str) -> Any:
        return make(self.home, "recess", seats=[ME, OPEN, BOT], start=False)

    def _middle(self, game: str) -> Any:
        decisions = MIDDLE[game]
        while True:  # bots may be quick to win
            seated = self._after(make(self.home, game, **LIVELY[game]), decisions)
            if seated["table"]["status"] == "playing":
                return seated
            decisions //= 2

    def _over(self, game: str) -> Any:
        return self.play_to_the_end(make(self.home, game, **SHORT[game]))

    def _challenge(self, game: str) -> Any:
        return self.play_to_the_end(ask(f"{self.home}/api/challenges/{game}/2026-11-02", {"name": "Zoé"}))

    def _passed(self, _: str) -> Any:
        """Two people at one device, the other one to act."""
        seats = [ME, {"kind": "me", "name": "Malo"}, BOT]
        return make(self.home, "bagarre", seats=seats, options={"first": 1})

    def play_to_the_end(self, seated: Any) -> Any:
        """The table once its game is over."""
        return self._after(seated, 1_000)

    def _after(self, seated: Any, decisions: int) -> Any:
        """The table once its maker has decided so many times, or once it is over."""
        rng = Random(11)
        line = f"{self.home.replace('http', 'ws', 1)}/api/tables/{seated['table']['id']}/socket"
        with connect(line, max_size=None, open_timeout=PATIENCE, ping_interval=None) as socket:
            socket.send(json.dumps({"type": "join", "token": seated["token"]}))
            for data in socket:
                message = json.loads(data)
                if message.get("result"):
                    break
                if message["type"] not in ("hello", "step") or not message.get("legal"):
                    continue
                if not decisions:
                    break
                decisions -= 1
                lively = [action for action in message["legal"] if action not in ("pass", "skip", "done")]
                action = rng.choice(lively or message["legal"])
                number = message["number"]
                socket.send(json.dumps({"type": "act", "id": f"n{number}", "at": number, "action": action}))
        seated["table"] = ask(f"{self.home}/api/tables/{seated['table']['id']}")
        return seated


def go(visitor: Visitor, screen: Screen, tables: Tables) -> None:
    """Bring a visitor to a screen, and wait until it is there."""
    page = visitor.page
    if screen.name == "watch":
        assert tables.listed
    if screen.name == "me":
        visitor.remember("preau.record", a_record())
    if screen.table:
        sit(visitor, tables[screen.table])
    elif screen.address.startswith("/replay/"):
        page.goto(f"/replay/{tables[screen.address.removeprefix('/replay/')]['table']['id']}")
    else:
        page.goto(screen.address)
    if screen.press:
        page.locator(screen.press).click()
    page.locator(screen.there).first.wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
