"""Backups of a server that runs, and what is restored after a crash."""

from __future__ import annotations

import asyncio
import os
import random
from contextlib import closing
from pathlib import Path

import pytest

from preau.core.errors import SetupError
from preau.server.config import Config
from preau.server.runner import prepare
from preau.server.services import Services
from preau.server.storage.backup import backup, restore
from preau.server.storage.sqlite_file import check, connect_to_read
from tests.server.players import ME, Api, Player, run
from tests.server.processes import OFF, Server
from tests.server.running_services import FakeClock, run_with_services
from tests.server.storage.database_files import made, names, preau, state


async def play(player: Player, actions: int, rng: random.Random) -> None:
    """Act so many times, for all seats."""
    for _ in range(actions):
        seat = player.to_act[0]
        await player.send({"type": "look", "seat": seat})
        await player.until("hello")
        assert (await player.act(rng.choice(player.legal), seat=seat))["type"] == "step"


async def new_player(server: Server) -> Player:
    async with Api(server.url) as api:
        table = await api.create("recess", [ME] * 3, options={"turns": 300}, start=True)
    player = Player(server.url, table["table"]["id"], table["token"])
    await player.open()
    return player


# With a server.


def test_a_copy_taken_under_play_is_restored_after_a_crash_and_the_game_goes_on(tmp_path):
    """With the -wal of the crash beside the database, a plain copy put in its place is not what is served."""
    file, copy = tmp_path / "preau.db", tmp_path / "copy.db"
    server = Server(f"sqlite:///{file}", limits=OFF)  # it plays faster than the limit on messages allows

    async def story() -> None:
        rng = random.Random(3)
        player = await new_player(server)
        await play(player, 4, rng)
        there, log = player.number, player.log
        assert preau("backup", copy, "--database", f"sqlite:///{file}").exit_code == 0
        await play(player, 8, rng)
        assert player.number > there
        server.kill()
        assert Path(f"{file}-wal").stat().st_size
        restored = preau("restore", copy, "--database", f"sqlite:///{file}")
        assert (restored.exit_code, restored.stderr) == (0, "")
        assert not {"preau.db-wal", "preau.db-shm"} & names(tmp_path)
        server.start()
        server.wait()
        back = Player(server.url, player.table, player.token)
        await back.open()
        assert (back.number, back.log) == (there, log[: len(back.log)])
        assert back.log
        await play(back, 2, rng)
        kept = next(path for path in tmp_path.iterdir() if "before-restore" in path.name)
        with closing(connect_to_read(kept)) as connection:
            check(connection)
            assert connection.execute("SELECT max(number) FROM log").fetchone() == (player.number,)

    try:
        run(story())
    finally:
        server.stop()


def test_copies_taken_while_a_game_is_played_hold_what_was_acknowledged(tmp_path):
    file = tmp_path / "preau.db"
    server = Server(f"sqlite:///{file}", limits=OFF)  # it plays faster than the limit on messages allows

    async def story() -> None:
        rng = random.Random(4)
        player = await new_player(server)
        copies = []

        async def copy() -> None:
            for n in range(5):
                acknowledged = player.number
                name = tmp_path / f"copy{n}"
                await asyncio.to_thread(backup, file, name)
                copies.append((name, acknowledged))

        copying = asyncio.create_task(copy())
        while not copying.done():
            await play(player, 1, rng)
        await copying
        for name, acknowledged in copies:
            with closing(connect_to_read(name)) as connection:
                check(connection)
                count, last = connection.execute("SELECT count(*), max(number) FROM log").fetchone()
            assert count == (last or 0) >= acknowledged

    try:
        run(story())
    finally:
        server.stop()


def test_files_of_a_database_are_for_their_owner_only(tmp_path):
    file = tmp_path / "preau.db"
    server = Server(f"sqlite:///{file}")
    try:
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        assert modes == dict.fromkeys(["preau.db", "preau.db-wal", "preau.db-shm", "preau.db.lock"], 0o600)
        backup(file, tmp_path / "copy.db")
        assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    finally:
        server.stop()
    restore(file, tmp_path / "copy.db")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_files_that_root_makes_belong_to_the_user_of_the_server(tmp_path):
    copy = made(tmp_path / "copy.db", "new")
    folder = tmp_path / "server"
    folder.mkdir()
    os.chown(folder, 12_345, 12_346)
    for _ in range(2):
        restore(folder / "preau.db", copy)
        assert {(path.stat().st_uid, path.stat().st_gid) for path in folder.iterdir()} == {(12_345, 12_346)}
    assert len(names(folder)) == 2


@pytest.mark.parametrize("redis", ["", "redis://127.0.0.1:1"])
def test_nothing_is_restored_while_a_server_runs(tmp_path, redis):
    file, copy = tmp_path / "preau.db", made(tmp_path / "copy.db", "new")

    async def story(services: Services, clock: FakeClock) -> None:
        with pytest.raises(SetupError, match=r"a server uses .*preau\.db") as refused:
            restore(file, copy)
        assert refused.value.hint == "Stop it first."
        assert await services.store.works()

    run_with_services(tmp_path, story, redis=redis)
    restore(file, copy)
    assert state(file) == "new"


def test_nothing_is_restored_between_the_check_of_a_database_and_the_start_of_its_server(tmp_path):
    file, copy = tmp_path / "preau.db", made(tmp_path / "copy.db", "new")
    config = Config(database=f"sqlite:///{file}")
    lock = prepare(config)
    with pytest.raises(SetupError, match=r"a server uses .*preau\.db"):
        restore(file, copy)

    async def story() -> None:
        services = Services(config, neighbours=lock)
        await services.open()
        assert services.warning is None, "the lock is not taken for another process"
        with pytest.raises(SetupError, match=r"a server uses .*preau\.db"):
            restore(file, copy)
        await services.close()

    asyncio.run(story())
    restore(file, copy)
    assert state(file) == "new"
