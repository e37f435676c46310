"""The files of a data set."""

from __future__ import annotations

from pathlib import Path


def file_contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file by its path, without the lock file."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
