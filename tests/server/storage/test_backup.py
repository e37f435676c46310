"""`preau backup`, `preau restore`, and files that a server refuses at its start."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from preau.cli.app import app
from preau.core.errors import SetupError
from preau.server.config import Config
from preau.server.runner import prepare
from preau.server.services import Services
from preau.server.storage import sqlite_file
from preau.server.storage.backup import POSTGRES, backup, restore
from preau.server.storage.engine import make_engine, migrate, opened
from preau.server.storage.sqlite_file import check, check_at_start, connect_to_read
from tests.server.players import ME, Api, Player, run
from tests.server.processes import OFF, ROOT, Server, free_port
from tests.server.running_services import FakeClock, run_with_services
from tests.support import PATIENCE


def preau(*words: object) -> Any:
    """Run a command in this process; refusals end with an exit code, faults are raised."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def made(file: Path, state: str, rows: int = 0) -> Path:
    """A database of ours in one file, which says in a setting what it is, with a log."""
    engine = make_engine(sa.engine.make_url(f"sqlite:///{file}"))
    migrate(engine)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO settings VALUES ('state', ?)", [state])
        log = [("table", n, 0, "act", "pass", 1) for n in range(1, rows + 1)]
        connection.executemany(
            "INSERT INTO log (table_id, number, actor, kind, text, time) VALUES (?, ?, ?, ?, ?, ?)", log
        )
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")
    return file


