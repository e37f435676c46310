"""Connections that only stand in the way: silent ones, slow ones, too many, and heads of requests that never end."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import time
from functools import partial
from typing import Any

import pytest

from preau.server.client_address import TrustedProxies
from preau.server.config import Config, Limits
from preau.server.runner import EARS, allow_files
from preau.server.transport import connection_limits
from preau.server.transport.http_protocol import HttpProtocol
from tests.server.in_process_server import InProcessServer, ReceivedBytes, frame, run_with_server, until

HOST = b"Host: 127.0.0.1\r\n"
HEALTH = b"GET /api/health HTTP/1.1\r\n" + HOST + b"\r\n"


async def healthy(server: InProcessServer) -> None:
    """Somebody honest comes along."""
    assert (await server.call("GET", "/health")).status_code == 200


# Time.


HALVES = [b"", b"GET /api/health HT", b"GET / HTTP/1.1\r\n" + HOST + b"X-Slow: a", b"\r\n", HEALTH[:-1]]
"""Nothing, some of an address, some of a header, an empty line, all but the last byte."""


def test_who_connects_and_asks_nothing_is_sent_away(tmp_path):
    async def story(server: InProcessServer) -> None:
        raws = [await server.connect(half) for half in HALVES]
        await until(lambda: len(server.crowd) == len(HALVES))
        server.crowd.sweep(time.monotonic() + 9)
        await healthy(server)
        server.crowd.sweep(time.monotonic() + 11)
        for raw in raws:
            status, problem = await raw.read_answer()
            assert (status, problem["key"]) == (408, "slow")
            assert await raw.read_to_end() == b""

    run_with_server(tmp_path, story, request_ms=10_000)


def test_time_goes_by_in_a_running_server(tmp_path):
    """The same without a hand on the clock."""

    async def story(server: InProcessServer) -> None:
        raw = await server.connect(b"GET /")
        assert (await raw.read_answer())[0] == 408

    run_with_server(tmp_path, story, request_ms=50)


def test_a_body_that_never_comes_is_not_waited_for(tmp_path):
    async def story(server: InProcessServer) -> None:
        head = (
            b"POST /api/tables HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        )
        raw = await server.connect(head)
        await until(lambda: server.uvicorn.server_state.tasks)
        server.crowd.sweep(time.monotonic() + 19)
        server.crowd.sweep(time.monotonic() + 21)
        status, problem = await raw.read_answer()
        assert (status, problem["key"]) == (408, "slow")
        await until(lambda: not server.uvicorn.server_state.tasks)
        await healthy(server)

    run_with_server(tmp_path, story, body_ms=20_000)


def test_a_second_request_has_its_time_too_and_no_more(tmp_path, monkeypatch):
    """After an answer, empty lines keep the library's own clock from running; ours goes on."""
    received = ReceivedBytes(monkeypatch, HttpProtocol)

    async def story(server: InProcessServer) -> None:
        raw = await server.connect(HEALTH)
        assert (await raw.read_answer())[0] == 200
        raw.write(b"\r\n\r\n")
        await until(lambda: received.count == len(HEALTH) + 4)
        server.crowd.sweep(time.monotonic() + 11)
        assert (await raw.read_answer())[0] == 408

    run_with_server(tmp_path, story, request_ms=10_000)


def test_who_takes_no_answer_is_cut_off(tmp_path):
    """Many answers asked for, none taken: the connection ends although it could never be closed in order."""

    async def story(server: InProcessServer) -> None:
        raw = await server.connect()
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.pause_reading()
        await until(lambda: len(server.crowd) == 1)
        [one] = server.crowd
        one.transport.write(b"x" * 20_000_000)
        now = time.monotonic()
        server.crowd.sweep(now)
        assert one.transport.get_write_buffer_size()
        server.crowd.sweep(now + 9)
        assert len(server.crowd) == 1
        server.crowd.sweep(now + 11)
        await until(lambda: not len(server.crowd))

    run_with_server(tmp_path, story, request_ms=10_000)


def test_a_closing_connection_that_does_not_close_is_cut_off(tmp_path):
    async def story(server: InProcessServer) -> None:
        raw = await server.connect()
        raw.pause_reading()
        await until(lambda: len(server.crowd) == 1)
        [one] = server.crowd
        one.transport.write(b"x" * 20_000_000)
        one.transport.close()
        now = time.monotonic()
        server.crowd.sweep(now)
        server.crowd.sweep(now + connection_limits.CUT_SECONDS - 1)
        assert len(server.crowd) == 1
        server.crowd.sweep(now + connection_limits.CUT_SECONDS + 1)
        await until(lambda: not len(server.crowd))

    run_with_server(tmp_path, story)


def test_a_line_that_never_joins_is_closed(tmp_path, monkeypatch):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table, join=False)
        await until(lambda: server.websockets()[0].ear is not None)
        later = time.monotonic() + 11
        with monkeypatch.context() as patched:
            patched.setattr("time.monotonic", lambda: later)
            server.services.connections.sweep()
        assert (await raw.until("bye"))["reason"] == "silent"

    run_with_server(tmp_path, story, join_ms=10_000)


