"""A challenge a day: who does the same gets the same, and a record tells whether it was one."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest

import preau
from preau.bots.registry import bots_for
from preau.core import DataError, RecordError, SetupError
from preau.core.challenges import read_plan
from preau.core.record import Record
from preau.core.state import NATURE
from preau.learn.challenge import FIRST, by_date, by_key, by_secret, read_day, today, verify
from tests.learn.daily_challenge import DATE, SECRET, random_attempt

GAMES = [name for name in preau.game_ids() if preau.game(name).challenge]


def changed(record: Record, **fields: Any) -> Record:
    """A copy of a record, altered by somebody who knows how records are made."""
    data = json.loads(record.dumps())
    data.pop("check")
    return Record.from_json(data | fields)


@pytest.fixture(scope="module", params=GAMES)
def whole(request) -> Record:
    """A whole try at the challenge of each game."""
    record = random_attempt(by_secret(request.param, DATE, SECRET)).record
    return Record.loads(record.dumps())


def key_of(record: Record) -> str:
    return by_secret(record.game, DATE, SECRET).key.hex()


def test_all_games_that_ship_have_a_challenge_that_can_be_played():
    assert sorted(GAMES) == sorted(preau.game_ids())
    for name in GAMES:
        game = preau.game(name)
        plan = by_date(name, DATE).plan
        assert set(plan.bots) <= set(bots_for(name))
        assert game.start(plan.seats, plan.options).seats == plan.seats
        for language in ("en", "fr"):
            assert game.texts(language).say("challenge.about")
            assert "7" in game.texts(language).say("points", {"n": 7})


def test_whoever_does_the_same_gets_the_same(whole):
    again = random_attempt(by_secret(whole.game, DATE, SECRET)).record
    assert [entry[:2] for entry in again.entries] == [entry[:2] for entry in whole.entries]
    assert again.options == whole.options


def test_another_day_another_secret_or_no_secret_is_another_game(whole):
    others = [
        by_secret(whole.game, DATE + timedelta(1), SECRET),
        by_secret(whole.game, DATE, bytes(32)),
        by_date(whole.game, DATE),
    ]
    found = [tuple(entry[:2] for entry in random_attempt(day).record.entries) for day in others]
    assert len({*found, tuple(entry[:2] for entry in whole.entries)}) == 4
    assert len({day.key for day in others}) == 3


def test_whoever_decides_otherwise_meets_the_same_chance_in_order():
    day = by_date("bagarre", DATE)
    first, second = (random_attempt(day, seed).record for seed in (1, 2))
    assert first.entries != second.entries
    for record in (first, second):
        state, number = record.start_state(), 0
        for entry in record.entries:
            if entry.actor == NATURE:
                assert state.draw(day.chance(number)).text == entry.text
                number += 1
            state.apply(entry.actor, entry.text)
        assert number > 20


def test_a_record_verifies_with_the_key_of_its_day(whole):
    verdict = verify(whole, key_of(whole))
    seat = by_date(whole.game, DATE).plan.seat
    assert whole.result is not None
    assert verdict.measure == whole.result["scores"][seat]
    assert (verdict.game, verdict.day, verdict.kind, verdict.late) == (whole.game, DATE, "server", False)
    assert sum(len(group) for group in whole.result["ranking"][: verdict.place - 1]) >= verdict.place - 1


def test_by_the_date_alone_no_key_is_needed():
    assert verify(random_attempt(by_date("recess", DATE)).record).kind == "date"


def refused(record: Record, key: str | None) -> str:
    with pytest.raises(RecordError) as error:
        verify(record, key)
    return str(error.value)


def test_without_the_key_of_its_day_nothing_is_believed(whole):
    assert "the key of that day is needed" in refused(whole, None)
    assert "64 hexadecimal digits" in refused(whole, "12")
    wrong = by_secret(whole.game, DATE + timedelta(1), SECRET).key.hex()
    assert "that day" in refused(whole, wrong)


def test_a_changed_draw_is_found(whole):
    """Another legal outcome of the last draw that had one, with all that follows played anew."""
    at, state = drawn(whole)
    for outcome, _ in state.outcomes():
        if outcome.text != whole.entries[at].text:
            said = refused(played_on(whole, at, NATURE, outcome.text), key_of(whole))
            assert f"action {at + 1}," in said
            assert "is not what chance did that day" in said
            return


def drawn(record: Record) -> tuple[int, Any]:
    for at in range(len(record.entries) - 1, -1, -1):
        if record.entries[at].actor == NATURE and len((state := record.replay(at)).outcomes()) > 1:
            return at, state
    pytest.skip("chance only draws the yard here")


def played_on(record: Record, at: int, actor: int, text: str) -> Record:
    """A record that is the same up to an action, then another one, then anything legal."""
    copy = changed(record)
    copy.cut(at)
    state = copy.replay()
    rng = Random(4)
    while not state.over:
        actor = actor if text else state.to_act[0]
        action = state.action(text) if text else state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
        state.apply(actor, action)
        copy.add(actor, action.text)
        text = ""
    copy.close(state.result())
    return Record.from_json(json.loads(copy.dumps()))


def test_a_bot_that_was_made_to_play_badly_is_found(whole):
    bots = [at for at, entry in enumerate(whole.entries) if entry.actor > 0]
    at = next(at for at in bots if len(whole.replay(at).legal(whole.entries[at].actor)) > 1)
    actor = whole.entries[at].actor
    other = next(action for action in whole.replay(at).legal(actor) if action.text != whole.entries[at].text)
    said = refused(played_on(whole, at, actor, other.text), key_of(whole))
    assert f"action {at + 1}," in said
    assert "is not what the bot does there" in said


def test_other_bots_seats_options_and_results_are_found(whole):
    key = key_of(whole)
    meta = dict(whole.meta)
    assert "these are not the bots" in refused(changed(whole, meta=meta | {"bots": {"1": "easy"}}), key)
    assert "no try at a challenge" in refused(changed(whole, meta={}), key)
    assert "hints" in refused(changed(whole, meta=meta | {"hints": 2}), key)
    helped = meta | {"challenge": {**meta["challenge"], "others": 1}}
    assert "made by others" in refused(changed(whole, meta=helped), key)
    result = json.loads(json.dumps(whole.result))
    result["scores"][0] += 1
    assert "the result is not the one" in refused(changed(whole, result=result), key)
    another = random_attempt(by_secret(whole.game, DATE + timedelta(3), SECRET)).record
    another.meta["challenge"] = meta["challenge"]
    assert "that day" in refused(Record.loads(another.dumps()), key)
    plain = preau.play(whole.game, ["easy", *by_date(whole.game, DATE).plan.bots], seed=3).record
    plain.meta = meta
    assert "that day" in refused(plain, key)


def test_a_try_that_ended_when_the_day_was_over_is_called_late():
    record = random_attempt(by_date("recess", DATE)).record
    data = json.loads(record.dumps())
    noon = 1_794_909_600_000
    assert today(noon) == DATE
    for last, late in ((noon, False), (noon + 86_400_000, True)):
        data["times"] = [noon] * (len(data["actions"]) - 1) + [last]
        assert verify(Record.from_json(data)).late is late


def test_days():
    assert read_day("2026-11-17", DATE) == DATE
    for text, why in (
        ("2026-11-18", "has not come"),
        ((FIRST - timedelta(1)).isoformat(), "there was no challenge"),
        ("2026-02-30", "is no day"),
        ("today", "is no day"),
        ("20261117", "is no day"),
        ("2026-W47-2", "is no day"),
    ):
        with pytest.raises(SetupError, match=why):
            read_day(text, DATE)
    with pytest.raises(SetupError, match="this is no key"):
        by_key("recess", DATE, "zz" * 32)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[]", "challenge.json"),
        ("{", "challenge.json"),
        ('{"bots": ["easy", "easy"], "goal": 3}', "challenge.json"),
        ('{"bots": "easy"}', "bots"),
        ('{"bots": ["easy"]}', "bots"),
        ('{"bots": ["easy", "easy"], "seat": 3}', "seat"),
        ('{"bots": ["easy", "easy"], "options": []}', "options"),
    ],
)
def test_wrong_data_are_refused_with_the_field(tmp_path, text, field):
    (tmp_path / "challenge.json").write_text(text)
    with pytest.raises(DataError) as error:
        read_plan(tmp_path, (3, 4))
    assert field in error.value.field


def test_a_game_without_a_challenge_has_none(tmp_path):
    assert read_plan(tmp_path, (3, 4)) is None
