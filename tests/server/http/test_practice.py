"""Exercises over HTTP: nothing is kept, and whatever is sent is walked through or refused."""

from __future__ import annotations

import pytest

import preau
from tests.server.processes import Server


def practice(server: Server, **wish):
    return server.ask("POST", "/api/practice", json=wish)


@pytest.mark.parametrize("game", preau.game_ids())
def test_every_exercise_can_be_done_over_http(default_server, game):
    offered = next(one for one in default_server.ask("GET", "/api/games").json() if one["id"] == game)
    exercises = preau.game(game).lessons
    assert offered["lesson"] == [exercise.name for exercise in exercises]
    for exercise in exercises:
        actions: list[str] = []
        answer = practice(default_server, game=game, exercise=exercise.name).json()
        assert answer["moments"][0]["events"] == []
        while answer["verdict"] == "going":
            assert answer["show"] in answer["legal"]
            actions.append(answer["show"])
            answer = practice(default_server, game=game, exercise=exercise.name, actions=actions).json()
        assert (answer["verdict"], tuple(actions)) == ("done", exercise.way)


def test_a_try_that_leads_elsewhere_says_what_is_to_be_said(server):
    answer = practice(server, game="recess", exercise="pin", actions=["b1 e6"]).json()
    assert (answer["verdict"], answer["said"], answer["legal"]) == ("astray", "missed", [])
    assert answer["moments"][-1]["events"][0]["key"] == "walk"
    back = practice(server, game="recess", exercise="pin", actions=[]).json()
    assert "b1 f5" in back["legal"]


@pytest.mark.parametrize(
    ("wish", "status", "words"),
    [
        ({"game": "chess", "exercise": "pin"}, 400, "no game"),
        ({"game": "recess", "exercise": "nothing"}, 404, "no such exercise"),
        ({"game": "recess", "exercise": "pin", "actions": ["b1 g6"]}, 409, "R18"),
        ({"game": "recess", "exercise": "pin", "actions": ["x" * 81]}, 400, "actions"),
        ({"game": "recess", "exercise": "pin", "actions": ["pass"] * 25}, 400, "actions"),
        ({"game": "recess", "exercise": "pin", "position": {}}, 400, "position"),
        ({"game": "recess"}, 400, "exercise"),
    ],
)
def test_what_cannot_be_is_refused(server, wish, status, words):
    answer = practice(server, **wish)
    assert answer.status_code == status
    assert words in answer.text
