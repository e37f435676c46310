"""Bots by name, by name and budget, and from files; what is wrong with a file is said, and a bad bot ends nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from queue import Queue
from random import Random
from typing import Any

import pytest

import preau
from preau.bots import BOTS, BotError, BotMatch, Budget, FileBot, LevelBot, Seen, file_bot, make_bot
from preau.core import Match, SetupError
from preau.core.registry import find_game
from tests.support import says_what_to_do

GOOD = """
from preau.bots import Bot

class Last(Bot):
    def choose(self, seen):
        print("thinking aloud does no harm")
        return seen.legal[-1]

class Eager(Bot):
    def __init__(self, needed):
        self.needed = needed

    def choose(self, seen):
        return seen.legal[0]

class Sleepy(Bot):
    def choose(self, seen):
        import time
        time.sleep(60)

class Broken(Bot):
    def choose(self, seen):
        return 1 // 0

class Vague(Bot):
    def choose(self, seen):
        return "pass"

class Wrong(Bot):
    def choose(self, seen):
        return seen.game.actions()[-1]

class Gone(Bot):
    def choose(self, seen):
        import os
        os._exit(0)

class Historian(Bot):
    def __init__(self):
        self.told = []

    def choose(self, seen):
        self.told += seen.events
        assert list(seen.history) == self.told
        assert all(type(event) is dict for event in seen.history)
        return seen.rng.choice(seen.legal)

NOT_A_BOT = 3
"""


@pytest.fixture
def bots(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", sorted(BOTS))
def test_every_name_makes_a_new_bot(name):
    assert make_bot(f" {name.upper()} ") is not make_bot(name)


def test_a_level_takes_a_budget():
    for spec, budget in [("hard@200", Budget(simulations=200)), ("easy@0.25s", Budget(seconds=0.25))]:
        bot = make_bot(spec)
        assert isinstance(bot, LevelBot)
        assert bot.budget == budget


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("herd", "there is no bot 'herd'"),
        ("hard@", "is no budget"),
        ("hard@0", "is no budget"),
        ("hard@-5", "is no budget"),
        ("hard@soon", "is no budget"),
        ("hard@nans", "is no budget"),
        ("greedy@100", "takes no budget"),
        ("nowhere/mine.py:Last", "there is no file"),
        ("{path}:", "names no class"),
        ("{path}:Nobody", "has no class Nobody"),
        ("{path}:NOT_A_BOT", "is no Bot"),
        ("{path}:Eager", "cannot be made"),
    ],
)
def test_what_is_no_bot_is_refused_in_words(spec, words, bots):
    with pytest.raises(SetupError, match=words) as refusal:
        make_bot(spec.format(path=bots))
    assert says_what_to_do(refusal.value)


def test_a_file_that_does_not_run_is_refused_with_the_line(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("x = 1\nraise RuntimeError('no')\n", encoding="utf-8")
    with pytest.raises(SetupError, match=r"RuntimeError: no \(line 2\)"):
        make_bot(f"{path}:Last")
    path.write_text("x = 1\n\nclass :\n", encoding="utf-8")
    with pytest.raises(SetupError, match=r"SyntaxError.*line 3"):
        make_bot(f"{path}:Last")


def test_a_bot_from_a_file_plays_a_game(bots):
    match = preau.play("recess", [f"{bots}:Last", f"{bots}:Historian", "random"], seed=4)
    assert match.over
    again = preau.play("recess", [f"{bots}:Last", f"{bots}:Historian", "random"], seed=4)
    assert again.record.entries == match.record.entries


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Broken", r"broke down: ZeroDivisionError.*line \d+"),
        ("Vague", "returned no action"),
        ("Wrong", "chose 'timeout', which is not legal"),
        ("Gone", "ended without an answer"),
        ("Sleepy", "did not answer within"),
    ],
)
def test_a_bot_that_breaks_down_is_named_and_the_match_stands(name, words, bots):
    match = Match.new(find_game("recess"), 3, {}, 1)
    bot = FileBot(f"{bots}:{name}")
    if name == "Sleepy":
        bot.patience = 0.5
    table = BotMatch(match, {0: bot}, 1)
    with pytest.raises(BotError, match=words):
        table.step()
    assert match.record.entries == []
    table.close()


def test_a_bot_that_is_let_go_while_it_is_listened_to_makes_no_noise(bots):
    bot = FileBot(f"{bots}:Last")
    bot.close()
    answers: Queue[str] = Queue()
    file_bot._listen(bot._process, answers)
    assert answers.get() == ""


def test_a_bot_that_nobody_listens_to_any_more_ends_without_a_word(bots):
    """As when the process that asked it was killed while it thought."""
    command = [sys.executable, "-m", "preau.bots.file_bot_process", str(bots), "Last"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    state = find_game("recess").start(3)
    seen = Seen(state.game, 0, state.view(0), state.legal(0), (), Random(1))
    process.stdin.write(json.dumps({"seen": seen.to_json(), "seed": "1"}).encode() + b"\n")
    process.stdin.close()
    with process.stderr:
        assert process.stderr.read() == b"thinking aloud does no harm\n"
    assert process.wait() == 0


def test_a_bot_whose_process_is_gone_says_so(bots):
    match = Match.new(find_game("recess"), 3, {}, 1)
    bot = make_bot(f"{bots}:Last")
    bot.close()
    with pytest.raises(BotError, match="is gone"):
        BotMatch(match, {0: bot}, 1).step()


def test_history_is_told_in_full_to_a_bot_that_joins_late():
    seen: list[Seen] = []

    class Notes(LevelBot):
        wants_events = True

        def choose(self, one):
            seen.append(one)
            return one.legal[0]

    whole = Match.new(find_game("recess"), 3, {}, 5)
    table = BotMatch(whole, {0: Notes("easy"), 1: make_bot("random"), 2: make_bot("random")}, 5)
    for _ in range(30):
        table.step()
    late = BotMatch(whole, {seat: Notes("easy") for seat in range(3)}, 5)
    early_history, seat = seen[-1].history, whole.to_act[0]
    late.choose(seat)
    assert seen[-1].history[: len(early_history)] == early_history
    assert seen[-1].events == seen[-1].history
    late.choose(seat)
    assert seen[-1].events == ()


def test_what_a_bot_does_to_its_data_changes_nothing():
    class Vandal(LevelBot):
        wants_events = True

        def choose(self, one):
            for data in (one.view, *one.history):
                _wreck(data)
            return one.legal[0]

    match = Match.new(find_game("recess"), 3, {"layout": "B1 A0 D2 C3"}, 5)
    table = BotMatch(match, {seat: Vandal("easy") for seat in range(3)}, 5)
    while not match.over:
        before = match.state.to_json()
        table.choose(match.to_act[0])
        assert match.state.to_json() == before
        table.step()
    match.record.verify()


def _wreck(data: Any) -> None:
    """Empty every list and object in JSON data, from the inside out."""
    if isinstance(data, (dict, list)):
        for inner in list(data.values() if isinstance(data, dict) else data):
            _wreck(inner)
        data.clear()
