from __future__ import annotations

import json

import pytest

import preau
from preau.core import on_offer


def test_the_list_has_every_game(run, auction):
    out = run("games").stdout
    for name in preau.game_ids():
        assert any(line.startswith(name) for line in out.splitlines())
    assert "2 to 4 seats" in out


def test_the_list_as_data(run):
    games = json.loads(run("games", "--json").stdout)
    assert [game["id"] for game in games] == [game.id for game in on_offer()]
    assert all(game["options"] and game["seats"] for game in games)


def test_the_games_come_in_their_order(run, auction):
    """Those that say nothing of it come last."""
    order = [line.split()[0] for line in run("games").stdout.splitlines() if line and line[0] != " "]
    assert order[:4] == ["recess", "bagarre", "cour", "auction"]


def test_one_game(run):
    out = run("games", "recess").stdout
    for option in preau.game("recess").options:
        assert f"  {option.name} = " in out
    assert "A whole number from 1 to 300." in out
    assert "3 to 5 seats, rules version 1" in out


def test_one_game_in_french(run):
    out = run("games", "recess", "--lang", "fr").stdout
    assert "Récré !" in out
    assert "Un nombre entier de 1 à 300." in out
    assert "3 to 5" not in out
    assert "a whole number" not in out


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"LC_ALL": "fr_FR.UTF-8"}, "sièges"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "fr_CA"}, "sièges"),
        ({"LC_ALL": "de_DE", "LANG": "fr_FR"}, "seats"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": ""}, "seats"),
    ],
)
def test_the_language_of_the_environment(run, env, said):
    assert said in run("games", "recess", env=env).stdout


def test_rules_in_the_order_of_the_sheet(run):
    lines = run("games", "recess", "--rules").stdout.splitlines()
    ids = [line.split()[0] for line in lines if line[0] != " "]
    assert ids == [f"R{number}" for number in range(1, 39)]
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)


def test_one_rule_whatever_its_case(run):
    assert run("games", "recess", "--rule", "r14").stdout.startswith("R14  A child walks")
    assert (
        run("games", "recess", "--rule", "R14", "--lang", "fr").stdout != run("games", "recess", "--rule", "R14").stdout
    )
    assert list(json.loads(run("games", "recess", "--rule", "R14", "--json").stdout)) == ["R14"]


def test_provenance(run):
    assert "reconstructed" in run("games", "recess", "--provenance").stdout
    assert json.loads(run("games", "recess", "--provenance", "--json").stdout) == preau.game("recess").provenance()


def test_provenance_of_a_game_all_on_its_sheet(run, auction):
    assert "Everything is on the rule sheet." in run("games", auction, "--provenance").stdout


def test_a_narrow_terminal(run):
    for words in (["games"], ["games", "recess"], ["games", "recess", "--rules"]):
        assert max(map(len, run(*words, env={"COLUMNS": "40"}).stdout.splitlines())) <= 40
