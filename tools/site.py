"""The page as a site of files: `python -m tools.site FOLDER` writes it, for any host and any place on one.

It is the page that the server has, with its own Python, the games written into its first file, and data that is packed
already: hosts need not know how. The first file and the service worker are at the top, everything else is in `static`.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from preau.host.catalogue import catalogue
from preau.server.http.static_files import INDEX, PYTHON, SERVICE, STATIC, File, finished, read, version, with_version
from preau.table import protocol
from tools.offline import PLACE

OURS = "offline.json"
"""What tells a folder that was made here from somebody's own."""
PACKED = (".wasm", ".zip", ".bin")
"""Endings of data that comes gzipped."""
WORDS = re.compile(r'\s*<link (?=[^>]*rel="preload")[^>]*data-language="\w+"[^>]*>')
"""The preloads of words. The server leaves those of the reader's language, which a site does not know."""


def main(arguments: list[str]) -> str | int:
    """Write the site; a text is a failure."""
    if len(arguments) != 1:
        return "say where to: python -m tools.site FOLDER"
    target = Path(arguments[0]).resolve()
    if not (STATIC / PYTHON).is_file():
        return "the page has no Python of its own: `make page` says why"
    if target.exists() and any(target.iterdir()) and not (target / "static" / OURS).is_file():
        return f"{target} is there and was not made by this program: name another folder"
    write(target)
    print(f"the site is in {target}: put what is in it on any host of files")
    return 0


def write(target: Path) -> None:
    """All files of it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(
        STATIC, target / "static", ignore=shutil.ignore_patterns("*.br", "*.gz", INDEX, SERVICE, "previews")
    )
    listed = pack(target / "static")
    (target / "static" / PYTHON).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    files = read(STATIC) | {PYTHON: read(target / "static")[PYTHON]}
    front = finished(files[INDEX], protocol.encode([game for game in catalogue() if game.on_device]), b"./static/")
    body = WORDS.sub("", _text(front).replace("<html ", "<html data-site ", 1))
    (target / INDEX).write_text(body, encoding="utf-8")
    files[INDEX] = read(target)[INDEX]
    (target / SERVICE).write_text(_text(with_version(files[SERVICE], version(files))), encoding="utf-8")


def pack(static: Path) -> dict[str, object]:
    """Leave only the packed form of the data of Python; the list of its files says so."""
    listed: dict[str, object] = json.loads((static / PYTHON).read_text(encoding="utf-8"))
    files = []
    for one in json.loads(json.dumps(listed["files"])):
        if Path(one["path"]).suffix in PACKED:
            (static / one["path"]).unlink()
            one["path"] += ".gz"
            shutil.copyfile(STATIC / one["path"], static / one["path"])
            one["bytes"] = (static / one["path"]).stat().st_size
        files.append(one)
    assert all(str(one["path"]).startswith(PLACE) for one in files)
    return {**listed, "files": files, "packed": True}


def _text(file: File) -> str:
    return file.forms[-1].body.decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
