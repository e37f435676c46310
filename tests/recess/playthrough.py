"""Whole games as readable text. `python -m tests.recess.playthrough` writes the golden texts anew from the records.

Records are never written anew: every later version must read them.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from preau import Record
from preau.games.recess.rules import RecessState
from tests.recess.positions import GAME

FOLDER = Path(__file__).parent / "golden"
SEATS = (3, 4, 5)
PICTURE_EVERY = 4
"""Turns between two pictures of the yard."""


def playthrough(record: Record) -> str:
    """Return a game as text: every action, the log lines it led to, and pictures of the yard at intervals."""
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


def main() -> None:
    """Write the golden texts."""
    for seats in SEATS:
        written = playthrough(Record.load(FOLDER / f"{seats}-seats.json"))
        (FOLDER / f"{seats}-seats.txt").write_bytes(written.encode())


if __name__ == "__main__":
    main()
