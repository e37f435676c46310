"""Playing: how an action gets from somebody's message into the log and to everybody's eyes.

The order is always the same: check, work out on a copy, commit, take over, tell. Whoever loses the race for a number
takes in what the winner wrote and tries again, if the question it answered is still being asked.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import sqlalchemy as sa

from ..core.game import Game
from ..core.state import REFEREE, State
from . import schema, speed, wire
from .live import Live, Plan, clocks_after, effective, seen, steps
from .refusals import Busy, Forbidden, TooLate
from .store import Append, Row, load_log
from .table import Table
from .tables import Tables

Json = dict[str, Any]

TRIES = 12
SAMPLES = 24
"""Worlds looked at to find out whether a step told anybody anything."""

_VOTES = (
    sa.select(schema.votes.c.seat, schema.votes.c.first)
    .where(schema.votes.c.table_id == sa.bindparam("table"), schema.votes.c.number == sa.bindparam("at"))
    .order_by(schema.votes.c.first.desc(), schema.votes.c.seat)
)


def begin(game: Game, seats: int, wish: Json, now: int) -> tuple[Live, list[Row], Json]:
    """A new game: its first position with chance's opening, the rows that say so, and the options in force."""
    first = game.start(seats, wish, seed=secrets.randbits(62))
    options = dict(first.options)
    live = Live(first)
    plan = live.opening(now, speed.draw)
    live.adopt(plan)
    if not plan.rows:
        live.since = dict.fromkeys(live.state.to_act, now)
    return live, plan.rows, options


