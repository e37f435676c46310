"""Killing, freezing, locking, setting everything: what was acknowledged is in the record once, and every game ends."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from preau.core.record import Record
from preau.server.storage import schema
from preau.server.storage.engine import make_engine, opened
from tests.server.players import ME, Api, ReconnectingPlayer, bot, run
from tests.server.processes import Postgres, Redis, Server

KINDS = [
    ("recess", 3, {"turns": 6}),
    ("bagarre", 2, {}),
    ("cour", 2, {}),
    ("recess", 4, {"turns": 8}),
    ("cour", 3, {}),
]

FAULTS = (
    "kill",
    "set_the_clock",
    "restart_database",
    "restart_redis",
    "freeze",
    "freeze_database",
    "lock_database",
    "slow_database",
)


class Scene:
    """Two processes, a database, a Redis, the clock of the machine, and somebody who breaks them."""

    def __init__(self, postgres: Postgres, redis: Redis, folder: Path, seed: int) -> None:
        self.postgres, self.redis = postgres, redis
        self.database = postgres.new_database()
        settings: dict[str, Any] = {"lease_ms": 2_000, "log_level": "error"}
        self.clock = folder / "clock"
        self.clock.write_text("0")
        self.servers = [Server(self.database, redis.url, clock=self.clock, **settings) for _ in range(2)]
        self.rng = random.Random(seed)
        self.players: list[ReconnectingPlayer] = []
        self.tables: list[str] = []
        self.broken: Counter[str] = Counter()
        self.playing = 0
        """How many still played when everything had been broken."""

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
                    one = ReconnectingPlayer(self.bases, table, made["token"], seat, random.Random(self.rng.random()))
                    self.players.append(one)

    async def break_things(self, plan: Counter[str], pause: float, longest: float) -> None:
        """Break what the plan says in some order; what stands still does so for `longest` seconds at most."""
        faults = list(plan.elements())
        self.rng.shuffle(faults)
        for fault in faults:
            await asyncio.sleep(pause * (0.3 + self.rng.random()))
            seconds = longest * (0.3 + 0.7 * self.rng.random())
            await asyncio.to_thread(getattr(self, fault), self.rng.choice(self.servers), seconds)
            self.broken[fault] += 1
        self.playing = sum(player.result is None for player in self.players)

    def kill(self, server: Server, seconds: float) -> None:
        server.kill()
        server.start()
        server.wait()

    def set_the_clock(self, server: Server, seconds: float) -> None:
        """By an hour, for all that run, and for one that is started anew."""
        self.clock.write_text(str(self.rng.choice((-3_600_000, 0, 3_600_000))))
        self.kill(server, seconds)

    def restart_database(self, server: Server, seconds: float) -> None:
        self.postgres.restart()

    def restart_redis(self, server: Server, seconds: float) -> None:
        self.redis.restart()

    def freeze(self, server: Server, seconds: float) -> None:
        server.freeze()
        time.sleep(seconds)
        server.thaw()

    def freeze_database(self, server: Server, seconds: float) -> None:
        self.postgres.freeze()
        time.sleep(seconds)
        self.postgres.thaw()

    def lock_database(self, server: Server, seconds: float) -> None:
        """Somebody else has all the logs to themselves."""
        with opened(sa.engine.make_url(self.database)) as engine, engine.begin() as connection:
            for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(sa.text(f"SET LOCAL {name} = 0"))
            connection.execute(sa.text("LOCK TABLE log IN ACCESS EXCLUSIVE MODE"))
            time.sleep(seconds)

    def slow_database(self, server: Server, seconds: float) -> None:
        """Whoever wants to write has to wait for a moment each time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.lock_database(server, 0.3)
            time.sleep(0.1)

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


async def story(
    scene: Scene, *, tables: int, plan: Counter[str], pause: float, longest: float, seconds: float, pace: float = 0.0
) -> None:
    await scene.set(tables)
    for player in scene.players:
        player.pace = pace
    async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
        group.create_task(scene.break_things(plan, pause, longest))
        for player in scene.players:
            group.create_task(player.live_on())
    texts = await scene.all_over(seconds)
    acknowledged = scene.check(texts)
    assert scene.broken == plan
    assert acknowledged > tables
    faults = f"{scene.broken.total()} faults, {scene.playing} of {len(scene.players)} people still playing after them"
    print(f"{tables} tables, {faults}, {acknowledged} acknowledged actions, all there")


def test_nothing_acknowledged_is_lost(postgres, tmp_path):
    redis = Redis()
    scene = Scene(postgres, redis, tmp_path, seed=1)
    try:
        run(story(scene, tables=8, plan=Counter(FAULTS), pause=0.25, longest=0.8, seconds=300))
    finally:
        scene.stop()
        redis.stop()


@pytest.mark.nightly
def test_nothing_acknowledged_is_lost_at_full_size(tmp_path):
    postgres, redis = Postgres(), Redis()
    scene = Scene(postgres, redis, tmp_path, seed=2)
    plan = Counter(dict.fromkeys(FAULTS, 3)) + Counter(kill=9)
    try:
        run(story(scene, tables=200, plan=plan, pause=3.0, longest=12.0, seconds=3_000, pace=6.0))
    finally:
        scene.stop()
        redis.stop()
        postgres.stop()
