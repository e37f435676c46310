"""The side file of a run: every game as a line, written down before it counts.

A run that was killed goes on from here. A last line that was cut off is dropped and its game played again; a file that
another command or another engine wrote is refused.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ..core.errors import DataError
from ..core.state import Json
from .play import Played

if sys.platform != "win32":
    import fcntl

FORMAT = "preau-arena-games/1"
START_OVER = "Name another, or add --fresh to start over."


class Journal:
    """The games of one run so far, in memory (without records) and in a file (with them)."""

    def __init__(
        self, path: Path, identity: Json, *, fresh: bool = False, lasting: bool = True, field: str = "--json"
    ) -> None:
        """Open or make the file; `lasting` makes sure that every line has reached the disk before it counts. `field` is
        what was given that led to it, for errors.
        """
        self.path = path
        self._field = field
        self.played: dict[int, Played] = {}
        self._places: dict[int, int] = {}
        self._lasting = lasting
        self._header = _line({"format": FORMAT, "identity": identity})
        self._file = path.open("r+b" if path.exists() else "w+b", buffering=0)
        try:
            lock(self._file, path, field)
            self._read(identity, fresh)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, played: Played) -> None:
        """Write a game down, then count it."""
        place = self._file.seek(0, os.SEEK_END)
        self._write(_line(played.to_json()))
        self._note(played, place)

    def lacks(self, index: int, *, record: bool) -> bool:
        """Whether a game is still to be played, or to be played again because its record is wanted and was not kept."""
        return index not in self.played or (record and index not in self._places)

    def records(self, games: int) -> Iterator[Json]:
        """The records of the first games, in order."""
        for index in range(games):
            self._file.seek(self._places[index])
            yield json.loads(self._read_line())["record"]

    def _note(self, played: Played, place: int) -> None:
        if played.record is not None:
            self._places[played.index] = place
        self.played[played.index] = Played(**{**vars(played), "record": None})

    def _read(self, identity: Json, fresh: bool) -> None:
        data = self._file.read()
        head, newline, rest = data.partition(b"\n")
        if not newline and self._header.startswith(head):
            self._restart()  # new, or killed while its first line was written
            return
        self._check(head, identity, fresh)
        if fresh:
            self._restart()
            return
        place = len(head) + 1
        for number, line in enumerate(rest.split(b"\n"), 2):
            if place + len(line) >= len(data):
                break  # what follows the last end of line: nothing, or a line cut off
            try:
                self._note(Played.from_json(json.loads(line)), place)
            except (ValueError, KeyError, TypeError, AttributeError):
                raise DataError(
                    f"line {number} of {self.path} is damaged", field=self._field, hint=START_OVER
                ) from None
            place += len(line) + 1
        self._file.truncate(place)

    def _check(self, head: bytes, identity: Json, fresh: bool) -> None:
        try:
            found = json.loads(head)
            known = found["format"] == FORMAT
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise DataError(f"{self.path} is there, but no arena wrote it", field=self._field, hint="Name another.")
        if not fresh:
            refuse_other(self.path, found.get("identity"), identity, self._field)

    def _restart(self) -> None:
        self._file.seek(0)
        self._file.truncate(0)
        self._write(self._header)

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._file.write(line) :]
        if self._lasting:
            os.fsync(self._file.fileno())

    def _read_line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            line += self._file.read(1 << 16)
            line = line[: line.find(b"\n") + 1] or line
        return line


def lock(file: IO[Any], path: Path, field: str) -> None:
    """Let one run at a time write here. The lock goes with the process, whatever ends it."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise DataError(f"another run is writing {path}", field=field, hint="Wait for it, or name another.") from None


def refuse_other(path: Path, found: Any, wanted: Json, field: str = "--json") -> None:
    """Refuse to go on with the results of another plan or engine, and say what differs."""
    if found == wanted:
        return
    old = found if isinstance(found, dict) else {}
    differing = next(name for name in [*wanted, *old] if old.get(name) != wanted.get(name))
    raise DataError(
        f"{path} holds results of another run: its {differing} is {_short(old.get(differing))}, "
        f"this run's is {_short(wanted.get(differing))}",
        field=field,
        hint=START_OVER,
    )


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."


def _line(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
