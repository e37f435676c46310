"""`preau check`: are these records true?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PreauError, RecordError
from ..core.record import Record
from .common import AsJson, complain, print_json

MOST_SHOWN = 10
"""Errors of one file that are printed; the others are counted."""


MOST_LEGAL = 12


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Records, .json or .jsonl.")],
    as_json: AsJson = False,
) -> None:
    """Play records through and say what is wrong in them.

    Every file and every game of a .jsonl file is looked at, whatever is wrong with the others. The exit code is 2
    if anything is wrong.
    """
    reports = []
    for path in files:
        good: list[Record] = []
        bad: list[PreauError] = []
        try:
            for one in _verdicts(path):
                if isinstance(one, Record):
                    good.append(one)
                else:
                    bad.append(one)
        except PreauError as error:
            bad.append(error)
        if not good and not bad:
            bad.append(RecordError("there is no record in it", field="file"))
        hints = sum(record.hints for record in good)
        faulty = [_as_data(error) for error in bad]
        reports.append({"file": str(path), "good": len(good), "hints": hints, "bad": faulty})
        if not as_json:
            _print(path, len(good), hints, bad)
    failed = sum(bool(report["bad"]) for report in reports)
    if as_json:
        print_json(reports)
    elif len(files) > 1:
        print(f"{len(files)} files, {failed} with errors" if failed else f"{len(files)} files, all OK")
    if failed:
        raise typer.Exit(2)


def _verdicts(path: Path) -> Iterator[PreauError | Record]:
    """Each game that holds, and the error for each that does not."""
    for line, text in read_texts(path):
        record = None
        try:
            record = read_record(text, line)
            record.verify()
        except PreauError as error:
            yield _with_legal(error, record)
        else:
            yield record


def _with_legal(error: PreauError, record: Record | None) -> PreauError:
    """The error, with what was legal where it names an action and does not say so yet."""
    if record is None or not isinstance(error, RecordError) or not error.number or error.legal:
        return error
    try:
        state = record.replay(error.number - 1)
    except PreauError:
        return error
    error.legal = tuple(action.text for actor in state.to_act for action in state.legal(actor))
    more = len(error.legal) - MOST_LEGAL
    shown = ", ".join(error.legal[:MOST_LEGAL]) + (f" and {more} more" if more > 0 else "")
    if shown:
        error.hint = f"{error.hint} Legal there: {shown}.".strip()
    return error


def read_texts(path: Path) -> Iterator[tuple[int, str]]:
    """The text of each record in a file, with the line of a .jsonl file it stands on (0: the whole file)."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}", field="file") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not UTF-8 text", field="file", hint="A record is JSON.") from None
    if path.suffix == ".jsonl":
        for number, row in enumerate(text.split("\n"), 1):
            if row.strip():
                yield number, row
    elif text.strip():
        yield 0, text
    else:
        raise RecordError(f"{path} is empty", field="file", hint="A record is JSON.")


def read_record(text: str, line: int) -> Record:
    """The record in a text, which is line `line` of a .jsonl file or, with 0, a file of its own."""
    try:
        return Record.loads(text, line or 1)
    except PreauError as error:
        if not line and "Extra data" in error.message:
            error.hint = "A file with one game a line must be called .jsonl."
        raise


def _print(path: Path, good: int, hints: int, bad: list[PreauError]) -> None:
    if not bad:
        practice = f"; practice game: hints were asked {hints} {'time' if hints == 1 else 'times'}" if hints else ""
        print(f"{path}: OK" + (f", {good} games" if good != 1 else "") + practice)
        return
    for error in bad[:MOST_SHOWN]:
        complain(f"{path}: {error}")
    if len(bad) > MOST_SHOWN:
        complain(f"{path}: and {len(bad) - MOST_SHOWN} more")
    if good + len(bad) > 1:
        print(f"{path}: {len(bad)} of {good + len(bad)} games with errors")


def _as_data(error: PreauError) -> dict[str, object]:
    data = error.to_json()
    if isinstance(error, RecordError):
        data |= {"line": error.line, "action": error.number, "legal": list(error.legal)}
    return data