def at(monkeypatch: pytest.MonkeyPatch, server: InProcessServer, later: float) -> None:
    """Let the server sweep its connections at a later time."""
    monkeypatch.setattr("time.monotonic", lambda: later)
    server.services.connections.sweep()


@pytest.mark.parametrize("answer", ["pong", "ping of the protocol below"])
def test_a_client_that_only_answers_pings_stays(tmp_path, monkeypatch, answer):
    """The server pings it in time; the one that answers nothing is closed."""

    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        kept, silent = await server.open_websocket(table), await server.open_websocket(table)
        [one] = [one for one in server.sockets() if at_port(one, kept)]
        later = time.monotonic()
        for _ in range(8):
            number = (await kept.until("ping"))["n"]
            if answer == "pong":
                kept.post(type="pong", n=number)
            else:
                kept.write(frame(b"x", first=0x89))
            await until(partial(heard_since, one, later))
            later += 13
            at(monkeypatch, server, later)
        assert (await silent.until("bye"))["reason"] == "silent"
        assert one.bye is None
        kept.post(type="ping", n=7)
        assert (await kept.until("pong"))["n"] == 7

    run_with_server(tmp_path, story, silence_ms=30_000)


def heard_since(one: Any, moment: float) -> bool:
    """Whether the client was heard at this moment or later."""
    return bool(one.heard >= moment)


def at_port(one: Any, raw: Any) -> bool:
    """Whether these are the two ends of one connection."""
    return bool(one.transport.transport.get_extra_info("peername")[1] == raw.port)


def test_pings_of_the_websocket_do_not_replace_a_join(tmp_path, monkeypatch):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table, join=False)
        await until(lambda: server.websockets()[0].ear is not None)
        raw.write(frame(b"x", first=0x89))
        assert (await raw.read_frame())[0] == 0x8A
        at(monkeypatch, server, time.monotonic() + 11)
        assert (await raw.until("bye"))["reason"] == "silent"

    run_with_server(tmp_path, story, join_ms=10_000)


# Numbers.


def test_the_silent_cannot_keep_out_those_who_speak(tmp_path):
    """Many more connections than there are places, none of which says anything."""

    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        line = await server.open_websocket(table)
        crowd = [await server.connect() for _ in range(60)]
        await until(lambda: len(server.crowd) == 20)
        for _ in range(5):
            await healthy(server)
        status, problem = await crowd[0].read_answer()
        assert (status, problem["key"]) == (503, "busy")
        line.post(type="ping", n=4)
        assert (await line.until("pong"))["n"] == 4, "those who are in stay in"
        assert len(server.crowd) <= 20

    run_with_server(tmp_path, story, limits={"connections": 20})


def test_when_all_places_are_of_use_others_are_told(tmp_path):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        await until(lambda: not len(server.crowd))
        lines = [await server.open_websocket(table) for _ in range(3)]
        status, problem = await (await server.connect()).read_answer()
        assert (status, problem["key"]) == (503, "busy")
        lines[0].abort()
        await until(lambda: len(server.crowd) == 2)
        await healthy(server)

    run_with_server(tmp_path, story, limits={"connections": 3})


def test_an_address_has_so_many_connections_from_the_first_moment(tmp_path):
    async def story(server: InProcessServer) -> None:
        mine = [await server.connect() for _ in range(4)]
        await until(lambda: len(server.crowd) == 4)
        status, problem = await (await server.connect()).read_answer()
        assert (status, problem["key"]) == (429, "rate")
        assert "address" in problem["message"]
        mine[0].abort()
        await until(lambda: len(server.crowd) == 3)
        await healthy(server)

    run_with_server(tmp_path, story, limits={"connections_per_address": 4}, proxies="10.0.0.9")


def test_newcomers_do_not_wait_behind_a_crowd_turn_by_turn(tmp_path):
    """Many new connections are taken in one turn of the loop, however long a turn takes."""

    async def story(server: InProcessServer) -> None:
        turns, came = 0, []
        enter = server.crowd.enter

        def counted(caller: Any) -> Any:
            came.append(turns)
            return enter(caller)

        server.crowd.enter = counted
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(EARS * 4)]
        while len(came) < len(lines):
            turns += 1
            await asyncio.sleep(0)
        assert len(set(came)) <= 8
        for line in lines:
            line.close()

    run_with_server(tmp_path, story)


def test_a_proxy_is_nobodys_address(tmp_path):
    """All connections come from it; whose they are it says itself."""

    async def story(server: InProcessServer) -> None:
        for _ in range(6):
            await server.connect()
        await until(lambda: len(server.crowd) == 6)
        await healthy(server)

    run_with_server(tmp_path, story, limits={"connections_per_address": 4}, proxies="127.0.0.0/8")


