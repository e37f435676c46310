"""The folder that a command writes into: only whole files, and one command at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..arena.journal import lock
from ..core.errors import DataError, SetupError
from ..core.state import Json

LOCK = ".lock"
FIELD = "--out"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder, made if need be, while nobody else writes into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise SetupError(f"{folder} is a file", field=FIELD, hint="Name a folder.") from None
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        file = (folder / LOCK).open("w")
    except OSError as error:
        raise _unwritable(folder, error) from None
    with file:
        lock(file, folder, FIELD)
        yield


def _unwritable(folder: Path, error: OSError) -> SetupError:
    return SetupError(f"{folder} cannot be written to ({error.strerror})", field=FIELD, hint="Name another folder.")


def save(path: Path, data: bytes) -> None:
    """Write a file that takes its name once all of it has reached the disk."""
    with draft(path) as made:
        made.write_bytes(data)


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Where to write what becomes the file `path` once it is whole; what goes wrong leaves nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(path.name + ".part")
    try:
        yield made
        with made.open("r+b") as file:
            os.fsync(file.fileno())
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)


def read_json(path: Path, form: str, what: str) -> Json | None:
    """The contents of a JSON file that says it has this `format`; None where there is none. Others are refused."""
    if not path.exists():
        return None
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        known = data["format"] == form
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise DataError(f"{path} is there, but it is no {what}", field=FIELD, hint="Name another folder.")
    found: Json = data
    return found


def as_json(data: Json) -> bytes:
    """JSON data as it is written, the same every time."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
