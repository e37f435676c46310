"""The files in `deploy/`: servers behind nginx and Caddy with TLS, restarted one by one, and the unit for systemd."""

from __future__ import annotations

import asyncio
import configparser
import contextlib
import random
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import InvalidStatus

from preau.server.config import Limits
from preau.server.http.static_files import STATIC
from preau.server.storage import schema
from preau.server.storage.engine import opened
from tests.server.players import GONE, ME, Api, Player, ReconnectingPlayer, bot, run
from tests.server.processes import ROOT, Server, wait_for
from tests.server.proxies import DEPLOY, NAME, ORIGIN, Caddy, Nginx, Proxy, require
from tests.support import PATIENCE, by_day

KINDS: dict[str, type[Proxy]] = {"nginx": Nginx, "caddy": Caddy}
TWO: dict[str, Any] = {"limits": Limits(tables_burst=2, tables_per_minute=0.01), "metrics": "all"}
"""An address may make two tables; a client of the server itself may read its metrics."""
ADDRESSES = (f"127.0.0.{n}" for n in range(2, 255))
"""Addresses of clients. None is used twice, because all proxies share one server, which limits tables by address."""
NEW = {"game": "recess", "seats": [ME] * 3}


@pytest.fixture(scope="module")
def lone(tmp_path_factory):
    one = Server(f"sqlite:///{tmp_path_factory.mktemp('db')}/preau.db", origins=(ORIGIN,), **TWO)
    yield one
    one.stop()


@pytest.fixture(params=KINDS)
def proxy(request, tmp_path, lone):
    one = KINDS[request.param](tmp_path, [lone])
    yield one
    one.stop()


@pytest.mark.parametrize(
    ("here", "apt", "skipped"),
    [(None, None, True), (None, "/usr/bin/apt-get", False), ("/usr/sbin/nginx", None, False)],
)
def test_a_test_is_skipped_only_where_its_proxy_cannot_be_had(monkeypatch, here, apt, skipped):
    monkeypatch.setattr("tests.server.proxies.find", lambda _: here)
    monkeypatch.setattr(shutil, "which", lambda _: apt)
    with pytest.raises(pytest.skip.Exception) if skipped else contextlib.nullcontext():
        require("nginx")


# One server.


def test_requests_reach_the_server_with_the_address_of_their_client(proxy, lone):
    """An address that a client claims to have counts for nothing: limits go by the one it has."""
    with proxy.client(local_address=next(ADDRESSES)) as client:
        assert client.get("/api/health").json()["status"] == "ok"
        answers = [
            client.post(
                "/api/tables", json=NEW, headers={"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": "for=1.2.3.4"}
            )
            for n in range(4)
        ]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
    with proxy.client(local_address=next(ADDRESSES)) as client:
        assert client.post("/api/tables", json=NEW).status_code == 201


def test_what_is_for_the_machine_itself_is_kept_from_others(proxy, lone):
    assert lone.ask("GET", "/metrics").status_code == 200
    with proxy.client() as client:
        for path in ("/metrics", "/metrics/", "/%6detrics", "/./metrics"):
            assert client.get(path).status_code == 403, path


def test_another_name_opens_nothing(proxy):
    with proxy.client() as client:
        assert client.get("/api/games").status_code == 200
        answer = client.get("/api/games", headers={"Host": "evil.example.org"})
        assert answer.status_code == 403 or not answer.content
        refused = client.post("/api/tables", json=NEW, headers={"Origin": "https://evil.example.org"})
        assert (refused.status_code, refused.json()["key"]) == (403, "origin")


def test_nginx_answers_what_the_server_need_not_see(tmp_path, lone):
    """Requests without TLS are sent to the address with it."""
    one = Nginx(tmp_path, [lone])
    try:
        answer = httpx.get(f"http://127.0.0.1:{one.plain_port}/t/x?a=b", headers={"Host": NAME}, trust_env=False)
        assert (answer.status_code, answer.headers["Location"]) == (301, f"{ORIGIN}/t/x?a=b")
    finally:
        one.stop()


def test_large_bodies_are_refused(proxy):
    with proxy.client() as client:
        assert client.post("/api/tables", content=b"x" * 70_000).status_code == 413


SHORT = {
    "nginx": {"header_timeout 10s": "header_timeout 1s", "body_timeout 20s": "body_timeout 1s"},
    "caddy": {"read_header 10s": "read_header 1s", "read_body 20s": "read_body 1s"},
}
"""Shorter timeouts."""


@pytest.mark.parametrize("kind", KINDS)
def test_clients_that_send_slowly_are_disconnected(tmp_path, lone, kind):
    one = KINDS[kind](tmp_path, [lone], SHORT[kind])
    head = f"POST /api/tables HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 100\r\n"
    try:
        for sent in (head, f"{head}\r\n{{"):
            with connected(one) as line:
                line.sendall(sent.encode())
                while line.recv(65_536):
                    pass  # until the proxy closes the connection; a timeout raises an error
    finally:
        one.stop()