def test_which_addresses_are_proxies():
    some = TrustedProxies("10.0.0.5, 192.168.0.0/16,fd00::/8, unix-name")
    assert [host in some for host in ("10.0.0.5", "192.168.3.4", "fd00::1")] == [True] * 3
    assert [host in some for host in ("10.0.0.6", "unix-name", "", "::1")] == [False] * 4
    assert "8.8.8.8" in TrustedProxies("*")
    assert "127.0.0.1" not in TrustedProxies("")


def test_a_server_allows_itself_the_files_it_may_have():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        assert allow_files() == hard
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert connection_limits.ConnectionRegistry(Config(), 1_024).most == 1_024 - connection_limits.RESERVED_FILES
    assert connection_limits.ConnectionRegistry(Config(limits=Limits(connections=77)), 1_024).most == 77


# Sizes.


def test_heads_have_a_size(tmp_path):
    cases = [
        (b"/api/" + b"a" * Limits().url_bytes, b"", 414),
        (b"/api/health", b"X: " + b"a" * Limits().header_bytes + b"\r\n", 431),
        (b"/api/health", (b"X: " + b"a" * 4_000 + b"\r\n") * 5, 431),
        (b"/api/health", b"X: a\r\n" * (Limits().headers + 1), 431),
    ]

    async def story(server: InProcessServer) -> None:
        for upgrade in (b"", b"Upgrade: websocket\r\nConnection: Upgrade\r\n"):
            for address, more, status in cases:
                raw = await server.connect(b"GET " + address + b" HTTP/1.1\r\n" + HOST + upgrade + more + b"\r\n")
                found, problem = await raw.read_answer()
                assert (found, problem["key"]) == (status, "size")
                assert "At most" in problem["message"]
                assert await raw.read_to_end() == b""
        await healthy(server)

    run_with_server(tmp_path, story)


def test_a_head_that_never_ends_is_not_read_to_its_end(tmp_path):
    endless = [b"GET /" + b"a" * 20_000, b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000, b"\r\n" * 10_000]

    async def story(server: InProcessServer) -> None:
        for data in endless:
            status, problem = await (await server.connect(data)).read_answer()
            assert status in (414, 431)
            assert problem["key"] == "size"

    run_with_server(tmp_path, story)


def test_the_usual_heads_fit():
    """What browsers send, with cookies of other servers on the same name."""
    assert Limits().headers >= 40
    assert Limits().head_bytes >= 8_000 + 2_000


def test_many_requests_at_once_are_refused(tmp_path, caplog):
    async def story(server: InProcessServer) -> None:
        raw = await server.connect(HEALTH * 200)
        status, problem = await raw.read_answer()
        assert (status, problem["key"]) == (429, "rate")
        await raw.read_to_end()
        await until(lambda: not server.uvicorn.server_state.tasks)
        raw = await server.connect(HEALTH * 4)
        assert [(await raw.read_answer())[0] for _ in range(4)] == [200] * 4, "a few are no harm"

    run_with_server(tmp_path, story)
    assert not [record for record in caplog.records if record.exc_info]


def test_who_leaves_before_the_answers_leaves_no_trace(tmp_path, caplog):
    async def story(server: InProcessServer) -> None:
        app, gone, asked = server.settings.loaded_app, asyncio.Event(), []

        async def late(*about: Any) -> None:
            asked.append(about)
            await gone.wait()
            await app(*about)

        server.settings.loaded_app = late
        raw = await server.connect(HEALTH * 5)
        await until(lambda: asked)
        raw.abort()
        gone.set()  # that they have left is noticed when the first answer is written
        await until(lambda: not server.uvicorn.server_state.tasks and not len(server.crowd))
        assert len(asked) == 1, "nobody works on the others"

    run_with_server(tmp_path, story)
    assert not [record for record in caplog.records if record.exc_info]


NO_REQUESTS = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
    b"\xff" * 100,
    b"GET /\xe9 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"CONNECT a:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 3\r\n\r\nabc",
]


def test_what_is_no_request_is_told_so(tmp_path, caplog):
    async def story(server: InProcessServer) -> None:
        for data in NO_REQUESTS:
            raw = await server.connect(data)
            status, problem = await raw.read_answer()
            assert (status, problem["key"]) == (400, "malformed"), data
            assert await raw.read_to_end() == b""

    run_with_server(tmp_path, story)
    assert not [record for record in caplog.records if record.exc_info]


def test_a_refused_body_is_not_read_for_ever(tmp_path):
    """The answer is given, but the body goes on and on."""

    async def story(server: InProcessServer) -> None:
        head = b"POST /nowhere HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 900000000\r\n\r\n"
        raw = await server.connect(head)
        assert (await raw.read_answer())[0] == 403
        sent = 0
        with contextlib.suppress(ConnectionError):
            while len(server.crowd):
                raw.write(b"x" * 100_000)
                await raw.drain()
                sent += 1
        assert sent < 1_000

    run_with_server(tmp_path, story)
