"""The interface through which tests of tables drive a host. `browser_driver` hosts tables as the page does,
`tests.server.server_driver` on the whole server. Both give the tests the same messages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

Json = dict[str, Any]

ME: Json = {"kind": "me"}
OPEN: Json = {"kind": "open"}
BOT: Json = {"kind": "bot", "level": "random"}


class Refused(Exception):
    """A request that was refused, with its reason as data."""

    def __init__(self, problem: Json) -> None:
        super().__init__(problem["message"])
        self.key: str = problem.get("key", "")
        self.problem = problem


class Viewer:
    """A viewer of a table, and all messages sent to it."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.messages: list[Json] = []

    def all(self, kind: str) -> list[Json]:
        """The messages of a kind."""
        return [message for message in self.messages if message["type"] == kind]

    def last(self, kind: str) -> Json:
        """The newest message of a kind."""
        return self.all(kind)[-1]

    @property
    def now(self) -> Json:
        """The newest hello or step, which has the current view."""
        return [message for message in self.messages if message["type"] in ("hello", "step")][-1]

    @property
    def number(self) -> int:
        return int(self.now["number"])

    @property
    def legal(self) -> list[str]:
        return list(self.now.get("legal", []))

    @property
    def to_act(self) -> list[int]:
        return list(self.now["to_act"])


class Driver(ABC):
    """A host of tables with a clock of its own. Every call returns when all its consequences have happened."""

    now: int

    def make(self, game: str, seats: list[Json], **more: Any) -> Json:
        """Create a table where seat 0 begins, in games with a first seat. The answer has the host's token."""
        first = {} if game == "sprint" else {"first": 0}
        options = {**first, **more.pop("options", {})}
        return self.create({"game": game, "seats": seats, "options": options, **more})

    @abstractmethod
    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Any:
        """Send a request and return its answer. `path` is the part after /api. Raises `Refused`."""

    def create(self, wish: Json) -> Json:
        made: Json = self.call("POST", "/tables", wish)
        return made

    def join(self, table: str, wish: Json, token: str | None = None) -> Json:
        made: Json = self.call("POST", f"/tables/{table}/join", wish, token)
        return made

    def leave(self, table: str, token: str | None) -> None:
        self.call("POST", f"/tables/{table}/leave", None, token)

    def set_seat(self, table: str, seat: int, wish: Json, token: str | None) -> Json:
        info: Json = self.call("PUT", f"/tables/{table}/seats/{seat}", wish, token)
        return info

    def swap(self, table: str, wish: Json, token: str | None) -> Json:
        info: Json = self.call("POST", f"/tables/{table}/swap", wish, token)
        return info

    def start(self, table: str, token: str | None) -> Json:
        info: Json = self.call("POST", f"/tables/{table}/start", None, token)
        return info

    def rematch(self, table: str, token: str | None) -> str:
        return str(self.call("POST", f"/tables/{table}/rematch", None, token)["id"])

    def record(self, table: str) -> Json:
        found: Json = self.call("GET", f"/tables/{table}/record")
        return found

    def info(self, table: str) -> Json:
        info: Json = self.call("GET", f"/tables/{table}")
        return info

    @abstractmethod
    def open(self, table: str, token: str | None = None, **wish: Any) -> Viewer:
        """Join as a viewer, and wait for the hello."""

    @abstractmethod
    def close(self, viewer: Viewer) -> None:
        """Disconnect a viewer."""

    @abstractmethod
    def disconnect_all(self) -> None:
        """Disconnect all viewers."""

    @abstractmethod
    def send(self, viewer: Viewer, type: str, **message: Any) -> None: ...

    @abstractmethod
    def wait(self, ms: int) -> None:
        """Let time pass, and do what is due."""

    def act(self, viewer: Viewer, action: str | None = None, **more: Any) -> Json:
        """Act, by default with the first legal action. Return the step, ack or refusal that answers it."""
        text = viewer.legal[0] if action is None else action
        self.count = getattr(self, "count", 0) + 1
        message = {"id": f"a{self.count}", "at": viewer.number, "action": text, **more}
        known = len(viewer.messages)
        self.send(viewer, "act", **message)
        fates = [
            one
            for one in viewer.messages[known:]
            if one["type"] in ("step", "ack", "refused") and one.get("id") == message["id"]
        ]
        assert fates, f"nothing became of {message}"
        return fates[0]
