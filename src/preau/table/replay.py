"""Finished games, step by step, through one seat's eyes."""

from __future__ import annotations

from ..core.facts import TURN
from ..core.record import Record
from ..core.state import NATURE, Event, State
from . import protocol
from .refusals import Unknown
from .viewpoint import seen_from


def replay_of(record: Record, seat: int | None, first: int, count: int) -> protocol.Replay:
    """Steps `first` to `first + count` of a finished game; step 0 is the start, after what chance did there."""
    if seat is not None and seat >= record.seats:
        raise Unknown("there is no such seat", field="seat")
    state = record.start_state()
    turns: list[protocol.Turn] = []
    frames = [protocol.Frame(number=0, actor=NATURE, action="", time=0, events=[], view={})]
    for entry in record.entries:
        if entry.actor != NATURE:
            _show(frames[-1], state, seat, first, count)
            number, time = len(frames), entry.time or 0
            frames.append(
                protocol.Frame(number=number, actor=entry.actor, action=entry.text, time=time, events=[], view={})
            )
        events = state.apply(entry.actor, entry.text)
        frames[-1].events += seen_from(events, seat)
        turns += [_turn(frames[-1].number, event) for event in events if event.key == TURN]
    _show(frames[-1], state, seat, first, count)
    if not turns:
        turns = [protocol.Turn(number=frame.number, seat=frame.actor) for frame in frames[1:]]
    shown = frames[first : first + count]
    return protocol.Replay(seat=seat, total=len(frames), frames=shown, turns=turns if first == 0 else [])


def _turn(number: int, event: Event) -> protocol.Turn:
    """A turn that begins, as everybody sees it."""
    said = event.seen_by(None)
    return protocol.Turn(number=number, seat=said.get("seat", NATURE), event=said)


def _show(frame: protocol.Frame, state: State, seat: int | None, first: int, count: int) -> None:
    """Add the view after a step that is wanted; making views is what takes time."""
    if first <= frame.number < first + count:
        frame.view = state.view(seat)
