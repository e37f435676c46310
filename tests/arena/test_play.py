"""One game: the same wherever it is played, true to the rules, and over at once when a bot breaks off."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import preau
from preau.arena import BotFailure, Played, play_game
from preau.arena import entrants as entering
from preau.bots import Bot, Seen, make_bot
from tests.core import auction
from tests.support import registered

from .command import plan


@pytest.fixture(autouse=True)
def _auction_is_registered():
    with registered(auction.GAME):
        yield


class Stub(Bot):
    """Does what the test wants."""

    def __init__(self, answer: Callable[[Seen], Any]) -> None:
        self.answer = answer

    def choose(self, seen: Seen) -> Any:
        return self.answer(seen)


@pytest.fixture
def stub(monkeypatch):
    """Lets a test say what the bot `stub` answers."""

    def seat(answer):
        monkeypatch.setattr(entering, "make_bot", lambda spec: Stub(answer) if spec == "stub" else make_bot(spec))

    return seat


@pytest.mark.parametrize("name", preau.game_ids())
def test_a_game_is_the_same_whenever_it_is_played(name, stub):
    stub(lambda seen: seen.legal[0])
    made = plan("stub,random", name, seed=3)
    games = [play_game(made, index, keep_record=True) for index in (0, 1, 2, 1, 0)]
    assert games[0].record == games[4].record
    assert games[1].record == games[3].record
    assert games[0].moves == games[4].moves != games[1].moves
    for game in games:
        record = preau.Record.from_json(json.loads(json.dumps(game.record)))
        assert record.verify().result().ranking == game.ranking
        assert record.meta["bots"] == list(game.names)
        assert game.decisions == sum(times.count for times in game.times)


def test_a_game_is_written_and_read_without_loss():
    game = play_game(plan(), 4, keep_record=True)
    again = Played.from_json(json.loads(json.dumps(game.to_json())))
    assert again.to_json() == game.to_json()
    assert again.row() == game.row()


def test_games_of_a_deal_share_its_luck(stub):
    made = plan("random,random,random,stub", "recess", options={"first": "random", "layout": "random"})
    stub(lambda seen: seen.legal[0])
    options = []
    for index in range(2 * made.block):
        record = play_game(made, index, keep_record=True).record
        assert record is not None
        options.append(json.dumps(record["options"]))
    assert len(set(options[: made.block])) == 1
    assert len(set(options[made.block :])) == 1
    assert options[0] != options[-1]


def _raises(seen):
    raise ZeroDivisionError("my fault")


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (_raises, "ZeroDivisionError: my fault"),
        (lambda seen: None, "returned None"),
        (lambda seen: "pass", "returned 'pass'"),
        (lambda seen: next(one for one in seen.game.actions() if one not in seen.legal), "chose"),
    ],
)
def test_a_bot_that_breaks_off_is_named_with_its_game(stub, answer, word):
    stub(answer)
    made = plan("random,stub")
    with pytest.raises(BotFailure, match=word) as caught:
        play_game(made, 5)
    seating = made.seating(5)
    text = str(caught.value)
    assert "game 5 " in text
    assert f"seed {seating.seed}" in text
    assert "stub in seat" in text
    assert caught.value.params["bot"] == "stub"


def test_bots_are_let_go_whatever_happens(monkeypatch):
    closed = []

    class Holder(Stub):
        def close(self):
            closed.append(self)

    monkeypatch.setattr(entering, "make_bot", lambda spec: Holder(_raises))
    with pytest.raises(BotFailure):
        play_game(plan("a,b"), 0)
    assert len(closed) == 3
