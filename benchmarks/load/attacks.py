"""What somebody does who wants others to wait: each attack as a program of its own, from one address.

`python -m benchmarks.load.attacks NAME PORT`: attacks while a line `go` came last on its input, rests after `stop`, and
prints what it was answered, counted, when its input ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from itertools import count
from random import Random
from typing import Any

import preau
from preau.core.registry import find_game
from preau.server.http.static_files import STATIC

ADDRESS = "127.9.9.9"
"""Where all of it comes from."""
AT_ONCE = 10
"""Hands of the attacker."""
CONNECTIONS = 20
"""Connections of a hand that loads documents."""
REVIEWS = 20
"""Games of thirty turns that wait to be reviewed."""
HOST = b"Host: 127.0.0.1\r\n"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)

Json = dict[str, Any]
Hand = Callable[["Ground", int], Awaitable[None]]


def frame(payload: bytes, first: int = 0x81) -> bytes:
    """A client's frame; its mask is zero."""
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


def post(path: str, body: bytes, more: bytes = b"") -> bytes:
    """A request with a body."""
    head = f"POST /api{path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + HOST + more + b"\r\n" + body


class Ground:
    """The server, and what it has answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answers: Counter[str] = Counter()
        self.numbers = count()

    async def dial(self, address: str = ADDRESS) -> Conversation:
        """A new connection."""
        return Conversation(
            self, *await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0), limit=1_000_000)
        )

    async def line(self, table: str, **join: Any) -> Conversation:
        """A new line to a table, if it is given one."""
        raw = await self.dial()
        raw.write(f"GET /api/tables/{table}/socket HTTP/1.1\r\n".encode() + HOST + UPGRADE)
        if not (await raw.head()).startswith(b"HTTP/1.1 101"):
            raise ConnectionError
        raw.write(frame(json.dumps({"type": "join", **join}).encode()))
        return raw

    async def table(self, wish: Json) -> Json:
        """A table of one's own."""
        raw = await self.dial()
        try:
            return await raw.ask(post("/tables", json.dumps(wish).encode()))
        finally:
            raw.close()


