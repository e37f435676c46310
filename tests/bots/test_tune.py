"""Tuning: it finds weights again that were spoilt, and writes down how."""

from __future__ import annotations

import json
from random import Random

import pytest

from preau.bots import tune
from preau.bots.evaluate import shelf


@pytest.fixture
def copy_of_the_shelf(tmp_path, monkeypatch):
    for name in ("recess", "cour"):
        text = (shelf.FOLDER / f"{name}.json").read_text(encoding="utf-8")
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    shelf.data.cache_clear()
    yield tmp_path
    shelf.data.cache_clear()


def test_fitting_makes_winners_less_surprising():
    plan = tune.Tuning("recess", 12, 1, 3, "greedy", 5)
    samples = [sample for number in range(plan.games) for sample in tune.self_play(plan, number)]
    good = [float(one) for one in shelf.data("recess")["weights"].values()]
    spoilt = [
        -one if name.startswith(("hold", "kiss")) else one
        for name, one in zip(shelf.names("recess"), good, strict=True)
    ]
    fitted = tune.fit("recess", spoilt, samples, Random(1), steps=6)
    assert tune.loss(shelf.judge("recess", fitted), samples) < tune.loss(shelf.judge("recess", spoilt), samples)


def test_the_program_writes_weights_with_their_command_or_leaves_them(copy_of_the_shelf, capsys):
    before = json.loads((copy_of_the_shelf / "recess.json").read_text(encoding="utf-8"))
    tune.main(
        [
            "recess",
            "--games",
            "6",
            "--compare",
            "3",
            "--seats",
            "3",
            "--simulations",
            "2",
            "--seed",
            "5",
            "--steps",
            "3",
        ]
    )
    after = json.loads((copy_of_the_shelf / "recess.json").read_text(encoding="utf-8"))
    said = capsys.readouterr().out
    if "not written" in said:
        assert after == before
    else:
        assert after["made_by"] == (
            "python -m preau.bots.tune recess --games 6 --seed 5 --seats 3 --player greedy --simulations 2"
        )
        assert list(after["weights"]) == list(before["weights"])
        assert after["levels"] == before["levels"]


def test_a_dry_run_writes_nothing(copy_of_the_shelf):
    before = (copy_of_the_shelf / "recess.json").read_bytes()
    tune.main(
        ["recess", "--games", "5", "--compare", "3", "--seats", "3", "--simulations", "2", "--steps", "3", "--dry-run"]
    )
    assert (copy_of_the_shelf / "recess.json").read_bytes() == before
