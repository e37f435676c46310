"""Clients for the tests. They follow docs/protocol.md and share no code with the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Coroutine
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support import PATIENCE

Json = dict[str, Any]


class Api:
    """A client of the HTTP interface."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.client = httpx.AsyncClient(base_url=base, timeout=PATIENCE, trust_env=False)

    async def __aenter__(self) -> Api:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await self.client.request(method, f"/api{path}", json=body, headers=headers)

    async def ok(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        answer = await self.call(method, path, body, token)
        assert answer.status_code < 300, (answer.status_code, answer.text)
        return answer.json() if answer.content else None

    async def create(self, game: str, seats: list[Json], **more: Any) -> Json:
        """Create a table where seat 0 begins, unless `options` say otherwise."""
        options = {"first": 0, **more.pop("options", {})}
        made: Json = await self.ok("POST", "/tables", {"game": game, "seats": seats, "options": options, **more})
        return made


ME = {"kind": "me"}
OPEN = {"kind": "open"}


def bot(level: str = "random") -> Json:
    return {"kind": "bot", "level": level}


def connect_to_table(base: str, table: str, **more: Any) -> connect:
    """Connect to a table. Only the pings of our own protocol are sent, and unread messages block nothing."""
    patient = {
        "proxy": None,
        "compression": None,
        "open_timeout": PATIENCE,
        "ping_interval": None,
        "max_queue": None,  # with a full one, the library's own closing takes ten seconds
    }
    return connect(f"{base.replace('http', 'ws', 1)}/api/tables/{table}/socket", **{**patient, **more})


class Player:
    """A client at one table."""

    def __init__(self, base: str, table: str, token: str | None = None, seat: int | None = None) -> None:
        self.bases = [base]
        self.dialing: Json = {}
        """More arguments for `connect_to_table`."""
        self.table = table
        self.token = token
        self.seat = seat
        self.hello: Json = {}
        self.view: Json = {}
        self.number = 0
        self.legal: list[str] = []
        self.to_act: list[int] = []
        self.result: Json | None = None
        self.log: list[Json] = []
        self.traffic: list[Json] = []
        self.others: asyncio.Queue[Json] = asyncio.Queue()
        self.acked: dict[str, int] = {}
        self.sent = 0
        self.socket: ClientConnection | None = None

    async def open(self, last: int | None = None, *, opening: bool = False) -> Json:
        self.socket = await connect_to_table(random.choice(self.bases), self.table, **self.dialing)
        _open.add(self)
        wish: Json = {"type": "join"}
        if self.token is not None:
            wish["token"] = self.token
        if self.seat is not None:
            wish["seat"] = self.seat
        if last is not None:
            wish["last"] = last
        if opening:
            wish["opening"] = True
        await self.send(wish)
        return await self.until("hello")

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def __aenter__(self) -> Player:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, message: Any) -> None:
        assert self.socket is not None
        await self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    async def next(self) -> Json:
        """Receive the next message and update the state from it."""
        assert self.socket is not None
        async with asyncio.timeout(PATIENCE):
            message: Json = json.loads(await self.socket.recv())
        self.traffic.append(message)
        kind = message["type"]
        if kind == "ping":
            with contextlib.suppress(ConnectionClosed):
                await self.send({"type": "pong", "n": message["n"]})
        elif kind == "hello":
            self.hello = message
            self.view = dict(message["view"] or {})
            self._position(message)
            seen = {step["number"] for step in self.log}
            self.log += [step for step in message["log"] if step["number"] not in seen]
        elif kind == "step":
            assert message["number"] > self.number, "steps count on"
            if message.get("undone") is not None:
                self.log = [step for step in self.log if step["number"] <= message["undone"]]
            else:
                self.log.append({name: message[name] for name in ("number", "actor", "time", "events")})
            self.view = message["view"]
            self._position(message)
            if message.get("id"):
                self.acked[message["id"]] = message["first"]
        elif kind == "ack":
            self.acked[message["id"]] = message["number"]
        return message

    def _position(self, message: Json) -> None:
        self.number = message["number"]
        self.legal = message.get("legal", [])
        self.to_act = message["to_act"]
        self.result = message.get("result")

    async def until(self, *kinds: str) -> Json:
        """Receive until a message of one of these kinds. The server's pings do not extend the timeout."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.next()
                if message["type"] in kinds:
                    return message

    async def act(self, action: str, *, name: str | None = None, at: int | None = None, **more: Any) -> Json:
        """Send an action. Wait for the step, ack or refusal with its id."""
        self.sent += 1
        name = name or f"a{self.sent}-{random.getrandbits(40)}"
        wish = {"type": "act", "id": name, "at": self.number if at is None else at, "action": action, **more}
        await self.send(wish)
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.next()
                if message["type"] in ("step", "ack", "refused") and message.get("id") == name:
                    return message

    async def play_on(self, rng: random.Random, most: int = 100_000) -> None:
        """Play at random until the game is over."""
        for _ in range(most):
            if self.result is not None:
                return
            if self.legal:
                message = await self.act(rng.choice(self.legal))
                if message["type"] == "refused":
                    assert message["key"] in ("stale", "not_now", "over"), message
            else:
                async with asyncio.timeout(PATIENCE):
                    while (await self.next())["type"] == "ping":
                        pass  # pings never end
        raise AssertionError("the game does not end")


async def wait_until_over(api: Api, table: str) -> None:
    """Wait until a process knows that a game played on another process is over."""
    async with asyncio.timeout(PATIENCE):
        while (await api.call("GET", f"/tables/{table}/record")).status_code != 200:
            await asyncio.sleep(0.05)


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run a story, then close all connections it left open."""

    async def whole() -> None:
        try:
            await story
        finally:
            await asyncio.gather(*(player.close() for player in _open), return_exceptions=True)
            _open.clear()

    asyncio.run(whole())


