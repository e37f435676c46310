"""The golden games read as they did, and their records replay."""

from __future__ import annotations

from typing import cast

import pytest

from preau import Record, read_records
from preau.games.recess.rules import RecessState
from tests.recess.playthrough import FOLDER, SEATS, playthrough
from tests.recess.positions import GAME, check


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
