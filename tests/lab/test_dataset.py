"""Data sets: what is read back is what was played, however often the writing was stopped."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from pyarrow import parquet

import preau
from preau.arena import play_game
from preau.core.errors import DataError, PreauError
from preau.core.state import NATURE
from preau.lab.dataset import Dataset, part_path
from preau.lab.plans import plan_for
from preau.lab.writing import write_dataset
from tests.lab.dataset_files import file_contents

GAME = "cour"
PLAN = plan_for(GAME, "greedy", seats=3)
GAMES = 9
PART = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three parts of three games."""
    out = tmp_path_factory.mktemp("data") / "set"
    written = write_dataset(PLAN, GAMES, out, part=PART)
    assert (written.games, written.before, written.whole) == (GAMES, 0, True)
    return out


def test_it_holds_every_decision_as_it_was(folder):
    """Each row is held against the game played anew: what the seat saw, might do and did."""
    data = Dataset(folder)
    rows = 0
    batches = list(data.decisions(at_once=50))
    for index in range(GAMES):
        played = play_game(PLAN, index, keep_record=True)
        assert played.record is not None
        record = preau.Record.from_json(played.record)
        state = record.start_state()
        found = [(batch, at) for batch in batches for at in np.flatnonzero(batch.games == index)]
        decisions = iter(found)
        for step, entry in enumerate(record.entries):
            if entry.actor != NATURE:
                batch, at = next(decisions)
                seen = preau.game(GAME).observe(state, entry.actor)
                assert (batch.steps[at], batch.seats[at]) == (step, entry.actor)
                assert data.floats(batch.observations[at]).tolist() == seen.values.tolist()
                assert bytes(batch.masks[at]) == bytes(seen.mask)
                assert data.actions[batch.actions[at]] == entry.text
                assert batch.scores[at] == played.scores[entry.actor]
                assert batch.won[at] == pytest.approx(
                    (entry.actor in played.ranking[0]) / len(played.ranking[0]), abs=1e-6
                )
                rows += 1
            state.apply(entry.actor, entry.text)
        assert next(decisions, None) is None
    assert rows == data.table("decisions").num_rows == sum(data.table("games")["decisions"].to_pylist())


def test_tables_say_who_sat_where_and_what_came_of_it(folder):
    data = Dataset(folder)
    games, outcomes = data.table("games").to_pylist(), data.table("outcomes").to_pylist()
    assert [row["game"] for row in games] == list(range(GAMES))
    assert [(row["game"], row["seat"]) for row in outcomes] == [
        (game, seat) for game in range(GAMES) for seat in range(3)
    ]
    for row in games:
        own = [one for one in outcomes if one["game"] == row["game"]]
        assert [one["bot"] for one in own] == row["bots"]
        assert sum(one["won"] for one in own) == pytest.approx(1.0)
        assert sum(one["rank"] for one in own) == 6
        assert json.loads(row["options"])["first"] == 0
    assert data.about["tables"].keys() == {"decisions", "games", "outcomes"}
    assert data.about["provenance"]["rules"] == preau.game(GAME).provenance()
    meta = parquet.read_schema(part_path(folder, "decisions", 0)).metadata
    assert json.loads(meta[b"preau"])["identity"] == data.about["identity"]


def test_pieces_have_their_names(folder):
    data = Dataset(folder)
    batch = next(data.decisions())
    pieces = data.pieces(batch.observations)
    assert pieces["sure"].shape == (len(batch), 8, 7)
    assert np.array_equal(pieces["hand"][3], batch.observations[3, :7])


def test_search_values_stand_beside_the_actions_they_are_about(tmp_path):
    plan = plan_for("recess", "easy", seats=3, options={"turns": 3})
    write_dataset(plan, 3, tmp_path / "set", values=True)
    data = Dataset(tmp_path / "set")
    batch = next(data.decisions())
    assert batch.values is not None
    assert batch.visits is not None
    thought = ~np.isnan(batch.values).all(axis=1)
    choices = batch.masks.sum(axis=1)
    assert np.array_equal(thought, choices > 1)  # a level thinks wherever there is a choice
    assert np.array_equal(~np.isnan(batch.values[thought]), batch.masks[thought])
    assert np.median(batch.visits.sum(axis=1)[thought]) >= 3  # fewer only where all is proven
    values = batch.values[thought]
    assert (values[batch.masks[thought]] >= 0).all()
    assert (values[batch.masks[thought]] <= 1).all()


