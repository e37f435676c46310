"""Compiled modules for the page's own Python: `python -m tools.wasm` (`make wasm`) makes them, in build/wasm/made.

They are the modules of compiled-modules.txt as far as the page has them, compiled to WebAssembly. mypyc writes C for
that Python (`tools/wasm_c.py`). Clang and its linker come with Zig (a package of PyPI), and so do the headers of C:
those of musl, from which the C library of Pyodide is made as well. How that Python was built, it says itself. Only its
headers are in no package of PyPI or npm; `find_headers` says where they are looked for.

What was made plays a match of every game and has to have the records that they have here. `tools/offline.py` puts it
beside the page, as long as it is of the same source; without it everything runs as plain Python.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import Any

from setup import listed_modules
from tools import offline
from tools.build_ext import fingerprint, read_by
from tools.page import LOCK, Failed, install, node_command, read
from tools.set_up import ROOT, one_at_a_time

BUILD = ROOT / "build" / "wasm"
MADE = BUILD / "made"
STAMP = BUILD / "stamp.json"
HEADERS = BUILD / "python"
"""Headers of that Python, with a `pyconfig.h` of its own."""
LIBC = BUILD / "libc"
PINS = ROOT / "requirements" / "wasm.txt"
NAMED = "PREAU_PYTHON_HEADERS"

CPU = "mvp+bulk_memory+mutable_globals+nontrapping_fptoint+sign_ext"
"""What every browser has that can run Pyodide: what came later would save nothing."""
COMPILE = ("-O2", "-g0", "-DNDEBUG", "-fwrapv", "-fno-sanitize=all", "-fPIC", "-fvisibility=hidden", f"-mcpu={CPU}")
LINK = ("-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--strip-all")
MUSL = ("riscv32-linux-musl", "generic-musl")
"""Of the machines that musl knows, the one with the types of wasm32-emscripten; but there an address is a `long`."""
SIZES = {
    "LONG": "long",
    "LONG_DOUBLE": "long double",
    "VOID_P": "void *",
    "SIZE_T": "size_t",
    "UINTPTR_T": "uintptr_t",
    "TIME_T": "time_t",
    "WCHAR_T": "wchar_t",
    "OFF_T": "off_t",
    "FPOS_T": "fpos_t",
    "PID_T": "pid_t",
    "PTHREAD_T": "pthread_t",
    "PTHREAD_KEY_T": "pthread_key_t",
}
"""Types whose sizes that Python knows: if one differs here, nothing is compiled."""
SEED = 7
CHECK = "#include <Python.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <time.h>\n"


class Missing(Failed):
    """What it takes is not to be had here."""


def main() -> str | int:
    """Make the compiled modules; a text is a failure."""
    try:
        with one_at_a_time(__file__):
            install()
            make()
    except Failed as failure:
        return str(failure)
    return 0


def make() -> None:
    """Make them, if anything has changed since."""
    if up_to_date():
        return
    wanted = inputs()
    about = ask()
    version = f"{about['version'][0]}.{about['version'][1]}"
    find_headers(version, about["numbers"])
    print("compiling the rules for the page's own Python: a minute or two ...", flush=True)
    STAMP.unlink(missing_ok=True)
    shutil.rmtree(MADE, ignore_errors=True)
    compile_all(about)
    check()
    STAMP.write_text(wanted, encoding="utf-8")
    print(f"the rules are compiled for the page's own Python, with headers {read(HEADERS / 'origin')}")


def inputs() -> str:
    """Everything they are made from."""
    own = [ROOT / "tools" / name for name in ("wasm.py", "wasm_c.py", "wasm_inside.py")]
    files = [path.relative_to(ROOT) for path in (*own, LOCK, PINS)]
    return json.dumps([metadata.version("mypy"), fingerprint([*files, *read_by(modules())])], indent=1)


def modules() -> list[str]:
    """The modules of the list that the page has."""
    there = {path.relative_to(ROOT).as_posix() for path in offline.bundled()}
    return [module for module in listed_modules() if module in there]


def up_to_date() -> bool:
    """Whether what was made is of this very source."""
    return MADE.is_dir() and read(STAMP) == inputs()


def made() -> dict[str, Path]:
    """The compiled modules by their places among ours, if they are of this very source."""
    if not MADE.is_dir():
        return {}
    if not up_to_date():
        print("the rules compiled for the page are of another source: it goes without; `make wasm` makes new ones")
        return {}
    return {path.relative_to(MADE).as_posix(): path for path in sorted(MADE.rglob("*.so"))}


def ask() -> dict[str, Any]:
    """What the page's own Python says of itself."""
    out = BUILD / "about"
    run_inside({"/out": out})
    found: dict[str, Any] = json.loads((out / "about.json").read_text(encoding="utf-8"))
    return found


