"""`preau lab` and `preau dataset` as people call them."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from preau.lab.printing import lines
from tools.studies import PART, result, runs

QUICK = ("--bots", "greedy", "--seats", 3, "--workers", 1)


def test_a_report(run, tmp_path):
    command = ("lab", "cour", *QUICK, "--games", 9, "--out", tmp_path / "report", "--lang", "fr")
    done = run(*command)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Dans la cour d'école, 3 seats, greedy, seed 1: 9 games\n")
    assert "seat 1 wins" in done.stdout
    page = (tmp_path / "report" / "report.html").read_bytes()
    assert "Le labo" in page.decode()
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert report["command"] == "preau lab cour --bots greedy --seats 3 --games 9 --seed 1"
    assert run(*command).stdout == done.stdout
    assert (tmp_path / "report" / "report.html").read_bytes() == page
    assert sorted(path.name for path in (tmp_path / "report").iterdir() if path.name[0] != ".") == [
        "blind-1.jsonl",
        "games-1.jsonl",
        "report.html",
        "report.json",
    ]


def test_a_data_set(run, tmp_path):
    done = run("dataset", "cour", *QUICK, "--games", 4, "--out", tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("6 games of Dans la cour d'école are in ")
    assert "6 games are played, to complete the last deal of 3" in done.stderr
    again = run("dataset", "cour", *QUICK, "--games", 6, "--out", tmp_path / "data")
    assert "0 of them new" in again.stdout


@pytest.mark.parametrize("command", ["lab", "dataset"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess",), "there is no game 'chess'"),
        (("cour", "--bots", "nobody"), "there is no bot 'nobody'"),
        (("cour", "--option", "pile=heap"), "option pile"),
        (("cour", "--option", "pile"), "--option: 'pile' is no option"),
        (("cour", "--seats", "9"), "seats"),
        (("cour", "--out", "file/inside"), "cannot be written to"),
        (("cour", "--out", "file"), "file is a file. Name a folder."),
    ],
)
def test_wrong_use_gets_one_clear_line(run, tmp_path, monkeypatch, command, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    out = () if "--out" in words else ("--out", "new")
    done = run(command, *words, *out, "--games", 3)
    assert done.exit_code == 2
    assert said in done.stderr.replace("\n", " ")
    assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_wrong_comparisons(run, tmp_path):
    for words, said in (
        (("--against", "pile=queue"), "--against: both sets of rules are the same"),
        (("--against", "heap=1"), "heap"),
        (("--against", "pile"), "--against: 'pile' is no option"),
    ):
        done = run("lab", "cour", "--out", tmp_path / "new", "--games", 3, *words)
        assert done.exit_code == 2
        assert said in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("command", "library"), [("lab", "matplotlib"), ("dataset", "pyarrow")])
def test_what_is_not_installed_is_named(run, tmp_path, monkeypatch, command, library):
    monkeypatch.setitem(sys.modules, library, None)
    done = run(command, "cour", "--games", 3, "--out", tmp_path / "new")
    assert done.exit_code == 2
    assert "pip install 'preau[lab]'" in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("name", list(runs()))
def test_the_first_games_of_a_study_come_out_the_same(name, tmp_path, run):
    """The command itself, with fewer games. If this fails because bots or rules were changed, the studies are old:
    `python -m tools.studies` plays them anew.
    """
    words = shlex.split(result(name)["command"])[1:]
    words[words.index("--games") + 1] = str(PART)
    done = run(*words, "--out", tmp_path / "report", "--workers", 2)
    assert done.stdout.splitlines() == result(name)["part"]["lines"]
    assert result(name)["part"]["lines"] != lines(result(name))
