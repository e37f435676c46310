"""When one of the processes that share the tests dies, the run fails at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONFTEST = """
import os
import signal
from tests.sharing import Shared

def pytest_xdist_make_scheduler(config, log):
    return Shared(config, log)

def die():
    os.kill(os.getpid(), signal.SIGSEGV)

def pytest_collection(session):
    if os.environ["DIES"] == "collecting" and os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        die()

def pytest_runtest_call(item):
    if os.environ["DIES"] == item.path.stem:
        die()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes die otherwise there")
@pytest.mark.parametrize(
    ("dies", "where"),
    [("test_0", "in test_0.py::test_it"), ("test_7", "in test_7.py::test_it"), ("collecting", "outside of tests")],
)
def test_a_process_that_dies_fails_the_run_within_a_minute(tmp_path, dies, where):
    """In its first file, in its last one, which needs finished files before it, and before its tests are known."""
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for number in range(8):
        (tmp_path / f"test_{number}.py").write_text("def test_it(): pass\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:faulthandler", "-n", "2"]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT), "DIES": dies}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command, cwd=tmp_path, env=inherited | alone, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert f"died {where}" in done.stdout
