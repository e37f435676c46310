"""Runs inside Pyodide, under Node.js (`web/offline.mjs`): uses everything that the page will use, sees which modules of
the standard library that took, and writes those and our own files as bytecode.

/src are our sources, of which /out/files.json names those that are wanted, /wheel is msgspec. /out takes what is made:
`python.zip`, stored, for it is compressed on its way; and `preau.bin`, which is a line of JSON that lists names and
lengths, and then the files one after the other.
"""

from __future__ import annotations

import json
import sys
from typing import Any

sys.dont_write_bytecode = True
sys.path[:0] = ["/src", "/wheel"]

LIBRARY = "/lib/python314.zip"
ALSO = ("encodings.idna", "linecache", "textwrap", "tokenize", "traceback", "warnings")
"""What Python itself imports only when something goes wrong."""
WITH_WORDS = ("pyodide", "_pyodide")
"""Packages that read their own docstrings."""


def use_everything(files: list[str]) -> None:
    """Do once what the page may ask for."""
    import importlib
    from contextlib import suppress

    for path in files:
        if path.endswith(".py"):
            importlib.import_module(path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    for name in ALSO:
        importlib.import_module(name)

    from preau.bots import Budget
    from preau.browser.worker_entry import HostWorker, ThinkWorker
    from preau.core.errors import PreauError
    from preau.review import hint

    worker, thinker = HostWorker(), ThinkWorker()

    def do(**what: object) -> dict[str, Any]:
        done: dict[str, Any] = json.loads(worker.do(json.dumps(what)))
        return done

    def call(method: str, address: str, body: object = None) -> Any:
        answer = do(do="call", method=method, address=address, body=json.dumps(body) if body is not None else "")
        assert answer["status"] in (200, 201), (method, address, answer)
        return json.loads(answer["body"])

    for game in call("GET", "/games"):
        name, seats = game["id"], game["usual"]["seats"]
        for path in ("texts/fr", "rules/en", "book", "gallery", "puzzles"):
            call("GET", f"/games/{name}/{path}")
        call("POST", "/practice", {"game": name, "exercise": game["lesson"][0]})
        bots = ["greedy", "easy", *["random"] * (seats - 2)]
        record = call("POST", "/match", {"game": name, "bots": bots, "seed": 1})
        call("POST", "/replay", {"record": record})
        call("POST", "/reviews", {"record": record})
        sitting = [{"kind": "me"}, *[{"kind": "bot", "level": "normal"}] * (seats - 1)]
        made = call("POST", "/tables", {"game": name, "seats": sitting, "start": True})
        do(do="open", line="1", table=made["table"]["id"])
        done = do(do="hear", line="1", text=json.dumps({"type": "join", "token": made["token"]}))
        for ask in done["effects"].get("asks", []):
            json.loads(thinker.think(json.dumps(ask["question"])))
        view = json.loads(done["effects"]["sent"][0][1])["view"]
        with suppress(PreauError):  # it may be somebody else's turn
            hint(view, budget=Budget(8))


def used() -> set[str]:
    """The modules of the standard library that are there now."""
    files = {name: getattr(module, "__file__", None) or "" for name, module in list(sys.modules.items())}
    return {name for name, file in files.items() if file.startswith(LIBRARY)}


def write_everything(files: list[str], modules: set[str]) -> None:
    """Write these modules, and our own files."""
    import zipfile
    from pathlib import Path

    with zipfile.ZipFile(LIBRARY) as library, zipfile.ZipFile("/out/python.zip", "w", zipfile.ZIP_STORED) as made:
        for name in sorted(library.namelist()):
            module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            if name.endswith(".py") and module in modules:
                words = module.partition(".")[0] in WITH_WORDS
                made.writestr(zipfile.ZipInfo(f"{name}c"), bytecode(library.read(name), name, words=words))

    found: dict[str, bytes] = {}
    for path in files:
        data = Path("/src", path).read_bytes()
        if path.endswith(".py"):
            found[f"{path}c"] = bytecode(data, path)
        else:
            found[path] = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":")).encode()
    for file in sorted(Path("/wheel/msgspec").iterdir()):
        if file.suffix == ".py":
            found[f"msgspec/{file.name}c"] = bytecode(file.read_bytes(), f"msgspec/{file.name}")
        elif file.suffix == ".so":
            found[f"msgspec/{file.name}"] = file.read_bytes()
    head = json.dumps([[name, len(data)] for name, data in found.items()], separators=(",", ":")).encode()
    Path("/out/preau.bin").write_bytes(head + b"\n" + b"".join(found.values()))


def bytecode(source: bytes, name: str, *, words: bool = False) -> bytes:
    """A module without its source, the same whenever it is made; docstrings only where they are read, and of line
    numbers only where each function begins: the others are a fifth of what would be loaded.
    """
    import importlib.util
    from importlib import _bootstrap_external

    code = first_lines(compile(source, name, "exec", dont_inherit=True, optimize=0 if words else 2))
    pack = getattr(_bootstrap_external, "_code_to_hash_pyc")  # noqa: B009
    return bytes(pack(code, importlib.util.source_hash(source), checked=False))


def first_lines(code: Any) -> Any:
    """A code object all of which stands in its first line: entries for eight instructions at most, the same line, no
    columns (InternalDocs/code_objects.md of CPython).
    """
    whole, rest = divmod(len(code.co_code) // 2, 8)
    table = b"\xef\x00" * whole + (bytes([0xE8 | rest - 1, 0]) if rest else b"")
    parts = (first_lines(one) if isinstance(one, type(code)) else one for one in code.co_consts)
    return code.replace(co_linetable=table, co_consts=tuple(parts))


def main() -> None:
    """Use everything, then write it."""
    with open("/out/files.json", encoding="utf-8") as listed:  # noqa: PTH123 (it would count as used)
        files: list[str] = json.load(listed)
    use_everything(files)
    write_everything(files, used())


if __name__ == "__main__":
    main()
