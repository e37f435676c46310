"""Downloads of the page's files by slow readers: they are sent in pieces, and a file that changes is no half answer."""

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

from preau.server.app import make_app
from preau.server.config import Config, Limits
from preau.server.http.download_limits import BUFFERED_BYTES, CHUNK_BYTES, DownloadLimits
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