def connected(proxy: Proxy) -> ssl.SSLSocket:
    """A bare connection with TLS."""
    line = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)
    return proxy.trust.wrap_socket(line, server_hostname=NAME)


def test_the_limit_of_nginx_for_an_address_is_above_those_of_the_server():
    """With HTTP/2 it counts requests. A class loads hundreds of files at once."""
    (limit,) = re.findall(r"limit_conn preau (\d+);", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    limits = Limits()
    assert int(limit) >= 4 * max(limits.connections_per_address, limits.sockets_per_address)


def test_proxies_wait_for_downloads_that_wait():
    """Otherwise nginx answers 504, or asks the other server for the same file."""
    nginx, caddy = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("nginx.conf", "Caddyfile"))
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", nginx)
    limits = Limits()
    assert int(seconds) * 1_000 >= limits.downloads_wait_ms + limits.download_bytes_wait_ms + 10_000
    assert not re.search(r"^\s*(response_header_timeout|read_timeout|write)\s", caddy, re.M), "without these it waits"


def test_the_documentation_restarts_the_servers_that_nginx_asks():
    ports = re.findall(r"server 127\.0\.0\.1:(\d+) ", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert re.findall(r"^systemctl restart preau@(\d+)$", guide, re.M) == ports
    assert re.findall(r"^until curl .* 127\.0\.0\.1:(\d+)/", guide, re.M) == ports
    assert re.findall(r"^preau serve --port (\d+)", guide, re.M) == ports


def test_nginx_refuses_too_many_connections_as_the_server_does(tmp_path, lone):
    one = Nginx(tmp_path, [lone], {"limit_conn preau 4000;": "limit_conn preau 1;"})
    try:
        with connected(one) as line, one.client() as client:
            line.sendall(f"POST /api/tables HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 100\r\n\r\n".encode())
            wait_for(lambda: client.get("/api/health").status_code != 200)
            assert client.get("/api/health").status_code == 429
    finally:
        one.stop()


def test_nginx_keeps_no_answers_for_slow_clients(tmp_path, lone):
    """Otherwise it would take large files from the server at once, whose limits on slow downloads would not hold."""
    large = max((file for file in STATIC.rglob("*") if file.is_file()), key=lambda file: file.stat().st_size)
    one = Nginx(tmp_path, [lone])
    try:
        with connected(one) as line:
            head = f"GET /static/{large.relative_to(STATIC).as_posix()} HTTP/1.1\r\nHost: {NAME}\r\n"
            line.sendall(f"{head}Connection: close\r\n\r\n".encode())
            received = line.recv(1_000)
            assert received.startswith(b"HTTP/1.1 200")
            time.sleep(1)  # in this time nginx would take the whole file
            count = len(received)
            while data := line.recv(65_536):
                count += len(data)
            assert count > large.stat().st_size
        assert "temporary file" not in (tmp_path / "errors").read_text()
    finally:
        one.stop()


def test_a_game_is_played_through_a_proxy(proxy, lone):
    async def story() -> None:
        async with Api(lone.url) as api:
            made = await api.create("recess", [ME] * 3, start=True)
        player = Player(ORIGIN, made["table"]["id"], made["token"], 0)
        player.dialing = proxy.dialing
        await player.open()
        step = await player.act(player.legal[0])
        assert (step["type"], step["number"]) == ("step", player.number)

    run(story())


# Two servers, restarted one by one.


class Patient(ReconnectingPlayer):
    """Plays on, and connects again as the protocol says: after half a second, then after twice as long each time."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pace = 0.1
        self.gaps: list[float] = []
        """Seconds from the loss of each connection to the first message of the next one."""
        self.refused: list[int] = []
        """The statuses of what was answered instead."""

    async def live_on(self) -> None:
        lost, tries = None, 0
        while True:
            try:
                await self.open()
                if lost is not None:
                    self.gaps.append(time.monotonic() - lost)
                lost, tries = None, 0
                await self.play_connected()
            except GONE as error:
                lost = lost or time.monotonic()
                if isinstance(error, InvalidStatus):
                    self.refused.append(error.response.status_code)
            finally:
                await self.close()
            await asyncio.sleep(min(4, 0.5 * 2**tries) * (0.75 + self.rng.random() / 2))
            tries += 1


async def until(check: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.05)


async def restart_one_by_one(proxy: Proxy, pair: list[Server], players: list[Patient]) -> None:
    """Stop a server, ask the other one, play on; start it, and go on with the next."""

    async def all_have_acted(times: int = 1) -> None:
        before = [len(player.done) for player in players]
        for player, done in zip(players, before, strict=True):
            await until(lambda: len(player.done) >= done + times)  # noqa: B023

    await all_have_acted()
    with proxy.client() as client:
        for server in pair:
            await asyncio.to_thread(server.stop)
            for _ in range(6):
                answer = await asyncio.to_thread(client.get, "/api/health")
                assert answer.status_code == 200
            await all_have_acted()
            server.start()
            await asyncio.to_thread(server.wait)
    await all_have_acted()


def check_log(database: str, players: list[Patient]) -> int:
    """All that was acknowledged is in the log; return how many actions that is."""
    log = schema.log.c
    acknowledged = 0
    with opened(sa.engine.make_url(database)) as engine, engine.connect() as connection:
        for player in players:
            found = sa.select(log.number, log.actor, log.text).where(log.table_id == player.table)
            rows = {number: (actor, text) for number, actor, text in connection.execute(found)}
            for number, text in player.done.values():
                assert rows[number] == (player.seat, text)
                acknowledged += 1
    return acknowledged


@pytest.mark.parametrize("kind", by_day(KINDS, "nginx"))
def test_servers_are_restarted_one_by_one_under_play(tmp_path, postgres, redis, kind):
    """No client is refused or without a connection for a second, and nothing acknowledged is lost."""
    require(kind)
    database = postgres.new_database()
    pair = [Server(database, redis.url, origins=(ORIGIN,), limits=Limits()) for _ in range(2)]
    proxy = KINDS[kind](tmp_path, pair)

    async def story() -> None:
        players = []
        async with Api(pair[0].url) as api:
            for number in range(2):
                made = await api.create("recess", [ME] * 3, options={"turns": 300}, start=True)
                for seat in made["seats"]:
                    rng = random.Random(10 * number + seat)
                    player = Patient([ORIGIN], made["table"]["id"], made["token"], seat, rng)
                    player.dialing = proxy.dialing
                    players.append(player)
        playing = [asyncio.create_task(player.live_on()) for player in players]
        try:
            await restart_one_by_one(proxy, pair, players)
        finally:
            for task in playing:
                task.cancel()
            found = await asyncio.gather(*playing, return_exceptions=True)
        assert [one for one in found if not isinstance(one, asyncio.CancelledError)] == []
        refused = [status for player in players for status in player.refused]
        assert refused == []
        assert all(player.gaps for player in players), "each has lost its connection"
        acknowledged = check_log(database, players)
        gaps = sorted(gap for player in players for gap in player.gaps)
        assert gaps[-1] < 1, gaps
        print(f"{len(gaps)} gaps of {gaps[0]:.2f} to {gaps[-1]:.2f} s, {acknowledged} acknowledged actions, all there")

    try:
        run(story())
    finally:
        proxy.stop()
        for server in pair:
            server.stop()


# systemd.


def test_the_service_keeps_its_files_to_itself():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read_string((DEPLOY / "preau.service").read_text(encoding="utf-8"))
    service = dict(unit["Service"])
    wanted = {"UMask": "0077", "StateDirectoryMode": "0700", "User": "preau", "ProtectSystem": "strict"}
    assert {name: service[name] for name in wanted} == wanted
    assert (
        f"--origin {ORIGIN} --database sqlite:////var/lib/{service['StateDirectory']}/preau.db" in service["ExecStart"]
    )


def systemd_version() -> int:
    if shutil.which("systemd-analyze") is None:
        return 0
    said = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.split()[1])


def can_refuse_executable_memory() -> bool:
    """Whether this kernel (6.3 or later) has what `MemoryDenyWriteExecute` does."""
    code = (
        "import sys; from tests.server.launch import refuse_executable_memory; sys.exit(not refuse_executable_memory())"
    )
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.skipif(not can_refuse_executable_memory(), reason="this kernel cannot")
def test_a_server_needs_no_memory_that_is_writable_and_executable(tmp_path):
    """Nor do its bots, nor what makes the key for calls (VAPID) at the start."""
    assert "\nMemoryDenyWriteExecute=true\n" in (DEPLOY / "preau.service").read_text(encoding="utf-8")
    one = Server(f"sqlite:///{tmp_path}/preau.db", confined=True)

    async def story() -> None:
        async with Api(one.url) as api:
            made = await api.create("recess", [ME, bot("normal"), bot("easy")], options={"turns": 3}, start=True)
            async with Player(one.url, made["table"]["id"], made["token"]) as player:
                await player.play_on(random.Random(5))
        assert one.logged() == "", "also no failure of a bot, which would be played for"

    try:
        run(story())
    finally:
        one.stop()


@pytest.mark.skipif(systemd_version() < 250, reason="there is no systemd here that rates a file")
def test_systemd_finds_no_fault_in_the_service():
    unit = str(DEPLOY / "preau.service")
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    faults = [line for line in verified.stderr.splitlines() if "preau.service" in line]
    assert [line for line in faults if "/opt/preau/current/bin/preau is not executable" not in line] == []
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", unit]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout.splitlines()[-1]  # an exposure below 2.0