_open: set[Player] = set()

GONE = (ConnectionClosed, InvalidHandshake, OSError, asyncio.TimeoutError)
"""Errors after which a client reconnects."""


class ReconnectingPlayer(Player):
    """Plays one seat through all outages: reconnects to any process and sends a pending action again."""

    def __init__(self, bases: list[str], table: str, token: str, seat: int, rng: random.Random) -> None:
        super().__init__(bases[0], table, token, seat)
        self.bases = bases
        self.rng = rng
        self.pace = 0.0
        """The longest time a decision takes, in seconds: the game must last until the test has broken everything."""
        self.pending: tuple[str, int, str] | None = None
        self.done: dict[str, tuple[int, str]] = {}

    async def live_on(self) -> None:
        while self.result is None:
            try:
                async with asyncio.timeout(30):
                    await self.open()
                await self.play_connected()
            except GONE:
                await asyncio.sleep(0.1 + self.rng.random() / 2)
            finally:
                await self.close()

    async def play_connected(self) -> None:
        if self.pending is not None:
            await self.send_pending()
        while self.result is None:
            if self.pending is None and self.legal:
                self.sent += 1
                await asyncio.sleep(self.pace * self.rng.random())
                name = f"s{self.seat}-{self.sent}"
                self.pending = (name, self.number, self.rng.choice(self.legal))
                await self.send_pending()
            await self.hear(await self.next())

    async def send_pending(self) -> None:
        assert self.pending is not None
        name, at, action = self.pending
        await self.send({"type": "act", "id": name, "at": at, "action": action, "seat": self.seat})

    async def hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "bye":
            raise ConnectionError(message["reason"])
        if self.pending is None or message.get("id") != self.pending[0]:
            return
        if message["type"] in ("step", "ack"):
            self.done[self.pending[0]] = (message.get("first", message["number"]), self.pending[2])
            self.pending = None
        elif message["key"] == "busy":
            await self.send_pending()
        else:
            assert message["key"] in ("stale", "not_now", "over"), message
            self.pending = None
