from __future__ import annotations

import json

import pytest

import preau
from preau.core.record import Record


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A short game that is over, in a file."""
    record = preau.play("bagarre", bots=["random", "greedy"], options={"goal": 2}, seed=3).record
    record.meta["names"] = ["Ann", "Bob"]
    path = tmp_path_factory.mktemp("review") / "game.json"
    record.save(path)
    return path


def test_a_review_in_words_and_as_data(run, game):
    out = run("review", game, "--strength", "quick").stdout
    assert "La grande bagarre" in out
    assert "Where it turned" in out
    assert "Ann" in out
    assert "Strength quick, seed 0" in out
    found = json.loads(run("review", game, "--strength", "quick", "--json").stdout)
    assert found["format"] == "preau-review/1"
    assert found == json.loads(json.dumps(preau.review_game(Record.load(game), "quick")))
    for one in found["turning"]:
        assert f"\n{one['step'] + 1} " in out


def test_a_review_in_french(run, game):
    out = run("review", game, "--strength", "quick", "--seed", 2, "--lang", "fr").stdout
    assert "Là où tout a basculé" in out
    assert "graine 2" in out
    assert "Where" not in out


def test_a_game_that_is_not_over_gets_a_sentence(run, game, tmp_path):
    whole = Record.load(game)
    whole.cut(5)
    whole.save(tmp_path / "half.json")
    refused = run("review", tmp_path / "half.json")
    assert refused.exit_code == 2
    assert "not over" in refused.stderr
    assert "Only a finished game can be reviewed." in refused.stderr
    assert not refused.stdout


def test_wrong_words_get_a_sentence(run, game, tmp_path):
    assert run("review", game, "--strength", "hasty").exit_code == 2
    missing = run("review", tmp_path / "nothing.json")
    assert missing.exit_code == 2
    assert "cannot be read" in missing.stderr
