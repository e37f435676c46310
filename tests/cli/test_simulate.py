from __future__ import annotations

import json
import signal
from typing import Any

import preau
from preau.cli.series import Series, play_series
from preau.cli.simulate import Tally

TIMES = ("seconds", "games_per_second", "decisions_per_second")


def figures(result: Any) -> dict[str, Any]:
    data = json.loads(result.stdout)
    return {name: value for name, value in data.items() if name not in TIMES}


def test_the_same_whatever_the_number_of_workers(run, tmp_path):
    found, texts = [], []
    for workers in (1, 3):
        file = tmp_path / f"{workers}.jsonl"
        words = ["--games", "20", "--seed", "7", "--json", "--records", file, "--workers", workers]
        found.append(figures(run("simulate", "recess", "--bots", "greedy,random,random", *words)))
        texts.append(file.read_bytes())
    assert found[0] == found[1]
    assert texts[0] == texts[1]
    assert found[0]["bots"] == ["greedy", "random", "random"]


def test_records_change_nothing(run, tmp_path):
    words = ["simulate", "recess", "--games", "10", "--seed", "1", "--json"]
    assert figures(run(*words)) == figures(run(*words, "--records", tmp_path / "games.jsonl"))


def test_records_pass_the_check(run, tmp_path):
    file = tmp_path / "games.jsonl"
    result = run("simulate", "recess", "--games", "12", "--seed", "2", "--records", file)
    assert result.exit_code == 0
    assert f"12 records are in {file}" in result.stderr
    result = run("check", file)
    assert (result.exit_code, result.stdout) == (0, f"{file}: OK, 12 games\n")
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_written_is_counted_whenever_it_is_stopped(run, tmp_path, monkeypatch):
    """Ctrl-C just between the two."""
    add, file = Tally.add, tmp_path / "games.jsonl"

    def interrupted(self, outcome):
        if self.games == 2:
            signal.raise_signal(signal.SIGINT)
        add(self, outcome)

    monkeypatch.setattr(Tally, "add", interrupted)
    result = run("simulate", "recess", "--games", "9", "--seed", "2", "--records", file)
    assert result.exit_code == 130
    assert "stopped after 3 of 9 games" in result.stderr
    assert len(list(preau.read_records(file))) == 3


def test_the_quick_way_plays_the_same_games():
    for bots in (("random",) * 3, ("greedy", "random", "random")):
        series = Series("recess", 3, {}, bots, 4, records=True)
        for number, outcome in enumerate(play_series(series, 3)):
            match = preau.play("recess", list(bots), seed=series.seed_of(number))
            assert json.loads(outcome.line)["actions"] == [[entry.actor, entry.text] for entry in match.record.entries]
            assert outcome.winners == match.result().winners


def test_the_report(run):
    out = run("simulate", "recess", "--seats", "3", "--games", "30", "--seed", "1").stdout
    assert out.startswith("Recess!, 3 seats, seed 1\n30 games, ")
    for word in ("games/s", "decisions/s", "95 % interval", "endings", "mean", "p95"):
        assert word in out
    narrow = run("simulate", "recess", "--games", "5", "--seed", "1", env={"COLUMNS": "64"}).stdout
    assert max(map(len, narrow.splitlines())) <= 64


def test_shares_add_up_and_lie_in_their_intervals(run):
    data = figures(run("simulate", "recess", "--games", "60", "--seed", "3", "--json"))
    assert abs(sum(seat["wins"] for seat in data["seats"]) - 60) < 0.01
    assert sum(data["endings"].values()) == 60
    assert all(seat["low"] <= seat["share"] <= seat["high"] for seat in data["seats"])
    assert sum(seat["mean_score"] for seat in data["seats"]) == 40


def test_without_a_seed_games_differ(run):
    first, second = (figures(run("simulate", "recess", "--games", "3", "--json")) for _ in range(2))
    assert first["seed"] != second["seed"]


def test_chance_and_secrets(run, auction):
    data = figures(run("simulate", auction, "--seats", "4", "--games", "20", "--option", "apples=5", "--json"))
    assert data["lengths"] == {"mean": 20.0, "min": 20, "p5": 20, "p50": 20, "p95": 20, "max": 20}
