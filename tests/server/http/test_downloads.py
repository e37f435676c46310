"""Downloads of the page's files: sent in pieces, limited by bytes on their way, and not counted as actions."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from preau.host.refusals import TooMuch
from preau.server.app import make_app
from preau.server.config import Config, Limits
from preau.server.http import download_limits as downloads_module
from preau.server.http.download_limits import (
    AT_ONCE,
    BUFFERED_BYTES,
    CHUNK_BYTES,
    FRONT_PAGE,
    DownloadLimits,
    DownloadSlot,
    download_cost,
)
from preau.server.http.static_files import LARGE, StaticFiles
from preau.server.transport.asgi_types import ABORT, Message, Receive
from tests.server.asgi_requests import request
from tests.server.in_process_server import until
from tests.server.processes import Server
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


def client_until(gone: asyncio.Event) -> Receive:
    """What a client sends that hangs up when it is `gone`."""

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    return receive


async def never(*_: Any) -> None:
    """An application that must not be asked."""
    raise AssertionError


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
        at_once = Limits().download_bytes_per_address // BUFFERED_BYTES
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
    (tmp_path / "large.bin").write_bytes(bytes(range(256)) * (10 * CHUNK_BYTES // 256) + b"end")
    sent: list[Message] = []
    taken, gone = asyncio.Semaphore(2), asyncio.Event()

    async def send(message: Message) -> None:
        await taken.acquire()
        sent.append(message)

    async def story() -> None:
        page = StaticFiles(never, DownloadLimits(Limits()), tmp_path)
        scope = {"type": "http", "method": "GET", "path": "/large.bin", "headers": [], "client": ("10.0.0.1", 1)}
        answer = asyncio.create_task(page(scope, client_until(gone), send))
        await until(lambda: len(sent) == 2)
        assert sent[1]["body"] == bytes(range(256)) * (CHUNK_BYTES // 256)
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
        await page(scope, client_until(gone), send)
        assert b"".join(message.get("body", b"") for message in sent) == (tmp_path / "large.bin").read_bytes()
        assert [message.get("more_body") for message in sent] == [None, *[True] * 10, False]
        assert (tmp_path / "large.bin").stat().st_size > LARGE

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A page with one large file, /static/assets/large.bin."""
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "assets" / "large.bin").write_bytes(b"x" * FILE_BYTES)
    return page


def trickle(lines: list[socket.socket], stop: threading.Event) -> None:
    """Take a few bytes of each answer several times a second."""
    while not stop.wait(0.2):
        for line in lines:
            with contextlib.suppress(OSError):
                line.recv(100, socket.MSG_DONTWAIT)


@pytest.mark.parametrize("ordinary", [False, True])
def test_slow_readers_do_not_keep_others_of_their_address_waiting(tmp_path, large, ordinary):
    """All places are held by clients that take a few bytes again and again. One makes room for who waits."""
    limits = Limits(download_bytes_per_address=2 * BUFFERED_BYTES, download_piece_ms=1_000)
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=limits, page=large, ordinary=ordinary)
    lines: list[socket.socket] = []
    stop = threading.Event()
    thread = threading.Thread(target=trickle, args=(lines, stop))
    try:
        lines += [slow_reader(server.port) for _ in range(2)]
        wait_for_heads(list(lines), 2, lambda: None)
        thread.start()
        assert len(server.ask("GET", "/static/assets/large.bin").content) == FILE_BYTES
        assert ordinary or "error" not in server.logged().lower()
    finally:
        stop.set()
        if thread.ident:
            thread.join()
        for line in lines:
            line.close()
        server.stop()


def test_a_download_that_waits_too_long_is_refused(tmp_path, large):
    limits = Limits(download_bytes_per_address=BUFFERED_BYTES, download_bytes_wait_ms=300, download_piece_ms=600_000)
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=limits, page=large)
    line = slow_reader(server.port)
    try:
        wait_for_heads([line], 1, lambda: None)
        answer = server.ask("GET", "/static/assets/large.bin")
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "600"
        assert answer.json()["params"] == {"what": "downloads", "seconds": 600}
        assert "content-security-policy" in answer.headers
    finally:
        line.close()
        server.stop()


def test_a_body_that_is_too_large_is_no_hang_up(tmp_path, large):
    """A client that sends a large body with a GET request gets the file all the same."""
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=Limits(), page=large)
    try:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
            chunk = b"11170\r\n" + b"x" * 70_000 + b"\r\n"
            line.sendall(
                b"GET /static/assets/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"
            )
            with line.makefile("rb") as answer:
                found = answer.read()
        assert found.startswith(b"HTTP/1.1 200 ")
        assert len(found.partition(b"\r\n\r\n")[2]) == FILE_BYTES
        assert "without completing" not in server.logged()
    finally:
        server.stop()


# Files that change while the server runs.


async def fetch(
    page: StaticFiles, path: str, receive: Callable[[], Any], send: Callable[[Message], Any], **more: Any
) -> None:
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("10.0.0.1", 1), **more}
    await page(scope, receive, send)


def test_a_file_that_has_changed_is_not_half_an_answer(tmp_path, large):
    app = make_app(Config(database=f"sqlite:///{tmp_path}/preau.db"), static=large)
    file = large / "assets" / "large.bin"
    assert len(request(app, "/static/assets/large.bin").content) == FILE_BYTES
    file.write_bytes(b"y" * (FILE_BYTES - 1))
    answer = request(app, "/static/assets/large.bin")
    assert (answer.status_code, answer.json()["message"]) == (500, "the file has changed. Restart the server.")
    file.write_bytes(b"y" * FILE_BYTES)
    answer = request(app, "/static/assets/large.bin")
    assert (answer.status_code, answer.json()["error"]) == (500, "Changed"), "of the same length"
    file.unlink()
    answer = request(app, "/static/assets/large.bin")
    assert (answer.status_code, answer.json()["error"]) == (404, "Unknown")


