"""One table on this device: its value, its log, its game, and those who look at it.

The order of a step is the server's: check, work out on a copy, write down, take over, tell. What is to be written down
is gathered here (`written`), and nobody is told of anything before it is, because both are effects of the same call.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from ..core.errors import PreauError, RecordError
from ..core.plain import plain
from ..core.record import Record
from ..core.state import Json
from ..host.bot_round import SHIPPED_BOTS, BotRound
from ..host.identifiers import hash_secret
from ..table import chance, chat, clocks, hints, messages, permissions, protocol, seating, tie_break, undo
from ..table.live_game import LiveGame, begin, first_position
from ..table.log import Row, history, record_of
from ..table.refusals import Forbidden, TooLate
from ..table.table import Table, TablePolicy, TieBreak
from .effects import About, StoreEffect, Write
from .viewer import Viewer

TICK_MS = 200
"""How often the taps of a round of arm wrestling are told."""


class LocalTable:
    """A table of the house. `house` is what holds for all of them, `now` tells the time."""

    def __init__(self, about: About, policy: TablePolicy, now: Callable[[], int]) -> None:
        self.about = about
        self.policy = policy
        self.now = now
        self.rows: list[Row] = []
        self.live: LiveGame | None = None
        self.viewers: list[Viewer] = []
        self.round: BotRound | None = None
        """What bots are being asked."""
        self.seed = secrets.randbits(62)
        """Where the chance of the bots here comes from."""
        self.pulling: tie_break.MeasuredRound | None = None
        self.hinting: set[int] = set()
        """The seats for which a hint is being worked out."""
        self._absent_since: dict[int, float] = {}
        self._told: list[int] = []
        self._written = 0
        self._changed = about.revision == 0
        self._taps: dict[int, int] = {}
        self._asked = 0
        """When bots were asked."""
        self._due: int | None = None
        """When they play what they have decided, once that is known."""
        self._review: Json | None = None

    # Keeping.

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.about.table

    @property
    def id(self) -> str:
        """The table's id."""
        return self.table.id

    @classmethod
    def restored(cls, stored: StoreEffect, policy: TablePolicy, now: Callable[[], int]) -> LocalTable:
        """A table as it was written down. One whose rules this program does not know is there to be seen in a list."""
        found = cls(stored.about, policy, now)
        found.rows, found._written = stored.rows, len(stored.rows)
        with suppress(RecordError):
            found.must_be_known()
        return found

    def must_be_known(self) -> None:
        """Rebuild the game that is written down; raises `RecordError` for rules that this program does not know."""
        if self.live is None and self.table.status != "waiting":
            live = LiveGame.rebuild(self.table, self.rows)
            live.since = clocks.fair(self.table, live.state, live.since, self.now(), self.now())
            self.live = live

    def written(self) -> Write | None:
        """What is to be written down since this was asked last; None if there is nothing."""
        fresh = self.rows[self._written :]
        if not fresh and not self._changed:
            return None
        self._written = len(self.rows)
        if not self._changed:
            return Write(table=self.id, rows=fresh)
        self._changed = False
        self.about.revision += 1
        review, self._review = self._review, None
        return Write(table=self.id, rows=fresh, about=self.about, review=review)

    def keep(self, table: Table | None = None) -> None:
        """Something beside the log is to be written down: another table, or what belongs to it."""
        if table is not None:
            self.about.table = table
        self._changed = True

    def keep_review(self, name: str, found: Json) -> None:
        """The game was reviewed."""
        self.about.review, self._review = name, found
        self.keep()

    # Around the game.

    @property
    def here(self) -> list[int]:
        """The seats whose people look."""
        present = {viewer.holder for viewer in self.viewers}
        return [seat for seat, holder in self.table.holders.items() if holder in present]

    @property
    def presence(self) -> protocol.Presence:
        """Who is here and who is not."""
        self._replace_absent()
        seated = set(self.table.holders.values())
        watching = sum(viewer.holder not in seated for viewer in self.viewers)
        away = [
            protocol.Clock(seat=seat, ends=int(since) + self.policy.away_ms)
            for seat, since in self._absent_since.items()
        ]
        return protocol.Presence(here=self.here, watching=watching, away=away)

    def holder_of(self, token: str | None) -> str | None:
        """Return who holds a token here, None without one; raise `Forbidden` for a token of another table."""
        if token is None:
            return None
        found = self.about.people.get(hash_secret(token))
        if found is None:
            raise Forbidden("this token opens no seat here", field="token", key="token")
        return found

    @property
    def around(self) -> seating.Around:
        """The same, for whoever asks to change seats."""
        self._replace_absent()
        return seating.Around(self.here, {seat: self.now() - int(since) for seat, since in self._absent_since.items()})

    def _replace_absent(self) -> None:
        if self.live is not None:
            self._absent_since = clocks.absences(self.table, self.live.state, self.here, self._absent_since, self.now())

    def change(self, table: Table) -> None:
        """Seats, or anything else of the table, are other ones now: everybody is told, and what follows is done."""
        if table.holders != self.table.holders:
            self._absent_since.clear()
        self.keep(table)
        for viewer in self.viewers:
            viewer.viewpoint = permissions.same_viewpoint(table, viewer.holder, viewer.viewpoint)
            viewer.push(messages.about(table, viewer.holder))
        if table.status == "playing" and (question := self.asking) is not None:
            self._settle(question)
        if table.status == "over" and table.contest is not None:
            self._wrestle(table.contest)
        elif table.status == "over":
            self._tell_contest()
        self.let_bots_play()

    def start(self) -> None:
        """Begin the game."""
        seating.check_start(self.table)
        opening = begin(self.table, self.now(), chance.draw)
        self.live, self.rows = opening.live, opening.rows
        self.change(seating.start(self.table, opening.options, self.now()))
        for viewer in self.viewers:
            self.greet(viewer)

    def enter(self, viewer: Viewer, wish: protocol.Join) -> None:
        """Let somebody in; whoever has a seat that a bot looks after gets it back."""
        for seat in self.table.seats_of(viewer.holder):
            if self.table.seats[seat].stand_in:
                self.change(seating.stand_in(self.table, seat, None))
        self.viewers.append(viewer)
        self.greet(viewer, wish.last, opening=wish.opening)
        self._tell_presence()
        self._measure()
        self.let_bots_play()

    def leave(self, viewer: Viewer) -> None:
        """Somebody looks no longer."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            self._tell_presence()

    def _tell_presence(self) -> None:
        now = self.presence
        self._tell_all(protocol.PresenceMessage(here=now.here, watching=now.watching, away=now.away))

    def _tell_all(self, message: object) -> None:
        for viewer in self.viewers:
            viewer.push(message)

    def greet(self, viewer: Viewer, last: int | None = None, *, opening: bool = False) -> None:
        """Tell a viewer all there is to know, or what is new since `last`."""
        shown = opening and self.live is not None and messages.has_opening(self.table, self.live, viewer.holder)
        viewer.push(
            messages.hello(
                self.table,
                self.live,
                self.policy,
                holder=viewer.holder,
                viewpoint=viewer.viewpoint,
                last=last,
                chat=self.about.chat,
                asks=self.asking,
                presence=self.presence,
                now=self.now(),
                began=messages.opening(self.table, self.rows, viewer.viewpoint) if shown else [],
                pulls=self.pulling.running(self.now()) if self.pulling is not None else None,
            )
        )

    def say(self, line: protocol.ChatLine) -> None:
        """Keep a line of chat, and tell everybody."""
        line.id = self.about.chat[-1].id + 1 if self.about.chat else 1
        self.about.chat = [*self.about.chat, line][-chat.LINES :]
        self.keep()
        self._tell_all(protocol.ChatMessage(line=line))

    def tell_arrivals(self, before: Table, proof: str = "") -> None:
        """Say who has left and who has come since `before`."""
        for line in chat.arrivals(before, self.table, proof, self.now()):
            self.say(line)

    # The game.

    def must_play(self) -> LiveGame:
        """The game, if it has begun."""
        if self.live is None:
            raise TooLate("the game has not begun", key="not_begun", hint="The host starts it.")
        return self.live

    def must_be_over(self) -> LiveGame:
        """The game, if it is over: of one under way a record would tell secrets."""
        live = self.must_play()
        if not live.state.over:
            raise TooLate("the game is not over", key="not_over", hint="Come back when it is.")
        return live

    def record(self) -> Record:
        """The record of a game that is over."""
        return record_of(self.table, self.rows, self.must_be_over().state)

    def so_far(self) -> Record:
        """The record of the game as far as it goes, with all its secrets: for whoever moves the game elsewhere."""
        state = self.must_play().state
        if state.over:
            raise TooLate("the game is over", key="over")
        return record_of(self.table, self.rows, state)

    def info(self) -> protocol.TableInfo:
        """The table as everybody sees it, with the seats that owe a decision."""
        info = self.table.info()
        info.to_act = list(self.live.state.to_act) if self.live is not None and info.status == "playing" else []
        return info

    def _take(self, actor: int, text: str, **more: Any) -> int:
        """Plan a step, write it down, take it, tell everybody; its number."""
        live = self.must_play()
        plan = live.plan(actor, text, self.now(), chance.draw, **more)
        self.rows += plan.rows
        live.adopt(plan)
        self._tell(messages.StepMessages(self.table, live, plan.rows, plan.events, self.policy))
        if live.state.over:
            self.change(replace(self.table, status="over", over=self.now()))
        self.let_bots_play()
        return plan.rows[0].number

    def _tell(self, happened: messages.StepMessages) -> None:
        for viewer in self.viewers:
            viewer.hear(happened.told([viewer.viewpoint])[0])

    # Bots.

    def let_bots_play(self) -> None:
        """Ask the bots that owe a decision, if somebody looks."""
        if self.round is not None or self.live is None or self.table.status != "playing" or not self.viewers:
            return
        live = self.live
        owed = self._bots_due(live.state.to_act)
        if not owed:
            return
        pasts = {seat: self._past(seat) if SHIPPED_BOTS.hears(level) else [] for seat, level in owed.items()}
        racers = live.state.racers()
        self._taps = {seat: chance.bot_delay(level) for seat, level in owed.items() if seat in racers}
        self.round = BotRound(
            self.id, live.state.copy(), live.head, owed, pasts, due=self._bots_due, quick=self.policy.quick
        )
        self._asked = self.now()

    def decided(self, pause: int) -> None:
        """All of them have decided: that is played at a multiple of the pause, so that thinking time tells nothing."""
        thought = self.now() - self._asked
        self._due = self._asked + (thought // pause + 1) * pause if pause else self.now()

    def _bots_due(self, to_act: tuple[int, ...]) -> dict[int, str]:
        return self.table.bots_due(to_act, self.policy)

    def _past(self, seat: int) -> list[Json]:
        found: list[Json] = plain(history(first_position(self.table), self.rows, seat)[0])
        return found

    def _play_bots(self, decided: BotRound) -> None:
        """Do what the bots have decided; what is out of date by now is decided anew."""
        head, taps = decided.head, self._taps
        for seat, (text, kind) in decided.answers.items():
            try:
                permissions.check_question(self.must_play(), seat, head)
                number = self._take(seat, text, kind=kind, delay=taps.get(seat))
            except PreauError:
                continue
            head = number if number == head + 1 else head  # the next one was asked with this answer in mind
        self.round, self._due = None, None
        self.let_bots_play()

    # Clocks.

    def sweep(self) -> None:
        """Do what is due by the clock."""
        if self.round is not None and self._due is not None and self.now() >= self._due:
            self._play_bots(self.round)
        while self.live is not None and (seats := clocks.late(self.table, self.live, self.now(), self.policy)):
            actor, text, kind = clocks.for_late(self.live.state, seats[0])
            self._take(actor, text, kind=kind)
        if self.pulling is not None:
            self._schedule_round(self.pulling)

    def wake(self) -> int | None:
        """When somebody must look at the table without being asked; None: never."""
        if self.pulling is not None:
            return max(self.now() + TICK_MS, self.pulling.contest.starts)
        if self.live is None or self.table.status != "playing":
            return None
        if self._due is not None:
            return self._due
        found = clocks.duty(self.table, self.live.state, self.live.since, self.now(), self.policy)
        return None if found.bot else found.wake

    # Messages.

    def do(self, viewer: Viewer, message: protocol.ClientMessage) -> None:
        """Do what a message asks for. Raises a refusal if that may not be."""
        match message:
            case protocol.Act():
                self._act(viewer, message)
            case protocol.Undo():
                self._undo(self._seat(viewer, message.seat), message.at)
            case protocol.Agree():
                seat = self._seat(viewer, message.seat)
                if message.yes:
                    self._agree(seat, message.at, first=False)
                elif self.about.votes.pop(message.at, None) is not None:
                    self.keep()
                    self._ask()
                else:
                    self._ask()
            case protocol.Wrestle():
                seat = self._seat(viewer, message.seat)
                standing = tie_break.standing(self.table, self.must_play().state, self.now())
                self._wrestle(tie_break.answer(standing, seat, yes=message.yes))
            case protocol.Pull():
                seat = self._seat(viewer, message.seat)
                if self.pulling is None:
                    raise tie_break.not_pulling()
                self.pulling.pull(seat, message.round, message.count, self.now(), trip=0)
            case protocol.Look():
                viewer.viewpoint = permissions.other_viewpoint(self.table, viewer.holder, message.seat)
                self.greet(viewer)
            case protocol.Resync():
                self.greet(viewer, message.last)
            case protocol.Say():
                self.say(chat.said(self.table, viewer.holder, viewer.viewpoint, message, self.now()))

    def _seat(self, viewer: Viewer, seat: int | None) -> int:
        return permissions.must_own(self.table, viewer.holder, seat, viewer.viewpoint)

    def _act(self, viewer: Viewer, message: protocol.Act) -> None:
        seat = self._seat(viewer, message.seat)
        live = self.must_play()
        number = live.known(seat, message.id)
        new = number is None
        if number is None:
            permissions.check_question(live, seat, message.at)
            delay = message.delay if seat in live.state.racers() else None  # it is this very device that measures
            number = self._take(seat, message.action, client=message.id, delay=delay)
        if not new or viewer.viewpoint != seat:
            viewer.push(protocol.AckMessage(id=message.id, number=number))

    def hint_view(self, viewer: Viewer, message: protocol.AskHint) -> tuple[int, Json]:
        """The seat that asks for a hint and what it sees, if it may ask."""
        seat = self._seat(viewer, message.seat)
        self.check_hint(seat, message.at)
        view: Json = plain(self.must_play().state.view(seat))
        return seat, view

    def check_hint(self, seat: int, at: int) -> None:
        """Refuse a hint that a seat may not have."""
        hints.check_hint(self.table, self.must_play(), seat, at)

    # Arm wrestling.

    def _wrestle(self, found: TieBreak) -> None:
        """Take over how it stands; when all want to, it begins."""
        if tie_break.is_agreed(found, self.table, self.policy):
            found = tie_break.begin(found, self.table, self.policy, self.now(), chance.bot_taps)
        if found != self.table.contest:
            self.keep(replace(self.table, contest=found))
        self._measure()
        self._tell_contest()

    def _measure(self) -> None:
        """See to it that a round that is on is measured, and one that is over no longer."""
        found = self.table.contest
        if found is None or found.phase != "pulling" or self.now() >= found.starts + tie_break.LOST_MS:
            self.pulling = None
        elif self.pulling is None or self.pulling.contest.round != found.round:
            self.pulling, self._told = tie_break.MeasuredRound(found, self.here, self.now()), []

    def _tell_contest(self) -> None:
        running = self.pulling.running(self.now()) if self.pulling is not None else None
        state = self.live.state if self.live is not None else None
        found = tie_break.seen(self.table, state, self.policy, self.now(), running)
        if found is not None:
            self._tell_all(protocol.ContestMessage(contest=found, now=self.now()))

    def _schedule_round(self, pulling: tie_break.MeasuredRound) -> None:
        counts = list(pulling.running(self.now()).values())
        if counts != self._told:
            self._told = counts
            self._tell_all(protocol.PullsMessage(round=pulling.contest.round, counts=counts))
        if pulling.is_closed(self.now()):
            found = pulling.measured(self.now(), alone=True, present=self.here)
            now = self.table.contest or pulling.contest
            self._wrestle(tie_break.count(now, pulling.contest.round, found, self.now(), chance.bot_taps))

    # Taking back.

    @property
    def asking(self) -> protocol.Asking | None:
        """What is asked of the people at the table."""
        if self.live is None:
            return None
        return undo.asking(self.table, self.rows, self.live.head, self.about.votes.get(self.live.head, ()))

    def _ask(self) -> None:
        self._tell_all(protocol.AsksMessage(asks=self.asking))

    def _undo(self, seat: int, at: int) -> None:
        live = self.must_play()
        undo.check_undo(self.table, live, at)
        undo.check_room(self.rows)
        back_to = undo.last_decision(self.rows, seat)
        if undo.is_free(live, seat):
            self._take_back(seat, back_to)
            return
        question = undo.asking(self.table, self.rows, at, (seat,))
        assert question is not None
        undo.check_asking(self.table, question)
        self._agree(seat, at, first=True)

    def _agree(self, seat: int, at: int, *, first: bool) -> None:
        live = self.must_play()
        if at != live.head or live.state.over:
            raise undo.something_since(live)
        self.about.votes = {at: undo.agree(self.about.votes.get(at, ()), seat, first=first)}
        self.keep()
        question = self.asking
        assert question is not None
        self._settle(question)

    def _settle(self, question: protocol.Asking) -> None:
        if undo.is_settled(question):
            self._take_back(question.by, undo.last_decision(self.rows, question.by))
        else:
            self._ask()

    def forget_votes(self, seats: list[int]) -> None:
        """The people of these seats leave: they agree to nothing any more."""
        if self.live is not None and (agreed := self.about.votes.get(self.live.head)):
            self.about.votes = {self.live.head: undo.without(agreed, seats)}
            self._ask()

    def _take_back(self, seat: int, back_to: int) -> None:
        self.rows.append(undo.back(self.must_play(), seat, back_to, self.now()))
        self.live = LiveGame.rebuild(self.table, self.rows)
        self.about.votes = {}
        self._tell(messages.StepMessages.undone(self.table, self.live, self.rows, self.policy))
        self.let_bots_play()
