"""Who may ask what: hosts, origins, headers, rates, sizes, tokens, logs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from preau.host.identifiers import hash_secret, new_code, new_id, new_token
from preau.server.client_address import client_address
from preau.server.config import Config, Limits
from preau.server.http.security import OriginPolicy
from preau.server.services import Services
from preau.server.token_buckets import Bucket, Buckets
from tests.server.players import ME, OPEN, Api, Player, bot, connect_to_table, run
from tests.server.processes import Server


def test_only_our_own_names_are_answered_to(server):
    for host, status in [("evil.example", 403), ("localhost:1234", 200), ("192.168.1.7", 200), ("[::1]:80", 200)]:
        answer = server.ask("GET", "/api/games", headers={"Host": host})
        assert answer.status_code == status, host


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"]
)
def test_foreign_pages_can_change_nothing(server, origin):
    wish = {"game": "recess", "seats": [bot(), bot(), bot()]}
    answer = server.ask("POST", "/api/tables", json=wish, headers={"Origin": origin})
    assert answer.status_code == 403
    assert answer.json()["key"] == "origin"


def test_foreign_pages_get_no_socket(server):
    async def story() -> None:
        with pytest.raises(InvalidStatus) as refused:
            await connect_to_table(server.url, "abcdefgh", origin=Origin("https://evil.example"))
        assert refused.value.response.status_code == 403
        async with connect_to_table(server.url, "abcdefgh", origin=Origin(server.url)) as socket:
            await socket.send('{"type":"join"}')
            assert json.loads(await socket.recv()) == {"type": "bye", "reason": "unknown", "again": False}

    run(story())


def test_a_configured_origin_is_the_only_name():
    gate = OriginPolicy(Config(origins=("https://play.example.org",)))
    assert gate.https
    for local in (False, True):
        assert gate.host_is_ours("play.example.org", local=local)
        assert not gate.host_is_ours("play.example.org.evil.example", local=local)
        assert not gate.host_is_ours("", local=local)
        assert not gate.host_is_ours("[::1", local=local)
    for bare in ("127.0.0.1:8000", "203.0.113.9", "localhost", "[2001:db8::1]:8000"):
        assert not gate.host_is_ours(bare, local=False)
        assert gate.host_is_ours(bare, local=True)
    assert gate.origin_is_ours("https://play.example.org", "play.example.org")
    assert not gate.origin_is_ours("http://play.example.org", "play.example.org")


PASSED_ON = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"]


def test_with_an_origin_other_names_are_for_this_machine_only(tmp_path):
    """Whatever a proxy writes on a request, also the address of this machine, it is not this machine's own."""
    server = Server(f"sqlite:///{tmp_path}/preau.db", origins=("https://play.example.org",))
    try:
        assert server.ask("GET", "/api/health").status_code == 200
        assert server.ask("GET", "/api/health", headers={"Host": "play.example.org"}).status_code == 200
        assert server.ask("GET", "/api/health", headers={"Host": "evil.example"}).status_code == 403
        for header in PASSED_ON:
            there = {header: "127.0.0.1"}
            assert server.ask("GET", "/api/health", headers=there).status_code == 403, header
            assert server.ask("GET", "/api/health", headers={**there, "Host": "play.example.org"}).status_code == 200
        for host in ("play.example.org", f"127.0.0.1:{server.port}"):
            assert server.ask("GET", "/metrics", headers={"Host": host}).status_code == 404
    finally:
        server.stop()


def test_every_answer_has_the_headers(server):
    for path in ("/", "/api/games", "/nowhere", "/api/tables/none"):
        answer = server.ask("GET", path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "style-src 'self'; style-src-attr 'unsafe-inline';" in policy
        assert policy.count("'unsafe-") == 1
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
        assert "set-cookie" not in answer.headers
        if path.startswith("/api"):
            assert answer.headers["cache-control"] == "no-store"


def test_bodies_and_messages_have_a_size(server):
    big = {"game": "recess", "seats": [ME] * 3, "options": {"layout": "x" * 70_000}}
    assert server.ask("POST", "/api/tables", json=big).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 4096

    chunked = server.ask("POST", "/api/tables", content=parts(), headers={"Content-Type": "application/json"})
    assert chunked.status_code == 413

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()])
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                await player.send({"type": "say", "text": "x" * 10_000})
                with pytest.raises(ConnectionClosed, match="1009"):
                    await player.until("never")

    run(story())


