"""Downloads of the page's files: sent in pieces, limited by bytes on their way, and not counted as actions."""

from __future__ import annotations

import asyncio
import selectors
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from preau.hosting.refusals import TooMuch
from preau.server.app import make_app
from preau.server.asgi import Message
from preau.server.config import Config, Limits
from preau.server.downloads import AT_ONCE, FRONT_PAGE, HELD, PIECE, Downloads, download_cost
from preau.server.page import LARGE, Page
from tests.server.inside import until
from tests.server.services import Server
from tests.server.test_page import ask
from tests.support import PATIENCE

READERS = 200
FILE_BYTES = 10_000_000
MORE_BYTES = 50_000_000
"""What all these readers may add to the server's memory."""


def slow_reader(port: int) -> socket.socket:
    """A client that asks for the large file and takes as little as the system lets it."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect(("127.0.0.1", port))
    line.sendall(b"GET /static/assets/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    return line


def wait_for_heads(lines: list[socket.socket], count: int, measure: Callable[[], None]) -> list[socket.socket]:
    """Those of the clients to which an answer has begun to come, once there are so many of them."""
    found: dict[socket.socket, None] = {}
    with selectors.DefaultSelector() as selector:
        for line in lines:
            selector.register(line, selectors.EVENT_READ)
        end = time.monotonic() + PATIENCE
        while len(found) < count:
            assert time.monotonic() < end, f"{len(found)} of {count} answers have begun"
            for key, _ in selector.select(1):
                assert isinstance(key.fileobj, socket.socket)
                selector.unregister(key.fileobj)
                found[key.fileobj] = None
            measure()
    return list(found)


def test_slow_readers_do_not_fill_the_memory(tmp_path):
    """Two hundred clients of one address ask for a file of 10 MB and do not read it. As many as may be answered at once
    are; the others wait, and are answered when these have gone.
    """
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "assets" / "large.bin").write_bytes(b"x" * FILE_BYTES)
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=Limits(), page=page, request_ms=600_000)
    lines: list[socket.socket] = []
    most = 0

    def measure() -> None:
        nonlocal most
        most = max(most, server.memory())

    try:
        assert len(server.ask("GET", "/static/assets/large.bin").content) == FILE_BYTES, "threads and all are there"
        before = server.memory()
        lines = [slow_reader(server.port) for _ in range(READERS)]
        at_once = Limits().download_bytes_per_address // HELD
        assert at_once < READERS
        while lines:
            for line in wait_for_heads(lines, min(at_once, len(lines)), measure):
                lines.remove(line)
                line.close()
        assert server.ask("GET", "/api/health").status_code == 200
        measure()
        assert most - before < MORE_BYTES
    finally:
        for line in lines:
            line.close()
        server.stop()


def test_a_slow_reader_takes_one_piece_after_the_other(tmp_path):
    """The next piece is read when the one before has been taken, and none any more when the client has gone."""
    (tmp_path / "large.bin").write_bytes(bytes(range(256)) * (10 * PIECE // 256) + b"end")
    sent: list[Message] = []
    taken, gone = asyncio.Semaphore(2), asyncio.Event()

    async def send(message: Message) -> None:
        await taken.acquire()
        sent.append(message)

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def never(*_: Any) -> None:
        raise AssertionError

    async def story() -> None:
        page = Page(never, Downloads(Limits()), tmp_path)
        scope = {"type": "http", "method": "GET", "path": "/large.bin", "headers": [], "client": ("10.0.0.1", 1)}
        answer = asyncio.create_task(page(scope, receive, send))
        await until(lambda: len(sent) == 2)
        assert sent[1]["body"] == bytes(range(256)) * (PIECE // 256)
        taken.release()
        await until(lambda: len(sent) == 3)
        gone.set()
        taken.release()
        await answer
        assert len(sent) <= 4
        sent.clear()
        gone.clear()
        for _ in range(20):
            taken.release()
        await page(scope, receive, send)
        assert b"".join(message.get("body", b"") for message in sent) == (tmp_path / "large.bin").read_bytes()
        assert [message.get("more_body") for message in sent] == [None, *[True] * 10, False]
        assert (tmp_path / "large.bin").stat().st_size > LARGE

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


# Bytes.


class Download:
    """A large download of an address: whether it has its place, and how it ends."""

    def __init__(self, downloads: Downloads, address: str) -> None:
        self.open = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._run(downloads, address))

    async def _run(self, downloads: Downloads, address: str) -> None:
        async with downloads.place(address, self.gone):
            self.open = not self.gone.done()
            if self.open:
                await self._end.wait()
        self.open = False

    async def end(self) -> None:
        self._end.set()
        await self._task

    async def hang_up(self) -> None:
        self.gone.set_result(None)
        await self._task


async def settled(downloads: list[Download]) -> list[bool]:
    """Which of them are open, once all that can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)
    return [download.open for download in downloads]


