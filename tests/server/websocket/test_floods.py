"""Floods: whoever sends more than they may is told so and not read any more, whatever kind of frame it is and over
however many lines it comes; whoever reads too slowly is dropped; and nobody beside them notices.
"""

from __future__ import annotations

import asyncio
import socket
import time
from functools import partial
from typing import Any

import msgspec
import pytest

from preau.server.config import Limits
from preau.server.http import security
from preau.server.token_buckets import Bucket
from preau.server.transport import websocket_protocol
from preau.server.transport.websocket_protocol import MOST_UNREAD
from preau.server.websocket.rate_limits import MessageRate, Quotas
from preau.table import protocol
from tests.server.in_process_server import InProcessServer, RawConnection, ReceivedBytes, frame, run_with_server, until

FEW = {"messages_per_second": 0.001, "messages_burst": 20}
"""Twenty frames, and no more in the time a test takes."""
ONE = {"requests_per_second": 0.001, "people_per_address": 1}
"""An address may ask as much as one user, and nothing comes back in the time a test takes."""


async def said_bye(raw: RawConnection) -> list[tuple[int, bytes]]:
    """All frames until the close."""
    found = []
    while (one := await raw.read_frame())[0] not in (0, 0x88):
        found.append(one)
    return found


# Coming in.


@pytest.mark.parametrize(
    "flood",
    [
        frame(b"x", first=0x89) * 500,
        frame(b"x", first=0x8A) * 500,
        frame(b"", first=0x01) + frame(b"", first=0x00) * 500,
        frame(b"") * 500,
        frame(b"x" * 8_000) * 3,
    ],
    ids=["pings", "pongs", "pieces", "empty messages", "large ones"],
)
def test_every_frame_counts(tmp_path, flood):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        honest = await server.open_websocket(table)
        flooding = await server.open_websocket(table)
        [end] = [end for end in server.websockets() if end.transport.get_extra_info("peername")[1] == flooding.port]
        flooding.write(flood)
        got = await said_bye(flooding)
        assert b'"reason":"rate"' in got[-1][1]
        assert flooding.closed == (1008, "rate")
        assert len(got) < 30, "what was too much was not answered"
        assert not end.transport.is_reading()
        assert end.conn.events == []
        honest.post(type="ping", n=1)
        assert (await honest.until("pong"))["n"] == 1

    run_with_server(tmp_path, story, limits=FEW)


def heard(received: ReceivedBytes, end: websocket_protocol.WebSocketProtocol, size: int) -> bool:
    """Whether so many bytes have arrived, or no more will be read."""
    return received.count == size or not end.transport.is_reading()


def test_a_message_in_a_thousand_pieces_counts_as_many(tmp_path, monkeypatch):
    received = ReceivedBytes(monkeypatch, websocket_protocol.WebSocketProtocol)

    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table)
        raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        [end] = server.websockets()
        before = received.count
        for at, byte in enumerate(frame(b"x" * 100)):
            raw.write(bytes((byte,)))
            await until(partial(heard, received, end, before + at + 1))
            if not end.transport.is_reading():
                break
        assert (await raw.until("bye"))["reason"] == "rate"

    run_with_server(tmp_path, story, limits=FEW)


def test_a_line_that_was_cut_for_flooding_is_gone_soon(tmp_path, monkeypatch):
    """Also if it takes no notice of the goodbye."""
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.01)

    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        await until(lambda: not len(server.crowd))
        raw = await server.open_websocket(table)
        server.websockets()[0].close_timeout = 3_600  # the library's own patience
        raw.write(frame(b"x", first=0x89) * 100)
        await until(lambda: not len(server.crowd) and not server.sockets())

    run_with_server(tmp_path, story, limits=FEW)


