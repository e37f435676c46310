"""Compile the modules of compiled-modules.txt in place, next to their sources, for development.

Does nothing when nothing changed. Where the modules cannot be compiled it says so in one line and leaves the
plain Python modules in charge. What runs is always what the sources say.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from setup import MODULE_LIST, SOURCES, listed_modules, plain_wanted, why_plain  # noqa: E402
from tools.imports import imports  # noqa: E402
from tools.set_up import one_at_a_time  # noqa: E402

STAMP = ROOT / "build" / "compiled.json"


def main() -> int:
    """Bring the compiled modules up to date; the exit status says whether that worked."""
    if plain_wanted():
        print("PREAU_PLAIN is set: running the plain Python rules")
        return 0  # the package passes over compiled modules then, so they may stay
    modules = listed_modules()
    reason = why_plain() if modules else "no module is listed"
    if reason is None and up_to_date(modules):
        return 0
    remove_compiled()
    if reason is not None:
        if modules:
            print(f"{reason}: running the plain Python rules")
        return 0
    return compile_in_place(modules)


def compile_in_place(modules: list[str]) -> int:
    """Run mypyc and the C compiler; on failure show what they said and leave nothing half-built."""
    print("compiling the rules ...", flush=True)
    inputs = fingerprint(read_by(modules))  # taken before, so that an edit during the build is noticed
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, sep="", end="", file=sys.stderr)
        print("the compiled modules could not be built; PREAU_PLAIN=1 runs without them", file=sys.stderr)
        remove_compiled()
        return 1
    STAMP.write_text(json.dumps({"tools": tool_versions(), "inputs": inputs}, indent=1), encoding="utf-8")
    return 0


def up_to_date(modules: list[str]) -> bool:
    """Whether every listed module is compiled, from exactly these sources, by exactly these tools."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        return (
            bool(stamp["tools"] == tool_versions())
            and stamp["inputs"] == fingerprint([Path(name) for name in stamp["inputs"]])
            and all(compiled_path(module).exists() for module in modules)
        )
    except (OSError, ValueError, KeyError):
        return False


def tool_versions() -> list[str]:
    """The programs that decide what a compiled module looks like."""
    return [sys.version, sysconfig.get_platform(), metadata.version("mypy")]


def fingerprint(paths: list[Path]) -> dict[str, str]:
    """A hash of each file, by its path in the repository."""
    return {str(path): hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path in sorted(paths)}


def read_by(modules: list[str]) -> list[Path]:
    """The files that a build reads: the list, setup.py, and the modules with all they import from src.

    Modules that are imported but not compiled count too, because mypyc copies their constants.
    """
    found: set[Path] = set()
    waiting = [ROOT / module for module in modules]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        package = path.name == "__init__.py"
        parts = path.relative_to(SOURCES).with_suffix("").parts
        module = ".".join(parts[:-1] if package else parts)
        for imported in imports(path.read_text(encoding="utf-8"), module, package=package):
            target = SOURCES.joinpath(*imported.name.split("."))
            candidates = (target.with_suffix(".py"), target / "__init__.py", target.parent.with_suffix(".py"))
            waiting += [path for path in (*candidates, target.parent / "__init__.py") if path.is_file()]
    return [path.relative_to(ROOT) for path in {*found, MODULE_LIST, ROOT / "setup.py"}]


def compiled_path(module: str) -> Path:
    """Where the compiled form of a listed module belongs."""
    return (ROOT / module).with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))


def remove_compiled() -> None:
    """Remove every compiled module and the stamp, so that the plain modules are what runs."""
    STAMP.unlink(missing_ok=True)
    for pattern in ("*.so", "*.pyd"):
        for path in SOURCES.rglob(pattern):
            path.unlink()


if __name__ == "__main__":
    with one_at_a_time(__file__):
        sys.exit(main())
