"""nginx and Caddy for the tests of `deploy/`: `python -m tools.proxies` gets Debian's packages.

They are unpacked into .venv, not installed: installed, they would start as services and take the ports 80 and 443.
Where they cannot be had, the run goes on and says what to do. The tests that need them then say it again: they fail on
Debian and Ubuntu, and are skipped where there is no apt-get.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.browser import as_root, succeeds

PACKAGES = {"nginx": ("nginx", "nginx-core"), "caddy": ("caddy",)}
"""Programs, and the packages of Debian and Ubuntu that may hold each."""
UNPACKED = Path(sys.prefix) / "proxies"
FOLDERS = [str(UNPACKED / "usr" / "sbin"), str(UNPACKED / "usr" / "bin"), "/usr/sbin"]


def main() -> None:
    """Get each program that is not here."""
    for name in PACKAGES:
        if find(name) is None and not get(name):
            print(missing(name))


def find(name: str) -> str | None:
    """Return the path of a program: $PREAU_NGINX or $PREAU_CADDY, or the first on the PATH or among those unpacked."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), *FOLDERS]
    return os.environ.get(f"PREAU_{name.upper()}") or shutil.which(name, path=os.pathsep.join(folders))


def path_of(name: str) -> str:
    """Return the path of a program; RuntimeError says what to do where there is none."""
    path = find(name)
    if path is None:
        raise RuntimeError(missing(name))
    return path


def missing(name: str) -> str:
    """Return what to do about a program that is not here."""
    return (
        f"The tests of deploy/ need {name}, and there is none here: install it (on Debian and Ubuntu: apt-get install "
        f"{name})\nor say where one is: PREAU_{name.upper()}=/path/to/{name} make test"
    )


def get(name: str) -> bool:
    """Download and unpack Debian's package; return whether the program is there now."""
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        return False
    print(f"getting {name} ...", flush=True)
    return any(_unpack(package) and find(name) is not None for package in PACKAGES[name])


def _unpack(package: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        if not _download(package, folder):
            root = as_root()
            if root is None or not succeeds(*root, "apt-get", "-qq", "update") or not _download(package, folder):
                return False
        return all(succeeds("dpkg", "-x", str(file), str(UNPACKED)) for file in Path(folder).glob("*.deb"))


def _download(package: str, folder: str) -> bool:
    command = ["apt-get", "-qq", "download", package]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main()
