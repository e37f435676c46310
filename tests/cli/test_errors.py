"""Bad input is answered on the error stream, with exit code 2, and leaves everything as it was."""

from __future__ import annotations

import json
import sys

import pytest

import preau.cli

PLAY = ("play", "recess")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nope",), "No such command 'nope'"),
        (("play",), "GAME"),
        (("play", "chess"), "there is no game 'chess'. There are "),
        (("games", "chess"), "there is no game 'chess'"),
        (("games", "--rules"), "which game?"),
        (("games", "recess", "--rule", "R99"), "has no rule 'R99'. Its rules are R1 to R38."),
        ((*PLAY, "--nope"), "No such option"),
        ((*PLAY, "--seats", "7"), "cannot be played with 7 seats [R1]. It takes 3 to 5."),
        ((*PLAY, "--seats", "x"), "--seats"),
        ((*PLAY, "--seat", "4"), "there is no seat 4 at a table of 4. Seats are 0 to 3."),
        ((*PLAY, "--seat", "-1"), "there is no seat -1"),
        ((*PLAY, "--bot", "zz"), "there is no bot 'zz'. There are "),
        ((*PLAY, "--bot", "random", "--bot", "random"), "2 bots for 3 seats"),
        ((*PLAY, "--lang", "de"), "'en'"),
        ((*PLAY, "--hot-seat", "--seat", "1"), "people take the first seats"),
        ((*PLAY, "--hot-seat", *["--bot", "random"] * 4), "leave no seat for people"),
        ((*PLAY, "--name", "Ann", "--name", "Bob"), "2 names for 1 people"),
        ((*PLAY, "--name", " "), "a name is empty"),
        ((*PLAY, "--option", "turns"), "Write name=value."),
        ((*PLAY, "--option", "=3"), "Write name=value."),
        ((*PLAY, "--option", "turns=3", "--option", "turns=4"), "turns is set twice"),
        ((*PLAY, "--option", "turns=0"), "[R7]. It takes a whole number from 1 to 300; the default is 30."),
        ((*PLAY, "--option", "turns=many"), "[R7]"),
        ((*PLAY, "--option", "shove=5"), "It takes one of 8, 4"),
        ((*PLAY, "--option", "nope=1"), "has no option 'nope'. It has layout"),
        ((*PLAY, "--option", "layout=A0 A1 A2 A3"), "[R2]"),
        ((*PLAY, "--option", "sections=@none.json"), "option sections: none.json cannot be read"),
        ((*PLAY, "--option", "sections=@."), "Is a directory"),
        ((*PLAY, "--option", "sections={1"), "option sections: the value is no JSON"),
        ((*PLAY, "--option", "sections={}"), "sections"),
        ((*PLAY, "--load", "none.json"), "none.json cannot be read"),
        ((*PLAY, "--load", "empty.json"), "it is empty"),
        ((*PLAY, "--load", "binary.json"), "not UTF-8 text"),
        ((*PLAY, "--load", "list.json"), "A position is a JSON object."),
        ((*PLAY, "--load", "wrong.json"), "no field 'colour'"),
        ((*PLAY, "--load", "wrong.json", "--seats", "3"), "has its own seats"),
        ((*PLAY, "--record", "."), "is a folder"),
        ((*PLAY, "--record", "none/game.json"), "there is no folder"),
        ((*PLAY, "--record", "list.json"), "list.json is already there. Name another file, or add --force."),
        (("simulate", "recess", "--games", "0"), "--games"),
        (("simulate", "recess", "--workers", "0"), "--workers"),
        (("simulate", "recess", "--bots", "zz"), "there is no bot 'zz'"),
        (("simulate", "recess", "--bots", "random,random"), "cannot be played with 2 seats"),
        (("simulate", "recess", "--seats", "4", "--bots", "random,random,random"), "3 bots for 4 seats"),
        (("simulate", "recess", "--records", "list.json"), "no .jsonl file"),
        (("simulate", "recess", "--records", "games.jsonl"), "already there"),
        (("simulate", "recess", "--option", "turns=0"), "[R7]"),
        (("replay", "none.json"), "cannot be read"),
        (("replay", "."), "Is a directory"),
        (("replay", "good.json", "--at", "999"), "there is no action 999. The record has"),
        (("replay", "good.json", "--seat", "3"), "there is no seat 3. There are the seats 0 to 2."),
        (("replay", "good.json", "--game", "2"), "there is no game 2"),
        (("check", "."), "Is a directory"),
        (("check", "none.json"), "cannot be read"),
        (("perft", "recess"), "--depth"),
        (("perft", "recess", "--depth", "-1"), "--depth"),
        (("perft", "recess", "--depth", "1", "--seats", "9"), "[R1]"),
        (("bench", "--short", "--nope"), "no flag --nope"),
        (("bench", "--short", "chess"), "no game 'chess'"),
    ],
)
def test_refusals(run, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    files = {"empty.json": b"", "binary.json": b"\xff\xfe", "list.json": b"[]", "wrong.json": b'{"colour": 1}'}
    for name, content in (files | {"games.jsonl": b"mine\n"}).items():
        (tmp_path / name).write_bytes(content)
    preau.play("recess", ["random"] * 3, options={"turns": 3}, seed=1).record.save("good.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    result = run(*words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.output
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_force_replaces(run, tmp_path):
    file = tmp_path / "game.json"
    file.write_text("old")
    assert run(*PLAY, "--record", file, "--force", say="q\n").exit_code == 0
    assert preau.Record.load(file).entries == []


def test_a_position_that_is_over(run, tmp_path):
    file = tmp_path / "over.json"
    match = preau.play("recess", ["random"] * 3, options={"turns": 3}, seed=1)
    file.write_text(json.dumps(match.state.to_json()))
    result = run(*PLAY, "--load", file)
    assert result.exit_code == 2
    assert "the game is over in this position" in result.stderr


def test_a_bot_that_breaks_down_does_not_end_the_game(run, monkeypatch):
    from preau.bots.simple import RandomBot
    from preau.core.errors import PreauError

    def choose(self, seen):
        raise PreauError("no idea")

    monkeypatch.setattr(RandomBot, "choose", choose)
    result = run(*PLAY, "--option", "turns=4", "--bot", "random", say="pass\n" * 9)
    assert result.exit_code == 0
    assert "Random 1 broke down and is played as if absent: no idea." in result.stdout
    result = run("simulate", "recess", "--games", "2")
    assert (result.exit_code, result.stderr) == (2, "preau: no idea.\n")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_its_packages(monkeypatch, capsys, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit) as stop:
        preau.cli.main()
    assert stop.value.code == 2
    assert "pip install typer rich" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda cards: cards["counts"].update(toys=24), "counts.toys"),
        (lambda cards: cards["specials"]["cards"][0].update(id="teleport"), "specials.cards[0].id"),
        (lambda cards: cards["toys"]["cards"][3].pop("value"), "toys.cards[3].value"),
        (lambda cards: cards["specials"]["cards"].append(cards["specials"]["cards"][0]), "specials.cards[9].id"),
    ],
)
def test_a_broken_card_file_is_named_with_the_field(run, tmp_path, spoil, field):
    folder = preau.game("bagarre").folder
    cards = json.loads((folder / "data" / "reconstructed.json").read_text(encoding="utf-8"))
    spoil(cards)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(cards), encoding="utf-8")
    result = run("simulate", "bagarre", "--games", "1", "--option", f"cards=@{path}")
    assert result.exit_code == 2
    assert f"mine.json: option cards: {field}" in result.stderr