def test_a_line_with_much_to_say_lets_the_others_speak_in_between(tmp_path):
    """Ten messages in one go are dealt with one at a time, and others have their turn after each."""

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        raw = await server.open_websocket(made["table"]["id"], token=made["token"], seat=0)
        turns: list[int] = []
        done = 0

        async def counted(*what: Any, **more: Any) -> tuple[int, bool]:
            nonlocal done
            done += 1
            asyncio.get_running_loop().call_soon(lambda: turns.append(done))
            return 1, False

        server.services.moves.act = counted  # type: ignore[method-assign]
        raw.write(b"".join(frame(b'{"type":"act","id":"a%d","at":1,"action":"x"}' % number) for number in range(10)))
        for number in range(10):
            assert (await raw.until("ack"))["id"] == f"a{number}"
        assert turns == list(range(1, 11))

    run_with_server(tmp_path, story)


def test_heart_beats_are_answered_while_a_message_waits(tmp_path, monkeypatch):
    """The database is away: the line is read on, stays open for as long as it takes, and keeps its order."""

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        raw = await server.open_websocket(made["table"]["id"], token=made["token"], seat=0)
        back = asyncio.Event()
        acts: list[str] = []

        async def waits(entry: Any, seat: int, action: str, **more: Any) -> tuple[int, bool]:
            acts.append(action)
            await back.wait()
            return 1, False

        server.services.moves.act = waits  # type: ignore[assignment]
        for action in ("a", "b", "c"):
            raw.post(type="act", id=action, at=1, action=action)
        await until(lambda: acts)
        raw.post(type="ping", n=7)
        assert (await raw.until("pong"))["n"] == 7
        assert acts == ["a"]
        later = time.monotonic() + 3_600
        with monkeypatch.context() as patched:
            patched.setattr("time.monotonic", lambda: later)
            server.services.connections.sweep()
        assert [one.bye for one in server.sockets()] == [None]
        back.set()
        assert [(await raw.until("ack"))["id"] for _ in range(3)] == ["a", "b", "c"]
        assert acts == ["a", "b", "c"]

    run_with_server(tmp_path, story)


def test_what_waits_is_bounded(tmp_path):
    """While one message waits, so many are read behind it; then reading stops until there is room."""

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        raw = await server.open_websocket(made["table"]["id"], token=made["token"], seat=0)
        [end] = server.websockets()
        back = asyncio.Event()

        async def waits(*what: Any, **more: Any) -> tuple[int, bool]:
            await back.wait()
            return 1, False

        server.services.moves.act = waits  # type: ignore[method-assign]
        for number in range(MOST_UNREAD + 1):
            raw.post(type="act", id=f"a{number}", at=1, action="x")
        await until(lambda: end.unread == MOST_UNREAD)
        assert not end.transport.is_reading()
        raw.post(type="ping", n=1)
        back.set()
        for number in range(MOST_UNREAD + 1):
            assert (await raw.until("ack"))["id"] == f"a{number}"
        assert (await raw.until("pong"))["n"] == 1

    run_with_server(tmp_path, story)


# Going out.


def test_who_asks_and_does_not_read_is_dropped_by_bytes(tmp_path, monkeypatch):
    """Each `resync` is a small message with a large answer."""
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.01)

    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        await until(lambda: not len(server.crowd))
        raw = await server.open_websocket(made["table"]["id"], token=made["token"])
        raw.pause_reading()
        server.websockets()[0].transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        [one] = server.sockets()
        most = 0
        while one.bye is None:
            raw.post(type="resync")
            await raw.drain()
            await asyncio.sleep(0)
            most = max(most, one.address_quota.waiting)
        assert one.bye == "slow"
        assert 0 < most <= 200_000
        await until(lambda: not len(server.crowd) and not server.sockets() and not one.address_quota.waiting)

    # Any number of messages: the bytes that wait are to be too many first.
    limits = {"queue_bytes": 200_000, "queue_messages": 1_000_000, "messages_per_second": 0}
    run_with_server(tmp_path, story, limits=limits)


