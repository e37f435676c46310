"""`preau backup` and `preau restore`: copies of the server's SQLite database."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from ..core.errors import SetupError
from ..core.installed import without_malformed
from .common import Force, writable

Database = Annotated[str, typer.Option(metavar="URL", help="The server's database: sqlite:///file.db.")]
DEFAULT = "sqlite:///preau.db"


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = DEFAULT,
    force: Force = False,
) -> None:
    """Copy a server's database to a file, also while the server runs.

    The copy is checked, and only its owner may read it. docs/hosting.md says how PostgreSQL is copied.
    """
    copies = _copies("backup")
    path = copies.path_for("backup", database)
    writable(file, "FILE", force=force)
    schema = copies.backup(path, file.absolute(), force=force)
    typer.echo(f"{file} holds {path} as it is now (schema {schema}).")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `preau backup` has written.")],
    database: Database = DEFAULT,
) -> None:
    """Put a copy back in the place of a server's database. Stop the server first.

    The copy is checked first. The old database is kept beside the new one.
    """
    copies = _copies("restore")
    path = copies.path_for("restore", database)
    writable(path, "--database", force=True)
    kept = copies.restore(path, file.absolute())
    typer.echo(f"{path} is now what {file} holds." + (f" The old one is kept as {kept}." if kept else ""))


def _copies(command: str) -> ModuleType:
    """Return the module that does the work, or say what to install."""
    try:
        with without_malformed():
            from ..server.storage import backup
    except ModuleNotFoundError as missing:
        raise SetupError(
            f"this needs {missing.name}", field=command, hint="Install it with: pip install 'preau[web]'"
        ) from None
    return backup
