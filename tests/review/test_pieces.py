"""Pieces of a review in a worker: the record is parsed and played once, and every order of pieces gives the same."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import preau
from preau.core.record import Record
from preau.host.questions import AssemblyQuestion, ReviewAnswer, ReviewQuestion, decode_answer, encode
from preau.host.think_worker import Thinker
from preau.review import ReviewedGame, piece, plan

PORTION = 300


@pytest.fixture(scope="module", params=["recess", "bagarre"])
def record(request):
    options = {"turns": 2} if request.param == "recess" else {"goal": 5}
    return preau.play(request.param, bots=["greedy", "random", "random"], options=options, seed=1).record


def found(thinker: Thinker, question: ReviewQuestion | AssemblyQuestion) -> Any:
    answer = decode_answer(thinker.answer_json(encode(question)))
    assert isinstance(answer, ReviewAnswer)
    return answer.found


@pytest.fixture
def counted(monkeypatch):
    """How often records were parsed and positions played from the start."""
    counts: Counter[str] = Counter()
    parse, begin = Record.from_json, Record.start_state

    def from_json(*about: Any, **more: Any) -> Record:
        counts["parsed"] += 1
        return parse(*about, **more)

    def start_state(self: Record) -> Any:
        counts["begun"] += 1
        return begin(self)

    monkeypatch.setattr(Record, "from_json", from_json)
    monkeypatch.setattr(Record, "start_state", start_state)
    return counts


def test_a_worker_parses_the_record_once_for_all_pieces(record, counted):
    pieces = plan(record, "quick", PORTION)
    assert len(pieces) > 3
    text = record.dumps()
    counted.clear()
    thinker = Thinker()
    some = [found(thinker, ReviewQuestion(text, one, "quick")) for one in pieces]
    whole = found(thinker, AssemblyQuestion(text, some, "quick"))
    assert counted == {"parsed": 1, "begun": 1}
    assert whole == json.loads(json.dumps(preau.review(record, "quick")))


def test_pieces_in_any_order_and_tried_again_are_the_same(record):
    pieces = plan(record, "quick", PORTION)
    game = ReviewedGame(record)
    order = [*reversed(pieces), pieces[0], pieces[0], *pieces]
    assert [game.analyse(one, "quick") for one in order] == [piece(record, one, "quick") for one in order]


def test_a_record_that_cannot_be_read_fails_alone(record):
    thinker = Thinker()
    [first, *_] = plan(record, "quick", PORTION)
    bad = ReviewQuestion("{", first, "quick")
    assert b"RecordError" in thinker.answer_json(encode(bad))
    assert found(thinker, ReviewQuestion(record.dumps(), first, "quick"))
    assert b"RecordError" in thinker.answer_json(encode(bad))
