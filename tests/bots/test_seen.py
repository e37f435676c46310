"""What a bot is given: one JSON form for all bots that live in other processes."""

from __future__ import annotations

import json
from random import Random

import pytest

from preau.bots import BotMatch, Budget, LevelBot, Seen, make_bot
from preau.core import Match
from preau.core.registry import find_game
from preau.core.state import Json


class Collector(LevelBot):
    """Plays at random and keeps what it is given."""

    wants_events = True

    def __init__(self) -> None:
        super().__init__("easy")
        self.handed: list[Seen] = []

    def choose(self, seen):
        self.handed.append(seen)
        return seen.rng.choice(seen.legal)


def handed(game: str, budget: Budget | None = None) -> list[Seen]:
    match = Match.new(find_game(game), 3, {}, 3)
    bot = Collector()
    BotMatch(match, {0: bot, 1: make_bot("random"), 2: make_bot("random")}, 3, budget).play()
    return bot.handed


def parts(seen: Seen) -> tuple[object, ...]:
    """Everything but chance, events and actions as they are."""
    return (
        seen.game,
        seen.seat,
        seen.view,
        [id(action) for action in seen.legal],
        list(seen.events),
        list(seen.history),
        seen.budget,
    )


@pytest.mark.parametrize(("game", "budget"), [("recess", None), ("bagarre", Budget(30)), ("cour", Budget(seconds=0.5))])
def test_what_is_written_is_read_without_loss(game, budget):
    found = handed(game, budget)
    assert any(0 < len(seen.events) < len(seen.history) for seen in found)
    for seen in found:
        rng = Random(1)
        again = Seen.from_json(json.loads(json.dumps(seen.to_json())), rng)
        assert parts(again) == parts(seen)
        assert again.rng is rng


def test_who_knows_a_part_is_told_the_rest():
    """Each question brings what is new since the one before; the reader adds it to what it has."""
    known: tuple[Json, ...] = ()
    for seen in handed("bagarre"):
        data = json.loads(json.dumps(seen.to_json(len(known))))
        assert data["history"] == list(seen.history[len(known) :])
        again = Seen.from_json(data, seen.rng, known)
        assert parts(again) == parts(seen)
        known = tuple(again.history)


def test_what_was_taken_back_is_forgotten():
    seen = handed("recess")[-1]
    wrong = [*seen.history[:5], {"key": "never happened"}]
    assert parts(Seen.from_json(seen.to_json(5), seen.rng, wrong)) == parts(seen)


def test_what_just_happened_is_history_too():
    state = find_game("recess").start(3)
    seen = Seen(state.game, 0, None, state.legal(0), ({"key": "one"},), Random(1))
    assert list(seen.history) == [{"key": "one"}]
    assert parts(Seen.from_json(seen.to_json(), seen.rng)) == parts(seen)