def test_bytes_of_an_address_are_limited_and_the_oldest_goes_first():
    async def story() -> None:
        downloads = Downloads(Limits(download_bytes_per_address=2 * HELD, download_bytes=0))
        some = [Download(downloads, "a") for _ in range(4)]
        other = Download(downloads, "b")
        assert await settled([*some, other]) == [True, True, False, False, True]
        await some[0].end()
        assert await settled(some) == [False, True, True, False]
        for one in (*some[1:], other):
            await one.end()
        assert not downloads._held
        assert not downloads._waiting
        assert not downloads._total

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_bytes_of_all_are_limited_and_every_address_has_a_turn():
    async def story() -> None:
        downloads = Downloads(Limits(download_bytes_per_address=0, download_bytes=3 * HELD))
        many = [Download(downloads, "a") for _ in range(6)]
        few = [Download(downloads, "b") for _ in range(2)]
        assert await settled(many + few) == [True] * 3 + [False] * 3 + [True, False], "the first one needs no room"
        await many[0].end()
        assert await settled(many + few) == [False, True, True, False, False, False, True, False]
        await many[1].end()
        assert sum(await settled(many)) == 2, "one of a waits no longer, or one of b"
        for one in many[2:] + few:
            await one.end()
        assert not downloads._waiting
        assert not downloads._total

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_who_hangs_up_while_waiting_leaves_nothing_behind():
    async def story() -> None:
        downloads = Downloads(Limits(download_bytes_per_address=HELD))
        first = Download(downloads, "a")
        await settled([first])
        for _ in range(100):
            late = Download(downloads, "a")
            assert await settled([first, late]) == [True, False]
            await late.hang_up()
        assert not downloads._waiting
        await first.end()
        assert not downloads._held

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


# Requests.


@pytest.mark.parametrize(
    ("method", "path", "cost"),
    [
        ("GET", "/static/assets/main.js", 1),
        ("HEAD", "/favicon.ico", 1),
        ("GET", "/", FRONT_PAGE),
        ("GET", "/t/abc", FRONT_PAGE),
        ("GET", "/api/health", 0),
        ("GET", "/api", 0),
        ("GET", "/metrics", 0),
        ("POST", "/static/assets/main.js", 0),
    ],
)
def test_what_counts_as_a_download(method, path, cost):
    assert download_cost({"method": method, "path": path}) == cost


def test_too_many_downloads_wait_and_far_too_many_are_refused(monkeypatch):
    clock = [1_000.0]
    waits: list[float] = []
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds:
            waits.append(round(seconds, 3))
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", noted)

    async def story() -> None:
        downloads = Downloads(Limits(downloads_per_second=2, downloads_burst=3))
        for _ in range(6):
            await downloads.begin("a", 1)
        assert waits == [0.5, 1.0, 1.5]
        for _ in range(17):
            await downloads.begin("a", 1)
        with pytest.raises(TooMuch) as refused:
            await downloads.begin("a", 1)
        assert refused.value.params == {"what": "downloads", "seconds": 11}
        assert waits[-1] == Limits().downloads_wait_ms / 1_000
        await downloads.begin("b", 1)
        assert waits[-1] == Limits().downloads_wait_ms / 1_000, "others do not wait"

    asyncio.run(story())


def test_many_downloads_of_one_address_begin_turn_by_turn():
    """Between them the event loop has other work done."""

    async def story() -> None:
        downloads = Downloads(Limits())
        begun: list[int] = []
        turn = 0

        async def one() -> None:
            await downloads.begin("a", 1)
            begun.append(turn)

        tasks = [asyncio.create_task(one()) for _ in range(5 * AT_ONCE)]
        while not all(task.done() for task in tasks):
            turn += 1
            await asyncio.sleep(0)
        assert max(begun.count(turn) for turn in begun) <= AT_ONCE
        await asyncio.sleep(0)
        assert not downloads._beginning

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_files_are_not_counted_as_actions(tmp_path: Path):
    """An address that may make one request in a long time loads the page all the same."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>front</title>")
    (page / "favicon.ico").write_bytes(b"icon")
    limits = Limits(requests_per_second=0.001, requests_burst=2, people_per_address=1, refusal_ms=0)
    app = make_app(Config(database=f"sqlite:///{tmp_path}/preau.db", limits=limits), static=page)
    for path in ("/", "/favicon.ico", "/static/index.html", "/settings") * 5:
        assert ask(app, path).status_code == 200
    assert [ask(app, "/api/games").status_code for _ in range(3)] == [200, 200, 429]
    assert ask(app, "/").status_code == 200