def run_inside(places: dict[str, Path]) -> None:
    """Run `tools/wasm_inside.py` in that Python; each folder is seen at its place."""
    for folder in places.values():
        folder.mkdir(parents=True, exist_ok=True)
    program, inside = ROOT / "web" / "wasm.mjs", ROOT / "tools" / "wasm_inside.py"
    seen = [f"{place}={folder}" for place, folder in places.items()]
    if subprocess.run([*node_command(), program, inside, *seen], check=False).returncode:
        raise Failed("the page's own Python could not be asked: the message is above")


# Headers.


def find_headers(version: str, numbers: dict[str, int]) -> None:
    """Have the headers of that Python, with a `pyconfig.h` that says how it was built. Those of any 3.14 will do for
    3.14: what compiled modules may use stays the same. They are looked for in the folder that $PREAU_PYTHON_HEADERS
    names, at the Pythons of this machine, and among the packages of Debian.
    """
    found = named() or installed(version) or from_debian(version)
    if found is None:
        raise Missing(
            f"compiled rules for the page take the headers of Python {version}, which are not here.\n"
            f"They come with any Python {version} (on Debian: apt install libpython{version}-dev), and {NAMED}\n"
            f"can name a folder that has them: the one with Python.h"
        )
    folder, origin = found
    level = re.search(r'^#define PY_VERSION\s+"([\d.]+)', (folder / "patchlevel.h").read_text(encoding="utf-8"), re.M)
    if level is None or not level[1].startswith(f"{version}."):
        raise Failed(f"{folder} has headers of another Python than {version}")
    shutil.rmtree(HEADERS, ignore_errors=True)
    shutil.copytree(folder, HEADERS)
    lines = [f"#define {name} {value}" for name, value in numbers.items() if value]
    (HEADERS / "pyconfig.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (HEADERS / "origin").write_text(f"{level[1]} of {origin}", encoding="utf-8")


def named() -> tuple[Path, str] | None:
    """The folder that somebody has named."""
    folder = Path(os.environ.get(NAMED, ""))
    if not os.environ.get(NAMED):
        return None
    if not (folder / "Python.h").is_file():
        raise Failed(f"{NAMED} names {folder}, which has no Python.h")
    return folder, "a folder that was named"


def installed(version: str) -> tuple[Path, str] | None:
    """Those of this Python, or of another on this machine."""
    command = shutil.which(f"python{version}")
    asked = [command, "-c", "import sysconfig; print(sysconfig.get_path('include'))"] if command else []
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() if asked else ""
    own = sysconfig.get_path("include") if f"{sys.version_info[0]}.{sys.version_info[1]}" == version else ""
    for folder in (own, told):
        if folder and Path(folder, "Python.h").is_file():
            return Path(folder), "this machine"
    return None


def from_debian(version: str) -> tuple[Path, str] | None:
    """Those of Debian's package, fetched and checked by apt, not installed. Where the release of this machine has none,
    the newest has: it is asked for at the mirror that apt is set up for, with lists of our own.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return None
    folder, package = BUILD / "debian", f"libpython{version}-dev"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(f"{package}_*.deb")) and not fetched(package, folder):
        lists = newest_lists(folder / "apt")
        if not lists or not fetched(package, folder, *lists):
            return None
    [archive] = folder.glob(f"{package}_*.deb")
    subprocess.run(["dpkg-deb", "-x", archive, folder / "files"], check=True)
    return folder / "files" / "usr" / "include" / f"python{version}", f"Debian ({archive.name.split('_')[1]})"


def fetched(package: str, folder: Path, *options: str) -> bool:
    """Whether apt could fetch a package into a folder."""
    command = ["apt-get", "-qq", *options, "download", package]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def newest_lists(folder: Path) -> list[str]:
    """Lists of Debian's newest release, in a folder of our own: apt's options for them, none if there is no mirror."""
    wanted = "$(ORIGIN)|$(LABEL)|$(SITE)|$(COMPONENT)"
    asked = ["apt-get", "indextargets", "--format", wanted, "Created-By: Packages"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.splitlines()
    sites = [line.split("|")[2] for line in lines if line.startswith("Debian|Debian|") and line.endswith("|main")]
    if not sites:
        return []
    for needed in ("lists/partial", "cache/archives/partial"):
        (folder / needed).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    keys = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    signed = f"[signed-by={keys}] " if keys.is_file() else ""
    (folder / "sources.list").write_text(f"deb {signed}{sites[0]} sid main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": os.devnull,
        "Dir::State": folder,
        "Dir::State::Lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    print("asking Debian for Python's headers ...", flush=True)
    done = subprocess.run(["apt-get", "-qq", *options, "update"], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, end="", file=sys.stderr)
        return []
    return options


# Compiling.


def compile_all(about: dict[str, Any]) -> None:
    """Write the C, compile and link it."""
    zig = find_zig()
    folder = BUILD / "c"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = [str(folder), about["suffix"], json.dumps(about["version"]), *modules()]
    run([sys.executable, str(ROOT / "tools" / "wasm_c.py"), *words], "mypyc could not write the C")
    libc = zig.parent / "lib" / "libc" / "include"
    types = (libc / MUSL[0] / "bits" / "alltypes.h").read_text(encoding="utf-8")
    (LIBC / "bits").mkdir(parents=True, exist_ok=True)
    (LIBC / "bits" / "alltypes.h").write_text(types.replace("#define _Addr int\n", "#define _Addr long\n"))
    system = [LIBC, zig.parent / "lib" / "include", *(libc / name for name in MUSL)]
    places = [word for one in system for word in ("-isystem", str(one))]
    basis = [str(zig), "cc", "-target", "wasm32-emscripten", "-nostdinc", *places, *COMPILE, f"-I{HEADERS}"]
    numbers = about["numbers"]
    same = [f'_Static_assert(sizeof({kind}) == {numbers[f"SIZEOF_{name}"]}, "");' for name, kind in SIZES.items()]
    (folder / "sizes.c").write_text(CHECK + "\n".join(same) + "\n", encoding="utf-8")
    sizes = [*basis, "-c", str(folder / "sizes.c"), "-o", str(folder / "sizes.o")]
    run(sizes, "these headers do not describe the page's own Python")
    for name, sources, headers in json.loads((folder / "parts.json").read_text(encoding="utf-8")):
        target = MADE / f"{name.replace('.', '/')}{about['suffix']}"
        target.parent.mkdir(parents=True, exist_ok=True)
        [source] = sources
        there = [f"-I{one}" for one in headers]
        run([*basis, *there, "-c", source, "-o", f"{source}.o"], f"{source} could not be compiled")
        run([str(zig), "wasm-ld", *LINK, f"{source}.o", "-o", str(target)], f"{name} could not be linked")


def find_zig() -> Path:
    """The program of the package `ziglang`."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise Missing("there is no ziglang here; `make wasm` gets it")
    return Path(found.origin).with_name("zig.exe" if os.name == "nt" else "zig")


def run(command: list[str], failure: str) -> None:
    """Run a step; on failure show what it said."""
    caches = {name: str(BUILD / "cache") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | caches, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, sep="", end="", file=sys.stderr)
        raise Failed(f"{failure}: the message is above. The page works without, in plain Python")


def check() -> None:
    """Have them play, and compare the records with those of this Python."""
    import preau

    offline.get_wheel()
    tree, out = BUILD / "tree", BUILD / "played"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(MADE, tree)
    for path in offline.bundled():
        target = tree / path.relative_to(ROOT / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    levels = ("normal", "easy", "greedy")
    wishes = {game: [levels[at % 3] for at in range(preau.game(game).seats[0])] for game in preau.games.names()}
    out.mkdir(exist_ok=True)
    (out / "matches.json").write_text(json.dumps([wishes, SEED]), encoding="utf-8")
    run_inside({"/src": tree, "/wheel": offline.WHEEL, "/out": out})
    found = json.loads((out / "records.json").read_text(encoding="utf-8"))
    for game, bots in wishes.items():
        if preau.play(game, bots, seed=SEED).record.dumps() != found[game]:
            raise Failed(f"compiled for the page, {game} is played differently: this must not be used")


if __name__ == "__main__":
    sys.exit(main())
