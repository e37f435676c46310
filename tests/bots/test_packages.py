"""A game in a package of its own brings its judge and its rules of thumb along; one that is broken is named."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest

import preau
from preau.bots import BotMatch, GreedyBot, LevelBot, Seen, explain, make_bot
from preau.bots.evaluate import judges
from preau.bots.evaluate.base import Judge
from preau.bots.levels import strength
from preau.bots.simple import rules_of_thumb
from preau.core import Match, SetupError
from tests.core import auction
from tests.support import registered, says_what_to_do

JUDGE = """
from preau.bots.evaluate.base import Judge

NAMES = ("spread", "pride")


class JUDGE(Judge):
    def policy(self, state, seat, legal):
        return [self.weights[1] * action.number for action in legal]
"""
GREEDY = """
def choose(seat, view, legal, rng):
    return legal[-1]
"""
DATA = {"weights": {"spread": 1.5, "pride": 30}, "levels": {"easy": {"simulations": 2, "temperature": 0.5}}}


class Package:
    """An installed package, in a folder of the test's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def entry_points(self, *, group: str) -> list[EntryPoint]:
        return [EntryPoint("auction", self.entries[group], group)] if group in self.entries else []


@pytest.fixture
def package(tmp_path, monkeypatch):
    made = Package(tmp_path)
    made.entries = {"preau.judges": "auction_judge", "preau.greedy": "auction_greedy:choose"}
    made.write("auction_judge.py", JUDGE)
    made.write("auction_greedy.py", GREEDY)
    made.write("auction.json", json.dumps(DATA))
    monkeypatch.setattr(importlib.metadata, "entry_points", made.entry_points)
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget()
    with registered(auction.GAME):
        yield made
    _forget()
    for name in ("auction_judge", "auction_greedy"):
        sys.modules.pop(name, None)


def _forget() -> None:
    judges.forget()
    rules_of_thumb.cache_clear()


def chosen(level: str) -> str:
    match = Match.new(auction.GAME, 3, {}, 1)
    return BotMatch(match, {0: make_bot(level)}, 1).choose(0).text


def test_a_package_brings_its_judge(package):
    judge = judges.judge("auction")
    assert type(judge).__module__ == "auction_judge"
    assert judge.weights == [1.5, 30.0]
    assert judges.judge("auction", [1, 2]).weights == [1.0, 2.0]
    assert judges.names("auction") == ("spread", "pride")
    assert strength("auction", "easy").simulations == 2
    assert strength("auction", "expert").simulations > 100, "what its file does not say is as usual"
    thought = explain(auction.GAME.start(3).view(0))
    assert thought["actions"][0]["action"] == "bid 4", "it looks most at what its judge is proud of"


def test_a_package_brings_its_rules_of_thumb(package):
    assert chosen("greedy") == "bid 4"
    assert preau.play("auction", ["greedy"] * 3, seed=1).over


def test_a_game_that_brings_nothing_is_thought_about_all_the_same(package):
    package.entries.clear()
    assert type(judges.judge("auction")) is Judge
    assert chosen("normal").startswith("bid ")
    with pytest.raises(SetupError, match="there is no greedy bot for auction") as refusal:
        chosen("greedy")
    assert says_what_to_do(refusal.value)


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("auction_judge.py", "raise RuntimeError('no')", "RuntimeError: no"),
        ("auction_judge.py", "import nothing_there", "nothing_there"),
        ("auction_judge.py", "NAMES = ('spread', 'pride')", "JUDGE"),
        ("auction_judge.py", "NAMES = ('spread', 'pride')\nJUDGE = list", "JUDGE makes no Judge"),
        ("auction_judge.py", JUDGE.replace("pride", "shame"), "names other weights"),
        ("auction.json", "{", "JSONDecodeError"),
        ("auction.json", '{"weights": {"spread": 1, "pride": 1}}', "levels"),
    ],
)
def test_a_broken_judge_is_named_and_all_else_works(package, file, text, words):
    package.write(file, text)
    for _ in range(2):
        with pytest.raises(SetupError, match=words) as refusal:
            chosen("normal")
        assert "auction_judge" in str(refusal.value)
        assert says_what_to_do(refusal.value)
    assert chosen("greedy") == "bid 4"
    assert LevelBot("easy").choose(_first("recess")) is not None


@pytest.mark.parametrize("text", ["raise RuntimeError('no')", "choose = 3", "import nothing_there", ""])
def test_broken_rules_of_thumb_are_named_and_all_else_works(package, text):
    package.write("auction_greedy.py", text)
    with pytest.raises(SetupError, match="auction_greedy:choose") as refusal:
        chosen("greedy")
    assert says_what_to_do(refusal.value)
    assert chosen("normal").startswith("bid ")
    assert GreedyBot().choose(_first("recess")) is not None


def test_a_game_that_ships_keeps_its_own(package):
    package.entry_points = lambda *, group: [EntryPoint("recess", package.entries[group], group)]
    _forget()
    assert type(judges.judge("recess")).__module__ == "preau.bots.evaluate.recess"
    assert rules_of_thumb("recess").__module__ == "preau.bots.greedy.recess"


def _first(game: str) -> Seen:
    state = preau.game(game).start(3)
    return Seen(state.game, 0, state.view(0), state.legal(0), (), Random(1))