class Conversation:
    """One connection."""

    def __init__(self, ground: Ground, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ground, self._reader, self._writer = ground, reader, writer

    def write(self, data: bytes) -> None:
        """Send, without waiting whether it is read."""
        self._writer.write(data)

    async def drain(self) -> None:
        """Wait until most of it has been sent."""
        await self._writer.drain()

    def close(self) -> None:
        """Hang up."""
        self._writer.transport.abort()

    async def head(self) -> bytes:
        """The head of an answer, which is counted."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        self._ground.answers[head.split(b" ", 2)[1].decode()] += 1
        return head

    async def load(self, request: bytes) -> bytes:
        """The body of the answer to a request."""
        self.write(request)
        head = (await self.head()).lower()
        return await self._reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))

    async def ask(self, request: bytes) -> Json:
        """The answer to a request."""
        found: Json = json.loads(await self.load(request))
        if found.get("key"):
            self._ground.answers[found["key"]] += 1
        return found

    async def listen(self) -> None:
        """Read to the end, and count why it ended."""
        while True:
            first, size = await self._reader.readexactly(2)
            if size > 125:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            payload = await self._reader.readexactly(size)
            if payload.startswith(b'{"type":"bye"'):
                self._ground.answers["bye " + json.loads(payload)["reason"]] += 1
            elif payload.startswith(b'{"type":"refused"'):
                self._ground.answers["refused " + json.loads(payload)["key"]] += 1
            elif first == 0x88:
                self._ground.answers[f"close {int.from_bytes(payload[:2], 'big')}"] += 1
                return


# The attacks: what each hand does, again and again.


SMALL = {"game": "recess", "seats": [{"kind": "me"}] * 3, "start": True}


async def sections(ground: Ground, hand: int) -> None:
    """Yards of one's own, each another one, that take long to check."""
    file = json.loads((find_game("recess").folder / "data" / "sections.json").read_text(encoding="utf-8"))
    rng = Random(next(ground.numbers))
    rows = ["".join(rng.choices(".STM", (6, 1, 1, 1), k=4)) for _ in range(4)]
    file["sections"]["A"] = ["......", *(f".{row}." for row in rows), "......"]
    await ground.table({"game": "recess", "seats": [{"kind": "me"}] * 3, "options": {"sections": file}})


async def experts(ground: Ground, hand: int) -> None:
    """Tables where nobody looks and the strongest bots think."""
    made = await ground.table({"game": "cour", "seats": [{"kind": "bot", "level": "expert"}] * 8, "start": True})
    if "key" in made:
        await asyncio.sleep(0.05)


async def pings(ground: Ground, hand: int) -> None:
    """Control frames without end."""
    raw = await ground.line(await lasting(ground))
    ended = asyncio.create_task(raw.listen())
    try:
        while not ended.done():
            raw.write(frame(b"x" * 100, 0x89) * 200)
            await raw.drain()
            await asyncio.sleep(0)
    finally:
        ended.cancel()
        raw.close()


async def silent(ground: Ground, hand: int) -> None:
    """Connections that say nothing and stay, as many as there may be."""
    held: list[Conversation] = []
    try:
        while len(held) < 1_100 // AT_ONCE:
            held.append(await ground.dial())
        for raw in reversed(held):  # the last ones were too many
            with suppress(ConnectionError, asyncio.IncompleteReadError, TimeoutError):
                async with asyncio.timeout(0.2):
                    await raw.head()
    finally:
        for raw in held:
            raw.close()


async def heads(ground: Ground, hand: int) -> None:
    """Requests whose head does not end, in one long header, in many, or in the address."""
    starts = [b"GET /api/health HTTP/1.1\r\nX-Long: ", b"GET /api/health?", b"GET /api/health HTTP/1.1\r\n"]
    number = next(ground.numbers) % 3
    raw = await ground.dial()
    try:
        raw.write(starts[number])
        for _ in range(1_000):
            raw.write(b"X-A: b\r\n" * 2_000 if number == 2 else b"x" * 16_000)
            await raw.drain()
    except ConnectionError:
        pass
    finally:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await raw.head()
        raw.close()


async def non_readers(ground: Ground, hand: int) -> None:
    """Lines that ask for everything again and again, and read nothing."""
    raw = await ground.line(await lasting(ground))
    try:
        for _ in range(300):
            raw.write(frame(b'{"type":"resync"}'))
            await asyncio.sleep(0.01)
        await raw.listen()
    finally:
        raw.close()


async def talk(ground: Ground, hand: int) -> None:
    """Chat and undo, over a new line every time a limit is met."""
    made = await own(ground, hand)
    raw = await ground.line(made["table"]["id"], token=made["token"])
    try:
        for number in range(30):
            raw.write(frame(b'{"type":"say","text":"and on and on and on"}'))
            raw.write(frame(b'{"type":"undo","at":%d}' % number))
        await raw.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await raw.listen()
    finally:
        raw.close()


async def tables(ground: Ground, hand: int) -> None:
    """Tables, to fill the disk."""
    await ground.table({**SMALL, "options": {"first": 0}})


async def downloads(ground: Ground, hand: int) -> None:
    """Files of the page: half of the hands load front pages, each of a path that the server has not kept ready; the
    others do not read large files.
    """
    raw = await ground.dial()
    try:
        if hand % 2:
            raw.write(f"GET /static/{largest()} HTTP/1.1\r\n".encode() + HOST + b"\r\n")
            await raw.head()
            await asyncio.sleep(1)
            return
        for _ in range(100):
            path = f"/settings/{next(ground.numbers)}"
            await raw.load(f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"\r\n")
    finally:
        raw.close()


async def documents(ground: Ground, hand: int) -> None:
    """The longest answers of the API that are the same for everybody, compressed, over many connections at once."""
    raws = [await ground.dial() for _ in range(CONNECTIONS)]
    request = b"GET /api/games/cour/texts/fr HTTP/1.1\r\nAccept-Encoding: gzip\r\n" + HOST + b"\r\n"

    async def fetch(raw: Conversation) -> None:
        for _ in range(50):
            await raw.load(request)

    try:
        async with asyncio.TaskGroup() as group:
            for raw in raws:
                group.create_task(fetch(raw))
    except* (OSError, asyncio.IncompleteReadError):
        ground.answers["cut off"] += 1
    finally:
        for raw in raws:
            raw.close()


async def rubbish(ground: Ground, hand: int) -> None:
    """What is no request and no message."""
    what = [
        post("/tables", b'{"game": "\xff"}'),
        post("/tables", b'{"game":"recess","seats":[],"options":{"a":' + b"[" * 990 + b"]" * 990 + b"}}"),
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
    ]
    raw = await ground.dial()
    try:
        await raw.ask(what[next(ground.numbers) % len(what)])
    finally:
        raw.close()
    raw = await ground.line(await lasting(ground))
    try:
        raw.write(b"\x81\x05hello")
        await raw.listen()
    finally:
        raw.close()


async def reviews(ground: Ground, hand: int) -> None:
    """No attack: people who have two games reviewed each, and look every second how that stands."""
    raw = await ground.dial(f"127.9.8.{hand + 1}")
    try:
        names = [(await raw.ask(post("/reviews", game)))["id"] for game in finished()[hand::AT_ONCE]]
        while True:
            for name in names:
                found = await raw.ask(f"GET /api/reviews/{name} HTTP/1.1\r\n".encode() + HOST + b"\r\n")
                ground.answers[found["status"]] += 1
            await asyncio.sleep(1)
    finally:
        raw.close()


@cache
def largest() -> str:
    """The name of the largest file of the page; of its front page, if it is not built."""
    sizes = {path.stat().st_size: path.relative_to(STATIC) for path in STATIC.rglob("*") if path.is_file()}
    return sizes[max(sizes)].as_posix() if sizes else "index.html"


@cache
def finished() -> list[bytes]:
    """Games to be reviewed."""
    played = [preau.play("recess", bots=["random"] * 3, seed=number).record for number in range(REVIEWS)]
    return [json.dumps({"record": one.to_json()}).encode() for one in played]


ATTACKS: dict[str, Hand] = {
    "sections": sections,
    "pings": pings,
    "silent": silent,
    "heads": heads,
    "non-readers": non_readers,
    "talk": talk,
    "tables": tables,
    "rubbish": rubbish,
    "downloads": downloads,
    "documents": documents,
    "experts": experts,
    "reviews": reviews,
}
LASTING = {"experts"}
"""Attacks that go on when the attacker rests."""

_made: dict[int, asyncio.Task[Json]] = {}


async def own(ground: Ground, hand: int) -> Json:
    """The table of one hand, made once."""
    if hand not in _made:
        _made[hand] = asyncio.create_task(ground.table(SMALL))
    return await asyncio.shield(_made[hand])


async def lasting(ground: Ground) -> str:
    """One table for all of it."""
    found: str = (await own(ground, 0))["table"]["id"]
    return found


# The program.


async def again_and_again(ground: Ground, attack: Hand, hand: int) -> None:
    """What one hand does."""
    while True:
        try:
            await attack(ground, hand)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            if type(error) is not ConnectionError:
                ground.answers["cut off"] += 1
        await asyncio.sleep(0)


async def commands() -> asyncio.StreamReader:
    """What the one says who started this program."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def main(name: str, port: int) -> None:
    """Attack when told to."""
    ground, reader = Ground(port), await commands()
    if name == "reviews":
        finished()
    hands: list[asyncio.Task[None]] = []
    while command := await reader.readline():
        if command.strip() == b"go":
            hands = [asyncio.create_task(again_and_again(ground, ATTACKS[name], hand)) for hand in range(AT_ONCE)]
        else:
            for hand in hands:
                hand.cancel()
            await asyncio.gather(*hands, return_exceptions=True)
    print(json.dumps(ground.answers), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
