"""The program as the shell and the terminal see it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import preau
from tests.support import PATIENCE

from .conftest import PLAIN

pty = pytest.importorskip("pty")


def test_version_and_help(shell):
    assert shell("--version").stdout.decode().startswith(f"preau {preau.__version__}")
    out = shell("--help").stdout.decode()
    for command in ("play", "games", "simulate", "replay", "check", "perft", "bench", "puzzles"):
        assert re.search(rf"^  {command} +\w", out, re.MULTILINE)
    assert "..." not in out.split("Commands:")[1]


def test_a_game_through_pipes(shell, tmp_path):
    file = tmp_path / "game.json"
    done = shell("play", "recess", "--option", "turns=5", "--record", file, say="1\n" * 90)
    assert done.returncode == 0
    assert re.search(rb"Winners?: ", done.stdout)
    assert done.stderr == b""
    assert shell("check", file).returncode == 0


def test_input_that_is_no_text(shell):
    done = shell("play", "recess", say=b"\xff\xfe\x00\nq\n")
    assert done.returncode == 0


def test_a_terminal_without_accents(shell):
    done = shell("play", "recess", "--lang", "fr", say="q\n", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0


def test_output_that_nobody_reads_to_the_end():
    command = f"{sys.executable} -m preau games recess --rules | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=os.environ | PLAIN)
    assert b"Traceback" not in done.stderr


def test_errors_go_to_the_error_stream(shell):
    done = shell("play", "recess", "--seats", "9")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "preau: seats: Recess! cannot be played with 9 seats [R1]. It takes 3 to 5.\n"


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # the program
            env = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
            env.pop("NO_COLOR", None)
            os.execvpe(sys.executable, [sys.executable, "-m", "preau", *words], env)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read until this appears; what came before it is forgotten."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not appear: {self.seen!r}"
            if select.select([self.fd], [], [], 0.2)[0]:
                self.seen += os.read(self.fd, 65536).decode("utf-8", "replace")
        self.seen = self.seen.split(text, 1)[1]

    def wait_for_ears(self) -> None:
        """Until it sleeps, waiting for a key. A Ctrl-C that comes between its prompt and its sleep is not noticed until
        the next key, as the library that reads lines has it.
        """
        deadline = time.monotonic() + PATIENCE
        while Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < deadline, "it does not wait for keys"
            time.sleep(0.01)

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> tuple[int, str]:
        """The exit code, and the rest of what was printed."""
        deadline = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < deadline:
                if select.select([self.fd], [], [], 0.2)[0]:
                    if not (part := os.read(self.fd, 65536)):
                        break
                    self.seen += part.decode("utf-8", "replace")
            else:
                os.kill(self.pid, signal.SIGKILL)  # it hangs, which its exit code will say
        except OSError:  # the other side is gone
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), self.seen


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_keys_of_a_terminal(tmp_path):
    file = tmp_path / "game.json"
    game = Terminal("play", "recess", "--seed", "1", "--record", str(file))
    game.wait_for("exactly 3 steps.")
    game.wait_for("> ")
    game.type("b1 a3\r")
    game.wait_for("exactly 2 steps.")
    game.wait_for("> ")
    game.type("\x04")
    code, rest = game.end()
    assert code == 0
    assert "(1 action)" in " ".join(rest.split())  # a long path breaks the line anywhere
    assert "Bye!" in rest
    assert [entry.text for entry in preau.Record.load(file).entries] == ["b1 a3"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_interrupting_a_game_and_a_series(tmp_path):
    file = tmp_path / "game.json"
    game = Terminal("play", "recess", "--lang", "fr", "--record", str(file))
    records = tmp_path / "games.jsonl"
    series = Terminal("simulate", "recess", "--games", "1000000", "--workers", "2", "--records", str(records))
    game.wait_for("> ")
    game.wait_for_ears()
    game.type("\x03")
    code, rest = game.end()
    assert code == 130
    assert "À bientôt" in rest
    assert "Traceback" not in rest
    assert preau.Record.load(file).entries == []
    series.wait_for("/1000000")
    time.sleep(0.5)
    os.kill(series.pid, signal.SIGINT)
    code, rest = series.end()
    assert code == 130
    assert "stopped after" in rest
    assert "Traceback" not in rest
    played = len([record.verify() for record in preau.read_records(records)])
    assert f"{played} records" in rest
