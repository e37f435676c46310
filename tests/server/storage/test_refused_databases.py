"""Database files that a server refuses at its start."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from preau.core.errors import SetupError
from preau.server.config import Config
from preau.server.runner import prepare
from preau.server.storage import sqlite_file
from preau.server.storage.backup import restore
from preau.server.storage.sqlite_file import check_at_start
from tests.server.processes import ROOT, free_port
from tests.server.storage.database_files import damage, made, set_state, state
from tests.support import PATIENCE

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
