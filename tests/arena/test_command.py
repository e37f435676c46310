"""`preau arena` as people run it, with the interruptions of real life."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from .command import PATIENCE, arena, arguments, result, surroundings, table

BOT = """
from preau.bots import Bot


class {name}(Bot):
    def choose(self, seen):
        return {answer}
"""
SMALL = ("recess", "--bots", "greedy,random", "--seats", 3, "--games", 60, "--seed", 4)
ENDLESS = 60_000
"""Far more games than are played before somebody stops it."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An uninterrupted run: its result file and what it printed."""
    path = tmp_path_factory.mktemp("whole") / "result.json"
    done = arena(*SMALL, "--json", path, "--workers", 2)
    assert (done.returncode, done.stderr) == (0, "")
    return path, done.stdout


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        arguments(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=surroundings(),
    )


def wait_for(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until so many lines are in the file, or the process has ended."""
    end = monotonic() + PATIENCE
    while lines(path) < count and process.poll() is None:
        assert monotonic() < end
        sleep(0.002)


def test_the_table_is_plain_when_piped(whole):
    assert "\x1b" not in whole[1]
    assert "95 % interval" in whole[1]
    assert "Recess!, 3 seats, seed 4: 60 games, 20 deals" in whole[1]
    assert result(whole[0])["summary"]["games"] == 60


def test_killed_again_and_again_it_comes_to_the_same_table(whole, tmp_path):
    path, side = tmp_path / "result.json", tmp_path / "result.games.jsonl"
    rng = Random()
    for kill in range(4):
        process = start(*SMALL, "--games", ENDLESS, "--json", path, "--workers", 2)
        wait_for(side, lines(side) + rng.randrange(1, 12), process)
        sleep(rng.random() * 0.02)
        assert process.poll() is None
        process.kill()
        process.communicate()
        if kill == 1:
            with side.open("ab") as file:
                file.write(b'{"index":1,"dea')  # the machine went down while it wrote
    done = arena(*SMALL, "--json", path, "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert table(done.stdout) == table(whole[1])
    assert result(path) == result(whole[0])
    indices = [json.loads(line)["index"] for line in side.read_text(encoding="utf-8").splitlines()[1:]]
    assert len(indices) == len(set(indices))
    assert set(range(60)) <= set(indices)


def test_no_process_outlives_a_killed_run(tmp_path):
    side = tmp_path / "result.games.jsonl"
    process = start(*SMALL, "--games", ENDLESS, "--json", tmp_path / "result.json", "--workers", 2)
    wait_for(side, 2, process)
    children = {int(pid) for pid in children_of(process.pid)}
    assert len(children) >= 2
    process.kill()
    process.communicate()
    end = monotonic() + PATIENCE
    while alive := {pid for pid in children if is_running(pid)}:
        assert monotonic() < end, alive
        sleep(0.02)


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_control_c_shows_the_table_so_far(tmp_path):
    side = tmp_path / "result.games.jsonl"
    process = start(*SMALL, "--games", ENDLESS, "--json", tmp_path / "result.json", "--workers", 2)
    wait_for(side, 5, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "95 % interval" in out
    assert f"of {ENDLESS} games; the same command goes on from there" in err
    assert "Traceback" not in err
    assert not (tmp_path / "result.json").exists()
    assert lines(side) >= 5


def test_on_a_terminal_there_are_colours_and_a_bar(tmp_path):
    """Rich draws for a terminal; a file gets no bar."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        arguments(*SMALL, "--games", 6, "--workers", 1),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "PYTHONUTF8": "1"},
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 1 << 16):
            shown += part
    except OSError:  # how Linux says that the other end is closed
        assert shown
    finally:
        os.close(ours)
    assert process.wait(PATIENCE) == 0
    text = shown.decode()
    assert "\x1b[" in text
    assert "6/6" in text
    assert "95 % interval" in text


def test_records_pass_the_check(tmp_path):
    records = tmp_path / "games.jsonl"
    assert (
        arena("cour", "--bots", "random", "--mirror", "--seats", 4, "--games", 8, "--records", records).returncode == 0
    )
    check = [sys.executable, "-m", "preau", "check", str(records)]
    done = subprocess.run(check, capture_output=True, text=True, check=False, timeout=PATIENCE, env=surroundings())
    assert (done.returncode, done.stdout.strip()) == (0, f"{records}: OK, 8 games")


def test_the_mirror_control_is_shown():
    done = arena("recess", "--bots", "random", "--mirror", "--games", 150, "--workers", 1)
    assert done.returncode == 0
    assert "mirror    holds: every copy's share may be 33.3%" in done.stdout
    assert "random#3" in done.stdout


def test_games_are_played_up_to_whole_deals():
    done = arena("recess", "--bots", "greedy,random", "--games", 1, "--workers", 1)
    assert "3 games are played, to complete the last deal of 3" in done.stderr
    assert "3 games, 1 deals" in done.stdout


def test_a_bot_of_ones_own(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text(BOT.format(name="Mine", answer="seen.legal[0]"), encoding="utf-8")
    done = arena("recess", "--bot", f"{bot}:Mine", "--bots", "random", "--games", 3, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[3:5]] == ["Mine", "random"]


def test_a_bot_that_breaks_off_stops_the_run(tmp_path):
    bot = tmp_path / "broken.py"
    bot.write_text(BOT.format(name="Broken", answer="1 / 0"), encoding="utf-8")
    done = arena("recess", "--bot", f"{bot}:Broken", "--bots", "random", "--games", 3, "--workers", 1)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "game 0 (seed " in done.stderr
    assert "Broken in seat 0 failed" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "--bots", "greedy"), "chess"),
        (("recess",), "--bots"),
        (("recess", "--bots", "grumpy,greedy"), "grumpy"),
        (("recess", "--bots", "greedy"), "--mirror"),
        (("recess", "--bots", "greedy,random", "--seats", "9"), "R1"),
        (("recess", "--bots", "greedy,random", "--option", "turns=soon"), "turns"),
        (("recess", "--bots", "greedy,random", "--option", "weather=rain"), "weather"),
        (("recess", "--bots", "greedy,random", "--option", "weather"), "name=value"),
        (("recess", "--bots", "greedy,random", "--games", "0"), "--games"),
        (("recess", "--bots", "greedy,random", "--workers", "0"), "--workers"),
        (("recess", "--bots", "greedy,random", "--json", "no/such/folder/r.json"), "no/such/folder"),
        (("recess", "--bots", "greedy,random", "--records", "games.json"), ".jsonl"),
        (("recess", "--bot", "mine.txt", "--bots", "random"), "mine.txt"),
        (("recess", "--bots", "greedy,random", "--ray", "127.0.0.1:1"), "no Ray cluster answers"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_played(words, said):
    done = arena(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_the_result_of_another_command_is_refused(whole):
    before = whole[0].read_bytes()
    done = arena(*SMALL, "--option", "turns=20", "--json", whole[0])
    assert done.returncode == 2
    assert "options" in done.stderr
    assert "--fresh" in done.stderr
    assert whole[0].read_bytes() == before
