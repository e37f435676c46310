"""`preau backup` and `preau restore`: what they refuse, and what is left when they are interrupted."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from preau.core.errors import SetupError
from preau.server.services import Services
from preau.server.storage import sqlite_file
from preau.server.storage.backup import POSTGRES, backup, restore
from preau.server.storage.engine import opened
from preau.server.storage.sqlite_file import check
from tests.server.players import ME
from tests.server.processes import ROOT, Server
from tests.server.running_services import FakeClock, run_with_services
from tests.server.storage.database_files import damage, made, names, preau, set_state, state
from tests.support import PATIENCE

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