def test_pongs_do_not_pile_up_for_who_does_not_read(tmp_path):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table)
        [end] = server.websockets()
        end.pause_writing()
        raw.write(frame(b"x" * 125, first=0x89) * 50 + frame(b'{"type":"resync"}') * 2)
        await until(lambda: server.sockets()[0].address_quota.waiting)
        end.resume_writing()
        found: list[tuple[int, bytes]] = []
        while not found or b'"type":"hello"' not in found[-1][1]:
            found.append(await raw.read_frame())
        assert 0x8A not in [first for first, _ in found]

    run_with_server(tmp_path, story)


# Whose it is.


TALK = {"chat_per_minute": 0.01, "chat_burst": 3, "undo_per_minute": 0.01, "undo_burst": 2}


def test_hanging_up_does_not_bring_back_what_was_said(tmp_path):
    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        table, token = made["table"]["id"], made["token"]
        answers = []
        for _ in range(4):
            raw = await server.open_websocket(table, token=token, seat=0)
            raw.post(type="say", phrase="hello")
            answers.append((await raw.until("chat", "refused"))["type"])
            raw.abort()
        assert answers == ["chat", "chat", "chat", "refused"]
        answers = []
        for _ in range(3):
            raw = await server.open_websocket(table, token=token, seat=0)
            raw.post(type="undo", at=0)
            answers.append((await raw.until("refused"))["key"] == "rate")
            raw.abort()
        assert answers == [False, False, True]

    run_with_server(tmp_path, story, limits=TALK)


def test_two_lines_of_one_person_share_what_they_may_send(tmp_path):
    async def story(server: InProcessServer) -> None:
        made = await server.create_table(start=True)
        table, token = made["table"]["id"], made["token"]
        one, other = [await server.open_websocket(table, token=token, seat=seat) for seat in (0, 1)]
        stranger = await server.open_websocket(table)
        for n in range(10):
            one.post(type="ping", n=n)
            assert (await one.until("pong"))["n"] == n
        other.write(b"".join(frame(b'{"type":"ping","n":1}') for _ in range(15)))
        assert (await other.until("bye"))["reason"] == "rate"
        again = await server.open_websocket(table, token=token, seat=0)
        again.write(b"".join(frame(b'{"type":"ping","n":1}') for _ in range(5)))
        assert (await again.until("bye"))["reason"] == "rate", "a new line brings nothing back"
        for n in range(10):
            stranger.post(type="ping", n=n)
        assert (await stranger.until("pong"))["n"] == 0

    run_with_server(tmp_path, story, limits=FEW)


def test_an_address_shares_what_it_may_send(tmp_path):
    """Line after line without a token: each new one has less, until only the share of a quiet line is left."""

    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        counts = []
        for _ in range(6):
            raw = await server.open_websocket(table)
            raw.write(b"".join(frame(b'{"type":"ping","n":1}') for _ in range(30)))
            pongs = sum(b'"pong"' in payload for _, payload in await said_bye(raw))
            counts.append(pongs)
        assert counts[0] == FEW["messages_burst"] - 1, "`join` is one of them"
        assert counts[-1] <= Limits().messages_share_burst

    run_with_server(tmp_path, story, limits={**FEW, "people_per_address": 2})


