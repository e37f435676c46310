"""Whole games in readable text, compared byte for byte. `python -m tests.bagarre.test_golden` writes them anew.

The records of these games beside the texts are never written again: records of today are read by every later version.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from preau import read_records
from preau.core.state import NATURE
from preau.games.bagarre.views import load

from .helpers import GAME, conserved, start

FOLDER = Path(__file__).parent / "golden"
GAMES: dict[int, dict[str, Any]] = {2: {"may_forfeit": True}, 4: {}, 6: {"goal": 6}}


def playthrough(seats: int) -> str:
    """A random game: every action, what everybody saw of it, and the table at every turn as seat 0 sees it."""
    rng = Random(seats)
    options = GAMES[seats]
    state = start(seats, **options)
    texts = GAME.texts("en")
    lines = [f"bagarre, {seats} seats, {options}"]
    turn = 0
    while not state.over:
        if state.turn != turn:
            turn = state.turn
            lines += ["", *("    " + line for line in state.diagram(0).splitlines())]
        actor = state.to_act[int(rng.random() * len(state.to_act))]
        if actor == NATURE:
            action = state.draw(rng)
        else:
            legal = state.legal(actor)
            action = legal[int(rng.random() * len(legal))]
        events = state.apply(actor, action)
        lines.append(f"{'nature' if actor == NATURE else actor}: {action.text}")
        for event in events:
            lines.append(f"      {event.rule:<4}{texts.say(f'event.{event.key}', event.seen_by(None))}")
    lines += ["", *("    " + line for line in state.diagram().splitlines()), str(state.result().to_json())]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seats", GAMES)
def test_golden(seats):
    assert playthrough(seats) == (FOLDER / f"{seats}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("seats", GAMES)
def test_records_of_any_version_are_read(seats):
    """Read, verified, and written again byte for byte; the game is the one told in the text."""
    path = FOLDER / f"{seats}.json"
    (record,) = read_records(path)
    last = record.verify()
    assert last.over
    assert record.dumps().encode() == path.read_bytes()
    state = load(record.start_state().to_json())
    told = []
    for actor, text, _ in record.entries:
        assert conserved(state)
        told.append(f"{'nature' if actor == NATURE else actor}: {text}")
        state.apply(actor, text)
    assert state == last
    lines = (FOLDER / f"{seats}.txt").read_text(encoding="utf-8").splitlines()
    assert told == [line for line in lines if line.partition(": ")[0] in ("nature", *map(str, range(seats)))]
    assert str(record.result) == lines[-1]


if __name__ == "__main__":
    for number in GAMES:
        (FOLDER / f"{number}.txt").write_text(playthrough(number), encoding="utf-8")
