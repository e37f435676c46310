"""Limits of downloads: bytes on their way for each address and for all, turns, and what counts as a download."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from preau.host.refusals import TooMuch
from preau.server.app import make_app
from preau.server.config import Config, Limits
from preau.server.http import download_limits as downloads_module
from preau.server.http.download_limits import (
    AT_ONCE,
    BUFFERED_BYTES,
    FRONT_PAGE,
    DownloadLimits,
    DownloadSlot,
    download_cost,
)
from tests.server.asgi_requests import request
from tests.server.in_process_server import until
from tests.support import PATIENCE

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
        assert downloads.addresses == 0

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_who_takes_too_long_for_a_piece_makes_room_for_others_of_the_address():
    async def story() -> None:
        now = 0.0
        limits = Limits(download_bytes_per_address=2 * BUFFERED_BYTES, download_piece_ms=50)
        downloads = DownloadLimits(limits, lambda: now)
        slow, quick = Download(downloads, "a"), Download(downloads, "a")
        other = Download(downloads, "b")
        await settled([slow, quick, other])
        now += 0.1
        assert await settled([slow, quick, other]) == [True] * 3, "nobody waits"
        assert quick.place is not None
        quick.place.sending()
        late = Download(downloads, "a")
        with pytest.raises(TimeoutError):
            await slow.task
        assert await settled([quick, late, other]) == [True] * 3
        for one in (quick, late, other):
            await one.end()
        assert (downloads.addresses, downloads.total_bytes) == (0, 0)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_slow_clients_of_other_addresses_make_room_where_all_places_are_taken(monkeypatch):
    """Of addresses that hold as many places or more, the one that holds most loses a download that is too slow."""
    monkeypatch.setattr(downloads_module, "CHECK_SECONDS", 0.01)

    async def story() -> None:
        now = 0.0
        limits = Limits(
            download_bytes_per_address=4 * BUFFERED_BYTES,
            download_bytes=7 * BUFFERED_BYTES,
            download_piece_ms=20_000,
        )
        downloads = DownloadLimits(limits, lambda: now)
        most = [Download(downloads, "most") for _ in range(4)]
        less = [Download(downloads, "less") for _ in range(3)]
        first = Download(downloads, "new")
        assert await settled([*most, *less, first]) == [True] * 8, "the first one of an address needs no room"
        now += 3_600
        for quick in (most[0], most[1], most[3], *less[1:]):
            assert quick.place is not None
            quick.place.sending()
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
        assert (downloads.addresses, downloads.total_bytes) == (0, 0)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


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
        assert (downloads.addresses, downloads.total_bytes) == (0, 0)

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
        assert (downloads.addresses, downloads.total_bytes) == (0, 0)

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
        await first.end()
        assert (downloads.addresses, downloads.total_bytes) == (0, 0)

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
        assert downloads.addresses == 0

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
