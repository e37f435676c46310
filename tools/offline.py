"""The page's own Python, for games without a server: `python -m tools.offline` makes it and puts it beside the page.

That is Pyodide (an npm package) with as much of the standard library as we use, this program as plain Python, and
msgspec. All of it is compiled to bytecode by the very Python that will run it, under Node.js (`web/offline.mjs`, which
runs `tools/offline_inside.py`), and compressed once. What is made is kept in build/offline until something changes.
Compiled modules are a file of their own, where `tools/wasm.py` has made any: whoever thinks loads them as well.

`offline.json`, beside the page's index, lists the files: whoever wants to have all of them for later finds them there.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.build_ext import fingerprint
from tools.page import LOCK, MODULES, STATIC, Failed, install, node_command, read
from tools.set_up import PYTHON, ROOT, one_at_a_time

BUILD = ROOT / "build" / "offline"
MADE = BUILD / "made"
STAMP = BUILD / "stamp.json"
WHEEL = BUILD / "wheel"
PINS = ROOT / "requirements" / "play.txt"
PLATFORM = ("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--implementation=cp", "--abi=cp314")
PLACE = "assets/offline"
"""Where the files are beside the page: what is there never changes under the same name."""
LIST = "offline.json"

SOURCES = ROOT / "src" / "preau"
LAYERS = ("core", "games", "bots", "review", "learn", "table", "host", "browser")
LEFT_OUT = {
    "bots/file_bot.py",
    "bots/file_bot_process.py",
    "bots/tune.py",
    "bots/worker_process.py",
    "learn/generate.py",
}
"""What needs threads, processes or files of one's own, or only makes what ships."""
MODULES_OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


def main() -> str | int:
    """Make the bundle and put it beside the page; a text is a failure."""
    try:
        with one_at_a_time(__file__):
            install()
            place()
    except Failed as failure:
        return str(failure)
    return 0


def place() -> None:
    """Put the bundle beside the page, if it is not there already."""
    make()
    listed = (MADE / LIST).read_text(encoding="utf-8")
    if read(STATIC / LIST) == listed and all((STATIC / one["path"]).is_file() for one in json.loads(listed)["files"]):
        return
    shutil.rmtree(STATIC / PLACE, ignore_errors=True)
    shutil.copytree(MADE / PLACE, STATIC / PLACE)
    (STATIC / LIST).write_text(listed, encoding="utf-8")


def make() -> None:
    """Make the bundle, if anything of it has changed since."""
    compiled = compiled_modules()
    inputs = json.dumps([fingerprint(sources()), sorted(_hash(path) for path in compiled.values())], indent=1)
    if read(STAMP) == inputs and (MADE / LIST).is_file():
        return
    print("making the page's own Python ...", flush=True)
    get_wheel()
    shutil.rmtree(MADE, ignore_errors=True)
    raw = BUILD / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    files = [path.relative_to(ROOT / "src").as_posix() for path in bundled()]
    (raw / "files.json").write_text(json.dumps(files), encoding="utf-8")
    if compiled:
        (raw / "compiled.bin").write_bytes(joined(compiled))
    program, inside = ROOT / "web" / "offline.mjs", ROOT / "tools" / "offline_inside.py"
    command: list[str | Path] = [*node_command(), program, inside, ROOT / "src", WHEEL, raw, BUILD / "packed"]
    if subprocess.run(command, check=False).returncode:
        raise Failed("the page's own Python could not be made: the message is above")
    pack(raw)
    STAMP.write_text(inputs, encoding="utf-8")


def sources() -> list[Path]:
    """Everything the bundle is made from."""
    own = [ROOT / "tools" / name for name in ("offline.py", "offline_inside.py")]
    return [path.relative_to(ROOT) for path in (*own, ROOT / "web" / "offline.mjs", LOCK, PINS, *bundled())]


def bundled() -> list[Path]:
    """The files of this program that are in it."""
    found = [SOURCES / "__init__.py", SOURCES / "_build.py"]
    for layer in LAYERS:
        found += (path for path in (SOURCES / layer).rglob("*") if path.suffix in (".py", ".json") and path.is_file())
    return sorted(path for path in found if path.relative_to(SOURCES).as_posix() not in LEFT_OUT)


def compiled_modules() -> dict[str, Path]:
    """The compiled modules there are for this Python, by their places; none, where `make wasm` has made none of this
    source.
    """
    from tools import wasm

    return wasm.made()


def joined(files: dict[str, Path]) -> bytes:
    """Files as `preau.bin` has them: a line of JSON that lists names and lengths, and then one after the other."""
    data = [path.read_bytes() for path in files.values()]
    head = [[name, len(one)] for name, one in zip(files, data, strict=True)]
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(data)


def get_wheel() -> None:
    """Fetch msgspec for this Python, with its hash, from the registry that this machine is set up for."""
    shutil.rmtree(WHEEL, ignore_errors=True)
    target, wanted = BUILD / "wheels", BUILD / "wheel.txt"
    target.mkdir(parents=True, exist_ok=True)
    pins = re.search(r"^msgspec==[^\\]*(\\\n *--hash=\S+ *)+", PINS.read_text(encoding="utf-8"), re.MULTILINE)
    wanted.write_text(pins[0] if pins else "", encoding="utf-8")
    options = ("--no-deps", "--only-binary=:all:", "--require-hashes", *PLATFORM, "-r", str(wanted), "-d", str(target))
    command = [str(PYTHON), "-m", "pip", "-qq", "--disable-pip-version-check", "download", *options]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise Failed("msgspec for the page's own Python could not be fetched: pip's message is above")
    for path in target.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(WHEEL)


def pack(raw: Path) -> None:
    """Give every file a name that changes with it, and list them all."""
    pyodide = MODULES / "pyodide"
    folder = f"{PLACE}/pyodide-{_hash(*(pyodide / name for name in MODULES_OF_PYODIDE))}"
    about = json.loads((raw / "about.json").read_text(encoding="utf-8"))
    places = {f"{folder}/{name}": pyodide / name for name in MODULES_OF_PYODIDE}
    stdlib = f"{PLACE}/python-{_hash(raw / 'python.zip')}.zip"
    package = f"{PLACE}/preau-{_hash(raw / 'preau.bin')}.bin"
    places |= {stdlib: raw / "python.zip", package: raw / "preau.bin"}
    compiled = raw / "compiled.bin"
    if compiled.is_file():
        about["compiled"] = f"{PLACE}/compiled-{_hash(compiled)}.bin"
        places[about["compiled"]] = compiled
    files = []
    for name, source in places.items():
        target = MADE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        packed = BUILD / "packed" / _hash(source)
        for ending in (".br", ".gz"):
            shutil.copyfile(packed.with_suffix(ending), target.with_name(target.name + ending))
        sizes = {"bytes": source.stat().st_size, "brotli": packed.with_suffix(".br").stat().st_size}
        files.append({"path": name, **sizes, "sha256": hashlib.sha256(source.read_bytes()).hexdigest()})
    listed = {"index": f"{folder}/", "stdlib": stdlib, "package": package, **about, "files": files}
    (MADE / LIST).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _hash(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
