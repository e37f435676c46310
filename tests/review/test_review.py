"""Reviews of whole games: the same for everybody, honest about what they do not know, and right where the truth is
known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest

import preau
from benchmarks import lots
from preau.bots.base import Budget
from preau.bots.evaluate import judges
from preau.bots.search.think import think
from preau.bots.search.thought import OpenThought
from preau.core.errors import PreauError, RecordError, SetupError
from preau.core.record import Record
from preau.core.shapes import faults
from preau.core.state import Json
from preau.review import Review, assemble, piece, plan, review
from preau.review.chances import Mean
from preau.review.step_analysis import HiddenStepAnalyser
from preau.review.strength import find_strength
from preau.review.wording import say_decision, say_turning
from tests.support import plain_twin, registered

ROUNDED = 6e-5
"""How far a figure may be off by being rounded."""


@pytest.fixture
def made_up() -> Iterator[None]:
    """The game of lots is known while a test runs."""
    with registered(lots.GAME):
        yield


@pytest.fixture(scope="module")
def short() -> Record:
    """A short game with secrets and chance, and a blunder here and there."""
    return preau.play("bagarre", bots=["random", "greedy"], options={"goal": 3}, seed=4).record


@pytest.fixture(scope="module")
def found(short: Record) -> Review:
    return review(short, "quick")


def test_a_review_has_its_shape(short: Record, found: Review) -> None:
    said = cast("Any", json.loads(json.dumps(found)))
    assert faults(said, Review) == []
    assert said["format"] == "preau-review/1"
    assert len(said["chances"]) == len(said["errors"]) == said["steps"] + 1 == len(short.entries) + 1
    for row in said["chances"]:
        assert abs(sum(row) - 1) < ROUNDED * len(row)
    assert said["errors"][-1] == [0.0] * short.seats
    assert all(error > 0 for row in said["errors"][:-1] for error in row), "nothing is certain before the end"
    winners = short.verify().result().winners
    assert said["chances"][-1] == [(seat in winners) / len(winners) for seat in range(short.seats)]


def test_pieces_come_to_the_same_in_any_order_and_process(short: Record, found: Review) -> None:
    record = cast("Json", json.loads(json.dumps(short.to_json())))
    pieces = plan(record, "quick")
    assert len(pieces) > 1
    assert [one["first"] for one in pieces[1:]] == [one["end"] for one in pieces[:-1]]
    looked = [json.loads(json.dumps(piece(record, one, "quick"))) for one in reversed(pieces)]
    assert json.dumps(assemble(record, looked, "quick")) == json.dumps(found)
    with pytest.raises(RecordError, match="missing"):
        assemble(record, looked[1:], "quick")


def test_another_seed_gives_other_figures_within_the_error(short: Record, found: Review) -> None:
    first = piece(short, {"first": 12, "end": 14}, "quick", seed=1)
    again = piece(short, {"first": 12, "end": 14}, "quick", seed=2)
    assert first != again
    for one, other in zip(first, again, strict=True):
        for seat in range(short.seats):
            reach = 5 * (one["errors"][seat] + other["errors"][seat])
            assert abs(one["chances"][seat] - other["chances"][seat]) < reach


def test_the_plain_rules_give_the_same_review() -> None:
    record = preau.play("bagarre", bots=["random", "random"], options={"goal": 2}, seed=2).record.to_json()
    middle = {"first": len(record["actions"]) // 2, "end": len(record["actions"]) // 2 + 4}
    twin = plain_twin()
    assert twin.review.piece(record, middle, "quick") == piece(record, cast("Any", middle), "quick")


def test_the_parts_add_up(found: Review) -> None:
    for one in found["standings"]:
        total = one["start"] + one["play"] + one["luck"] + one["rest"]
        assert abs(total - one["end"]) < ROUNDED
        own = [decision for decision in found["decisions"] if decision["seat"] == one["seat"]]
        assert len(own) == one["decisions"] == sum(one["called"].values())
        assert abs(one["play"] + sum(decision["gap"] for decision in own)) < ROUNDED * (len(own) + 1)
        changes = [luck["changes"][one["seat"]] for luck in found["luck"]]
        assert abs(one["luck"] - sum(changes)) < ROUNDED * (len(changes) + 1)


def test_nothing_is_called_worse_than_it_is_beyond_doubt(found: Review) -> None:
    for one in found["decisions"]:
        assert one["regret"] == max(0.0, one["gap"])
        assert one["low"] <= one["gap"] <= one["high"]
        assert (one["called"] == "mistake") == (one["low"] > 0.05)
        assert (one["called"] == "inaccuracy") == (0.02 < one["low"] <= 0.05)
        if one["action"] == one["best"]:
            assert (one["regret"], one["called"], one["do"]) == (0.0, "best", None)
    assert any(one["called"] == "mistake" for one in found["decisions"]), "the random player made none"


@pytest.mark.parametrize(("game", "seats", "at"), [("bagarre", 3, 60), ("cour", 3, 50)])
def test_what_looked_the_same_gets_the_same_alternative(game: str, seats: int, at: int) -> None:
    """Games that differ only in what the seat cannot see: the best action, its regret and the reasons are the same."""
    match = preau.new(game, seats=seats, seed=3)
    rng = Random(3)
    while len(match.record.entries) < at or len(match.legal(match.to_act[0])) < 3:
        match.apply(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
    state, seat = match.state, match.to_act[0]
    view, action = state.view(seat), state.legal(seat)[-1].text
    world = state.game.sampler(view).draw(Random(9))
    assert world.view(seat) == view
    assert world.to_json() != state.to_json()
    looked = []
    for start in (state, world):
        record = Record.begin(start, from_position=True)
        record.add(seat, action)
        looked += piece(record, {"first": 0, "end": 1}, "quick")
    here, there = looked
    assert here["decision"] is not None
    assert here["decision"] == there["decision"]
    assert here["chances"] != there["chances"], "who stands how well is told from the true position"


def test_the_same_view_later_in_a_game_gets_the_same_alternative() -> None:
    """The number of the step, or what was done before, is no part of what is looked at."""
    match = preau.new("bagarre", seats=2, seed=5)
    eye = HiddenStepAnalyser("bagarre", find_strength("quick"), 0)
    state = match.state
    seat = state.to_act[0]
    one, other = (eye.analyse(step, state.copy(), seat, state.legal(seat)[0])["decision"] for step in (0, 7))
    assert one is not None
    assert other is not None
    assert {**one, "step": 7} == other


# The truth, where it is known.


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2)])
def test_luck_and_choice_are_told_apart_where_both_are_known(seats: int, seed: int) -> None:
    record = lots.play(seats, seed)
    found = review(record, "normal")
    lucky = {one["step"]: one for one in found["luck"]}
    decided = {one["step"]: one for one in found["decisions"]}
    state = cast("lots.LotsState", record.start_state())
    luck = [0.0] * seats
    play = [0.0] * seats
    for step, entry in enumerate(record.entries):
        before, action = lots.chances(state), state.action(entry.text)
        now = lots.after(state, action)
        for seat in range(seats):
            assert abs(found["chances"][step][seat] - before[seat]) <= 4 * found["errors"][step][seat] + ROUNDED
        if step in lucky:
            for seat in range(seats):
                true = now[seat] - before[seat]
                luck[seat] += true
                assert abs(lucky[step]["changes"][seat] - true) <= 4 * lucky[step]["errors"][seat] + ROUNDED
        elif entry.actor >= 0:
            best = state.action(decided[step]["best"])
            true = lots.after(state, best)[entry.actor] - now[entry.actor]
            play[entry.actor] -= true
            assert abs(decided[step]["gap"] - true) <= 4 * decided[step]["error"] + ROUNDED
            if decided[step]["called"] == "mistake":
                assert true > 0.05
        state.advance(entry.actor, action)
    for seat, one in enumerate(found["standings"]):
        assert abs(one["luck"] - luck[seat]) <= 4 * one["errors"]["luck"] + ROUNDED
        assert abs(one["play"] - play[seat]) <= 4 * one["errors"]["play"] + ROUNDED
        rest = one["end"] - lots.chances(cast("lots.LotsState", record.start_state()))[seat] - luck[seat] - play[seat]
        assert abs(one["rest"] - rest) <= 4 * one["errors"]["rest"] + ROUNDED


@pytest.fixture(scope="module")
def blunder() -> Record:
    """Three turns before the bell: a kiss would win, and the boy walks off instead."""
    start = preau.game("recess").load(
        {"seats": 3, "nuns": ["a1", "l12"], "turn": 28, "active": 0, "children": {"0b1": "e6", "0g1": "g7"}}
    )
    record = Record.begin(start, from_position=True)
    state = start.copy()
    for text in ("b1 b6",):
        state.apply(0, text)
        record.add(0, text)
    while not state.over:
        seat = state.to_act[0]
        action = state.zombie(seat)
        state.apply(seat, action)
        record.add(seat, action.text)
    record.close(state.result())
    return record


def test_a_missed_kiss_is_a_mistake_and_the_kiss_is_named(blunder: Record) -> None:
    found = review(blunder, "quick")
    first = found["decisions"][0]
    after = blunder.start_state()
    kissed = [event.key for event in after.apply(0, first["best"])]
    assert "kiss" in kissed
    assert first["called"] == "mistake"
    assert first["regret"] > 0.3
    assert all(one["chance"] > 0 for one in found["decisions"] if one["action"] == one["best"])
    assert first["line"][0] == (0, first["best"])
    assert found["strength"]["sampled"] is False
    assert found["turning"][0]["step"] == 0
    assert (found["turning"][0]["cause"], found["turning"][0]["actor"]) == ("choice", 0)
    english = say_decision(found, first, "en", ["Ann", "Bob", "Cléo"])
    french = say_decision(found, first, "fr", ["Ann", "Bob", "Cléo"])
    assert english[0].startswith("Mistake: ")
    assert "kiss" in english[1]
    assert french[0].startswith("Erreur : ")
    assert "bisou" in french[1] or "embrasse" in french[1]


def test_the_mean_of_a_search_is_that_of_its_simulations() -> None:
    view = preau.game("recess").start(seats=3).view(0)
    thought = think(preau.game("recess"), 0, view, Budget(120), Random(1), judges.judge("recess"), None)
    assert isinstance(thought, OpenThought)
    edges = thought.search.root.edges
    own = sum(edge.total for edge in edges) / sum(int(edge.visits) for edge in edges)
    assert thought.average()[0] == pytest.approx(own)
    assert sum(thought.average()) == pytest.approx(1.0)


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["bagarre", "cour", "recess"])
def test_games_of_all_sizes_are_reviewed(game: str) -> None:
    for seats in preau.game(game).seats:
        record = preau.play(game, bots=["greedy"] * seats, seed=seats).record
        found = review(record, "quick")
        assert faults(json.loads(json.dumps(found)), Review) == []
        for one in found["standings"]:
            assert abs(one["start"] + one["play"] + one["luck"] + one["rest"] - one["end"]) < ROUNDED
        assert sum(one["luck"] for one in found["standings"]) == pytest.approx(0.0, abs=ROUNDED * seats)


def test_what_always_came_to_the_same_is_not_taken_for_certain() -> None:
    same, nothing, single = Mean(2), Mean(1), Mean(1)
    for _ in range(50):
        same.add((0.3, 1.0))
        nothing.add((0.0,))
    single.add((0.4,))
    assert same.errors() == [0.02, 0.02]
    assert nothing.errors() == [0.0]
    assert single.errors() == [1.0]


# Words.


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_reads_as_sentences(found: Review, language: str) -> None:
    names = ["Ann", "Bob"]
    lines = [line for one in found["decisions"] for line in say_decision(found, one, language, names)]
    for one in found["turning"]:
        lines += [say_turning({**one, "cause": cause, "actor": 0}, language, names) for cause in _CAUSES]
    assert lines
    for line in lines:
        assert line[0].isupper()
        assert line.endswith((".", ")."))
        assert "{" not in line


_CAUSES: Any = ("choice", "luck", "race", "clock")


# What cannot be reviewed.


def test_a_record_that_breaks_off_is_refused(short: Record) -> None:
    record = Record.from_json({**short.to_json(), "actions": short.to_json()["actions"][:-3]})
    for cut in (record, record.to_json()):
        with pytest.raises(RecordError):
            review(cut, "quick")
    record.result = None
    with pytest.raises(RecordError, match="not over") as refused:
        review(Record.from_json({name: value for name, value in record.to_json().items() if name != "check"}))
    assert refused.value.field == "actions"
    assert "finished" in refused.value.hint


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rules": "0.0"}, "rules"),
        ({"format": "preau-record/9"}, "format"),
        ({"result": {"scores": [0, 0], "ranking": [[0, 1]], "reason": ""}}, "result"),
        ({"actions": [[0, "dance"]]}, "check"),
        ({"seats": 5}, "options"),
    ],
)
def test_what_cannot_be_believed_is_refused(short: Record, change: Json, field: str) -> None:
    with pytest.raises(PreauError) as refused:
        review({**short.to_json(), **change}, "quick")
    assert refused.value.field
    if field != "options":
        assert refused.value.field == field


def test_a_game_that_is_too_long_is_refused(short: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("preau.review.chunks.MOST_STEPS", 10)
    with pytest.raises(RecordError, match="steps") as refused:
        plan(short)
    assert "10" in refused.value.hint


def test_an_unknown_strength_is_refused(short: Record) -> None:
    with pytest.raises(SetupError) as refused:
        review(short, "hasty")
    assert refused.value.field == "strength"
    assert "normal" in refused.value.hint


def test_the_package_can_be_called(short: Record) -> None:
    with pytest.raises(SetupError):
        preau.review(short, "hasty")