def test_a_file_that_changes_on_its_way_ends_the_connection(large):
    sent: list[Message] = []
    gone = asyncio.Event()

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) == 3:
            (large / "assets" / "large.bin").write_bytes(b"short")

    async def story() -> None:
        page = StaticFiles(never, DownloadLimits(Limits()), large)
        await fetch(page, "/static/assets/large.bin", client_until(gone), send, extensions={ABORT: gone.set})

    asyncio.run(asyncio.wait_for(story(), PATIENCE))
    assert gone.is_set()
    assert len(sent) == 3
    assert sent[-1]["more_body"]


# Bytes.


class Download:
    """A large download of an address: whether it has its place, and how it ends."""

    def __init__(self, downloads: DownloadLimits, address: str) -> None:
        self.open = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._end = asyncio.Event()
        self.place: DownloadSlot | None = None
        self.task = asyncio.create_task(self._run(downloads, address))

    async def _run(self, downloads: DownloadLimits, address: str) -> None:
        try:
            async with downloads.place(address, self.gone) as self.place:
                self.open = not self.gone.done()
                if self.open:
                    await self._end.wait()
        finally:
            self.open = False

    async def end(self) -> None:
        self._end.set()
        await self.task

    async def hang_up(self) -> None:
        self.gone.set_result(None)
        await self.task


def test_who_waits_too_long_is_refused():
    async def story() -> None:
        limits = Limits(download_bytes_per_address=BUFFERED_BYTES, download_bytes_wait_ms=50, download_piece_ms=20_000)
        downloads = DownloadLimits(limits)
        first, late = Download(downloads, "a"), Download(downloads, "a")
        with pytest.raises(TooMuch) as refused:
            await late.task
        assert refused.value.params == {"what": "downloads", "seconds": 20}
        assert await settled([first, late]) == [True, False]
        await first.end()
        assert not downloads._waiting
        assert not downloads._open

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_who_takes_too_long_for_a_piece_makes_room_for_others_of_the_address():
    async def story() -> None:
        downloads = DownloadLimits(Limits(download_bytes_per_address=2 * BUFFERED_BYTES, download_piece_ms=50))
        slow, quick = Download(downloads, "a"), Download(downloads, "a")
        other = Download(downloads, "b")
        await settled([slow, quick, other])
        await asyncio.sleep(0.1)
        assert await settled([slow, quick, other]) == [True] * 3, "nobody waits"
        assert quick.place is not None
        quick.place.sending()
        late = Download(downloads, "a")
        with pytest.raises(TimeoutError):
            await slow.task
        assert await settled([quick, late, other]) == [True] * 3
        for one in (quick, late, other):
            await one.end()
        assert not downloads._open
        assert not downloads._total

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_slow_clients_of_other_addresses_make_room_where_all_places_are_taken(monkeypatch):
    """Of addresses that hold as many places or more, the one that holds most loses a download that is too slow."""
    monkeypatch.setattr(downloads_module, "CHECK_SECONDS", 0.01)

    async def story() -> None:
        downloads = DownloadLimits(
            Limits(
                download_bytes_per_address=4 * BUFFERED_BYTES,
                download_bytes=7 * BUFFERED_BYTES,
                download_piece_ms=20_000,
            )
        )
        most = [Download(downloads, "most") for _ in range(4)]
        less = [Download(downloads, "less") for _ in range(3)]
        first = Download(downloads, "new")
        assert await settled([*most, *less, first]) == [True] * 8, "the first one of an address needs no room"
        for slow in (most[2], less[0], first):
            assert slow.place is not None
            late(downloads, slow.place)
        second = Download(downloads, "new")
        with pytest.raises(TimeoutError):
            await most[2].task
        with pytest.raises(TimeoutError):
            await less[0].task
        await until(lambda: second.open)
        kept = [most[0], most[1], most[3], *less[1:], first, second]
        assert await settled(kept) == [True] * 7, "no other download had to make room"
        for one in kept:
            await one.end()
        assert not downloads._open
        assert not downloads._total

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def late(downloads: DownloadLimits, place: DownloadSlot) -> None:
    """Pretend that a client has taken nothing of its piece for an hour."""
    opened = next(found for found in downloads._open.values() if place in found)
    opened[place] -= 3_600
    opened.move_to_end(place, last=False)


async def settled(downloads: list[Download]) -> list[bool]:
    """Which of them are open, once all that can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)
    return [download.open for download in downloads]


def test_bytes_of_an_address_are_limited_and_the_oldest_goes_first():
    async def story() -> None:
        downloads = DownloadLimits(Limits(download_bytes_per_address=2 * BUFFERED_BYTES, download_bytes=0))
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
        downloads = DownloadLimits(Limits(download_bytes_per_address=0, download_bytes=3 * BUFFERED_BYTES))
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
        downloads = DownloadLimits(Limits(download_bytes_per_address=BUFFERED_BYTES))
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
        downloads = DownloadLimits(Limits(downloads_per_second=2, downloads_burst=3))
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
        downloads = DownloadLimits(Limits())
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
        assert request(app, path).status_code == 200
    assert [request(app, "/api/games").status_code for _ in range(3)] == [200, 200, 429]
    assert request(app, "/").status_code == 200
