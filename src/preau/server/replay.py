"""Finished games, step by step, through one seat's eyes."""

from __future__ import annotations

from ..core.record import Record
from ..core.state import NATURE
from . import wire
from .live import seen
from .refusals import Unknown


def replay_of(record: Record, seat: int | None, first: int, count: int) -> wire.Replay:
    """Steps `first` to `first + count` of a finished game; step 0 is the start and what chance did there."""
    if seat is not None and seat >= record.seats:
        raise Unknown("there is no such seat", field="seat")
    state = record.start_state()
    frames: list[wire.Frame] = []
    number = -1
    for at, entry in enumerate(record.entries):
        events = state.apply(entry.actor, entry.text)
        if entry.actor != NATURE or not frames:
            number += 1
            frames.append(
                wire.Frame(
                    number=number, actor=entry.actor, action=entry.text, time=entry.time or 0, events=[], view={}
                )
            )
        frame = frames[-1]
        if first <= number < first + count:
            frame.events += seen(events, seat)
            after = record.entries[at + 1].actor if at + 1 < len(record.entries) else None
            if after != NATURE:
                frame.view = state.view(seat)
    return wire.Replay(seat=seat, total=len(frames), frames=frames[first : first + count])
