"""`preau doctor`: every extra is named with what it is for, and what is wrong is told from what is missing."""

from __future__ import annotations

import json
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import preau.cli.doctor
from preau.cli.doctor import EXTRAS


def test_every_extra_has_its_use():
    file = Path(__file__).resolve().parents[2] / "pyproject.toml"
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"])


def test_all_is_there(run):
    told = run("doctor")
    assert told.exit_code == 0
    for word in ("python", "rules", "page", "web", "games"):
        assert word in told.stdout
    found = {one["what"]: one for one in json.loads(run("doctor", "--json").stdout)}
    assert found["web"]["state"] == "ready"
    assert found["games"]["said"] == ", ".join(preau.game_ids())


@pytest.fixture
def versions(monkeypatch):
    """Installed versions of some packages, said by a test; None: not installed."""
    said: dict[str, str | None] = {}

    def version(name: str) -> str:
        there = said.get(name, metadata.version(name) if name not in said else None)
        if there is None:
            raise metadata.PackageNotFoundError(name)
        return there

    monkeypatch.setattr(preau.cli.doctor, "version", version)
    return said


def test_what_is_missing_and_what_is_wrong(run, versions):
    versions["openskill"] = None
    told = run("doctor", "--json")
    assert told.exit_code == 0
    found = {one["what"]: one for one in json.loads(told.stdout)}
    assert (found["arena"]["state"], found["arena"]["mend"]) == ("missing", "pip install 'preau[arena]'")
    assert found["arena"]["said"].endswith("not installed: openskill")
    versions["litestar"] = "1.9"
    told = run("doctor", "--json")
    assert told.exit_code == 1
    found = {one["what"]: one for one in json.loads(told.stdout)}
    assert found["web"]["state"] == "wrong"
    assert found["web"]["said"].endswith("litestar is 1.9, wanted is >=2.25")
    assert "→ pip install 'preau[web]'" in run("doctor").stdout


def test_a_package_of_a_game_that_cannot_be_used(run, monkeypatch):
    monkeypatch.setattr(preau.cli.doctor, "broken", lambda: {"soleil": "no such module"})
    told = run("doctor")
    assert told.exit_code == 1
    assert "no such module" in told.stdout


def test_run_from_a_folder(run, monkeypatch):
    def nothing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(preau.cli.doctor, "requires", nothing)
    assert run("doctor").exit_code == 0
