"""Bots kept in their seats between decisions: they go on where they can, start anew where not, and room is bounded."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import preau
from preau.bots import Bot, Seen
from preau.core.state import Json, State
from preau.host import bot_cache
from preau.host.bot_cache import BotCache
from preau.host.bot_round import question as bot_question
from preau.host.questions import BotAnswer, BotQuestion, FailedAnswer


class Notes(Bot):
    """Keeps in mind as much as its name says, and writes down what it is told."""

    made: list[Notes]

    def __init__(self, size: int) -> None:
        self.size = size
        self.told: list[tuple[list[Json], list[Json], float]] = []
        self.closed = False
        self.made.append(self)

    def choose(self, seen: Seen) -> Any:
        self.told.append((list(seen.history), list(seen.events), seen.rng.random()))
        return seen.legal[0] if self.size else None

    def keeps(self) -> int:
        return self.size

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def made(monkeypatch):
    monkeypatch.setattr(Notes, "made", [], raising=False)
    monkeypatch.setattr(bot_cache, "make_bot", lambda level: Notes(int(level)))
    return Notes.made


def start() -> State:
    return preau.game("recess").start(3)


def question(table: str, history: list[Json] | None = None, level: str = "1", seed: int = 1) -> BotQuestion:
    asked = bot_question(table, start(), 0, "random", history or [])
    return msgspec.structs.replace(asked, level=level, seed=seed)


def test_a_bot_goes_on_with_what_is_new(made):
    kept = BotCache()
    one, two = {"key": "one"}, {"key": "two"}
    for history in ([one], [one, two], [one, two]):
        assert kept.answer(question("table", history)) == BotAnswer(start().legal(0)[0].text)
    assert [told[:2] for told in made[0].told] == [([one], [one]), ([one, two], [two]), ([one, two], [])]
    assert len({chance for _, _, chance in made[0].told}) == 3


def test_a_bot_starts_anew_where_something_was_taken_back(made):
    kept = BotCache()
    one, two, three = {"key": "one"}, {"key": "two"}, {"key": "three"}
    kept.answer(question("table", [one, two]))
    kept.answer(question("table", [one, three]))
    assert [bot.closed for bot in made] == [True, False]
    assert made[1].told[0][:2] == ([one, three], [one, three])


@pytest.mark.parametrize("other", [{"level": "2"}, {"seed": 2}])
def test_another_level_or_seed_is_another_bot(made, other):
    kept = BotCache()
    kept.answer(question("table"))
    kept.answer(question("table", **other))
    assert [bot.closed for bot in made] == [True, False]


def test_there_is_room_for_so_many_seats(made):
    kept = BotCache(seats=2)
    for table in ("a", "b", "a", "c"):
        kept.answer(question(table))
    assert [bot.closed for bot in made] == [False, True, False], "b was not asked for longest"


def test_there_is_room_for_so_much_thought(made):
    kept = BotCache(thought=10)
    for table, size in (("a", 4), ("b", 5), ("c", 6)):
        kept.answer(question(table, level=str(size)))
        assert kept.thought() <= 10
    assert [bot.closed for bot in made] == [True, True, False]
    kept.answer(question("d", level="11"))
    assert kept.thought() == 0
    assert all(bot.closed for bot in made)


def test_a_bot_that_fails_is_let_go(made):
    kept = BotCache()
    failed = kept.answer(question("table", level="0"))
    assert isinstance(failed, FailedAnswer)
    assert "AttributeError" in failed.error
    assert made[0].closed
    kept.answer(question("table", level="0"))
    assert len(made) == 2
