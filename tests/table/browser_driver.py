"""Tables hosted as the page hosts them, without a browser. What the page would store is kept in memory."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import msgspec

from preau.browser.effects import Effects, StoreEffect
from preau.browser.host import Host
from preau.browser.router import call
from preau.host.questions import Question, decode_answer, decode_question, encode
from preau.host.think_worker import Thinker
from preau.table.log import Row
from tests.table.driver import Driver, Json, Refused, Viewer


class Storage:
    """What the host stored, as text. A write that does not follow the one before it fails."""

    def __init__(self) -> None:
        self.about: dict[str, bytes] = {}
        self.rows: dict[str, list[bytes]] = {}
        self.reviews: dict[str, bytes] = {}

    def write(self, effects: Effects) -> None:
        for write in effects.writes:
            rows = self.rows.setdefault(write.table, [])
            assert [row.number for row in write.rows] == list(range(len(rows) + 1, len(rows) + 1 + len(write.rows)))
            rows += [msgspec.json.encode(row) for row in write.rows]
            if write.about is not None:
                known = self.about.get(write.table)
                assert write.about.revision == (json.loads(known)["revision"] if known else 0) + 1
                self.about[write.table] = msgspec.json.encode(write.about)
            if write.review is not None:
                self.reviews[write.table] = msgspec.json.encode(write.review)
        for name in effects.gone:
            for kept in (self.about, self.rows, self.reviews):
                kept.pop(name, None)

    def stored(self, table: str) -> StoreEffect:
        parts = {"about": msgspec.Raw(self.about[table]), "rows": [msgspec.Raw(row) for row in self.rows[table]]}
        review = self.reviews.get(table)
        whole = {**parts, **({"review": msgspec.Raw(review)} if review else {})}
        return msgspec.json.decode(msgspec.json.encode(whole), type=StoreEffect)


class BrowserDriver(Driver):
    """Tables of one browser."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000
        self.storage = Storage()
        self.thinker = Thinker(pace="light")
        self.asked: list[Question] = []
        """All questions that went to the bots."""
        self.house = self.new_house()
        self._lines: dict[str, Viewer] = {}
        self._names = count(1)

    def new_house(self) -> Host:
        return Host(lambda: self.now, pause_ms=0)

    def reopen(self, table: str) -> None:
        """Close the browser, open it again and restore a table."""
        self.disconnect_all()
        self.house = self.new_house()
        self.house.restore(self.storage.stored(table))
        self.settle()

    def settle(self) -> None:
        """Carry out all effects, and the effects of these."""
        while True:
            effects = self.house.effects()
            self.storage.write(effects)
            for line, text in effects.sent:
                if line in self._lines:
                    self._lines[line].messages.append(json.loads(text))
            for line in effects.closed:
                self._lines.pop(line, None)
            for ask in effects.asks:
                self.asked.append(ask.question)
                asked = decode_question(encode(ask.question))
                self.house.answered(ask.number, decode_answer(encode(self.thinker.answer(asked))))
            if effects.wake is not None and effects.wake <= self.now:
                self.house.sweep()
            elif not effects.asks:
                return

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Any:
        status, answer = call(self.house, method, path, token, json.dumps(body) if body is not None else "")
        self.settle()
        if status >= 400:
            raise Refused(json.loads(answer))
        return json.loads(answer) if answer else None

    def open(self, table: str, token: str | None = None, **wish: Any) -> Viewer:
        line = f"line {next(self._names)}"
        viewer = self._lines[line] = Viewer(table)
        self.house.open(line, table)
        self._say(line, {"type": "join", **wish, **({"token": token} if token else {})})
        return viewer

    def _say(self, line: str, message: Json) -> None:
        self.house.hear(line, json.dumps(message))
        self.settle()

    def _line(self, viewer: Viewer) -> str:
        return next((line for line, one in self._lines.items() if one is viewer), "nowhere")

    def close(self, viewer: Viewer) -> None:
        line = self._line(viewer)
        self._lines.pop(line, None)
        self.house.hang_up(line)
        self.settle()

    def disconnect_all(self) -> None:
        for viewer in list(self._lines.values()):
            self.close(viewer)

    def send(self, viewer: Viewer, type: str, **message: Any) -> None:
        self._say(self._line(viewer), {"type": type, **message})

    def wait(self, ms: int) -> None:
        self.now += ms
        self.house.sweep()
        self.settle()

    def rows(self, table: str) -> list[Row]:
        return [msgspec.json.decode(row, type=Row) for row in self.storage.rows[table]]
