"""Whole runs: the same whoever plays them, in one go or in several."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from multiprocessing import active_children
from typing import NamedTuple

import pytest

import preau
from preau.arena import Entrant, Played, make_plan, play_game, run, runner
from preau.arena import runs as running
from preau.arena.engine import engine, source_digest
from preau.arena.play import PlannedGames
from preau.arena.runner import WorkerFailure, play_games, play_in_order
from preau.arena.runs import side_file
from preau.arena.summary import summarize
from preau.core.state import Json

from .command import plan, result
from .deadly import Deadly

PLAN = plan("greedy,random")
GAMES = 12


def rows(played: Iterable[Played]) -> list[Json]:
    return [game.row() for game in sorted(played, key=lambda game: game.index)]


@pytest.fixture(scope="module")
def alone():
    return run(PLAN, GAMES)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_processes_changes_nothing(alone, workers):
    assert rows(run(PLAN, GAMES, workers=workers).played) == rows(alone.played)


def test_a_process_that_is_killed_costs_no_game(alone):
    playing = play_games(PlannedGames(PLAN, False), range(GAMES), 2)
    played = [next(playing)]
    for child in active_children():
        child.kill()
    played += playing
    assert rows(played) == rows(alone.played)
    assert active_children() == []


def test_a_game_that_kills_every_process_is_named():
    made = make_plan("recess", [Deadly("deadly", "deadly"), Entrant("random", "random")])
    with pytest.raises(WorkerFailure, match="exit code 3") as caught:
        list(play_games(PlannedGames(made, False), [4], 2))
    assert "game 4 " in str(caught.value)
    assert "deadly" in str(caught.value)
    assert active_children() == []


def test_games_can_be_had_in_order_whoever_is_killed(alone, monkeypatch):
    """Each process has many games in hand when it dies; none of them is lost or played twice."""
    monkeypatch.setattr(runner, "SLICE", 1000.0)
    numbers = [5, 3, 8, 0, 2, 7, 11, 1, 9, 4]
    playing = play_in_order(PlannedGames(PLAN, False), numbers, 2)
    played = [next(playing)]
    for child in active_children():
        child.kill()
    played += playing
    assert [game.index for game in played] == numbers
    assert rows(played) == [rows(alone.played)[number] for number in sorted(numbers)]
    assert active_children() == []


class Mined(NamedTuple):
    """Games of which one ends its process."""

    mine: int

    def play(self, number: int) -> int:
        if number == self.mine:
            os._exit(4)
        return number

    def seed_of(self, number: int) -> int:
        return number

    def name_of(self, number: int) -> str:
        return f"game {number}"


@pytest.mark.parametrize("workers", [1, 2])
def test_of_many_games_in_hand_the_deadly_one_is_found(monkeypatch, workers):
    """All games before it are played, unless another process still has them in hand."""
    monkeypatch.setattr(runner, "SLICE", 1000.0)
    playing = play_games(Mined(31), range(60), workers)
    played: list[int] = []
    with pytest.raises(WorkerFailure, match=r"game 31: 3 processes died of it.* exit code 4"):
        played.extend(playing)
    assert len(played) == len(set(played))
    if workers == 1:
        assert played == list(range(31))
    assert 31 not in played
    assert active_children() == []


def test_what_goes_wrong_in_a_game_comes_in_its_turn():
    made = PlannedGames(plan("nobody,random"), False)
    playing = play_in_order(made, [0, 1], 2)
    with pytest.raises(preau.PreauError, match="there is no bot 'nobody'"):
        next(playing)
    assert active_children() == []


def test_a_run_goes_on_where_it_stopped(alone, tmp_path, monkeypatch):
    path = tmp_path / "result.json"

    def stop(done):
        if done == 5:
            raise KeyboardInterrupt

    part = run(PLAN, GAMES, result=path, watch=stop)
    assert not part.whole
    assert len(part.played) == 5
    assert part.summary["games"] == 5
    assert not path.exists()
    rest = run(PLAN, GAMES, result=path)
    assert rest.before == 5
    assert rows(rest.played) == rows(alone.played)
    assert result(path)["games"] == rows(alone.played)

    monkeypatch.setattr(running, "play_games", None)  # all is there: nothing is played any more
    again = run(PLAN, GAMES, result=path)
    assert (again.before, again.summary) == (GAMES, rest.summary)
    fewer = run(PLAN, 6, result=path)
    assert rows(fewer.played) == rows(alone.played)[:6]


def test_a_run_can_be_made_longer(alone, tmp_path):
    path = tmp_path / "result.json"
    run(PLAN, 6, result=path)
    longer = run(PLAN, GAMES, result=path)
    assert longer.before == 6
    assert rows(longer.played) == rows(alone.played)


def test_records_are_complete_also_if_they_are_wanted_late(tmp_path):
    path, records = tmp_path / "result.json", tmp_path / "games.jsonl"
    run(PLAN, 3, result=path)
    run(PLAN, 6, result=path, records=records)
    found = list(preau.read_records(records))
    assert [record.meta["arena_game"] for record in found] == list(range(6))
    for record, row in zip(found, result(path)["games"], strict=True):
        assert record.verify().result().scores == tuple(row["scores"])


def test_results_of_something_else_are_not_mixed_in(tmp_path):
    path = tmp_path / "result.json"
    run(PLAN, 3, result=path)
    other = plan("greedy,random", seed=2)
    with pytest.raises(preau.PreauError, match="seed"):
        run(other, 3, result=path)
    side_file(path).unlink()
    with pytest.raises(preau.PreauError, match="its seed is 1, this run's is 2"):
        run(other, 3, result=path)
    assert result(path)["identity"]["seed"] == 1
    run(other, 3, result=path, fresh=True)
    assert result(path)["identity"]["seed"] == 2


def test_results_of_another_engine_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "result.json"
    run(PLAN, 3, result=path)
    monkeypatch.setattr(running, "engine", lambda game: {"version": "9.9", "source": "0"})
    with pytest.raises(preau.PreauError, match=r"9\.9"):
        run(PLAN, 3, result=path)


def test_the_engine_of_a_game_in_a_package_is_its_package_too(tmp_path, monkeypatch):
    shipped = engine("recess")
    assert set(shipped) == {"version", "source"}
    (tmp_path / "rules.py").write_text("RULES = 1", encoding="utf-8")
    monkeypatch.setattr(type(preau.game("recess")), "folder", tmp_path)
    first = engine("recess")
    (tmp_path / "rules.py").write_text("RULES = 2", encoding="utf-8")
    source_digest.cache_clear()
    second = engine("recess")
    assert {name: one for name, one in second.items() if name != "package"} == shipped
    assert first["package"] != second["package"]


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_that_is_no_result_is_never_replaced(tmp_path, fresh):
    path = tmp_path / "thesis.json"
    path.write_text('{"chapter": 1}', encoding="utf-8")
    with pytest.raises(preau.PreauError, match="no arena wrote it"):
        run(PLAN, 3, result=path, fresh=fresh)
    assert path.read_text(encoding="utf-8") == '{"chapter": 1}'


def test_figures_of_a_few_games(alone):
    data = alone.summary
    greedy, random = data["bots"]
    games = alone.played
    won = sum((game.names.index("greedy") in game.ranking[0]) / len(game.ranking[0]) for game in games)
    assert greedy["wins"] == pytest.approx(won, abs=1e-4)
    assert greedy["wins"] + random["wins"] == pytest.approx(GAMES, abs=1e-3)
    assert (greedy["fair"], random["fair"]) == (0.3333, 0.6667)
    assert greedy["ratio"] == pytest.approx(3 * won / GAMES, abs=1e-3)
    assert greedy["mean_rank"] + 2 * random["mean_rank"] == pytest.approx(6, abs=0.01)
    assert greedy["mean_score"] + 2 * random["mean_score"] == pytest.approx(30, abs=0.01)
    assert greedy["rating"]["mu"] > 25 > random["rating"]["mu"]
    assert sum(row["wins"] for row in data["seats"]) == pytest.approx(GAMES, abs=1e-3)
    assert sum(data["endings"].values()) == GAMES
    assert sum(row["decisions"] for row in data["times"]) == data["decisions"] == sum(game.decisions for game in games)


def test_a_game_played_twice_counts_once():
    made = plan("greedy,random")
    one = play_game(made, 0)
    summary = summarize(made, [one] * 50)
    assert summary["different_games"] == 1
    assert summary["bots"][0]["counted_as"] == 1
    assert summary["bots"][0]["high"] - summary["bots"][0]["low"] > 0.7


def test_the_mirror_holds_for_copies_and_would_show_a_bias():
    made = plan("random", mirror=True)
    games = run(made, 300).played
    mirror = summarize(made, games)["mirror"]
    assert mirror == {"fair": 0.3333, "holds": True, "outside": []}
    for row in summarize(made, games)["bots"]:
        assert row["low"] <= 1 / 3 <= row["high"]
    favoured = [game for game in games if "random#2" in [game.names[seat] for seat in game.ranking[0]]]
    biased = summarize(made, favoured + games[:30])["mirror"]
    assert not biased["holds"]
    assert "random#2" in biased["outside"]


def test_the_result_file_says_how_to_get_it_again(tmp_path):
    path = tmp_path / "result.json"
    run(PLAN, 3, result=path, command="preau arena recess")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["command"] == "preau arena recess"
    assert data["identity"]["engine"]["version"] == preau.__version__
    assert data["identity"]["rules"] == preau.game("recess").rules_version
    assert data["identity"]["options"]["turns"] == 30
    assert data["machine"]["cores"] >= 1
    assert data["started"] <= data["finished"]
    for row in data["games"]:
        assert play_game(PLAN, row["index"]).row() == row