def test_rates_are_limited_and_the_server_stays_open(tmp_path):
    limits = Limits(
        people_per_address=1,
        requests_per_second=0.5,
        requests_burst=40,
        refusal_ms=0,
        tables_per_minute=0.01,
        tables_burst=3,
        guesses_per_minute=0.01,
        guesses_burst=2,
        messages_per_second=0.1,
        messages_burst=20,
        chat_per_minute=0.01,
        chat_burst=2,
        sockets_per_address=3,
    )
    server = Server(f"sqlite:///{tmp_path}/preau.db", limits=limits)

    async def story() -> None:
        async with Api(server.url) as api:
            made = [await api.create("recess", [ME, OPEN, OPEN]) for _ in range(3)]
            assert (await api.call("POST", "/tables", {"game": "recess", "seats": [ME] * 3})).status_code == 429
            assert [(await api.call("GET", f"/codes/zzzzz{n}")).status_code for n in range(3)] == [404, 404, 429]
            assert (await api.call("POST", "/move", {"code": "guessing"})).status_code == 429
            table, token = made[0]["table"]["id"], made[0]["token"]
            async with Player(server.url, table, token) as player:
                for _ in range(3):
                    await player.send({"type": "say", "phrase": "hello"})
                assert (await player.until("refused"))["key"] == "rate"
                async with Player(server.url, table), Player(server.url, table):
                    crowded = Player(server.url, table)
                    with pytest.raises(ConnectionClosed, match="full"):
                        await crowded.open()
                for n in range(40):
                    await player.send({"type": "ping", "n": n})
                assert (await player.until("bye"))["reason"] == "rate"
            codes = [(await api.call("GET", "/health")).status_code for _ in range(60)]
            assert 429 in codes
            while (await api.call("GET", "/health")).status_code != 200:
                await asyncio.sleep(0.5)

    try:
        run(story())
    finally:
        server.stop()


def test_silent_lines_are_closed(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", silence_ms=500, join_ms=500, sweep_ms=100)

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()])
            for first in ("", '{"type":"join"}'):
                async with connect_to_table(server.url, made["table"]["id"]) as line:
                    if first:
                        with contextlib.suppress(ConnectionClosed):  # half a second is over soon
                            await line.send(first)
                    said = [json.loads(message) async for message in line]
                    assert said[-1] == {"type": "bye", "reason": "silent", "again": True}

    try:
        run(story())
    finally:
        server.stop()


@pytest.mark.parametrize(
    "limits", [Limits(queue_messages=5), Limits(queue_bytes=12), Limits(queue_bytes_per_address=12)]
)
def test_who_does_not_read_is_dropped(tmp_path, limits):
    """The queue of a line that takes nothing is bounded, in messages and in bytes; then the line is closed."""
    sockets = Services(Config(database=f"sqlite:///{tmp_path}/preau.db", limits=limits)).connections

    async def story() -> None:
        stuck = asyncio.Event()
        sent = []

        async def send(message):
            sent.append(message)
            await stuck.wait()

        async def receive():
            raise AssertionError

        socket = sockets.make(receive, send, "here")
        address_quota = socket.address_quota
        for number in range(50):
            socket.push(b"%d" % number)
            await asyncio.sleep(0)
            assert address_quota.waiting <= 60
        assert socket.bye == "slow"
        assert len(sent) == 1
        stuck.set()
        await socket.finish()
        assert [message["type"] for message in sent] == ["websocket.send", "websocket.send", "websocket.close"]
        assert '"slow"' in sent[1]["text"]
        assert address_quota.waiting == 0

    asyncio.run(story())


