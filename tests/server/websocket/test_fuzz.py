"""Rubbish: malformed, oversized, out-of-order, replayed and forged messages have no effect and do no harm."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.server.faults import no_faults
from tests.server.players import GONE, ME, Api, Player, connect_to_table, run
from tests.server.processes import Server
from tests.support import PATIENCE

TYPES = [
    "join",
    "act",
    "undo",
    "agree",
    "wrestle",
    "pull",
    "look",
    "resync",
    "follow",
    "lead",
    "ping",
    "pong",
    "hello",
    "step",
    "",
    None,
    7,
]
FIELDS = [
    "id",
    "at",
    "action",
    "seat",
    "delay",
    "token",
    "last",
    "yes",
    "text",
    "phrase",
    "n",
    "round",
    "count",
    "together",
    "key",
    "step",
    "eyes",
    "marks",
    "view",
    "__proto__",
]


class Rubbish:
    """A source of bad messages. Nothing it makes is a legal action of the right seat at the right time."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.overheard: list[str] = []

    def value(self, depth: int = 0) -> Any:
        rng = self.rng
        kinds: list[Callable[[], Any]] = [
            lambda: rng.randint(-(10**12), 10**20),
            lambda: rng.random() * 1e300,
            lambda: None,
            lambda: rng.choice([True, False]),
            lambda: "".join(rng.choice(string.printable) for _ in range(rng.randrange(40))),
            lambda: rng.choice(["pass", "draw", "timeout", "b1 d4", "' OR 1=1 --", "\u0000", "\ud83d", "x" * 500]),
            lambda: [self.value(depth + 1) for _ in range(rng.randrange(4))] if depth < 3 else [],
            lambda: {rng.choice(FIELDS): self.value(depth + 1) for _ in range(rng.randrange(4))} if depth < 3 else {},
        ]
        return rng.choice(kinds)()

    def message(self, token: str, number: int) -> str | bytes:
        rng = self.rng
        kind = rng.randrange(10)
        if kind == 0:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
        if kind == 1:
            return "".join(rng.choice(string.printable) for _ in range(rng.randrange(200)))
        if kind == 2:
            return "[" * rng.randrange(1, 3_000)
        if kind == 3 and self.overheard:
            return rng.choice(self.overheard)
        if kind == 4:
            whole = json.dumps(self.well_formed(number))
            return whole[: rng.randrange(len(whole))]
        if kind in (5, 6):
            return json.dumps(self.well_formed(number))
        wish = {"type": rng.choice(TYPES)}
        for field in rng.sample(FIELDS, rng.randrange(5)):
            wish[field] = self.value()
        if kind == 7:
            wish["token"] = token[:-1] + rng.choice("abc".replace(token[-1], ""))
        return json.dumps(wish)

    def well_formed(self, number: int) -> Any:
        """Right in form, wrong in time, seat or content."""
        rng = self.rng
        return rng.choice(
            [
                {"type": "act", "id": f"f{rng.getrandbits(30)}", "at": number + rng.randrange(1, 50), "action": "pass"},
                {"type": "act", "id": "same", "at": rng.randrange(99), "action": "dance e5"},
                {"type": "act", "id": "x", "at": number, "action": "timeout"},
                {"type": "act", "id": "x", "at": number, "action": "pass", "seat": rng.randrange(1, 15)},
                {"type": "undo", "at": number + 1},
                {"type": "agree", "at": number, "yes": True},
                {"type": "agree", "at": number + 3, "yes": False},
                {"type": "wrestle", "yes": rng.random() < 0.5},
                {"type": "wrestle", "yes": False, "seat": rng.randrange(15)},
                {"type": "pull", "round": rng.randrange(1, 10), "count": rng.randrange(99)},
                {"type": "pull", "round": 1, "count": 10_000, "seat": rng.randrange(15)},
                {"type": "look", "seat": rng.randrange(1, 15)},
                {"type": "resync", "last": rng.randrange(10_000)},
                {"type": "say", "text": "a", "phrase": "hello"},
                {"type": "say", "phrase": "insult"},
                {"type": "ping", "n": rng.randrange(1_000)},
                {"type": "pong", "n": rng.randrange(1_000)},
                {"type": "join", "token": "x" * 32},
            ]
        )


