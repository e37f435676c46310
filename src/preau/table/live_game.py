"""A game in play, in memory: the position, and what its table needs to know about how it came about.

A `LiveGame` follows from the log and nothing else: `rebuild` makes it from rows, `feed` brings it up to date with rows
somebody else wrote, `plan` works out a step without taking it, `adopt` takes a planned step once it is written down.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from ..core.record import Record
from ..core.registry import find_game
from ..core.state import NATURE, REFEREE, Action, Event, State
from .clocks import clocks_after
from .log import Row, effective, steps
from .table import Table
from .viewpoint import seen_from

Json = dict[str, Any]
Draw = Callable[[State, "dict[int, int]"], Action]

TAIL = 40
"""Steps kept for the log of whoever comes in, and for filling gaps."""
IDS = 64

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


class OutOfSync(Exception):
    """These rows cannot be added to what is in memory: load the log anew."""


class PastStep(NamedTuple):
    """A step of the tail: its events are kept packed, secrets included, to save memory."""

    number: int
    actor: int
    time: int
    packed: bytes
    kind: str
    """The kind of its first row."""

    def seen_by(self, seat: int | None) -> list[Json]:
        """The events as `seat` sees them."""
        events = []
        for key, rule, data, secret in _decoder.decode(self.packed):
            extra = {int(one): more for one, more in secret.items()} if secret else None
            events.append(Event(key, rule, data, extra))
        return seen_from(events, seat)


class Plan(NamedTuple):
    """A step worked out: the rows to write down and what is so once they are."""

    rows: list[Row]
    state: State
    events: list[Event]
    keeps: tuple[int, ...]
    """Seats whose question stays the one it was."""
    quiet: bool
    """Whether what was decided tells nobody anything."""


class LiveGame:
    """One game in play."""

    __slots__ = ("asked", "delays", "drawn", "free", "head", "ids", "since", "state", "tail", "time")

    def __init__(self, state: State) -> None:
        self.state = state
        self.head = 0
        self.time = 0
        self.drawn = 0
        """How often chance has done something."""
        self.asked: dict[int, int] = {seat: 0 for seat in state.to_act if seat >= 0}
        """For each seat to act, the number since when its question is the same."""
        self.since: dict[int, int] = {}
        """For each seat to act, when its clock began; a house may be more lenient than the log (`clocks.fair`)."""
        self.free: int | None = None
        """The seat that did the last step, if it may take that back without asking: no chance and nobody else had a
        part in it, and it told nobody anything.
        """
        self.tail: list[PastStep] = []
        """The newest steps, `TAIL` at the most: a list, for most are short and a deque begins with room for 64."""
        self.ids: dict[str, int] = {}
        self.delays: dict[int, int] = {}

    # Making.

    @classmethod
    def rebuild(cls, table: Table, rows: Sequence[Row]) -> LiveGame:
        """The game as the whole log tells it; raises `RecordError` for rules this program does not know."""
        live = cls(first_position(table))
        if table.started is not None:
            live.since = dict.fromkeys(live.asked, table.started)
        for step in steps(effective(rows)):
            live._replay(step)
        live._skip(rows)
        return live

    def feed(self, rows: Sequence[Row]) -> list[tuple[Sequence[Row], list[Event]]]:
        """Take in rows that are in the log already; returns the steps that were new, with their events."""
        fresh = [row for row in rows if row.number > self.head]
        if fresh and (fresh[0].number != self.head + 1 or any(row.kind == "undo" for row in fresh)):
            raise OutOfSync
        return [(step, self._replay(step)) for step in steps(fresh)]

    def known(self, seat: int, client: str | None) -> int | None:
        """The number of an action that was sent before under this name, or None."""
        return self.ids.get(f"{seat} {client}") if client is not None else None

    def _replay(self, step: Sequence[Row]) -> list[Event]:
        first = step[0]
        before = self._before(first.actor)
        quiet = len(step) == 1 and self._is_quiet(first.actor, self.state.action(first.text))
        events: list[Event] = []
        for row in step:
            events += self.state.apply(row.actor, row.text)
        self._note(step, events, self._keeps(before, first.actor, self.state), quiet)
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
        now = max(now, self.time)  # a log never goes back in time, whatever the machine's clock does
        rows = [Row(self.head + 1, actor, kind, action.text, now, client, delay)]
        delays = dict(self.delays)
        if delay is not None:
            delays[actor] = delay
        self._nature(state, events, rows, now, draw, delays)
        return Plan(rows, state, events, self._keeps(before, actor, state), self._is_quiet(actor, action))

    def opening(self, now: int, draw: Draw) -> Plan:
        """What chance does before anybody acts."""
        state, events, rows = self.state.copy(), list[Event](), list[Row]()
        self._nature(state, events, rows, now, draw, {})
        return Plan(rows, state, events, (), False)

    def _nature(
        self, state: State, events: list[Event], rows: list[Row], now: int, draw: Draw, delays: dict[int, int]
    ) -> None:
        while state.to_act == (NATURE,):
            action = draw(state, delays)
            events += state.apply(NATURE, action)
            rows.append(Row(self.head + 1 + len(rows), NATURE, "act", action.text, now))

    def adopt(self, plan: Plan) -> None:
        """Take a planned step that is written down."""
        self.state = plan.state
        if plan.rows:
            self._note(plan.rows, plan.events, plan.keeps, plan.quiet)

    # Keeping book.

    def _before(self, actor: int) -> dict[int, tuple[Action, ...]]:
        """What the others were asked, to see whether a step changes their question."""
        to_act = self.state.to_act
        if to_act == (actor,):  # nearly always
            return {}
        return {seat: self.state.legal(seat) for seat in to_act if seat not in (actor, NATURE)}

    def _keeps(self, before: dict[int, tuple[Action, ...]], actor: int, state: State) -> tuple[int, ...]:
        if actor == REFEREE or not before:
            return ()
        return tuple(seat for seat, legal in before.items() if seat in state.to_act and state.legal(seat) == legal)

    def _is_quiet(self, actor: int, action: Action) -> bool:
        """Whether what an actor decides in this position tells nobody anything. An answer in a race is never quiet: to
        take it back would be to start anew.
        """
        return actor >= 0 and actor not in self.state.racers() and not self.state.tells(actor, action)

    def _note(self, rows: Sequence[Row], events: list[Event], keeps: tuple[int, ...], quiet: bool) -> None:
        first, last = rows[0], rows[-1]
        self.head, self.time = last.number, last.time
        self.drawn += len(rows) if first.actor == NATURE else len(rows) - 1  # after the first, chance does all
        to_act = self.state.to_act
        self.asked = {seat: self.asked.get(seat, self.head) if seat in keeps else self.head for seat in to_act}
        self.since = clocks_after(self.since, first, self.state, keeps)
        self.free = first.actor if quiet and len(rows) == 1 and first.kind == "act" and to_act else None
        if first.client:
            self.ids[f"{first.actor} {first.client}"] = first.number
            if len(self.ids) > IDS:
                del self.ids[next(iter(self.ids))]
        if first.delay is not None:
            self.delays[first.actor] = first.delay
        if len(rows) > 1 or first.actor < 0:
            self.delays.clear()
        whole = [(event.key, event.rule, event.data, event.secret) for event in events]
        self.tail.append(PastStep(last.number, first.actor, first.time, _encoder.encode(whole), first.kind))
        del self.tail[:-TAIL]


def first_position(table: Table) -> State:
    """The position a table's game began with, before chance did anything."""
    start = json.loads(table.start) if table.start else None
    return Record(table.game, table.rules, len(table.seats), table.options, start=start).start_state()


class Opening(NamedTuple):
    """A game about to begin: its first position with what chance did there, the rows that say so, the options."""

    live: LiveGame
    rows: list[Row]
    options: Json


def begin(table: Table, now: int, draw: Draw, seed: int | None = None) -> Opening:
    """Begin the game of a table: what is random in the options is drawn, with this `seed` or a secret one, then chance
    does the opening. A game that is played on from somewhere has nothing to draw.
    """
    seed = secrets.randbits(62) if seed is None else seed
    begins = find_game(table.game).start
    first = first_position(table) if table.start else begins(len(table.seats), table.wish, seed=seed)
    live = LiveGame(first)
    plan = live.opening(now, draw)
    live.adopt(plan)
    if not plan.rows:
        live.since = dict.fromkeys(live.state.to_act, now)
    return Opening(live, plan.rows, dict(first.options))