def test_tokens_are_hashed_unguessable_and_never_logged(tmp_path):
    database = tmp_path / "preau.db"
    server = Server(f"sqlite:///{database}", log_level="debug")
    secrets = []

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()])
            table = made["table"]["id"]
            secrets.append(made["token"])
            link = await api.ok("POST", f"/tables/{table}/move", token=made["token"])
            secrets.append(link["code"])
            moved = await api.ok("POST", "/move", {"code": link["code"]})
            secrets.append(moved["token"])
            async with Player(server.url, table, moved["token"]):
                pass
            near = moved["token"][:-1] + ("-" if moved["token"][-1] != "-" else "_")
            for wrong in ("x" * 32, made["token"], near):
                assert (await api.call("POST", f"/tables/{table}/start", token=wrong)).status_code == 403
            secrets.append(table)

    try:
        run(story())
    finally:
        server.stop()
    logged = server.logged()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("preau.db*"))
    assert '"event": "open"' in logged
    for secret in secrets:
        assert secret not in logged
    for secret in secrets[:3]:
        assert len(secret) >= 32
        assert secret.encode() not in stored
    kept, ended = hash_secret(secrets[2]), [hash_secret(secret) for secret in secrets[:2]]
    assert kept.encode() in stored, "the token in force is kept as its hash"
    with contextlib.closing(sqlite3.connect(database)) as connection:
        hashes = [row[0] for row in connection.execute("SELECT token_hash FROM holders")]
        links = connection.execute("SELECT count(*) FROM links").fetchone()
    assert hashes == [kept]
    assert not set(hashes) & set(ended)
    assert links == (0,), "a link is used once"


def test_ids_and_codes_are_random():
    assert len({new_id() for _ in range(1_000)}) == 1_000
    assert len({new_token() for _ in range(1_000)}) == 1_000
    assert all(len(new_code()) == 6 for _ in range(10))


def test_buckets_fill_and_forget():
    bucket = Bucket(0.001, 3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert all(Bucket(0, 0).take() for _ in range(10))
    many = Buckets(0.001, 1, most=2)
    assert [many.take(who) for who in "aab"] == [True, False, True]
    many.take("c")
    assert many.take("a")


def test_an_address_is_a_host_or_an_ipv6_network():
    assert client_address({"client": ("10.0.0.1", 5)}) == "10.0.0.1"
    assert (
        client_address({"client": ("2001:db8::1", 5)})
        == client_address({"client": ("2001:db8::2", 5)})
        == "2001:db8::/64"
    )
    assert client_address({"client": None}) == "unknown"


def test_metrics_are_for_this_machine(server):
    answer = server.ask("GET", "/metrics")
    assert answer.status_code == 200
    assert "preau_actions_total" in answer.text
    for header in PASSED_ON:
        for value in ("203.0.113.9", "127.0.0.1"):
            assert server.ask("GET", "/metrics", headers={header: value}).status_code == 404, header


def test_metrics_with_a_token_are_for_whoever_has_it(tmp_path):
    token = "a-token-for-metrics"
    server = Server(f"sqlite:///{tmp_path}/preau.db", origins=("https://play.example.org",), metrics_token=token)
    try:
        there = {"Host": "play.example.org", "X-Forwarded-For": "203.0.113.9"}
        right = {"Authorization": f"Bearer {token}"}
        assert server.ask("GET", "/metrics", headers={**there, **right}).status_code == 200
        assert server.ask("GET", "/metrics", headers=right).status_code == 200
        for wrong in (
            {},
            {"Authorization": "Bearer"},
            {"Authorization": f"Bearer {token}x"},
            {"Authorization": token},
        ):
            assert server.ask("GET", "/metrics", headers={**there, **wrong}).status_code == 404
            assert server.ask("GET", "/metrics", headers=wrong).status_code == 404
    finally:
        server.stop()
