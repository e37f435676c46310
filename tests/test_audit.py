"""What is known against our packages: what registries say is understood, and their silence is no good news."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import audit
from tools.audit import Finding, Ran
from tools.set_up import ROOT

FINE = Ran(0, "", "")


def saying(**answers: Ran) -> audit.Run:
    """Programs that answer so, by a word of their command."""

    def run(command: Sequence[str]) -> Ran:
        return next((answer for word, answer in answers.items() if word.replace("_", "-") in command), FINE)

    return run


def test_every_pin_is_read():
    text = audit.PINNED.read_text(encoding="utf-8")
    found = audit.pins(text)
    assert len(found) == sum("==" in line.partition(";")[0] for line in text.splitlines())
    assert found.keys() >= {"litestar", "sqlalchemy", "psycopg"}
    assert audit.pins("a-b[c]==1.2.3 ; x \\\n    --hash=sha256:0\nb==2\n") == {"a-b": "1.2.3", "b": "2"}


def test_what_was_withdrawn_or_changed_is_to_be_mended():
    yanked = (
        "WARNING: The candidate selected is a yanked version: 'attrs' candidate (version 21.1.0 at ...)\nReason: bad\n"
    )
    assert audit.files(saying(install=Ran(0, "", yanked))) == [
        Finding("bad", "attrs 21.1.0 was withdrawn by its makers")
    ]
    wrong = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n  Got abc\n"
    assert [one.kind for one in audit.files(saying(install=Ran(1, "", wrong)))] == ["bad"]
    gone = "ERROR: No matching distribution found for attrs==21.1.0\n"
    assert [one.kind for one in audit.files(saying(install=Ran(1, "", gone)))] == ["bad"]
    away = "ERROR: could not connect\n"
    assert [one.kind for one in audit.files(saying(install=Ran(1, "", away)))] == ["unknown"]
    assert audit.files(saying()) == []


def test_newer_patches_are_told(monkeypatch, tmp_path):
    listed = ["3.0.0", "2.5.0", "2.4.10", "2.4.9", "2.4.11rc1", "2.4.1"]
    assert audit.newest_patch("2.4.2", listed) == "2.4.10"
    assert audit.newest_patch("2.4.10", listed) is None
    assert audit.newest_patch("2.3.0", listed) is None
    assert audit.newest_patch("2.4", listed) == "2.4.10"
    monkeypatch.setattr(audit, "PINNED", tmp_path / "play.txt")
    audit.PINNED.write_text("a==2.4.2\nb==3.0.0\n", encoding="utf-8")
    told = audit.behind(saying(index=Ran(0, f"x (3.0.0)\nAvailable versions: {', '.join(listed)}\n", "")))
    assert told == [Finding("old", "a 2.4.2: there is 2.4.10")]
    assert [one.kind for one in audit.behind(saying(index=Ran(1, "", "ERROR: no")))] == ["unknown"] * 2


def test_weaknesses_are_to_be_mended_and_silence_is_said(monkeypatch):
    monkeypatch.setattr("tools.audit.shutil.which", lambda name: None)
    assert [one.kind for one in audit.weaknesses(saying())] == ["unknown"]
    monkeypatch.setattr("tools.audit.shutil.which", lambda name: name)
    listed = [
        {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
        {"name": "b", "version": "1", "vulns": []},
        {"name": "c", "skip_reason": "not found"},
    ]
    told = audit.weaknesses(saying(pip_audit=Ran(1, json.dumps({"dependencies": listed}), "")))
    assert told == [Finding("bad", "a 1: PYSEC-1, mended in 1.1"), Finding("unknown", "weaknesses of c")]
    assert [one.kind for one in audit.weaknesses(saying(pip_audit=Ran(1, "", "no network")))] == ["unknown"]


def test_the_page_is_asked_about_too(monkeypatch):
    monkeypatch.setattr("tools.audit.npm_command", lambda: ["npm"])
    holes = json.dumps({"vulnerabilities": {"vite": {"range": "<8.3.6", "severity": "high"}}})
    old = json.dumps(
        {"vite": {"current": "8.3.5", "latest": "8.3.8"}, "typescript": {"current": "5.9.3", "latest": "7.0.2"}}
    )
    assert audit.page(saying(audit=Ran(1, holes, ""), outdated=Ran(1, old, ""))) == [
        Finding("bad", "vite <8.3.6: high weakness"),
        Finding("old", "vite 8.3.5: there is 8.3.8"),
    ]
    refused = Ran(1, json.dumps({"message": "405 Method Not Allowed"}), "")
    assert [one.kind for one in audit.page(saying(audit=refused))] == ["unknown"]


@pytest.mark.parametrize(
    ("kinds", "plain", "strict"), [([], 0, 0), (["old"], 0, 0), (["unknown"], 0, 1), (["old", "bad"], 1, 1)]
)
def test_how_it_ends(monkeypatch, capsys, kinds, plain, strict):
    for part in ("behind", "weaknesses", "page"):
        monkeypatch.setattr(audit, part, lambda run: [])
    monkeypatch.setattr(audit, "files", lambda run: [Finding(kind, "x") for kind in kinds])
    assert (audit.main([]), audit.main(["--strict"])) == (plain, strict)
    assert f"{kinds.count('bad')} to mend" in capsys.readouterr().out


def test_what_is_installed_as_tested_is_all_that_a_server_needs():
    """`docs/hosting.md` installs the pinned files, then the wheel without asking for anything else."""
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    named = re.findall(r"-r (requirements/\S+)", guide)
    assert named
    assert all((ROOT / name).is_file() for name in named)
    for command in re.findall(r"`?make (\w+)", guide):
        assert f"\n{command}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "pip install preau" not in guide.replace('"', ""), "that takes whatever is newest"
    pinned = {
        canonicalize_name(name): version
        for file in named
        for name, version in audit.pins((ROOT / file).read_text(encoding="utf-8")).items()
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for wish in map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["web"]]):
        assert wish.specifier.contains(pinned[canonicalize_name(wish.name)]), wish