def set_state(file: Path, state: str) -> sqlite3.Connection:
    """Change what a database says of itself; the connection keeps this in its `-wal`."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE settings SET value = ? WHERE name = 'state'", [state])
    connection.commit()
    return connection


def state(file: Path) -> str:
    """What an undamaged database says of itself."""
    with closing(connect_to_read(file)) as connection:
        check(connection)
        found: str = connection.execute("SELECT value FROM settings WHERE name = 'state'").fetchone()[0]
        return found


def damage(file: Path) -> None:
    """Overwrite the last page of the file, which belongs to the end of the log: a start does not read it by itself."""
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = file.read_bytes()
    file.write_bytes(data[:-size] + b"\xff" * size)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


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


# Files that a server refuses.


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.ENOLCK, "No locks available"), "preau.db: No locks available"),
        (OSError("no locks"), "preau.db: no locks"),
        (PermissionError(errno.EACCES, "Permission denied", "/here"), "/here: Permission denied"),
    ],
)
def test_an_error_of_the_system_at_the_start_names_the_file_and_the_reason(tmp_path, monkeypatch, error, says):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("preau.server.storage.sqlite_lock.fcntl.flock", fail)
    with pytest.raises(SetupError) as refused:
        prepare(Config(database=f"sqlite:///{tmp_path}/preau.db"))
    assert refused.value.message.endswith(says)
    assert "None" not in refused.value.message


def serve(file: Path) -> tuple[int | None, str, str]:
    """Start a server; its exit code, and what it said, on both streams, until it was open or ended."""
    command = [sys.executable, "-m", "preau", "serve", "--port", str(free_port()), "--database", f"sqlite:///{file}"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        if said:
            process.terminate()
        more, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, said + more, errors


def test_a_damaged_database_is_refused_at_the_start_in_one_sentence(tmp_path):
    file = made(tmp_path / "preau.db", "old", rows=2_000)
    damage(file)
    before = file.read_bytes()
    code, said, errors = serve(file)
    assert (code, said) == (2, "")
    assert len(errors.splitlines()) == 1
    assert "--database: the database cannot be opened: " in errors
    assert f"preau restore BACKUP --database sqlite:///{file}" in errors
    assert file.read_bytes() == before


def test_the_wal_of_another_database_is_not_written_into_the_copy_it_damages(tmp_path):
    """A copy put in place by hand, beside the `-wal` of a crash: what SQLite makes of the two may be damaged."""
    file = made(tmp_path / "preau.db", "old", rows=2_000)
    with closing(set_state(file, "later")) as connection:
        connection.execute("UPDATE log SET text = 'other' WHERE number BETWEEN 900 AND 1000")
        connection.commit()
        left = Path(f"{file}-wal").read_bytes()
    other = made(tmp_path / "copy.db", "new", rows=4_000)
    shutil.copyfile(other, file)
    Path(f"{file}-wal").write_bytes(left)
    with pytest.raises(SetupError, match="the database cannot be opened"):
        check_at_start(file)
    assert (file.read_bytes(), Path(f"{file}-wal").read_bytes()) == (other.read_bytes(), left)
    kept = restore(file, other)
    assert state(file) == "new"
    assert kept is not None
    assert (kept.read_bytes(), Path(f"{kept}-wal").read_bytes()) == (other.read_bytes(), left)


def test_a_database_of_another_program_is_refused_at_the_start_and_left_as_it_is(tmp_path):
    file = tmp_path / "preau.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE pupils (name TEXT)")
    before = file.read_bytes()
    code, said, errors = serve(file)
    assert (code, said) == (2, "")
    assert "the database cannot be opened: it is the database of another program. Name another file." in errors
    assert file.read_bytes() == before


def test_a_large_file_is_not_read_whole_at_the_start(tmp_path, monkeypatch):
    file = made(tmp_path / "preau.db", "old", rows=2_000)
    damage(file)
    monkeypatch.setattr(sqlite_file, "CHECKED_BYTES", file.stat().st_size - 1)
    check_at_start(file)
    monkeypatch.setattr(sqlite_file, "CHECKED_BYTES", file.stat().st_size)
    with pytest.raises(SetupError, match="the database cannot be opened"):
        check_at_start(file)


def damage_log(file: Path) -> None:
    """Overwrite the first page of the log, which every start reads."""
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'log'").fetchone()[0]
    data = bytearray(file.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(data)


def test_a_damaged_large_file_is_refused_with_the_command_that_restores_it(tmp_path, monkeypatch):
    """A copy put in its place by hand would be undone or damaged by the `-wal` beside it."""
    file = made(tmp_path / "preau.db", "old")
    damage_log(file)
    monkeypatch.setattr(sqlite_file, "CHECKED_BYTES", file.stat().st_size - 1)
    check_at_start(file)
    with pytest.raises(SetupError, match="the database cannot be opened: ") as refused:
        prepare(Config(database=f"sqlite:///{file}"))
    assert f"{Path(sys.executable).with_name('preau')} restore BACKUP --database sqlite:///{file}" in refused.value.hint


def test_a_damaged_postgresql_database_is_refused_with_the_program_that_restores_it(monkeypatch):
    def fail(_: object) -> None:
        error = Exception("invalid page in block 0 of relation base/5/1259")
        error.sqlstate = "XX001"  # type: ignore[attr-defined]
        raise sa.exc.InternalError("SELECT 1", {}, error)

    monkeypatch.setattr("preau.server.runner.migrate", fail)
    with pytest.raises(SetupError, match="the database cannot be opened: invalid page") as refused:
        prepare(Config(database="postgresql://preau@db/preau"))
    assert "pg_restore" in refused.value.hint
    assert "preau restore" not in refused.value.hint


# Refusals.


def newer(file: Path) -> None:
    with closing(sqlite3.connect(made(file, "new"))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE pupils (name TEXT)")


def damaged(file: Path) -> None:
    damage(made(file, "new", rows=2_000))


WRONG = {
    "newer": (newer, "was made by a newer Préau: it has schema 9999, this program knows 00"),
    "foreign": (foreign, "cannot be restored: it is the database of another program"),
    "damaged": (damaged, "cannot be restored: "),
    "text": (lambda file: file.write_text("Once upon a time" * 500), "cannot be restored: file is not a database"),
    "empty": (lambda file: file.touch(), "cannot be restored: it holds no Préau database"),
    "missing": (lambda file: None, "there is no file"),
    "folder": (lambda file: file.mkdir(), "there is no file"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_no_copy_is_refused_and_the_database_left_as_it_is(tmp_path, kind):
    make, says = WRONG[kind]
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    make(copy)
    before, there = file.read_bytes(), names(tmp_path)
    done = preau("restore", copy, "--database", f"sqlite:///{file}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert "FILE: " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert file.read_bytes() == before
    assert names(tmp_path) - {"preau.db.lock"} == there


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("postgresql://preau@db/preau", "--database: PostgreSQL has its own programs for this. Run "),
        ("sqlite://", "--database: 'sqlite://' names no file. Write sqlite:///file.db."),
        ("preau.db", "--database: 'preau.db' is no address. Write sqlite:///file.db."),
        ("sqlite:///none/preau.db", "--database: there is no "),
    ],
)
def test_a_wrong_database_is_refused_in_a_sentence(tmp_path, monkeypatch, command, database, says):
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "copy.db", "new")
    words = [command, tmp_path / ("copy.db" if command == "restore" else "new.db"), "--database", database]
    done = preau(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"preau: {says}")
    assert names(tmp_path) == {"copy.db"}


def test_the_commands_for_postgresql_are_those_of_the_documentation():
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for commands in POSTGRES.values():
        lines = "\n".join(commands)
        for name, address in (("URL", "postgresql://preau@db/preau"), ("ADMIN", "postgresql://postgres@db/postgres")):
            lines = lines.replace(name, address)
        assert f"```sh\n{lines}\n```" in page


def test_a_postgresql_database_is_restored_over_a_newer_schema(tmp_path, postgres, redis):
    """With the commands of the documentation. The tables of the newer schema, which refer to older ones, are gone."""
    postgres.query("CREATE ROLE preau LOGIN")
    postgres.query("CREATE DATABASE preau OWNER preau")
    url, admin = postgres.address("preau", "preau"), postgres.address("postgres", "postgres")

    def run_commands(name: str) -> None:
        for command in POSTGRES[name]:
            postgres.run_program(command.replace("URL", f"'{url}'").replace("ADMIN", f"'{admin}'"), tmp_path)

    server = Server(url, redis.url)
    try:
        table = server.ask("POST", "/api/tables", json={"game": "recess", "seats": [ME] * 3}).json()["table"]["id"]
        run_commands("backup")
        later = server.ask("POST", "/api/tables", json={"game": "recess", "seats": [ME] * 3}).json()["table"]["id"]
        server.stop()
        with opened(sa.make_url(url)) as engine, engine.begin() as connection:
            connection.execute(sa.text("CREATE TABLE newer (id VARCHAR REFERENCES tables (id))"))
        run_commands("restore")
        with opened(sa.make_url(url)) as engine:
            assert not sa.inspect(engine).has_table("newer")
        server.start()
        server.wait()
        assert server.ask("GET", f"/api/tables/{table}").status_code == 200
        assert server.ask("GET", f"/api/tables/{later}").status_code == 404
    finally:
        server.stop()


def test_a_database_is_kept_from_being_replaced_by_mistake(tmp_path):
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    foreign(tmp_path / "pupils.db")
    made(copy, "new")
    for path, source in ((file, file), (tmp_path / "pupils.db", copy)):
        before = path.read_bytes()
        with pytest.raises(SetupError, match="is the database"):
            restore(path, source)
        assert path.read_bytes() == before
    with pytest.raises(SetupError, match="is the database itself"):
        backup(file, tmp_path / "." / "preau.db", force=True)
    assert state(file) == "old"


def test_a_database_that_another_program_has_open_is_not_replaced(tmp_path):
    file, copy = made(tmp_path / "preau.db", "old"), made(tmp_path / "copy.db", "new")
    with (
        closing(set_state(file, "later")),
        pytest.raises(SetupError, match=r"another program has .*preau\.db open"),
    ):
        restore(file, copy)
    assert state(file) == "later"
    restore(file, copy)
    assert state(file) == "new"


def test_an_existing_file_is_replaced_only_where_this_is_asked_for(tmp_path):
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    copy.write_text("precious")
    done = preau("backup", copy, "--database", f"sqlite:///{file}")
    assert done.exit_code == 2
    assert "is already there. Name another file, or add --force." in done.stderr
    assert copy.read_text() == "precious"
    assert preau("backup", copy, "--force", "--database", f"sqlite:///{file}").exit_code == 0
    assert state(copy) == "old"
    assert names(tmp_path) == {"preau.db", "copy.db"}


@pytest.mark.parametrize("side", sqlite_file.SIDES)
@pytest.mark.parametrize("exists", [True, False])
def test_what_lies_beside_an_old_copy_is_never_left_beside_a_new_one(tmp_path, side, exists):
    """A restore would read both."""
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    if exists:
        made(copy, "older")
    beside = Path(f"{copy}{side}")
    beside.write_text("stale")
    with pytest.raises(SetupError, match=r"copy\.db\S* is already there"):
        backup(file, copy)
    assert beside.read_text() == "stale"
    assert not exists or copy.stat().st_size
    backup(file, copy, force=True)
    assert names(tmp_path) == {"preau.db", "copy.db"}
    restore(file, copy)
    assert state(file) == "old"


def test_a_copy_does_not_replace_a_database_that_a_server_uses(tmp_path):
    source, file = made(tmp_path / "source.db", "new"), made(tmp_path / "preau.db", "old")

    async def story(services: Services, clock: FakeClock) -> None:
        for force in (False, True):
            with pytest.raises(SetupError, match=r"a server uses .*preau\.db") as refused:
                backup(source, file, force=force)
            assert refused.value.field == "FILE"
        assert await services.store.works()

    run_with_services(tmp_path, story)
    assert state(file) == "old"
    backup(source, file, force=True)
    assert state(file) == "new"
    assert names(tmp_path) == {"source.db", "preau.db"}


def test_of_two_backups_to_the_same_file_the_later_one_is_refused(tmp_path, monkeypatch):
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    refused = []

    def check_and_try_again(connection: sqlite3.Connection) -> str:
        with pytest.raises(SetupError, match="another backup or restore writes it") as again:
            backup(file, copy, force=True)
        refused.append(again)
        return check(connection)

    monkeypatch.setattr(sqlite_file, "check", check_and_try_again)
    backup(file, copy)
    assert len(refused) == 1
    monkeypatch.undo()
    assert state(copy) == "old"
    assert names(tmp_path) == {"preau.db", "copy.db"}


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_an_interrupted_command_has_left_is_removed_by_the_next_one(tmp_path, command):
    """Its process cannot remove it when it is killed."""
    made(tmp_path / "preau.db", "old")
    file = tmp_path / "copy.db" if command == "backup" else made(tmp_path / "copy.db", "new")
    start = "import os; from pathlib import Path; from preau.server.storage import backup"
    kill = "backup._sync = lambda _: os._exit(9)"
    run = f"backup.{command}(Path('preau.db').absolute(), Path('copy.db').absolute())"
    script = f"{start}; {kill}; {run}"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False, timeout=PATIENCE)
    assert done.returncode == 9
    assert any(name.startswith(".") for name in names(tmp_path))
    (backup if command == "backup" else restore)(tmp_path / "preau.db", file)
    assert state(tmp_path / "preau.db") == state(file)
    assert [name for name in names(tmp_path) if name.startswith(".") or name.endswith(".lock")] == []


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_locked_database_is_not_waited_for_without_end(tmp_path, monkeypatch, command):
    file, copy = made(tmp_path / "preau.db", "old"), made(tmp_path / "copy.db", "new")
    locked, target = (file, tmp_path / "second.db") if command == "backup" else (copy, copy)
    monkeypatch.setattr(sqlite_file, "LOCKED_SECONDS", 0.01)
    with closing(sqlite3.connect(locked, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute("UPDATE settings SET value = 'later'")
        assert Path(f"{locked}-journal").exists()
        unlock = threading.Timer(PATIENCE / 2, other.rollback)  # so that this test ends if the command waits
        unlock.start()
        try:
            with pytest.raises(SetupError, match="database is locked"):
                (backup if command == "backup" else restore)(file, target)
        finally:
            unlock.cancel()
            unlock.join()
    assert state(file) == "old"
    assert "second.db" not in names(tmp_path)


def test_nothing_needs_a_flag_that_windows_does_not_have(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_CLOEXEC")
    file, copy = made(tmp_path / "preau.db", "old"), tmp_path / "copy.db"
    sqlite_file.create_private(tmp_path / "empty.db")
    assert (tmp_path / "empty.db").exists()
    backup(file, copy)
    restore(file, copy)
    assert state(file) == "old"


def test_a_damaged_database_is_not_taken_for_a_copy(tmp_path):
    file = made(tmp_path / "preau.db", "old", rows=2_000)
    damage(file)
    with pytest.raises(SetupError, match=r"cannot be copied: .* No copy was kept"):
        backup(file, tmp_path / "copy.db")
    assert names(tmp_path) == {"preau.db"}


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_full_disk_is_told_and_changes_nothing(tmp_path, command):
    file, copy = made(tmp_path / "preau.db", "old", rows=2_000), made(tmp_path / "copy.db", "new", rows=2_000)
    target = tmp_path / "second.db" if command == "backup" else copy
    before, there = file.read_bytes(), names(tmp_path)
    words = (command, target, "--database", f"sqlite:///{file}")
    command = [sys.executable, "-m", "preau", *map(str, words)]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (50_000, 50_000))
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "cannot be copied: " in done.stderr or "cannot be restored: " in done.stderr
    assert file.read_bytes() == before
    assert names(tmp_path) - {"preau.db.lock"} == there


# Interrupted.


def killed_at_every_step(folder: Path) -> list[Path]:
    """Where a restore was killed, one step later in each; in the last one it was not."""
    subprocess.run(
        [sys.executable, "-m", "tests.server.killed_restore", folder], cwd=ROOT, check=True, timeout=PATIENCE
    )
    found = sorted((path for path in folder.iterdir() if path.name != "0"), key=lambda path: int(path.name))
    assert len(found) > 10
    return found


def check_restore_again(folders: list[Path]) -> None:
    """After some of those that were killed, another restore gets to its end."""
    for folder in folders[::6]:
        restore(folder / "preau.db", folder / "copy.db")
        assert state(folder / "preau.db") == "new"


def test_a_restore_that_is_killed_loses_nothing_whenever_that_is(tmp_path):
    """The last change of the old database is in the `-wal` that a crash has left."""
    (tmp_path / "0").mkdir()
    source = made(tmp_path / "preau.db", "older", rows=50)
    with closing(set_state(source, "old")):
        for side in ("", "-wal"):
            shutil.copyfile(f"{source}{side}", tmp_path / "0" / f"preau.db{side}")
    made(tmp_path / "0" / "copy.db", "new", rows=50)
    for path in (source, Path(f"{source}.lock")):
        path.unlink(missing_ok=True)
    states = []
    folders = killed_at_every_step(tmp_path)
    for folder in folders:
        states.append(state(folder / "preau.db"))
        kept = [path for path in folder.iterdir() if path.name.startswith("preau.db.before")]
        assert [state(path) for path in kept] == ["old"] * len(kept)
        assert states[-1] == "old" or kept
    assert states[0] == "old"
    assert states == sorted(states, reverse=True), "old, then new"
    assert states[-1] == "new"
    check_restore_again(folders)


def test_a_restore_over_damage_that_is_killed_keeps_every_byte(tmp_path):
    """Also the `-wal`, which may be of another database."""
    (tmp_path / "0").mkdir()
    file = made(tmp_path / "0" / "preau.db", "old", rows=200)
    damage(file)
    with closing(set_state(made(tmp_path / "other.db", "other"), "later")):
        shutil.copyfile(tmp_path / "other.db-wal", f"{file}-wal")
    for path in tmp_path.glob("other.db*"):
        path.unlink()
    made(tmp_path / "0" / "copy.db", "new")
    old = {side: Path(f"{file}{side}").read_bytes() for side in ("", "-wal")}
    folders = killed_at_every_step(tmp_path)
    for folder in folders:
        for side, data in old.items():
            there = [
                path for path in folder.iterdir() if path.name.startswith("preau.db") and path.read_bytes() == data
            ]
            assert there, (folder, side)
    check_restore_again(folders)
