"""The same files and figures on Ray."""

from __future__ import annotations

import pytest

from preau.lab.plans import plan_for
from preau.lab.report import put_together
from preau.lab.study import Study, play_study
from preau.lab.writing import write_dataset
from tests.lab.dataset_files import file_contents

PLAN = plan_for("cour", "greedy", seats=3)


@pytest.mark.nightly
def test_a_cluster_writes_the_same_data_set_and_finds_the_same_figures(tmp_path):
    for name, ray in (("here", ""), ("ray", "local")):
        write_dataset(PLAN, 6, tmp_path / name, part=3, workers=1, ray=ray)
    assert file_contents(tmp_path / "here") == file_contents(tmp_path / "ray")
    reports = []
    for ray in ("", "local"):
        folder = tmp_path / f"study{ray}"
        folder.mkdir()
        arms = play_study(Study.of([PLAN], 12), folder, workers=1, ray=ray)
        assert arms is not None
        reports.append(put_together(arms, [{}], 12))
    assert reports[0] == reports[1]
