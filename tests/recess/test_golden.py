"""Whole games a person can read. `python -m tests.recess.test_golden` writes the texts again from the records.

A record is never written again: records of today are read by every later version.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from preau import Record, read_records
from preau.games.recess.rules import RecessState
from tests.recess.positions import GAME, check

FOLDER = Path(__file__).parent / "golden"
SEATS = (3, 4, 5)
PICTURE_EVERY = 4
"""Turns from one picture of the yard to the next."""


def playthrough(record: Record) -> str:
    """A game as a text: a picture of the yard now and then, every action, and the log lines it led to."""
    texts = GAME.texts("en")
    state = cast(RecessState, record.start_state())
    lines = [f"Recess!, {record.seats} seats"]
    lines += [f"{name}: {value}" for name, value in state.options.items()]
    turn = 0
    for entry in record.entries:
        if state.turn != turn:
            turn = state.turn
            lines += ["", f"--- turn {turn}, seat {state.active}"]
            if turn % PICTURE_EVERY == 1:
                lines += ["", *(line.rstrip() for line in state.diagram().splitlines()), ""]
        actor = "referee" if entry.actor < 0 else str(entry.actor)
        lines.append(f"{actor}: {entry.text}")
        for event in state.apply(entry.actor, entry.text):
            if event.key != "turn":
                lines.append(f"      {texts.say(f'event.{event.key}', event.data)} [{event.rule}]")
    lines += ["", "--- the end", "", *(line.rstrip() for line in state.diagram().splitlines()), ""]
    asked = state.prompt(None)
    lines.append(texts.say(asked["key"], asked))
    lines += [f"rank {place}: seats {group}" for place, group in enumerate(state.ranking(), 1)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seats", SEATS)
def test_the_playthrough_reads_as_it_did(seats):
    record = Record.load(FOLDER / f"{seats}-seats.json")
    expected = (FOLDER / f"{seats}-seats.txt").read_bytes().decode("utf-8")
    assert playthrough(record) == expected


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_records_of_any_version_are_read(path):
    """Read, verified, and written again byte for byte."""
    (record,) = read_records(path)
    last = record.verify()
    assert last.over
    assert record.dumps().encode() == path.read_bytes()
    state = cast(RecessState, record.start_state())
    for entry in record.entries:
        check(state)
        state.apply(entry.actor, entry.text)
    assert state == last


def test_the_playthroughs_show_every_kind_of_event():
    shown = set()
    for seats in SEATS:
        record = Record.load(FOLDER / f"{seats}-seats.json")
        state = record.start_state()
        for entry in record.entries:
            shown |= {event.key for event in state.apply(entry.actor, entry.text)}
    known = {key.partition(".")[2] for key in GAME.texts("en").messages if key.startswith("event.")}
    assert shown == known


if __name__ == "__main__":
    for number in SEATS:
        written = playthrough(Record.load(FOLDER / f"{number}-seats.json"))
        (FOLDER / f"{number}-seats.txt").write_bytes(written.encode())
