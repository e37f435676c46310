"""Tuning: it finds weights again that were spoilt, and writes down how."""

from __future__ import annotations

import json
from random import Random

import pytest

from preau.bots import tune
from preau.bots.evaluate import judges
from preau.core import SetupError
from tests.core import auction
from tests.support import registered


@pytest.fixture
def copy_of_the_shelf(tmp_path, monkeypatch):
    """The data file of Recess!, with two weights spoilt, in a folder that may be written to."""
    data = json.loads((judges.FOLDER / "recess.json").read_text(encoding="utf-8"))
    data["weights"] = {name: _spoilt(name, one) for name, one in data["weights"].items()}
    data.pop("start", None)
    path = tmp_path / "recess.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(judges, "FOLDER", tmp_path)
    judges.forget()
    yield path
    judges.forget()


def _spoilt(name: str, weight: float) -> float:
    return -weight if name.startswith(("hold", "kiss")) else weight


def test_fitting_makes_winners_less_surprising():
    plan = tune.Tuning("recess", 12, 1, 3, "greedy", 5)
    samples = [sample for number in range(plan.games) for sample in tune.self_play(plan, number)]
    good = [float(one) for one in judges.data("recess")["weights"].values()]
    spoilt = [_spoilt(name, one) for name, one in zip(judges.names("recess"), good, strict=True)]
    fitted = tune.fit("recess", spoilt, samples, Random(1), steps=6)
    assert tune.loss(judges.judge("recess", fitted), samples) < tune.loss(judges.judge("recess", spoilt), samples)


WORDS = ["recess", "--games", "2", "--compare", "3", "--seats", "3", "--simulations", "2", "--seed", "5"]
GOOD = [float(one) for one in judges.data("recess")["weights"].values()]


@pytest.fixture
def measured(monkeypatch):
    """Lets a test say what the new weights, which are the good ones again, come out as."""

    def outcome(surprise: float, share: float) -> None:
        monkeypatch.setattr(tune, "fit", lambda *about: GOOD)
        monkeypatch.setattr(tune, "loss", lambda judge, samples: surprise if judge.weights == GOOD else 1.0)
        monkeypatch.setattr(tune, "compare", lambda *about: share)

    return outcome


def test_weights_that_do_better_are_written_with_their_command(copy_of_the_shelf, capsys, measured):
    measured(surprise=0.9, share=1.25)
    before = json.loads(copy_of_the_shelf.read_text(encoding="utf-8"))
    tune.main(WORDS)
    after = json.loads(copy_of_the_shelf.read_text(encoding="utf-8"))
    assert capsys.readouterr().out.endswith("\nwritten\n")
    assert after["made_by"] == (
        "python -m preau.bots.tune recess --games 2 --seed 5 --seats 3 --player greedy --simulations 2"
    )
    assert after["measured"].startswith("surprise 1.0000 -> 0.9000 on ")
    assert "; 1.25 times the fair share" in after["measured"]
    assert list(after["weights"]) == list(before["weights"])
    assert list(after["weights"].values()) == GOOD
    assert after["start"] == before["weights"]
    assert after["levels"] == before["levels"]


@pytest.mark.parametrize(("surprise", "share"), [(1.0, 1.25), (1.1, 1.25), (0.9, 0.99)])
def test_weights_that_foretell_or_play_worse_are_not_written(copy_of_the_shelf, capsys, measured, surprise, share):
    measured(surprise, share)
    before = copy_of_the_shelf.read_bytes()
    tune.main(WORDS)
    assert capsys.readouterr().out.endswith("not written: the weights before did better\n")
    assert copy_of_the_shelf.read_bytes() == before


def test_a_dry_run_goes_through_all_of_it_and_writes_nothing(copy_of_the_shelf, capsys, monkeypatch):
    before = copy_of_the_shelf.read_bytes()
    monkeypatch.setattr(tune, "write", lambda *about: pytest.fail("it was written"))
    tune.main([*WORDS, "--steps", "1", "--dry-run"])
    assert "times the fair share of wins against the weights before, 3 games" in capsys.readouterr().out
    assert copy_of_the_shelf.read_bytes() == before


def test_a_game_without_weights_cannot_be_tuned():
    with registered(auction.GAME), pytest.raises(SetupError, match="no judge with weights"):
        tune.main(["auction"])
