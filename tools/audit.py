"""What is known against the packages that a server runs with, from what the registries of this machine tell.

`make audit` asks for some minutes, through pip and npm as they are set up here, and prints what it finds:

- whether every file that requirements/play.txt pins is still there with its hash, and was not withdrawn (yanked);
- which of them have a newer patch release, and which packages of the page;
- known weaknesses, by `pip-audit` where that is installed, and by `npm audit` where the registry answers it.

It ends with 1 if something was withdrawn, is not what was tested, or has a known weakness. What could not be asked is
said; with --strict that counts too.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from tools.page import WEB, Failed, npm_command
from tools.set_up import ROOT

PINNED = ROOT / "requirements" / "play.txt"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
AT_ONCE = 4


class Ran(NamedTuple):
    """What a program said."""

    code: int
    out: str
    err: str


class Finding(NamedTuple):
    """One line of the report: `bad` is to be mended, `old` may wait, `unknown` is what nobody would say."""

    kind: str
    text: str


Run = Callable[[Sequence[str]], Ran]


def run(command: Sequence[str]) -> Ran:
    """Run a program, in web/ if it is npm."""
    here = WEB if any(part.endswith(("npm", "npm-cli.js")) for part in command[:2]) else ROOT
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def main(arguments: list[str]) -> int:
    """Ask everybody, print what they say."""
    found = [*files(run), *behind(run), *weaknesses(run), *page(run)]
    for one in found:
        print(f"{one.kind:8} {one.text}")
    counts = {kind: sum(one.kind == kind for one in found) for kind in ("bad", "old", "unknown")}
    print(f"{counts['bad']} to mend, {counts['old']} behind, {counts['unknown']} could not be asked")
    return int(bool(counts["bad"] or ("--strict" in arguments and counts["unknown"])))


# Python.


def pins(text: str) -> dict[str, str]:
    """The packages of a requirements file, with their versions."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", text, flags=re.M))


def files(run: Run) -> list[Finding]:
    """Whether all that is pinned can still be had, as it was, and was not withdrawn."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["install", "--dry-run", "--ignore-installed", "--no-deps", "--require-hashes", "--quiet"]
        done = run([*PIP, *wanted, "--target", folder, "-r", str(PINNED)])
    found = [
        Finding("bad", f"{name} {version} was withdrawn by its makers")
        for name, version in re.findall(r"yanked version: '([^']+)' candidate \(version (\S+)", done.err)
    ]
    if "DO NOT MATCH THE HASHES" in done.err:
        found.append(Finding("bad", "a file is not the one that was tested: " + _last(done.err)))
    elif done.code and "No matching distribution" in done.err:
        found.append(Finding("bad", "a pinned version is gone: " + _last(done.err)))
    elif done.code:
        found.append(Finding("unknown", "whether the pinned files are as they were: " + _last(done.err)))
    return found


def behind(run: Run) -> list[Finding]:
    """What has a newer patch release: mends without changes, mostly."""
    pinned = pins(PINNED.read_text(encoding="utf-8"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda name: run([*PIP, "index", "versions", name]), pinned))
    found = []
    for (name, version), answer in zip(pinned.items(), answers, strict=True):
        listed = re.search(r"^Available versions: (.*)$", answer.out, flags=re.M)
        if listed is None:
            found.append(Finding("unknown", f"whether there is a newer {name}: " + _last(answer.err)))
        elif newer := newest_patch(version, listed[1].split(", ")):
            found.append(Finding("old", f"{name} {version}: there is {newer}"))
    return found


def newest_patch(version: str, there_are: Sequence[str]) -> str | None:
    """The newest of these that differs from a version in its last places only, if that is newer."""
    mine = numbers(version)
    same = [one for one in there_are if numbers(one)[:2] == mine[:2] and numbers(one) > mine]
    return max(same, key=numbers, default=None)


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers; none for what is not made of numbers, such as a trial version."""
    return tuple(map(int, version.split("."))) if re.fullmatch(r"\d+(\.\d+)*", version) else ()


def weaknesses(run: Run) -> list[Finding]:
    """What is known against the pinned versions."""
    program = shutil.which("pip-audit")
    if program is None:
        return [Finding("unknown", "weaknesses of Python packages: pip-audit is not installed")]
    done = run([program, "--disable-pip", "--require-hashes", "--format", "json", "-r", str(PINNED)])
    try:
        listed: list[dict[str, Any]] = json.loads(done.out)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return [Finding("unknown", "weaknesses of Python packages: " + _last(done.err))]
    found = [
        Finding("bad", f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions'])}")
        for one in listed
        for hole in one.get("vulns", ())
    ]
    skipped = [one["name"] for one in listed if "skip_reason" in one]
    if skipped:
        found.append(Finding("unknown", "weaknesses of " + ", ".join(skipped)))
    return found


# The page.


def page(run: Run) -> list[Finding]:
    """The same of what the page is built with."""
    try:
        npm = npm_command()
    except Failed as why:
        return [Finding("unknown", f"the page's packages: {why}")]
    return [*_holes(run([*npm, "audit", "--json"])), *_outdated(run([*npm, "outdated", "--json"]))]


def _holes(answer: Ran) -> list[Finding]:
    try:
        listed: dict[str, dict[str, Any]] = json.loads(answer.out)["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return [Finding("unknown", "weaknesses of the page's packages: the registry does not answer npm audit")]
    return [Finding("bad", f"{name} {one['range']}: {one['severity']} weakness") for name, one in listed.items()]


def _outdated(answer: Ran) -> list[Finding]:
    try:
        listed: dict[str, dict[str, str]] = json.loads(answer.out or "{}")
    except ValueError:
        return [Finding("unknown", "whether there are newer packages for the page")]
    newer = {name: newest_patch(one.get("current", ""), [one["latest"]]) for name, one in listed.items()}
    return [Finding("old", f"{name} {listed[name]['current']}: there is {new}") for name, new in newer.items() if new]


def _last(text: str) -> str:
    """The last line of what a program complained of."""
    return (text.strip().splitlines() or ["no answer"])[-1].strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
