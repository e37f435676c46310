"""A game in play, in memory: the position, and what the server needs to know about how it came about.

A `Live` is a cache of the log and nothing else: `rebuild` makes it from rows, `feed` brings it up to date with rows
another process wrote, `plan` works out a step without taking it, `adopt` takes a planned step once it is committed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from ..core.game import Game
from ..core.state import NATURE, REFEREE, Action, Event, State
from .store import Row

Json = dict[str, Any]
Draw = Callable[[State, "dict[int, int]"], Action]

TAIL = 40
"""Steps kept for the log of whoever comes in, and for filling gaps."""
IDS = 64

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


class Behind(Exception):
    """These rows cannot be added to what is in memory: load the log anew."""


class Past(NamedTuple):
    """A step of the tail: its events are kept packed, secrets included, to save memory."""

    number: int
    actor: int
    time: int
    packed: bytes

    def seen_by(self, seat: int | None) -> list[Json]:
        """The events as `seat` sees them."""
        events = []
        for key, rule, data, secret, only in _decoder.decode(self.packed):
            extra = {int(one): more for one, more in secret.items()} if secret else None
            events.append(Event(key, rule, data, extra, None if only is None else tuple(only)))
        return seen(events, seat)


class Plan(NamedTuple):
    """A step worked out: the rows to commit and what is so once they are."""

    rows: list[Row]
    state: State
    events: list[Event]
    keeps: tuple[int, ...]
    """Seats whose question stays the one it was."""


class Live:
    """One game in play."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.head = 0
        self.time = 0
        self.asked: dict[int, int] = {}
        """For each seat to act, the number since when its question is the same."""
        self.since: dict[int, int] = {}
        """For each seat to act, when its clock began."""
        self.free: int | None = None
        """The seat that did the last step, if no chance and nobody else had a part in it."""
        self.tail: deque[Past] = deque(maxlen=TAIL)
        self.ids: dict[str, int] = {}
        self.delays: dict[int, int] = {}

    # Making.

    @classmethod
    def rebuild(cls, game: Game, seats: int, options: Json, rows: Sequence[Row]) -> Live:
        """The game as the whole log tells it."""
        live = cls(game.start(seats, options))
        kept = effective(rows)
        for step in steps(kept):
            live._replay(step)
        live._skip(rows)
        return live

    def feed(self, rows: Sequence[Row]) -> list[tuple[Sequence[Row], list[Event]]]:
        """Take in rows that are in the log already; returns the steps that were new, with their events."""
        fresh = [row for row in rows if row.number > self.head]
        if fresh and (fresh[0].number != self.head + 1 or any(row.kind == "undo" for row in fresh)):
            raise Behind
        return [(step, self._replay(step)) for step in steps(fresh)]

    def _replay(self, step: Sequence[Row]) -> list[Event]:
        first = step[0]
        before = self._before(first.actor)
        events: list[Event] = []
        for row in step:
            events += self.state.apply(row.actor, row.text)
        self._note(step, events, self._keeps(before, first.actor, self.state))
        return events

    def _skip(self, rows: Sequence[Row]) -> None:
        """Rows at the end that left no step (an undo): they count, and questions are new since then."""
        if rows and rows[-1].number > self.head:
            self.head, self.time = rows[-1].number, rows[-1].time
            self.asked = dict.fromkeys(self.asked, self.head)
            self.free = None
        for row in rows[-IDS:]:
            if row.client:
                self.ids[f"{row.actor} {row.client}"] = row.number

    # Stepping.

    def plan(
        self,
        actor: int,
        text: str,
        now: int,
        draw: Draw,
        *,
        kind: str = "act",
        client: str | None = None,
        delay: int | None = None,
    ) -> Plan:
        """What happens if `actor` does this, chance included. Raises an `ActionError` if it may not."""
        before = self._before(actor)
        state = self.state.copy()
        action = state.check(actor, text)
        events = state.apply(actor, action)
        rows = [Row(self.head + 1, actor, kind, action.text, now, client, delay)]
        delays = dict(self.delays)
        if delay is not None:
            delays[actor] = delay
        self._nature(state, events, rows, now, draw, delays)
        return Plan(rows, state, events, self._keeps(before, actor, state))

    def opening(self, now: int, draw: Draw) -> Plan:
        """What chance does before anybody acts."""
        state, events, rows = self.state.copy(), list[Event](), list[Row]()
        self._nature(state, events, rows, now, draw, {})
        return Plan(rows, state, events, ())

    def _nature(
        self, state: State, events: list[Event], rows: list[Row], now: int, draw: Draw, delays: dict[int, int]
    ) -> None:
        while state.to_act == (NATURE,):
            action = draw(state, delays)
            events += state.apply(NATURE, action)
            rows.append(Row(self.head + 1 + len(rows), NATURE, "act", action.text, now))

    def adopt(self, plan: Plan) -> None:
        """Take a planned step that is committed."""
        self.state = plan.state
        if plan.rows:
            self._note(plan.rows, plan.events, plan.keeps)

    # Keeping book.

    def _before(self, actor: int) -> dict[int, tuple[Action, ...]]:
        """What the others were asked, to see whether a step changes their question."""
        others = [seat for seat in self.state.to_act if seat not in (actor, NATURE)]
        return {seat: self.state.legal(seat) for seat in others}

    def _keeps(self, before: dict[int, tuple[Action, ...]], actor: int, state: State) -> tuple[int, ...]:
        if actor == REFEREE:
            return ()
        return tuple(seat for seat, legal in before.items() if seat in state.to_act and state.legal(seat) == legal)

    def _note(self, rows: Sequence[Row], events: list[Event], keeps: tuple[int, ...]) -> None:
        first, last = rows[0], rows[-1]
        self.head, self.time = last.number, last.time
        to_act = self.state.to_act
        self.asked = {seat: self.asked.get(seat, self.head) if seat in keeps else self.head for seat in to_act}
        self.since = clocks_after(self.since, first, to_act)
        self.free = first.actor if first.actor >= 0 and len(rows) == 1 and first.kind == "act" else None
        if first.client:
            self.ids[f"{first.actor} {first.client}"] = first.number
            if len(self.ids) > IDS:
                del self.ids[next(iter(self.ids))]
        if first.delay is not None:
            self.delays[first.actor] = first.delay
        if len(rows) > 1 or first.actor < 0:
            self.delays.clear()
        whole = [(event.key, event.rule, event.data, event.secret, event.only) for event in events]
        self.tail.append(Past(last.number, first.actor, first.time, _encoder.encode(whole)))


