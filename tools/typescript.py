"""Generate the page's types from Python: `python -m tools.typescript`; with `--check`, fail if they are old.

`web/src/lib/net/protocol.ts` comes from the messages, `web/src/games/<id>/shapes.ts` from each game's `shapes.py`. When
a key is renamed in Python, the page's type check fails wherever the old name is used.
"""

from __future__ import annotations

import sys
from pathlib import Path

import preau
from preau.codegen.typescript import of_game, of_wire

WEB = Path(__file__).resolve().parent.parent / "web" / "src"


def main(arguments: list[str]) -> str | int:
    """Write the files, or say which are not as they should be."""
    old = {path: text for path, text in files().items() if not path.is_file() or path.read_text("utf-8") != text}
    if arguments == ["--check"]:
        names = ", ".join(str(path.relative_to(WEB.parent)) for path in old)
        return f"{names}: not what Python says; `make format` writes them anew" if old else 0
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    return 0


def files() -> dict[Path, str]:
    """All generated files with their contents."""
    found = {WEB / "lib" / "net" / "protocol.ts": of_wire()}
    for folder in sorted((WEB / "games").iterdir()):
        if folder.name in preau.game_ids():
            found[folder / "shapes.ts"] = of_game(preau.game(folder.name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
