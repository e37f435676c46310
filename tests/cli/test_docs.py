"""The examples in docs/play.md are what the program really prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "play.md"
SPEED = re.compile(r"\d[\d,.]* (s|games/s|decisions/s|a second)\b")


def examples():
    """Each command on the page with what is typed in it and what it prints."""
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ preau ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            typed = [line[2:] for line in shown.splitlines() if line.startswith("> ")]
            yield shlex.split(command), typed, shown


def plain(text: str) -> list[str]:
    """Lines without what differs from machine to machine."""
    return [SPEED.sub(r"N \1", line.rstrip()) for line in text.strip().splitlines()]


def test_the_page_shows_what_happens(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = list(examples())  # type: ignore[no-untyped-call]
    assert len(found) >= 10
    for command, typed, shown in found:
        result = run(*command, say="".join(f"{line}\n" for line in typed))
        assert plain(result.output) == plain(shown), command