def test_the_same_files_in_several_processes_and_after_interruptions(folder, tmp_path):
    out = tmp_path / "set"

    def stop(done: int) -> None:
        if done == PART + 1:
            raise KeyboardInterrupt

    part = write_dataset(PLAN, GAMES, out, part=PART, watch=stop)
    assert (part.games, part.whole) == (PART, False)
    assert not list(out.rglob("*.part"))
    rest = write_dataset(PLAN, GAMES, out, part=PART, workers=2)
    assert (rest.before, rest.games, rest.whole) == (PART, GAMES, True)
    assert file_contents(out) == file_contents(folder)


def test_it_can_be_made_longer(folder, tmp_path):
    out = tmp_path / "set"
    write_dataset(PLAN, 6, out, part=6)
    longer = write_dataset(PLAN, 9, out, part=6)
    assert (longer.before, longer.games) == (6, 9)
    even = write_dataset(PLAN, 12, out, part=6)  # the last part was not full: it is made anew
    assert (even.before, even.games) == (6, 12)
    assert Dataset(out).table("games").num_rows == 12


def test_a_part_that_is_cut_off_is_named_and_nothing_is_changed(folder, tmp_path):
    out = tmp_path / "set"
    shutil.copytree(folder, out)
    path = part_path(out, "decisions", 1)
    path.write_bytes(path.read_bytes()[:-20])
    before = file_contents(out)
    for attempt in (lambda: Dataset(out), lambda: write_dataset(PLAN, GAMES, out, part=PART)):
        with pytest.raises(DataError, match=r"part-00001.parquet is cut off.*Delete it"):
            attempt()
    assert file_contents(out) == before
    for table in ("decisions", "games", "outcomes"):
        part_path(out, table, 1).unlink()
    write_dataset(PLAN, GAMES, out, part=PART)
    assert file_contents(out) == file_contents(folder)


def test_a_part_that_is_missing_or_of_another_set_is_named(folder, tmp_path):
    out = tmp_path / "set"
    shutil.copytree(folder, out)
    part_path(out, "outcomes", 2).unlink()
    with pytest.raises(DataError, match=r"outcomes/part-00002.parquet is missing"):
        Dataset(out)
    other = tmp_path / "other"
    write_dataset(plan_for(GAME, "greedy", seats=3, seed=2), GAMES, other, part=PART)
    shutil.copy(part_path(other, "outcomes", 2), part_path(out, "outcomes", 2))
    with pytest.raises(DataError, match="a part of another data set"):
        Dataset(out)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"seed": 2}, "its seed is 1, this run's is 2"),
        ({"options": {"pile": "bag"}}, "its options is"),
        ({"seats": 2}, "its seats is 3, this run's is 2"),
    ],
)
def test_parts_of_another_data_set_are_not_mixed_in(folder, tmp_path, change, match):
    out = tmp_path / "set"
    shutil.copytree(folder, out)
    before = file_contents(out)
    with pytest.raises(DataError, match=match):
        write_dataset(plan_for(GAME, "greedy", **({"seats": 3} | change)), GAMES, out, part=PART)
    with pytest.raises(DataError, match="its values is false, this run's is true"):
        write_dataset(PLAN, GAMES, out, part=PART, values=True)
    assert file_contents(out) == before


def test_fresh_starts_over(folder, tmp_path):
    out = tmp_path / "set"
    shutil.copytree(folder, out)
    write_dataset(plan_for(GAME, "greedy", seats=3, seed=2), 3, out, part=PART, fresh=True)
    assert Dataset(out).table("games").num_rows == 3


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match=r"holds other things \(thesis.txt\)"):
        write_dataset(PLAN, 3, tmp_path)
    (tmp_path / "dataset.json").write_text("{}")
    with pytest.raises(DataError, match="is no data set"):
        write_dataset(PLAN, 3, tmp_path, fresh=True)
    with pytest.raises(PreauError, match="is a file"):
        write_dataset(PLAN, 3, tmp_path / "thesis.txt")
    with pytest.raises(DataError, match="there is no data set"):
        Dataset(tmp_path / "nowhere")


def test_one_command_at_a_time(folder):
    from preau.lab.folders import held

    with held(folder), pytest.raises(DataError, match="another run is writing"):
        write_dataset(PLAN, GAMES, folder, part=PART)