class Play:
    """Everything that goes into a log."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._config = tables.config
        self.wake_bots: Callable[[Table], None] = lambda table: None

    # Acting.

    async def act(
        self,
        table: Table,
        seat: int,
        text: str,
        *,
        at: int | None = None,
        client: str | None = None,
        kind: str = "act",
        delay: int | None = None,
    ) -> tuple[int, bool]:
        """Do something for a seat; returns its number and whether it was new. It returns once that is committed."""
        began = time.perf_counter()
        async with table.lock:
            for _ in range(TRIES):
                live = table.live or await self._tables.live(table)
                if client is not None:
                    known = live.ids.get(f"{seat} {client}")
                    if known is not None:
                        return known, False
                if at is not None and at > live.head:
                    await self._tables.catch_up(table)
                    live = await self._tables.live(table)
                check_question(live, seat, at)
                plan = live.plan(seat, text, self._tables.now(), speed.draw, kind=kind, client=client, delay=delay)
                if await self._commit(table, live, plan):
                    self._tables.metrics.acted(kind)
                    self._tables.metrics.commit_seconds.observe(time.perf_counter() - began)
                    return plan.rows[0].number, True
        raise Busy("too many processes act at this table at once", key="busy", hint="Send it again.")

    async def _commit(self, table: Table, live: Live, plan: Plan) -> bool:
        """Write a planned step and tell everybody; False if another process was first (its step is taken in)."""
        change = self._change(table, live, plan)
        if not await self._tables.store.append(Append(table.id, plan.rows, change)):
            self._tables.metrics.conflicts.inc()
            await self._tables.catch_up(table)
            return False
        live.adopt(plan)
        table.row.update(change)
        table.used = time.monotonic()
        self._tables.tell(table, plan.rows, plan.events)
        self._tables.bus.publish(table.id, {"kind": "log", "rows": plan.rows, "change": change})
        if live.state.over:
            self._tables.show(table)
        elif change and change["lease_by"] == self._tables.process:
            self.wake_bots(table)
        return True

    # What comes next without anybody's message.

    def _change(self, table: Table, live: Live, plan: Plan) -> Json:
        """What the step changes in the table's row: its status, and when somebody must look at it again."""
        row, now = table.row, self._tables.now()
        if plan.state.over:
            return {"status": "over", "over": now, "wake": None, "lease_by": None, "lease_until": 0}
        wake, claim = self.duty(table, plan.state, clocks_after(live.since, plan.rows[0], plan.state.to_act), now)
        if wake is None and row["wake"] is None:
            return {}
        held = row["lease_until"] > now and row["lease_by"] not in (None, self._tables.process)
        mine = claim and not held
        return {
            "status": "playing",
            "over": None,
            "wake": wake,
            "lease_by": self._tables.process if mine else row["lease_by"] if held and claim else None,
            "lease_until": now + self._config.lease_ms if mine else row["lease_until"] if held and claim else 0,
        }

    def duty(self, table: Table, state: State, since: dict[int, int], now: int) -> tuple[int | None, bool]:
        """When the table must be looked at without being asked, and whether that is a bot's move and so at once."""
        if any(self._tables.bot(table, seat) for seat in state.to_act if seat >= 0):
            return now, True
        ends = []
        if table.row["timer"] != "off":
            ends += [start + table.row["timer_ms"] + self._config.lag_ms for start in since.values()]
        ends += [
            since.get(seat, now) + self._config.speed_ms + self._config.lag_ms
            for seat in state.to_act
            if seat >= 0 and speed.is_tap(state, seat)
        ]
        return (min(ends) if ends else None), False

    async def time_out(self, table: Table) -> None:
        """Act for the seats whose time is up: the game's own time-out where it has one (R38), else its stand-in."""
        while True:
            async with table.lock:
                live = await self._tables.live(table)
                late = self._late(table, live)
                if not late:
                    return
                seat = late[0]
                referee = live.state.referee()
                if referee and not speed.is_tap(live.state, seat):
                    actor, text, kind = REFEREE, referee[0].text, "timeout"
                else:
                    actor, text, kind = seat, live.state.zombie(seat).text, "late"
                plan = live.plan(actor, text, self._tables.now(), speed.draw, kind=kind)
                if await self._commit(table, live, plan):
                    self._tables.metrics.acted(kind)

    def _late(self, table: Table, live: Live) -> list[int]:
        now = self._tables.now()
        late = []
        for seat, start in live.since.items():
            if self._tables.bot(table, seat):
                continue
            limit = table.row["timer_ms"] if table.row["timer"] != "off" else None
            if speed.is_tap(live.state, seat):
                limit = min(limit or self._config.speed_ms, self._config.speed_ms)
            if limit is not None and now >= start + limit + self._config.lag_ms:
                late.append(seat)
        return late

    # Taking back.

    async def undo(self, table: Table, seat: int, at: int) -> wire.Asking | None:
        """Take back the seat's own last decision if that tells nobody anything; else ask everybody. Returns what is
        asked, or None if it is done.
        """
        async with table.lock:
            live = await self._tables.live(table)
            if at > live.head:
                await self._tables.catch_up(table)
                live = await self._tables.live(table)
            if live.state.over:
                raise TooLate("the game is over", key="over")
            if at != live.head:
                raise TooLate("something has happened since", key="stale", params={"number": live.head})
            rows = await self._tables.store.read(lambda connection: load_log(connection, table.id))
            back_to = last_decision(rows, seat)
            if back_to is None:
                raise TooLate("there is nothing to take back", key="nothing")
            if live.free == seat and await asyncio.to_thread(self._quiet, table, rows, back_to):
                await self._take_back(table, live, seat, back_to)
                return None
        return await self.agree(table, seat, at, first=True)

    async def agree(self, table: Table, seat: int, at: int, *, first: bool = False) -> wire.Asking | None:
        """One more agrees that the asking seat's last decision is taken back; when all people do, it is."""
        async with table.lock:
            live = await self._tables.live(table)
            if at != live.head or live.state.over:
                raise TooLate("something has happened since", key="stale", params={"number": live.head})
            asking = await self._tables.store.write(lambda connection: _vote(connection, table, at, seat, first=first))
            if asking is None:
                raise TooLate("nobody asks for anything", key="nothing")
            if set(asking.needed) <= set(asking.agreed):
                rows = await self._tables.store.read(lambda connection: load_log(connection, table.id))
                back_to = last_decision(rows, asking.by)
                if back_to is not None:
                    await self._take_back(table, live, asking.by, back_to)
                return None
        self._ask(table, asking)
        return asking

    async def decline(self, table: Table, seat: int, at: int) -> None:
        """Somebody does not agree: the question is settled."""
        gone = sa.delete(schema.votes).where(schema.votes.c.table_id == table.id, schema.votes.c.number == at)
        await self._tables.store.write(lambda connection: connection.execute(gone).rowcount)
        self._ask(table, await self.asking(table))

    def _ask(self, table: Table, asking: wire.Asking | None) -> None:
        table.room.push(wire.AsksMessage(asks=asking))
        self._tables.bus.publish(table.id, {"kind": "asks"})

    async def asking(self, table: Table) -> wire.Asking | None:
        """What is asked at the table now."""
        if table.live is None:
            return None
        head = table.live.head
        return await self._tables.store.read(lambda connection: asking_at(connection, table, head))

    async def _take_back(self, table: Table, live: Live, seat: int, back_to: int) -> None:
        now = self._tables.now()
        row = Row(live.head + 1, seat, "undo", str(back_to), now)
        rows = await self._tables.store.read(lambda connection: load_log(connection, table.id))
        after = self._tables.rebuild(table, [*rows, row])
        wake, claim = self.duty(table, after.state, after.since, now)
        change = {
            "status": "playing",
            "over": None,
            "wake": wake,
            "lease_by": self._tables.process if claim else None,
            "lease_until": now + self._config.lease_ms if claim else 0,
        }
        if not await self._tables.store.append(Append(table.id, [row], change)):
            await self._tables.catch_up(table)
            raise TooLate("something has happened since", key="stale")
        table.live = after
        table.row.update(change)
        self._tables.tell_undone(table, [*rows, row])
        self._tables.bus.publish(table.id, {"kind": "log", "rows": [row], "change": change})
        self._tables.metrics.acted("undo")
        if claim:
            self.wake_bots(table)

    def _quiet(self, table: Table, rows: list[Row], back_to: int) -> bool:
        """Whether the last step told nobody anything that was hidden.

        For every pair of eyes: in other worlds that look the same to them before the step, it must be possible and
        look the same after it. Chance and other people's actions are ruled out before this is asked.
        """
        kept = effective(rows)
        step = [row for row in kept if row.number > back_to]
        before = self._tables.rebuild(table, [row for row in kept if row.number <= back_to]).state
        return tells_nothing(before, step[0].actor, step[0].text, Random(len(rows)))


