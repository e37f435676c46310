"""The environment of the peers: `.bench-venv`, from the hash-pinned `peers.txt`."""

import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "benchmarks" / "peers.txt"
VENV = ROOT / ".bench-venv"
STAMP = VENV / "stamp"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
BUILDER = "setuptools"
TIMEOUT = 900


class InstallError(Exception):
    """Why something could not be installed, in one line."""


def blocks(pins: str) -> Iterator[tuple[str, str]]:
    """Each pinned package of a compiled requirements file with its hashes."""
    for match in re.finditer(r"^([\w.-]+)==(?:.*\\\n)*.*$", pins, re.MULTILINE):
        yield match[1], match[0] + "\n"


def run(*command: str) -> None:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{type(error).__name__}") from error
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines()]
        errors = [line for line in lines if line.lower().startswith("error")]
        raise InstallError((errors or lines or ["failed"])[-1])


def pip_install(pins: str) -> None:
    """Install exactly these pins. Source packages are built with the pinned builder,
    not with whatever is newest."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pins.txt"
        file.write_text(pins, encoding="utf-8")
        run(
            str(PYTHON),
            *("-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--require-hashes", "--no-build-isolation"),
            *("-r", str(file)),
        )


def install() -> dict[str, str]:
    """Bring `.bench-venv` up to date; nothing is done if it is. What could not be
    installed comes back with the reason, and is tried again next time."""
    pins = PINS.read_text(encoding="utf-8")
    python = platform.python_version()
    wanted = f"{python} {hashlib.sha256(pins.encode()).hexdigest()}"
    stamp = STAMP.read_text(encoding="utf-8") if STAMP.exists() else ""
    if stamp == wanted:
        return {}
    print("installing the peers into .bench-venv ...", file=sys.stderr, flush=True)
    packages = dict(blocks(pins))
    try:
        if not stamp.startswith(f"{python} "):
            run(sys.executable, "-m", "venv", "--clear", str(VENV))
            STAMP.write_text(f"{python} incomplete", encoding="utf-8")
        pip_install(packages.pop(BUILDER))
    except InstallError as error:
        return {"all": str(error)}
    try:
        pip_install("".join(packages.values()))
    except InstallError:
        failed: dict[str, str] = {}
        for name, block in packages.items():
            try:
                pip_install(block)
            except InstallError as error:
                failed[name] = str(error)
        if failed:
            return failed
    STAMP.write_text(wanted, encoding="utf-8")
    return {}
