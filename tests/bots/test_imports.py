"""Bots can be had where there are no threads and no processes: in a browser, or at a table without I/O."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("asyncio", "concurrent.futures", "multiprocessing", "subprocess", "threading")
LOOK = "import sys; print(*(name for name in sys.argv[1:] if name in sys.modules))"


def brought_in(statement: str) -> list[str]:
    """Which of the heavy modules a fresh interpreter has after a statement."""
    command = [sys.executable, "-c", f"{statement}\n{LOOK}", *HEAVY]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "module", ["preau.bots", "preau.bots.registry", "preau.bots.bot_match", "preau.bots.seated", "preau.bots.levels"]
)
def test_no_threads_and_no_processes(module):
    assert brought_in(f"import {module}") == []


def test_a_whole_game_needs_none_either():
    play = "import preau; assert preau.play('recess', ['easy@2', 'greedy', 'random'], seed=1).over"
    assert brought_in(play) == []


def test_a_bot_from_a_file_brings_them_in_when_it_is_wanted():
    assert "subprocess" in brought_in("from preau.bots import FileBot")


def test_what_is_not_there_is_not_found():
    with pytest.raises(ImportError, match="Nobody"):
        exec("from preau.bots import Nobody")
