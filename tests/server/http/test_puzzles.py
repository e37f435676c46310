"""Puzzles over HTTP: listed without their solutions, judged at the desk, and whatever cannot be is refused."""

from __future__ import annotations

import json

import pytest

import preau
from preau.learn.puzzles import Puzzle, puzzles
from tests.server.processes import Server

GAMES = [name for name in preau.game_ids() if preau.game(name).themes]
PUZZLE = puzzles("recess")[0]


def ask(server: Server, puzzle: Puzzle, *actions: str, wish: str = ""):
    return server.ask(
        "POST", "/api/puzzle", json={"game": puzzle.game, "id": puzzle.id, "actions": list(actions), "wish": wish}
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_game_lists_its_puzzles_without_solutions(server, game):
    offered = next(one for one in server.ask("GET", "/api/games").json() if one["id"] == game)
    answer = server.ask("GET", f"/api/games/{game}/puzzles")
    rows = answer.json()
    assert offered["puzzles"] == len(rows) == len(puzzles(game))
    assert [row["id"] for row in rows] == [one.id for one in puzzles(game)]
    assert set().union(*rows) <= {"id", "theme", "difficulty", "seat", "task"}
    assert "max-age" in answer.headers["cache-control"]
    assert len(answer.content) < 10_000


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_of_every_kind_is_solved_by_hints(default_server, game):
    kinds = {one.proof["kind"]: one for one in puzzles(game)}
    for puzzle in kinds.values():
        actions: list[str] = []
        answer = ask(default_server, puzzle).json()
        assert "solution" not in answer
        while answer["verdict"] == "going":
            told = ask(default_server, puzzle, *actions, wish="hint").json()["solution"]["line"]
            assert told[0]["action"] in answer["legal"]
            actions.append(told[0]["action"])
            answer = ask(default_server, puzzle, *actions).json()
        assert answer["verdict"] == "done"
        assert [one["action"] for one in answer["solution"]["line"]] == actions
        assert answer["solution"]["figures"]["kind"] == puzzle.proof["kind"]


def test_a_wrong_choice_is_shown_and_can_be_taken_back(server):
    wrong = next(one.text for one in PUZZLE.state().legal(PUZZLE.seat) if one.text not in PUZZLE.best)
    answer = ask(server, PUZZLE, wrong).json()
    assert (answer["verdict"], answer["legal"]) == ("astray", [])
    assert answer["moments"][-1]["events"]
    assert answer["solution"]["against"]["action"] == wrong
    assert "line" not in answer["solution"], "the solution is told to those who ask for it"
    assert wrong in ask(server, PUZZLE).json()["legal"]
    shown = ask(server, PUZZLE, wrong, wish="solution").json()["solution"]["line"]
    assert ask(server, PUZZLE, *(one["action"] for one in shown)).json()["verdict"] == "done"


@pytest.mark.parametrize("game", [name for name in GAMES if preau.game(name).secrets])
def test_the_true_position_is_not_told(server, game):
    """What is seen of a puzzle is its seat's view and nothing more."""
    for puzzle in puzzles(game)[::12]:
        view = json.loads(json.dumps(puzzle.state().view(puzzle.seat)))
        assert [one["view"] for one in ask(server, puzzle).json()["moments"]] == [view]


@pytest.mark.parametrize(
    ("wish", "status", "words"),
    [
        ({"game": "chess", "id": PUZZLE.id}, 400, "no game"),
        ({"game": "recess", "id": "00000000"}, 404, "no such puzzle"),
        ({"game": "bagarre", "id": PUZZLE.id}, 404, "no such puzzle"),
        ({"game": "recess", "id": PUZZLE.id, "actions": ["b1 zz"]}, 409, "b1 zz"),
        ({"game": "recess", "id": PUZZLE.id, "actions": [*PUZZLE.line, "pass"]}, 409, "ended"),
        ({"game": "recess", "id": PUZZLE.id, "actions": ["x" * 81]}, 400, "actions"),
        ({"game": "recess", "id": PUZZLE.id, "actions": ["pass"] * 25}, 400, "actions"),
        ({"game": "recess", "id": PUZZLE.id, "wish": "everything"}, 400, "wish"),
        ({"game": "recess", "id": PUZZLE.id, "position": {}}, 400, "position"),
        ({"game": "recess"}, 400, "id"),
    ],
)
def test_what_cannot_be_is_refused(server, wish, status, words):
    answer = server.ask("POST", "/api/puzzle", json=wish)
    assert answer.status_code == status
    assert words in answer.text


def test_a_game_nobody_knows_has_no_puzzles(server):
    assert server.ask("GET", "/api/games/chess/puzzles").status_code == 400