async def barrage(server: Server, count: int, seed: int) -> None:
    """Send `count` bad messages over many lines; then the table must stand as it stood."""
    rng = random.Random(seed)
    rubbish = Rubbish(rng)
    async with Api(server.url) as api:
        made = await api.create("recess", [ME, {"kind": "open"}, {"kind": "open"}])
        table = made["table"]["id"]
        others = [await api.ok("POST", f"/tables/{table}/join", {"name": "x"}) for _ in range(2)]
        await api.ok("POST", f"/tables/{table}/start", token=made["token"])
        async with Player(server.url, table, made["token"]) as witness:
            await witness.act(witness.legal[-1], name="witness")
            rubbish.overheard.append(json.dumps({"type": "act", "id": "witness", "at": 0, "action": "pass"}))
        view, number = dict(witness.view), witness.number
        sent = 0
        while sent < count:
            token = rng.choice([None, others[0]["token"], others[1]["token"], "x" * 32])
            sent += await one_line(server, table, token, rubbish, min(count - sent, rng.randrange(1, 400)), number)
        async with Player(server.url, table, made["token"]) as witness:
            assert (witness.view, witness.number) == (view, number)
            assert witness.hello["chat"] == []
            assert (await witness.act(witness.legal[0]))["type"] == "step"


async def one_line(server: Server, table: str, token: str | None, rubbish: Rubbish, count: int, number: int) -> int:
    """One connection that sends rubbish until it is thrown out; returns how many messages it sent."""
    player = Player(server.url, table, token)
    sent = 0
    try:
        if rubbish.rng.random() < 0.8:
            await player.open()
        else:
            player.socket = await connect_to_table(server.url, table)
        assert player.socket is not None
        for _ in range(count):
            await player.send(rubbish.message(token or "x" * 32, number))
            sent += 1
            if sent % 50 == 0:
                await drain(player)
    except GONE:
        sent += 1
    finally:
        await player.close()
    return sent


async def drain(player: Player) -> None:
    assert player.socket is not None
    try:
        while True:
            await asyncio.wait_for(player.socket.recv(), 0.01)
    except TimeoutError:
        return


def test_rubbish_on_the_socket_has_no_effect(server):
    with no_faults(server):
        run(barrage(server, 2_000, seed=1))


@pytest.mark.nightly
def test_rubbish_on_the_socket_has_no_effect_at_full_size(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db")
    try:
        with no_faults(server):
            run(barrage(server, 10_000, seed=2))
            before = server.memory()
            for seed in range(3, 12):
                run(barrage(server, 10_000, seed=seed))
            grown = server.memory() - before
            print(f"100,000 messages, memory grew by {grown / 1024:.0f} kB")
            assert grown < 8 * 1024 * 1024
    finally:
        server.stop()


def storm(server: Server, examples: int) -> int:
    """The whole HTTP interface under schemathesis, half of it aimed at a real table; returns how many requests."""
    import schemathesis  # takes a second, so only where it is used

    made = server.ask("POST", "/api/tables", json={"game": "recess", "seats": [ME, ME, ME], "start": True}).json()
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    rng = random.Random(1)
    count = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def check(case):
            nonlocal count
            count += 1
            if "table" in (case.path_parameters or {}) and rng.random() < 0.5:
                case.path_parameters["table"] = made["table"]["id"]
            answer = case.call(base_url=server.url, timeout=PATIENCE)
            assert answer.status_code < 500, (case.method, case.path, answer.status_code, answer.text[:300])

        check()
    after = server.ask("GET", f"/api/tables/{made['table']['id']}").json()
    assert after["seats"] == made["table"]["seats"]
    assert after["status"] == "playing"
    return count


def test_the_http_interface_survives_schemathesis(server):
    with no_faults(server):
        assert storm(server, examples=6) > 90


@pytest.mark.nightly
def test_the_http_interface_survives_schemathesis_at_full_size(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db")
    try:
        with no_faults(server):
            print(f"{storm(server, examples=400)} requests")
    finally:
        server.stop()
