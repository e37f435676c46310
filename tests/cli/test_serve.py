"""`preau serve`: says where it is, and why it cannot be there. Serving itself is tested in tests/server."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest

from tests.server.services import free_port
from tests.support import PATIENCE


def test_a_port_that_is_taken(run, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = run("serve", "--port", str(port), "--database", f"sqlite:///{tmp_path}/preau.db")
    assert result.exit_code == 2
    assert f"port {port} is taken" in result.output
    assert "--port" in result.output


MAIL = [
    "--smtp",
    "smtps://mail.example.org",
    "--mail-from",
    "preau@example.org",
    "--origin",
    "https://play.example.org",
]


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--push-contact", "zoe"], "--push-contact"),
        (["--smtp", "mail.example.org"], "--smtp"),
        (MAIL[:2], "--mail-from"),
        ([*MAIL[:2], "--mail-from", "preau"], "--mail-from"),
        (MAIL[:4], "--origin"),
        (["--bot", "yard=nowhere.onnx"], "--bot: there is no file nowhere.onnx"),
    ],
)
def test_settings_that_cannot_work(run, words, field):
    result = run("serve", *words)
    assert result.exit_code == 2
    assert field in result.output


def test_it_says_where_it_is(tmp_path):
    """Also with --open: where there is no screen, the address is all there is."""
    port = free_port()
    database = f"sqlite:///{tmp_path}/preau.db"
    command = [sys.executable, "-m", "preau", "serve", "--open", "--port", str(port), "--database", database]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert f"http://127.0.0.1:{port}" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