def check_question(live: Live, seat: int, at: int | None) -> None:
    """Refuse an answer to a question that is no longer asked."""
    if at is None or seat not in live.asked:
        return  # whoever owes no decision hears so from the rules
    if at < live.asked[seat]:
        raise TooLate(
            "something has happened since",
            key="stale",
            params={"number": live.head},
            hint="Look again; the question has changed.",
        )
    if at > live.head:
        raise TooLate("that has not happened yet", key="ahead", params={"number": live.head})


def last_decision(rows: list[Row], seat: int) -> int | None:
    """The number to go back to so that the seat's last decision, and all since, is undone; None if there was none."""
    number = 0
    found: int | None = None
    for step in steps(effective(rows)):
        if step[0].actor == seat:
            found = number
        number = step[-1].number
    return found


def tells_nothing(before: State, actor: int, text: str, rng: Random) -> bool:
    """Whether a step gives no pair of eyes knowledge of hidden things.

    For each, worlds are drawn that look the same before the step. In each of them the actor must have had an action
    (its own eyes know which: this one) after which everything looks as it does now.
    """
    after = before.copy()
    events = after.apply(actor, text)
    told = {seat for event in events for seat in (*(event.only or ()), *(event.secret or ()))}
    if told - {actor}:
        return False  # somebody was told something in private
    for eyes in range(before.seats):
        shown = after.view(eyes), seen(events, eyes)
        sampler = before.game.sampler(before.view(eyes))
        for _ in range(SAMPLES):
            if not _could_look_so(sampler.draw(rng), actor, text, eyes, shown):
                return False
    return True


def _could_look_so(world: State, actor: int, text: str, eyes: int, shown: tuple[Json, list[Json]]) -> bool:
    """Whether, in this world, the actor can do something that looks like what was shown."""
    legal = world.legal(actor)
    same = [action for action in legal if action.text == text]
    for action in same if same or eyes == actor else legal:
        trial = world.copy()
        events = trial.apply(actor, action)
        if (trial.view(eyes), seen(events, eyes)) == shown:
            return True
    return False


def _vote(connection: sa.Connection, table: Table, number: int, seat: int, *, first: bool) -> wire.Asking | None:
    votes = schema.votes
    found = asking_at(connection, table, number)
    if found is None and not first:
        return None
    if found is None or seat not in found.agreed:
        value = {"table_id": table.id, "number": number, "seat": seat, "first": int(found is None)}
        connection.execute(sa.insert(votes), [value])
    return asking_at(connection, table, number)


def asking_at(connection: sa.Connection, table: Table, number: int) -> wire.Asking | None:
    """What is asked at a table since this number, and who agrees."""
    rows = connection.execute(_VOTES, {"table": table.id, "at": number}).all()
    if not rows:
        return None
    return wire.Asking(at=number, by=rows[0][0], agreed=[row[0] for row in rows], needed=table.people())


def must_own(table: Table, holder: str | None, seat: int | None, eyes: int | None) -> int:
    """The seat somebody means: one of their own, by default the one they look from."""
    mine = table.seats_of(holder)
    wanted = eyes if seat is None else seat
    if wanted is None and len(mine) == 1:
        wanted = mine[0]
    if wanted is None or wanted not in mine:
        raise Forbidden("that is not your seat", field="seat", key="not_yours", params={"seats": mine})
    return wanted
