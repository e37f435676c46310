"""`preau serve`: says where it is, and why it cannot be there. Serving itself is tested in tests/server."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import httpx
import msgspec
import pytest

from preau.server.config import Config, Limits
from preau.server.settings import OWN_OPTIONS, read_settings, settings
from tests.server.processes import ROOT, free_port
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


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("tables_bust=3", "there is no setting 'tables_bust'. Do you mean tables_burst?"),
        ("x=3", "there is no setting 'x'. `--settings` lists all."),
        ("port=80", "there is no setting 'port'."),
        ("tables_burst", "--set tables_burst: the value is missing. Write tables_burst=120."),
        ("tables_burst=", "--set tables_burst: '' is not a valid value. It takes a whole number from 1 to"),
        ("tables_burst=-1", "--set tables_burst: '-1' is not a valid value."),
        ("tables_burst=1.5", "--set tables_burst: '1.5' is not a valid value."),
        ("tables_burst=" + "9" * 5_000, "is not a valid value."),
        ("tables_burst=" + "9" * 400, "is not a valid value. It takes a whole number from 1 to"),
        ("requests_per_second=" + "9" * 400, "is not a valid value. It takes a number from 0 to"),
        ("chat_burst=0", "It takes a whole number from 1 to"),
        ("requests_per_second=-0.1", "'-0.1' is not a valid value. It takes a number from 0 to"),
        ("requests_per_second=nan", "'nan' is not a valid value."),
        ("requests_per_second=inf", "'inf' is not a valid value."),
        ("silence_ms=0", "--set silence_ms: '0' is not a valid value. It takes a whole number from 1 to"),
        ("review_steps_back=20", "It takes a whole number from 0 to 19."),
        ("log_json=maybe", "--set log_json: 'maybe' is not a valid value. Say on or off."),
    ],
)
def test_limits_that_are_no_limits(run, word, said):
    result = run("serve", "--set", "lease_ms=5000", "--set", word)
    assert result.exit_code == 2
    assert said in result.output


def test_all_settings_are_listed(run):
    result = run("serve", "--settings")
    assert result.exit_code == 0
    for struct in (Limits, Config):
        for field in msgspec.structs.fields(struct):
            own = field.name in OWN_OPTIONS or field.name.startswith("keep_")
            if type(field.default) in (int, float, bool) and not own:
                assert f"\n{field.name}=" in f"\n{result.output}"
    assert "tables_burst=120\n    The same at once" in result.output
    assert "compression=on\n" in result.output


def test_the_documentation_lists_all_settings():
    """With their meaning and default, in this order."""
    rows = [f"| `{one.name}` | {one.meaning} | {one.shown} |" for one in settings().values()]
    assert "\n".join(rows) in (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_settings_are_read():
    words = [
        "requests_per_second=0.5",
        " tables_burst = 7",
        "log_json=off",
        "lease_ms=9",
        "lease_ms=8",
        "queue_bytes=1",
    ]
    limits, config = read_settings(words)
    assert limits == {"requests_per_second": 0.5, "tables_burst": 7, "queue_bytes": 1}
    assert config == {"log_json": False, "lease_ms": 8}
    assert all(setting.read(setting.shown) == setting.default for setting in settings().values())
    assert all(len(setting.meaning) > 10 for setting in settings().values())


def test_settings_hold(tmp_path):
    """A limit, a time limit and a switch, given to the command; the last wins where an option says the same."""
    port = free_port()
    words = ["tables_burst=1", "tables_per_minute=0.1", "tables_kept_per_address=1", "request_ms=3000", "log_json=off"]
    command = [sys.executable, "-m", "preau", "serve", "--port", str(port), "--keep-per-address", "9"]
    command += ["--database", f"sqlite:///{tmp_path}/preau.db", *(part for word in words for part in ("--set", word))]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert "is open" in process.stdout.readline()
        wish = {"game": "recess", "seats": [{"kind": "me"}] * 3}
        answers = [
            httpx.post(f"http://127.0.0.1:{port}/api/tables", json=wish, trust_env=False, timeout=PATIENCE)
            for _ in range(2)
        ]
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
            assert slow.recv(100).startswith(b"HTTP/1.1 408 ")
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=PATIENCE)
    assert [answer.status_code for answer in answers] == [201, 429]
    assert answers[1].json()["params"]["what"] == "tables"
    assert 300 < int(answers[1].headers["retry-after"]) <= 600, "a table in ten minutes"
    assert "open" in log
    assert not log.lstrip().startswith("{")


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
