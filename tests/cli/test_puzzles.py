from __future__ import annotations

import json

import pytest

import preau
from preau.learn.puzzles import FILE, puzzles, read

GAMES = [name for name in preau.game_ids() if preau.game(name).themes]
FIRST = {name: puzzles(name)[0] for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_the_list_shows_every_puzzle(run, name):
    out = run("puzzles", "list", name).stdout
    assert all(puzzle.id in out for puzzle in puzzles(name))
    data = json.loads(run("puzzles", "list", name, "--json").stdout)
    assert [row["id"] for row in data] == [puzzle.id for puzzle in puzzles(name)]
    assert all(row["title"] and row["task"] and row["proof"] in ("turn", "count", "chance") for row in data)


def test_the_list_by_theme_and_difficulty(run):
    for name, first in FIRST.items():
        words = ("--theme", first.theme, "--difficulty", first.difficulty)
        data = json.loads(run("puzzles", "list", name, *words, "--json").stdout)
        wanted = [one.id for one in puzzles(name) if (one.theme, one.difficulty) == (first.theme, first.difficulty)]
        assert [row["id"] for row in data] == wanted


def test_the_list_in_french(run):
    out = run("puzzles", "list", "recess", "--lang", "fr").stdout
    assert "difficulté" in out
    assert "énigmes" in out
    assert "difficulty" not in out


def test_a_game_without_puzzles(run, auction):
    assert "has no such puzzles" in run("puzzles", "list", auction).stdout
    assert json.loads(run("puzzles", "list", auction, "--json").stdout) == []
    assert "no puzzles" in run("puzzles", "check", auction).stdout


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_is_shown_without_its_solution(run, name):
    for puzzle in {one.theme: one for one in puzzles(name)}.values():
        out = run("puzzles", "show", puzzle.id).stdout
        assert puzzle.title("en") in out
        assert "Solution" not in out
        solved = run("puzzles", "show", puzzle.id, "--solution", "--lang", "fr").stdout
        assert puzzle.line[0] in solved
        assert puzzle.title("fr") in solved
        assert ("Prouvé" in solved) or ("Estimé" in solved)
    data = json.loads(run("puzzles", "show", puzzle.id, "--json").stdout)
    assert data["best"] == list(puzzle.best)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "ffffffff"), "preau puzzles list GAME"),
        (("list", "chess"), "there is no game"),
        (("list", "recess", "--theme", "chess"), "There are kiss"),
        (("check", "recess", "--file", "nowhere.json"), "cannot be read"),
        (("make", "recess", "--out", "nowhere/at/all.json"), "there is no folder"),
        (("make", "soleil"), "soleil"),
    ],
)
def test_wrong_words_are_refused(run, words, said):
    result = run("puzzles", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_planted_claim_is_found(run, tmp_path):
    shipped = preau.game("recess").folder / FILE
    data = json.loads(shipped.read_text(encoding="utf-8"))
    del data["puzzles"][6:]
    path = tmp_path / FILE
    path.write_text(json.dumps(data))
    assert run("puzzles", "check", "--file", path).stdout == f"{path}: OK, 6 puzzles\n"
    wrong = data["puzzles"][3]
    wrong["proof"]["winning"] += 1
    path.write_text(json.dumps(data))
    result = run("puzzles", "check", "--file", path)
    assert result.exit_code == 2
    assert f"puzzle {wrong['id']}: the proof comes to other figures: winning" in result.stderr
    assert "1 of 6 puzzles are wrong" in result.stdout
    report = json.loads(run("puzzles", "check", "--file", path, "--json").stdout)
    assert list(report[0]["wrong"]) == [wrong["id"]]
    refused = run("puzzles", "check", "bagarre", "--file", path)
    assert refused.exit_code == 2
    assert "holds puzzles of recess" in refused.stderr


def test_puzzles_are_made_into_a_file_whole_or_not_at_all(run, tmp_path, monkeypatch):
    monkeypatch.setattr("preau.learn.generate.BATCH", 1)  # a game or two are enough
    path = tmp_path / "mine.json"
    words = ("puzzles", "make", "recess", "--seed", 1, "--count", 1, "--out", path)
    assert run(*words).exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["mine.json"]
    assert read(path).made_by == "preau puzzles make recess --seed 1 --count 1"
    assert run("puzzles", "make", "recess", "--seed", 1, "--count", 1).stdout == path.read_text(encoding="utf-8")
    again = run(*words)
    assert again.exit_code == 2
    assert "is already there" in again.stderr
    assert run("puzzles", "check", "--file", path).exit_code == 0