def test_the_quiet_behind_a_loud_address_go_on(monkeypatch):
    """A school: 120 people who play and 30 lines that flood, for a minute, all behind one address."""
    clock = [1_000.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    limits = Limits()
    allowances = Quotas(limits)
    house = allowances.houses.of("school")

    def pace(who: str) -> MessageRate:
        return MessageRate(limits, allowances.people.of(who).messages, house.allowance.messages)

    quiet = [pace(f"child {n}") for n in range(120)]
    own = limits.messages_per_second, limits.messages_burst
    loud = [MessageRate(limits, Bucket(*own), house.allowance.messages) for _ in range(30)]
    closed: set[MessageRate] = set()
    for tick in range(600):
        clock[0] += 0.1
        for one in loud:
            if one not in closed and not (one.take() and one.take()):
                closed.add(one)
        for n, one in enumerate(quiet):
            if (tick + n) % 20 == 0:  # a heart-beat or a move every two seconds
                assert one.take()
    assert len(closed) == 30
    assert allowances.houses.of("school") is house


def test_a_school_that_plays_hard_is_no_flood(monkeypatch):
    """Thirty boards with four people each, all of whom say something every second, and reload at once at the start.

    Nobody has to fall back on a share: there is none.
    """
    clock = [1_000.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    limits = msgspec.structs.replace(Limits(), messages_share_per_second=1e-9, messages_share_burst=0)
    allowances = Quotas(limits)
    house = allowances.houses.of("school")
    paces = [MessageRate(limits, allowances.people.of(f"{n}").messages, house.allowance.messages) for n in range(120)]
    assert all(pace.take(5) for pace in paces)
    for _ in range(60):
        clock[0] += 1
        assert all(pace.take(1.4) for pace in paces)


def test_asking_for_all_of_it_costs_more(tmp_path):
    async def story(server: InProcessServer) -> None:
        table = (await server.create_table())["table"]["id"]
        raw = await server.open_websocket(table)
        for _ in range(4):
            raw.post(type="resync")
        found = [(await raw.until("hello", "refused")) for _ in range(4)]
        assert [one["type"] for one in found] == ["hello"] * 3 + ["refused"]
        assert found[-1]["key"] == "rate"

    run_with_server(tmp_path, story, limits=FEW)


def test_a_refused_handshake_says_why(tmp_path):
    async def story(server: InProcessServer) -> None:
        shake = (
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            b"Sec-WebSocket-Version: 13\r\n\r\n"
        )
        raw = await server.connect(b"GET /api/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n" + shake)
        status, problem = await raw.read_answer()
        assert (status, problem["error"]) == (404, "Unknown")
        raw = await server.connect(b"GET /api/nowhere HTTP/1.1\r\nHost: evil.example\r\n" + shake)
        status, problem = await raw.read_answer()
        assert (status, problem["key"]) == (403, "host")
        codes = []
        for _ in range(5):
            raw = await server.connect(b"GET /api/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n" + shake)
            codes.append((await raw.read_answer())[0])
        assert codes == [404, 404, 404, 429, 429]

    run_with_server(tmp_path, story, limits={**ONE, "requests_burst": 5, "refusal_ms": 0})


def test_who_asks_too_often_waits_for_the_refusal(tmp_path, monkeypatch):
    """So whoever asks again and again asks seldom; of those who do not wait, more are told at once."""
    monkeypatch.setattr(security, "SLOWED", 3)

    def asks(address: bytes) -> bytes:
        return b"GET /api/health HTTP/1.1\r\nHost: play.example\r\nX-Forwarded-For: " + address + b"\r\n\r\n"

    async def story(server: InProcessServer) -> None:
        tasks = server.uvicorn.server_state.tasks
        assert (await (await server.connect(asks(b"203.0.113.1"))).read_answer())[0] == 403, "a refusal counts as well"
        for number in range(3):
            await server.connect(asks(b"203.0.113.1"))
            await until(partial(waiting, tasks, number + 1))
        status, problem = await (await server.connect(asks(b"203.0.113.1"))).read_answer()
        assert (status, problem["key"]) == (429, "rate")
        assert (await (await server.connect(asks(b"203.0.113.2"))).read_answer())[0] == 403, "others do not wait"
        assert waiting(tasks, 3)
        for task in tasks:
            task.cancel()

    limits = {**ONE, "requests_burst": 1, "refusal_ms": 3_600_000}
    run_with_server(tmp_path, story, limits=limits)


def waiting(tasks: set[asyncio.Task[None]], count: int) -> bool:
    return len([task for task in tasks if not task.done()]) == count


def test_the_largest_message_fits_the_queue():
    """A client that has just connected must be able to take its `hello` in peace."""
    chat = [protocol.ChatLine(id=1, time=1, seat=0, name="é" * 40, text="é" * 300) for _ in range(50)]
    assert 4 * len(protocol.encode(chat)) + 4 * Limits().body_bytes < Limits().queue_bytes
