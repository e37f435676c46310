"""Killing everything: what was acknowledged is in the record, once, and every game ends."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from preau.core.record import Record
from preau.server import schema
from preau.server.store import make_engine
from tests.server.players import GONE, ME, Api, Player, bot, run
from tests.server.services import Postgres, Redis, Server

KINDS = [
    ("recess", 3, {"turns": 6}),
    ("bagarre", 2, {}),
    ("cour", 2, {}),
    ("recess", 4, {"turns": 8}),
    ("cour", 3, {}),
]


class Scripted(Player):
    """Plays one seat through everything: reconnects to any process and sends what is not acknowledged again."""

    def __init__(self, bases: list[str], table: str, token: str, seat: int, rng: random.Random) -> None:
        super().__init__(bases[0], table, token, seat)
        self.bases = bases
        self.rng = rng
        self.pending: tuple[str, int, str] | None = None
        self.done: dict[str, tuple[int, str]] = {}

    async def live_on(self) -> None:
        while self.result is None:
            try:
                async with asyncio.timeout(30):
                    await self.open()
                await self.play_connected()
            except GONE:
                await asyncio.sleep(0.1 + self.rng.random() / 2)
            finally:
                await self.close()

    async def play_connected(self) -> None:
        if self.pending is not None:
            await self.send_pending()
        while self.result is None:
            if self.pending is None and self.legal:
                self.sent += 1
                name = f"s{self.seat}-{self.sent}"
                self.pending = (name, self.number, self.rng.choice(self.legal))
                await self.send_pending()
            await self.hear(await self.next(30))

    async def send_pending(self) -> None:
        assert self.pending is not None
        name, at, action = self.pending
        await self.send({"type": "act", "id": name, "at": at, "action": action, "seat": self.seat})

    async def hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "bye":
            raise ConnectionError(message["reason"])
        if self.pending is None or message.get("id") != self.pending[0]:
            return
        if message["type"] in ("step", "ack"):
            self.done[self.pending[0]] = (message.get("first", message["number"]), self.pending[2])
            self.pending = None
        elif message["key"] == "busy":
            await self.send_pending()
        else:
            assert message["key"] in ("stale", "not_now", "over"), message
            self.pending = None


class Scene:
    """Two processes, a database, a Redis, and somebody who breaks them."""

    def __init__(self, postgres: Postgres, redis: Redis, seed: int) -> None:
        self.postgres, self.redis = postgres, redis
        self.database = postgres.new_database()
        settings: dict[str, Any] = {"lease_ms": 2_000, "log_level": "error"}
        self.servers = [Server(self.database, redis.url, **settings) for _ in range(2)]
        self.rng = random.Random(seed)
        self.players: list[Scripted] = []
        self.tables: list[str] = []
        self.kills = 0

    @property
    def bases(self) -> list[str]:
        return [server.url for server in self.servers]

    async def set(self, count: int) -> None:
        async with Api(self.bases[0]) as api:
            for number in range(count):
                game, seats, options = KINDS[number % len(KINDS)]
                people = [0, 1, 2, 1][number % 4]
                wish = [ME] * min(people, seats) + [bot()] * (seats - min(people, seats))
                made = await api.create(game, wish, options=options, start=True)
                table = made["table"]["id"]
                self.tables.append(table)
                for seat in made["seats"]:
                    one = Scripted(self.bases, table, made["token"], seat, random.Random(self.rng.random()))
                    self.players.append(one)

    async def break_things(self, kills: int, restarts: int, pause: float) -> None:
        loop = asyncio.get_running_loop()
        plan = ["kill"] * kills + ["database"] * restarts + ["redis"] * restarts
        self.rng.shuffle(plan)
        for what in plan:
            await asyncio.sleep(pause * (0.3 + self.rng.random()))
            if what == "database":
                await loop.run_in_executor(None, self.postgres.restart)
            elif what == "redis":
                await loop.run_in_executor(None, self.redis.restart)
            else:
                server = self.rng.choice(self.servers)
                await loop.run_in_executor(None, server.kill)
                self.kills += 1
                server.start()
                await loop.run_in_executor(None, server.wait)

    async def all_over(self, seconds: float) -> list[str]:
        """The records of all tables, once they are over."""
        found: list[str] = []
        end = asyncio.get_running_loop().time() + seconds
        async with Api(self.bases[0]) as api:
            for table in self.tables:
                while True:
                    try:
                        answer = await api.call("GET", f"/tables/{table}/record")
                        if answer.status_code == 200:
                            found.append(answer.text)
                            break
                    except httpx.HTTPError:
                        pass
                    assert asyncio.get_running_loop().time() < end, f"table {table} does not end"
                    await asyncio.sleep(0.3)
        return found

    def check(self, texts: list[str]) -> int:
        """Everything acknowledged is in the records, once; returns how many actions that were."""
        records = {}
        with tempfile.TemporaryDirectory() as folder:
            for table, text in zip(self.tables, texts, strict=True):
                record = records[table] = Record.loads(text)
                record.verify()
                (Path(folder) / f"{table}.json").write_text(text, encoding="utf-8")
            files = [str(path) for path in Path(folder).iterdir()]
            command = [sys.executable, "-m", "preau", "check", *files]
            checked = subprocess.run(command, check=False, capture_output=True, text=True)
            assert checked.returncode == 0, checked.stderr[-2000:]
        acknowledged = 0
        for player in self.players:
            entries = records[player.table].entries
            for number, text in player.done.values():
                assert (entries[number - 1].actor, entries[number - 1].text) == (player.seat, text)
                acknowledged += 1
        engine = make_engine(sa.engine.make_url(self.database))
        log = schema.log.c
        twice = (
            sa.select(log.table_id, log.actor, log.client, sa.func.count())
            .where(log.client.is_not(None))
            .group_by(log.table_id, log.actor, log.client)
            .having(sa.func.count() > 1)
        )
        gaps = (
            sa.select(log.table_id, sa.func.max(log.number), sa.func.count())
            .group_by(log.table_id)
            .having(sa.func.max(log.number) != sa.func.count())
        )
        with engine.connect() as connection:
            assert connection.execute(twice).all() == []
            assert connection.execute(gaps).all() == []
        engine.dispose()
        return acknowledged

    def stop(self) -> None:
        for server in self.servers:
            server.stop()


async def story(scene: Scene, tables: int, kills: int, restarts: int, pause: float, seconds: float) -> None:
    await scene.set(tables)
    async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
        group.create_task(scene.break_things(kills, restarts, pause))
        for player in scene.players:
            group.create_task(player.live_on())
    texts = await scene.all_over(seconds)
    acknowledged = scene.check(texts)
    assert scene.kills == kills
    assert acknowledged > tables
    print(f"{tables} tables, {kills} kills, {acknowledged} acknowledged actions, all there")


def test_nothing_acknowledged_is_lost(postgres):
    redis = Redis()
    scene = Scene(postgres, redis, seed=1)
    try:
        run(story(scene, tables=8, kills=3, restarts=1, pause=0.8, seconds=300))
    finally:
        scene.stop()
        redis.stop()


@pytest.mark.nightly
def test_nothing_acknowledged_is_lost_at_full_size():
    postgres, redis = Postgres(), Redis()
    scene = Scene(postgres, redis, seed=2)
    try:
        run(story(scene, tables=200, kills=20, restarts=2, pause=3.0, seconds=3_000))
    finally:
        scene.stop()
        redis.stop()
        postgres.stop()