def clocks_after(since: dict[int, int], row: Row, to_act: tuple[int, ...]) -> dict[int, int]:
    """When each seat's clock began, after a step: it runs on while the seat is asked on, and anew after a time-out."""
    fresh = set(to_act) if row.kind == "timeout" else {row.actor} if row.kind == "late" else set()
    return {seat: row.time if seat in fresh else since.get(seat, row.time) for seat in to_act if seat >= 0}


def seen(events: Iterable[Event], seat: int | None) -> list[Json]:
    """The events as a seat (None: a spectator) sees them."""
    return [one for event in events if (one := event.seen_by(seat)) is not None]


def history(state: State, rows: Sequence[Row], seat: int) -> tuple[list[Json], int]:
    """All that a seat has seen happen since the first position, and how much of it at its last decision."""
    found: list[Json] = []
    known = 0
    for row in effective(rows):
        if row.actor == seat:
            known = len(found)
        found += seen(state.apply(row.actor, row.text), seat)
    return found, known


def effective(rows: Sequence[Row]) -> list[Row]:
    """The rows that still count: an undo takes back everything after the number it names."""
    kept: list[Row] = []
    for row in rows:
        if row.kind == "undo":
            back_to = int(row.text)
            while kept and kept[-1].number > back_to:
                kept.pop()
        else:
            kept.append(row)
    return kept


def steps(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in steps: somebody acts, then chance does what follows from it."""
    found: list[list[Row]] = []
    for row in rows:
        if row.actor == NATURE and found:
            found[-1].append(row)
        else:
            found.append([row])
    return found
