"""Make .venv ready: `python3 tools/set_up.py dev` installs requirements/dev.txt and this checkout into it.

The kit `node` is left out where the machine has a Node.js of its own that will do. Does nothing when nothing changed.
Runs on an older Python 3 far enough to say that it is too old.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "preau.json"


def main(kits: list[str]) -> str | int:
    """Install each kit (the name of a file in requirements/) and the checkout, where they have changed."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if sys.version_info < (3, 11):  # noqa: UP036
        return f"Préau needs Python 3.11 or later; this is {version}. Another one: make PYTHON=python3.12 ..."
    with one_at_a_time():
        home = [str(ROOT), version]
        done = read_stamp()
        if not PYTHON.exists() or done.get("home", home) != home:
            if not make_venv():
                return (
                    "python3 -m venv did not work. On Debian and Ubuntu it is a package of its own:\n"
                    "  apt install python3-venv"
                )
            done = {}
        done["home"] = home
        for kit in kits:
            if kit == "node" and machine_has_node():
                continue
            requirements = ROOT / "requirements" / f"{kit}.txt"
            wanted = digest(requirements)  # taken before, so that an edit during the installation is noticed
            if done.get(kit) != wanted:
                print(f"installing {requirements.relative_to(ROOT)} ...", flush=True)
                # Python keeps the bytecode of what is used when it is used: most of it never is.
                if not pip("install", "--no-compile", "--require-hashes", "--no-deps", "-r", requirements):
                    return f"could not install {requirements.relative_to(ROOT)}: pip's message is above"
                done[kit] = wanted
                STAMP.write_text(json.dumps(done), encoding="utf-8")
        project = digest(ROOT / "pyproject.toml", ROOT / "setup.py")
        if done.get("preau") != project:
            # Plain, because tools/build_ext.py compiles; from the installed setuptools, so without network.
            if not pip("install", "--no-deps", "--no-build-isolation", "-e", ROOT, PREAU_PLAIN="1"):
                return "could not install this checkout: pip's message is above"
            done["preau"] = project
            STAMP.write_text(json.dumps(done), encoding="utf-8")
    return 0


def make_venv() -> bool:
    """Make a new .venv in place of whatever is there; False when this Python cannot."""
    print(f"making {VENV.name} with Python {sys.version.split()[0]} ...", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    if subprocess.run([sys.executable, "-m", "venv", VENV], check=False).returncode == 0:
        return True
    shutil.rmtree(VENV, ignore_errors=True)
    return False


def pip(*arguments: str | Path, **environment: str) -> bool:
    """Run the environment's own pip, as it is configured on this machine; whether it succeeded."""
    command = [PYTHON, "-m", "pip", "-qq", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False).returncode == 0


def machine_has_node() -> bool:
    """Whether there is a Node.js with npm on the PATH, new enough to build the page."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return new_enough(said)


def new_enough(node_version: str) -> bool:
    """Whether this answer of `node --version` is one that Vite takes: ^20.19 or 22.12 and later.

    >>> new_enough("v20.19.0"), new_enough("v21.7.3"), new_enough("v22.12.0"), new_enough("")
    (True, False, True, False)
    """
    found = re.match(r"v(\d+)\.(\d+)", node_version)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    return (20, 19) <= version < (21, 0) or version >= (22, 12)


def read_stamp() -> dict[str, Any]:
    """What an earlier run installed."""
    try:
        stamp: dict[str, Any] = json.loads(STAMP.read_text(encoding="utf-8"))
        return stamp
    except (OSError, ValueError):
        return {}


def digest(*paths: Path) -> str:
    """One hash over the contents of some files."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


@contextlib.contextmanager
def one_at_a_time(step: str = "") -> Iterator[None]:
    """Wait while another set-up works on the same checkout, or another run of the same step (the path of its program).

    Different steps may run at the same time, but none while .venv is made.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with Path(__file__).open() as setting_up, Path(step or __file__).open() as lock:
        if step:
            fcntl.flock(setting_up, fcntl.LOCK_SH)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
