"""Runs inside Pyodide, under Node.js (`web/wasm.mjs`), for `python -m tools.wasm`, which see.

Without anything at /src it writes down how this Python was built: /out/about.json. Otherwise /src is this program with
its compiled modules, /wheel is msgspec and /out/matches.json names matches; their records go to /out/records.json.
"""

from __future__ import annotations

import json
import sys
import sysconfig
from pathlib import Path


def tell() -> None:
    """Write down what this Python is."""
    numbers = {name: value for name, value in sysconfig.get_config_vars().items() if isinstance(value, int)}
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    about = {"version": list(sys.version_info[:3]), "suffix": suffix, "numbers": numbers}
    Path("/out/about.json").write_text(json.dumps(about), encoding="utf-8")


def play() -> None:
    """Play matches with compiled modules."""
    sys.path[:0] = ["/src", "/wheel"]
    import preau

    assert preau.compiled, "the compiled modules were passed over"
    wishes, seed = json.loads(Path("/out/matches.json").read_text(encoding="utf-8"))
    records = {game: preau.play(game, bots, seed=seed).record.dumps() for game, bots in wishes.items()}
    Path("/out/records.json").write_text(json.dumps(records), encoding="utf-8")


if __name__ == "__main__":
    play() if Path("/src").exists() else tell()
