"""A table and nothing around it: everything stays in memory, and whoever holds a seat is their own token."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from preau.core.errors import PreauError
from preau.core.record import Record
from preau.core.registry import find_game
from preau.table import acting, chance, chat, clocks, contest, onward, seating, showing, undo, wire
from preau.table.live import Live, begin, first_position
from preau.table.log import Row, record_of
from preau.table.refusals import Forbidden, TooLate
from preau.table.series import Played, Series
from preau.table.table import Contest, House, Seat, Table
from tests.table.driver import Driver, Json, Refused, Viewer

T = TypeVar("T")

LEVELS = ("random", "greedy")
HOUSE = House()


class BareViewer(Viewer):
    def __init__(self, table: str, holder: str | None, eyes: int | None) -> None:
        super().__init__(table)
        self.holder, self.eyes = holder, eyes

    def push(self, message: object) -> None:
        self.hear(wire.encode(message))

    def hear(self, data: bytes) -> None:
        self.messages.append(json.loads(data))


class BareTable:
    """One table: its value, its log, its game, and those who look at it."""

    def __init__(self, table: Table, now: Callable[[], int]) -> None:
        self.table = table
        self.now = now
        self.rows: list[Row] = []
        self.live: Live | None = None
        self.agreed: dict[int, tuple[int, ...]] = {}
        self.lines: list[wire.ChatLine] = []
        self.viewers: list[BareViewer] = []
        self.deserted: dict[int, float] = {}
        self.pulling: contest.Pulling | None = None

    # Around the game.

    @property
    def here(self) -> list[int]:
        present = {viewer.holder for viewer in self.viewers}
        return [seat for seat, holder in self.table.holders.items() if holder in present]

    @property
    def presence(self) -> wire.Presence:
        self.look_for_deserters()
        away = [wire.Clock(seat=seat, ends=int(since) + HOUSE.away_ms) for seat, since in self.deserted.items()]
        return wire.Presence(here=self.here, watching=0, away=away)

    @property
    def around(self) -> seating.Around:
        self.look_for_deserters()
        return seating.Around(self.here, {seat: self.now() - int(since) for seat, since in self.deserted.items()})

    def look_for_deserters(self) -> None:
        if self.live is not None:
            self.deserted = clocks.deserted(self.table, self.live.state, self.here, self.deserted, self.now())

    def change(self, table: Table) -> None:
        self.table = table
        for viewer in self.viewers:
            viewer.eyes = acting.same_eyes(table, viewer.holder, viewer.eyes)
            viewer.push(showing.about(table, viewer.holder))
        if table.status == "playing" and self.asking is not None:
            self.settle(self.asking)
        if table.status == "over" and table.contest is not None:
            self.wrestle(table.contest)
        elif table.status == "over":
            self.tell_contest()
        self.let_bots_play()

    def start(self) -> None:
        seating.check_start(self.table)
        opening = begin(self.table, self.now(), chance.draw)
        self.live, self.rows = opening.live, opening.rows
        self.change(seating.start(self.table, opening.options, self.now()))
        for viewer in self.viewers:
            self.greet(viewer)

    def greet(self, viewer: BareViewer, last: int | None = None, *, opening: bool = False) -> None:
        shown = opening and self.live is not None and showing.has_opening(self.table, self.live, viewer.holder)
        began = showing.opening(self.table, self.rows, viewer.eyes) if shown else []
        viewer.push(
            showing.hello(
                self.table,
                self.live,
                HOUSE,
                holder=viewer.holder,
                eyes=viewer.eyes,
                last=last,
                chat=self.lines[-chat.LINES :],
                asks=self.asking,
                presence=self.presence,
                now=self.now(),
                began=began,
                pulls=self.pulling.running(self.now()) if self.pulling is not None else None,
            )
        )

    # The game.

    def must_play(self) -> Live:
        if self.live is None:
            raise TooLate("the game has not begun", key="not_begun")
        return self.live

    def take(self, actor: int, text: str, **more: Any) -> int:
        """Plan a step, write it down, take it, tell everybody."""
        live = self.must_play()
        plan = live.plan(actor, text, self.now(), chance.draw, **more)
        self.rows += plan.rows
        live.adopt(plan)
        self.tell(showing.Happened(self.table, live, plan.rows, plan.events, HOUSE))
        if live.state.over:
            self.change(_over(self.table, self.now()))
        self.let_bots_play()
        return plan.rows[0].number

    def tell(self, happened: showing.Happened) -> None:
        for viewer in self.viewers:
            viewer.hear(happened.told([viewer.eyes])[0])

    def let_bots_play(self) -> None:
        if self.table.status == "playing":
            live = self.must_play()
            for seat in self.table.bots_among(live.state.to_act, HOUSE):
                self.take(seat, live.state.legal(seat)[0].text, kind="bot")
                return  # which lets the next one play

    def look_at_clocks(self) -> None:
        while self.live is not None and (seats := clocks.late(self.table, self.live, self.now(), HOUSE)):
            actor, text, kind = clocks.for_late(self.live.state, seats[0])
            self.take(actor, text, kind=kind)

    # Messages.

    def hear(self, viewer: BareViewer, message: wire.ClientMessage) -> None:
        try:
            self.do(viewer, message)
        except PreauError as error:
            viewer.push(showing.refused(error, message, self.live))

    def do(self, viewer: BareViewer, message: wire.ClientMessage) -> None:
        match message:
            case wire.Act():
                self.act(viewer, message)
            case wire.Undo():
                seat = acting.must_own(self.table, viewer.holder, message.seat, viewer.eyes)
                self.undo(seat, message.at)
            case wire.Agree():
                seat = acting.must_own(self.table, viewer.holder, message.seat, viewer.eyes)
                if message.yes:
                    self.agree(seat, message.at, first=False)
                else:
                    self.agreed.pop(message.at, None)
                    self.ask()
            case wire.Wrestle():
                seat = acting.must_own(self.table, viewer.holder, message.seat, viewer.eyes)
                state = self.must_play().state
                self.wrestle(contest.answer(contest.standing(self.table, state, self.now()), seat, yes=message.yes))
            case wire.Pull():
                seat = acting.must_own(self.table, viewer.holder, message.seat, viewer.eyes)
                if self.pulling is None:
                    raise contest.not_pulling()
                self.pulling.pull(seat, message.round, message.count, self.now(), trip=0)
            case wire.Look():
                viewer.eyes = acting.other_eyes(self.table, viewer.holder, message.seat)
                self.greet(viewer)
            case wire.Resync():
                self.greet(viewer, message.last)
            case wire.Say():
                self.say(chat.said(self.table, viewer.holder, viewer.eyes, message, self.now()))

    def say(self, line: wire.ChatLine) -> None:
        line.id = len(self.lines) + 1
        self.lines.append(line)
        for one in self.viewers:
            one.push(wire.ChatMessage(line=line))

    def tell_arrivals(self, before: Table, proof: str = "") -> None:
        for line in chat.arrivals(before, self.table, proof, self.now()):
            self.say(line)

    def act(self, viewer: BareViewer, message: wire.Act) -> None:
        seat = acting.must_own(self.table, viewer.holder, message.seat, viewer.eyes)
        live = self.must_play()
        number = live.known(seat, message.id)
        new = number is None
        if number is None:
            acting.check_question(live, seat, message.at)
            delay = message.delay if seat in live.state.racers() else None
            number = self.take(seat, message.action, client=message.id, delay=delay)
        if not new or viewer.eyes != seat:
            viewer.push(wire.AckMessage(id=message.id, number=number))

    # Arm wrestling.

    def wrestle(self, found: Contest) -> None:
        """Take over how it stands; when all want to, it begins."""
        if contest.is_agreed(found, self.table, HOUSE):
            found = contest.begin(found, self.table, HOUSE, self.now(), chance.bot_taps)
        self.table = replace(self.table, contest=found)
        if found.phase != "pulling":
            self.pulling = None
        elif self.pulling is None or self.pulling.contest.round != found.round:
            self.pulling = contest.Pulling(found, self.here, self.now())
        self.tell_contest()

    def tell_contest(self) -> None:
        running = self.pulling.running(self.now()) if self.pulling is not None else None
        found = contest.seen(self.table, self.must_play().state, HOUSE, self.now(), running)
        if found is not None:
            for viewer in self.viewers:
                viewer.push(wire.ContestMessage(contest=found, now=self.now()))

    def look_at_arms(self) -> None:
        if self.pulling is not None and self.pulling.is_closed(self.now()):
            counts = self.pulling.measured(self.now(), alone=True, present=self.here)
            now = self.pulling.contest
            self.wrestle(contest.count(now, now.round, counts, self.now(), chance.bot_taps))

    # Taking back.

    @property
    def asking(self) -> wire.Asking | None:
        if self.live is None:
            return None
        return undo.asking(self.table, self.rows, self.live.head, self.agreed.get(self.live.head, ()))

    def ask(self) -> None:
        for viewer in self.viewers:
            viewer.push(wire.AsksMessage(asks=self.asking))

    def undo(self, seat: int, at: int) -> None:
        live = self.must_play()
        undo.check_undo(self.table, live, at)
        undo.check_room(self.rows)
        back_to = undo.last_decision(self.rows, seat)
        if undo.is_free(live, seat):
            self.take_back(seat, back_to)
        else:
            question = undo.asking(self.table, self.rows, at, (seat,))
            assert question is not None
            undo.check_asking(self.table, question)
            self.agree(seat, at, first=True)

    def agree(self, seat: int, at: int, *, first: bool) -> None:
        live = self.must_play()
        undo.check_undo(self.table, live, at)
        self.agreed[at] = undo.agree(self.agreed.get(at, ()), seat, first=first)
        assert self.asking is not None
        self.settle(self.asking)

    def settle(self, asking: wire.Asking) -> None:
        if undo.is_settled(asking):
            self.take_back(asking.by, undo.last_decision(self.rows, asking.by))
        else:
            self.ask()

    def forget_votes(self, seats: list[int]) -> None:
        if self.live is not None and (agreed := self.agreed.get(self.live.head)):
            self.agreed[self.live.head] = undo.without(agreed, seats)
            self.ask()

    def take_back(self, seat: int, back_to: int) -> None:
        self.rows.append(undo.back(self.must_play(), seat, back_to, self.now()))
        self.live = Live.rebuild(self.table, self.rows)
        self.tell(showing.Happened.undone(self.table, self.live, self.rows, HOUSE))
        self.let_bots_play()


def _games(table: Table) -> tuple[Played, ...]:
    return table.series.games if table.series is not None else ()


def _over(table: Table, now: int) -> Table:
    return replace(table, status="over", over=now)


class Bare(Driver):
    """Tables with nothing around them."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000
        self._tables: dict[str, BareTable] = {}
        self._holders = count(1)
        self._names = count(1)
        self._seeds = count(1)

    def _holder(self, table: str, token: str | None) -> str | None:
        known = {*self._tables[table].table.holders.values(), self._tables[table].table.host}
        if token is not None and token not in known:
            raise Forbidden("this token opens no seat here", field="token", key="token")
        return token

    def _try(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except PreauError as error:
            raise Refused(error.to_json()) from None

    def _new_holder(self) -> str:
        return f"holder-{next(self._holders):012}"

    def create(self, wish: Json) -> Json:
        return self._try(lambda: self._create(wish))

    def _create(self, wish: Json) -> Json:
        asked = msgspec.convert(wish, wire.NewTable)
        host, name = self._new_holder(), f"table{next(self._names)}"
        start = self._played_on(asked)
        table = seating.new_table(asked, LEVELS, id=name, code=name, host=host, now=self.now, start=start)
        self._tables[name] = found = BareTable(table, lambda: self.now)
        if asked.start:
            found.start()
        return _plain(showing.seated(found.table, host, host))

    def _played_on(self, asked: wire.NewTable) -> onward.Start | None:
        if asked.origin is None:
            return None
        wish = onward.check_wish(asked)
        if wish.position is not None:
            state = find_game(asked.game).load(wish.position)
        else:
            if wish.table is not None and self._tables[wish.table].table.status != "over":
                raise TooLate("the game is not over", key="not_over")
            record = Record.from_json(wish.record or self.record(wish.table or ""))
            state = onward.after(record, wish.step)
        onward.check_open(state, len(asked.seats))
        state = onward.drawn_anew(state, wish.eyes, next(self._seeds))
        return onward.Start(onward.packed(state), dict(state.options), onward.origin_of(wish, wish.eyes))

    def join(self, table: str, wish: Json, token: str | None = None) -> Json:
        return self._try(lambda: self._join(table, wish, token))

    def _join(self, table: str, wish: Json, token: str | None) -> Json:
        found = self._tables[table]
        left = seating.left_by(found.table, range(len(found.table.seats)), token or "")
        holder = (token if left else self._holder(table, token)) or self._new_holder()
        before = found.table
        found.change(seating.join(before, wire.TakeSeat(**wish), holder, token or ""))
        found.tell_arrivals(before, token or "")
        return _plain(showing.seated(found.table, holder, holder))

    def leave(self, table: str, token: str | None) -> None:
        self._try(lambda: self._leave(table, token))

    def _leave(self, table: str, token: str | None) -> None:
        found = self._tables[table]
        holder = seating.must_sit(self._holder(table, token))
        found.viewers = [viewer for viewer in found.viewers if viewer.holder != holder]
        found.forget_votes(found.table.seats_of(holder))
        before = found.table
        found.change(seating.leave(before, holder, HOUSE, holder))
        found.tell_arrivals(before)

    def set_seat(self, table: str, seat: int, wish: Json, token: str | None) -> Json:
        return self._try(lambda: self._set_seat(table, seat, wish, token))

    def _set_seat(self, table: str, seat: int, wish: Json, token: str | None) -> Json:
        found = self._tables[table]
        holder = seating.must_sit(self._holder(table, token))
        before, asked = found.table, wire.SetSeat(**wish)
        found.change(seating.set_seat(before, seat, asked, holder, found.around, HOUSE, LEVELS))
        gone = seating.removed(before, found.table)
        for viewer in [viewer for viewer in found.viewers if gone and viewer.holder == gone]:
            found.viewers.remove(viewer)
            viewer.push(wire.ByeMessage(reason="removed", again=False))
        return _plain(found.table.info())

    def swap(self, table: str, wish: Json, token: str | None) -> Json:
        return self._try(lambda: self._swap(table, wish, token))

    def _swap(self, table: str, wish: Json, token: str | None) -> Json:
        found = self._tables[table]
        seating.must_host(found.table, self._holder(table, token))
        found.change(seating.swap(found.table, wire.Swap(**wish)))
        return _plain(found.table.info())

    def start(self, table: str, token: str | None) -> Json:
        return self._try(lambda: self._start(table, token))

    def _start(self, table: str, token: str | None) -> Json:
        found = self._tables[table]
        seating.must_host(found.table, self._holder(table, token))
        found.start()
        return _plain(found.table.info())

    def rematch(self, table: str, token: str | None) -> str:
        return self._try(lambda: self._rematch(table, token))

    def _rematch(self, table: str, token: str | None) -> str:
        found = self._tables[table]
        seating.must_sit(self._holder(table, token))
        seating.check_rematch(found.table)
        if found.table.rematch is None:
            name = f"table{next(self._names)}"
            names, eyes = {"id": name, "code": name}, found.table.origin.eyes if found.table.origin else None
            state = first_position(found.table)
            start = onward.packed(onward.drawn_anew(state, eyes, next(self._seeds))) if eyes is not None else None
            result = found.must_play().state.result()
            made = seating.rematch(found.table, result, **names, now=self.now, new_holder=self._new_holder, start=start)
            back = {new: old for old, new in made.renamed.items()}  # here a token is the holder, and tokens stay
            seats = tuple(_held_by(seat, back) for seat in made.new.seats)
            games = [
                replace(game, holders=tuple(back.get(one, "") for one in game.holders)) for game in _games(made.new)
            ]
            evening = Series(tuple(games), made.new.series.forgotten if made.new.series else 0)
            new = replace(made.new, seats=seats, host=back.get(made.new.host, made.new.host), series=evening)
            self._tables[name] = again = BareTable(new, lambda: self.now)
            found.change(made.old)
            if all(seat.kind != "open" for seat in seats):
                again.start()
        assert found.table.rematch is not None
        return found.table.rematch

    def record(self, table: str) -> Json:
        found = self._tables[table]
        assert found.live is not None
        return record_of(found.table, found.rows, found.live.state).to_json()

    def info(self, table: str) -> Json:
        return _plain(self._tables[table].table.info())

    def open(self, table: str, token: str | None = None, **wish: Any) -> Viewer:
        found = self._tables[table]
        asked = wire.Join(**wish)
        holder = self._holder(table, token)
        viewer = BareViewer(table, holder, acting.first_eyes(found.table, holder, asked.seat))
        for seat in found.table.seats_of(holder):
            if found.table.seats[seat].stand_in:
                found.change(seating.stand_in(found.table, seat, None))
        found.viewers.append(viewer)
        found.greet(viewer, asked.last, opening=asked.opening)
        return viewer

    def close(self, viewer: Viewer) -> None:
        assert isinstance(viewer, BareViewer)
        found = self._tables[viewer.table]
        found.viewers.remove(viewer)
        found.look_for_deserters()

    def send_away(self) -> None:
        self._tables.clear()

    def send(self, viewer: Viewer, type: str, **message: Any) -> None:
        assert isinstance(viewer, BareViewer)
        self._tables[viewer.table].hear(viewer, wire.decode(json.dumps({"type": type, **message})))

    def wait(self, ms: int) -> None:
        self.now += ms
        for table in self._tables.values():
            table.look_at_clocks()
            table.look_at_arms()
            table.look_for_deserters()


def _held_by(seat: Seat, back: dict[str, str]) -> Seat:
    return replace(seat, holder=back.get(seat.holder)) if seat.holder else seat


def _plain(message: object) -> Json:
    found: Json = json.loads(wire.encode(message))
    return found
