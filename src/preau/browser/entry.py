"""What a worker of the page calls: one function for the house, one for whoever thinks. Everything is JSON as text,
which is the cheapest way between two languages.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import msgspec

from .._build import is_compiled
from ..core.state import State
from ..host.think_worker import Pace, Thinker
from ..table import protocol
from ..table.table import Json
from .effects import Effects, StoreEffect
from .host import Host
from .router import call

COMPILED = is_compiled(State)
"""Whether the rules are compiled here."""
PACE: Pace = "brisk" if COMPILED else "light"


class Do(msgspec.Struct, kw_only=True):
    """Something that the house is to do."""

    do: Literal["call", "open", "hear", "hang_up", "restore", "lost", "think", "answered", "look"]
    method: str = ""
    address: str = ""
    token: str | None = None
    body: str = ""
    line: str = ""
    table: str = ""
    text: str = ""
    pause: int | None = None
    """How long bots take at least from now on, in milliseconds."""
    stored: StoreEffect | None = None
    number: int = 0
    question: Json = {}
    answer: Json = {}


class Done(msgspec.Struct, omit_defaults=True):
    """The answer to a call, and what follows from what was done."""

    effects: Effects
    status: int = 0
    body: str = ""


class HostWorker:
    """The house in a worker; `kept` are the tables there are, each with when it was touched last, as JSON."""

    def __init__(self, kept: str = "[]", now: Callable[[], int] = lambda: int(time.time() * 1_000)) -> None:
        self.host = Host(now, msgspec.json.decode(kept, type=list[tuple[str, int]]))
        self._thinker = Thinker(pace=PACE)

    def do(self, what: str) -> str:
        """Do something; what comes of it."""
        asked = msgspec.json.decode(what, type=Do)
        status, body = 0, b""
        match asked.do:
            case "call":
                status, body = call(self.host, asked.method, asked.address, asked.token, asked.body)
            case "open":
                self.host.open(asked.line, asked.table)
            case "hear":
                self.host.pause = self.host.pause if asked.pause is None else asked.pause
                self.host.hear(asked.line, asked.text)
            case "hang_up":
                self.host.hang_up(asked.line)
            case "restore":
                if asked.stored is not None:
                    self.host.restore(asked.stored)
            case "lost":
                self.host.lost(asked.table)
            case "think":
                self.host.answered(asked.number, self._thinker.answer(asked.question))
            case "answered":
                self.host.answered(asked.number, asked.answer)
            case "look":
                self.host.sweep()
        return protocol.encode(Done(self.host.effects(), status, body.decode())).decode()


class ThinkWorker:
    """Whoever thinks for the house, in a worker of its own."""

    def __init__(self) -> None:
        self._thinker = Thinker(pace=PACE)

    def think(self, question: str) -> str:
        """The answer to a question."""
        return protocol.encode(self._thinker.answer(msgspec.json.decode(question))).decode()
