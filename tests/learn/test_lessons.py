"""Lessons fit the rules and the texts: all are played through, right and wrong; and what does not fit is found."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import preau
from preau.core import DataError, IllegalAction, MalformedAction, NotYourTurn
from preau.core.lessons import MOST, Exercise, Wrong, read_lessons
from preau.learn.lessons import exercise_faults, lesson_faults
from preau.learn.practice import walk

GAMES = [preau.game(name) for name in preau.game_ids()]
EXERCISES = [(game, exercise) for game in GAMES for exercise in game.lessons]
RECESS = preau.game("recess")


def one(game: str, name: str) -> Exercise:
    return next(exercise for exercise in preau.game(game).lessons if exercise.name == name)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_lesson_of_every_game_fits_its_rules_and_texts(game):
    assert lesson_faults(game) == []
    assert 6 <= len(game.lessons) <= 10


def test_a_game_without_a_lesson_has_none(tmp_path):
    assert read_lessons(tmp_path) == ()


@pytest.mark.parametrize(
    ("game", "exercise"), EXERCISES, ids=lambda one: getattr(one, "name", one.id if hasattr(one, "id") else "")
)
def test_whatever_is_tried_ends_in_a_verdict(game, exercise):
    """Legal tries of all kinds: each goes on, is done, or has gone astray, within the decisions there are."""
    for seed in range(12):
        rng = Random(seed)
        actions: list[str] = []
        walked = walk(game, exercise, actions)
        while walked.verdict == "going":
            assert walked.legal
            assert len(actions) < exercise.most
            actions.append(rng.choice(walked.legal))
            walked = walk(game, exercise, actions)
        assert walked.legal == ()
        assert walked == walk(game, exercise, actions)
        if walked.verdict == "astray":
            assert walked.said in {"", *(wrong.said for wrong in exercise.wrong)}
        assert walk(game, exercise, actions[:-1]).verdict == "going", "it can be taken back"


def test_the_hiding_place_is_the_one_that_no_nun_sees():
    exercise = one("recess", "sight")
    walked = walk(RECESS, exercise, [])
    seen = set(walked.moments[-1].view["seen"])
    cells = {action.split()[-1] for action in walked.legal}
    assert {exercise.done[0]["to"]} == cells - seen
    assert set(exercise.wrong[0].when["to"]) == cells & seen


def test_only_what_the_learner_may_know_is_shown():
    exercise = one("bagarre", "fight")
    walked = walk(preau.game("bagarre"), exercise, exercise.way[:2])
    assert [moment.actor for moment in walked.moments] == [0, 1]
    assert walked.moments[-1].events == [{"key": "down", "rule": "B16", "seat": 1, "card": "hidden"}]
    assert "F5" not in json.dumps(walked.moments[-1].view["players"][1])


def test_the_beginning_is_shown_and_then_only_what_is_new():
    exercise = one("cour", "dig")
    game = preau.game("cour")
    before, turned = walk(game, exercise, []).moments
    assert (before.events, before.view["open"]) == ([], [])
    assert [event["card"] for event in turned.events] == ["marble", "car", "brick"]
    (kept,) = walk(game, exercise, ["keep car"]).moments
    assert [event["key"] for event in kept.events] == ["kept"]
    assert kept.number == turned.number + 1


def test_the_way_is_shown_while_the_learner_is_on_it():
    exercise = one("recess", "walk")
    assert walk(RECESS, exercise, []).show == "b1 a3"
    assert walk(RECESS, exercise, ["B1  A3"]).show == "g1 k11"
    assert walk(RECESS, exercise, ["b1 c1"]).show == ""
    assert walk(RECESS, exercise, exercise.way).show == ""


@pytest.mark.parametrize(
    ("actions", "kind", "rule"),
    [
        (["b1 g6"], IllegalAction, "R18"),
        (["b2 a4"], IllegalAction, "R15"),
        (["fly"], MalformedAction, "R8"),
        (["b1 f5", "nun 0 g8"], NotYourTurn, ""),
    ],
)
def test_what_is_not_legal_is_refused_with_its_rule(actions, kind, rule):
    with pytest.raises(kind) as refused:
        walk(RECESS, one("recess", "pin"), actions)
    assert refused.value.rule == rule


def test_too_many_decisions_have_gone_astray():
    exercise = one("recess", "pin")._replace(done=({"event": "kiss"},), wrong=())
    walked = walk(RECESS, exercise, ["b1 e6"])
    assert (walked.verdict, walked.said, walked.legal) == ("astray", "", ())


def test_others_do_something_harmless_where_the_script_is_silent():
    """Or where it says what is not legal: Basile was to pass, but is in sight of a nun then."""
    exercise = one("recess", "stay")._replace(most=4, wrong=(), done=({"event": "kiss"},), others={1: ("stay a1",)})
    walked = walk(RECESS, exercise, ["pass"])
    assert [event["key"] for moment in walked.moments for event in moment.events].count("pass") == 3
    assert walked.verdict == "going"


# What does not fit is found.


def planted(**change: Any) -> list[str]:
    return exercise_faults(RECESS, one("recess", "pin")._replace(**change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"way": ("b1 g6",)}, "sees"),
        ({"way": ("b1 e6",)}, "it is astray missed, not done"),
        ({"done": ({"event": "kiss"},), "wrong": ()}, "it is astray, not done"),
        ({"seat": 1}, "not legal"),
        ({"seat": 7}, "no seat 7"),
        ({"position": {"seats": 9}}, "seats"),
        ({"wrong": (Wrong("missed", {"event": "kiss"}, ("b1 e6",)),)}, "it is astray, not astray missed"),
        ({"wrong": (Wrong("missed", {"event": "walk"}, ("b1 f5",)),)}, "it is done, not astray missed"),
        ({"others": {1: ("jump",)}, "most": 4, "done": ({"event": "end"},), "wrong": ()}, "it is"),
    ],
)
def test_an_exercise_that_no_longer_fits_the_rules_is_found(change, words):
    found = planted(**change)
    assert found
    if words != "not legal":
        assert words in found[0]


def test_a_text_that_is_missing_or_left_over_is_found(monkeypatch):
    lessons = RECESS.lessons
    monkeypatch.setattr(RECESS, "lessons", lessons[1:])
    words = ("done", "pass", "task", "title")
    assert lesson_faults(RECESS) == [
        f"{language}: nothing says 'lesson.walk.{word}'" for language in ("en", "fr") for word in words
    ]
    monkeypatch.setattr(RECESS, "lessons", (*lessons, lessons[1]._replace(name="hide")))
    found = lesson_faults(RECESS)
    assert len(found) == 8
    assert "'lesson.hide.done'" in found[0]


GOOD: dict[str, Any] = {"name": "pin", "position": {"seats": 3}, "way": ["pass"], "done": [{"action": "pass"}]}


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"extra": 1}, ""),
    ({"name": "Two words"}, ".name"),
    ({"seat": -1}, ".seat"),
    ({"seat": True}, ".seat"),
    ({"position": None}, ".position"),
    ({"way": []}, ".way"),
    ({"way": [1]}, ".way"),
    ({"most": 0}, ".most"),
    ({"most": MOST + 1}, ".most"),
    ({"done": []}, ".done"),
    ({"done": ["pass"]}, ".done[0]"),
    ({"done": [{"action": "pass", "event": "pass"}]}, ".done[0]"),
    ({"wrong": {}}, ".wrong"),
    ({"wrong": [{"said": "no"}]}, ".wrong[0]"),
    ({"wrong": [{"said": "task", "when": {"event": "pass"}, "tries": ["pass"]}]}, ".wrong[0].said"),
    ({"wrong": [{"said": "no", "when": {}, "tries": ["pass"]}]}, ".wrong[0].when"),
    ({"wrong": [{"said": "no", "when": {"event": "pass"}, "tries": []}]}, ".wrong[0].tries"),
    ({"others": []}, ".others"),
    ({"others": {"luck": ["pass"]}}, ".others"),
    ({"others": {"1": "pass"}}, ".others.1"),
]


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ("{", "lessons.json"),
        ([], "lessons.json"),
        ({"exercises": [], "more": 1}, "lessons.json"),
        ({"exercises": [GOOD, GOOD]}, "exercises[1].name"),
        ({"exercises": ["pin"]}, "exercises[0]"),
        *(({"exercises": [{**GOOD, **change}]}, f"exercises[0]{field}") for change, field in CHANGES),
    ],
)
def test_a_lesson_of_the_wrong_form_is_refused(tmp_path, data, field):
    (tmp_path / "lessons.json").write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    with pytest.raises(DataError) as refused:
        read_lessons(tmp_path)
    assert refused.value.field.endswith(field)
    assert refused.value.message


def test_a_lesson_of_the_right_form_is_read(tmp_path):
    (tmp_path / "lessons.json").write_text(json.dumps({"exercises": [GOOD]}), encoding="utf-8")
    (found,) = read_lessons(tmp_path)
    assert (found.name, found.seat, found.way, found.most, found.others, found.wrong) == (
        "pin",
        0,
        ("pass",),
        1,
        {},
        (),
    )
