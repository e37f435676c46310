"""The command line: `preau play recess` and its neighbours, one module per command.

Games are known here only through the contract of `preau.core`; no module of this folder names one. Typer and Rich
are needed here and nowhere else.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        import rich as rich
        import typer as typer
    except ModuleNotFoundError as missing:
        if missing.name not in ("rich", "typer"):
            raise
        print(f"preau: the command line needs {missing.name}: pip install typer rich", file=sys.stderr)
        sys.exit(2)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a letter the terminal lacks is no reason to stop
    from .app import app

    try:
        app(prog_name="preau")
    except KeyboardInterrupt:
        sys.exit(130)
