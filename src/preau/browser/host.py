"""The host in the browser: the tables of this device, their connections, and what is asked of the worker that thinks.

The caller calls `router.call`, `open`, `hear`, `hang_up`, `answered` and `sweep`, and after each of them does what
`effects` says. It hands in a table that is not in memory by `restore` before it asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from ..core.errors import PreauError, RecordError
from ..host.body_limits import MESSAGE_BYTES
from ..host.bot_round import BotRound, chosen
from ..host.questions import Answer, BotAnswer, BotQuestion, HintAnswer, HintQuestion, Question
from ..host.refusals import too_many
from ..host.think_worker import simulations
from ..table import hints, messages, protocol
from ..table.permissions import first_viewpoint
from ..table.refusals import Forbidden, Refusal, Unknown
from ..table.table import Json
from ..table.table import TablePolicy as Rules
from .effects import About, Ask, Effects, StoreEffect
from .local_table import LocalTable
from .reviews import Review, ReviewJobs
from .viewer import Viewer

MOST_TABLES = 60
"""Tables that are kept. A new one makes the one go that was not touched for longest."""
MOST_LINES = 12
"""Lines that one table has."""
PAUSE_MS = 700
"""A bot takes at least so long, so that people can follow."""
AT_ONCE = 16
"""A bot that looks at no more positions than this for a decision does so between two messages; others, hints and
reviews are `heavy`: somebody else thinks for them."""


class Hinting(NamedTuple):
    """A hint that somebody waits for."""

    table: LocalTable
    viewer: Viewer
    message: protocol.AskHint
    seat: int
    view: Json


class Host:
    """The tables of this device that are in use. `now` returns the time in milliseconds since the epoch; `kept` are
    the stored tables, each with the time of its last change. `on_missing` is called with the id of a table that is not
    in memory, before anything is changed; the table is unknown unless that raises an error.
    """

    def __init__(
        self,
        now: Callable[[], int],
        kept: Sequence[tuple[str, int]] = (),
        *,
        rules: Rules | None = None,
        pause_ms: int = PAUSE_MS,
        on_missing: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.now = now
        self.rules = rules or Rules()
        self.pause = pause_ms
        self._on_missing = on_missing
        self._tables: dict[str, LocalTable] = {}
        self._kept = dict.fromkeys(name for name, _ in sorted(kept, key=itemgetter(1)))
        """The tables there are; the one that was touched last is the last."""
        self._lines: dict[str, str | tuple[LocalTable, Viewer]] = {}
        """Every open line: whoever came in by it, or before that the table it leads to."""
        self.reviews = ReviewJobs()
        self._hints: list[Hinting] = []
        self._thinking: dict[bool, tuple[int, Callable[[Answer], None]]] = {}
        """What is being thought about, at once or by somebody else (`heavy`), and what is done with the answer."""
        self._asked = 0
        self._out = Effects()

    # What follows.

    def effects(self) -> Effects:
        """Everything that has followed since this was asked last."""
        out, self._out = self._out, Effects()
        out.asks += self._asks()
        for table in self._tables.values():
            written = table.written()
            if written is not None:
                self._kept.pop(table.id, None)
                self._kept[table.id] = None
                out.writes.append(written)
        out.gone += self._forgotten()
        times = [table.wake() for table in self._tables.values() if table.viewers]
        out.wake = min((time for time in times if time is not None), default=None)
        return out

    def sweep(self) -> None:
        """Do what is due by the clock."""
        for table in list(self._tables.values()):
            if table.viewers:
                table.sweep()

    def _send(self, line: str, data: bytes) -> None:
        self._out.sent.append((line, data.decode()))

    def _forgotten(self) -> list[str]:
        """Make room for new tables."""
        used = {table.id for table in self._tables.values() if table.viewers}
        old = [name for name in self._kept if name not in used]
        gone = old[: max(0, len(self._kept) - MOST_TABLES)]
        for name in gone:
            del self._kept[name]
            self._tables.pop(name, None)
        return gone

    # Tables that were written down.

    def has(self, table: str) -> bool:
        """Whether a table is in memory."""
        return table in self._tables

    def restore(self, stored: StoreEffect) -> None:
        """A table as it was written down, when it is first wanted or when somebody else has changed it since. Whoever
        looks at it is told all of it anew.
        """
        found = LocalTable.restored(stored, self.rules, self.now)
        before = self._tables.get(found.id)
        self._tables[found.id] = found
        self._kept.setdefault(found.id)
        if stored.review is not None:
            self.reviews.restore(stored.about.review, found.id, stored.review)
        for viewer in before.viewers if before is not None else []:
            found.viewers.append(viewer)
            self._lines[viewer.line] = found, viewer
            found.greet(viewer)
        found.let_bots_play()

    def lost(self, name: str) -> None:
        """A table is not kept any more: somebody else has forgotten it."""
        table = self._tables.pop(name, None)
        self._kept.pop(name, None)
        for viewer in list(table.viewers) if table is not None else []:
            self._bye(viewer.line, "unknown")

    # Thinking.

    def answered(self, number: int, answer: Answer) -> None:
        """Take in the answer to a question."""
        for heavy, (asked, then) in list(self._thinking.items()):
            if asked == number:
                del self._thinking[heavy]
                then(answer)

    def _asks(self) -> list[Ask]:
        """What is to be thought about now: first for bots, then for hints, then for reviews."""
        found = []
        for table in self._tables.values():
            asked = table.round
            if asked is None or asked.done or not table.viewers:
                continue
            level = asked.level
            heavy = simulations(table.table.game, level, "light") > AT_ONCE
            if heavy not in self._thinking and (question := asked.question()) is not None:
                then = partial(self._decided, table, asked, question)
                asked_with_seed = msgspec.structs.replace(question, seed=table.seed)
                found.append(self._ask(asked_with_seed, then, heavy=heavy))
        if True not in self._thinking and self._hints:
            one = self._hints.pop(0)
            found.append(self._ask(HintQuestion(one.view, one.message.rank), partial(self._hinted, one), heavy=True))
        review = self.reviews.waiting()
        if True not in self._thinking and review is not None:
            found.append(self._ask(review.question(), partial(self._reviewed, review), heavy=True))
        return found

    def _ask(self, question: Question, then: Callable[[Answer], None], *, heavy: bool) -> Ask:
        self._asked += 1
        self._thinking[heavy] = self._asked, then
        return Ask(self._asked, question, heavy)

    def _decided(self, table: LocalTable, asked: BotRound, question: BotQuestion, answer: Answer) -> None:
        """A bot has answered: what all of them do is done after a pause, whatever time they took."""
        asked.take(chosen(question, answer.action if isinstance(answer, BotAnswer) else None))
        if table.round is asked and asked.done:
            table.decided(self.pause)

    def _hinted(self, one: Hinting, answer: Answer) -> None:
        """A hint is there. That somebody asked is written down with it: a game with hints is a practice game."""
        viewer, message = one.viewer, one.message
        table = self._tables.get(one.table.id, one.table)  # another window may have played there
        table.hinting.discard(one.seat)
        try:
            if not isinstance(answer, HintAnswer):
                raise Unknown("there is no hint for this", key="no_idea")
            table.check_hint(one.seat, message.at)
            table.change(hints.asked_once_more(table.table))
            viewer.push(hints.hinted(answer.hint, message.at))
        except PreauError as error:
            viewer.push(messages.refused(error, message, table.live))

    def _reviewed(self, review: Review, answer: Answer) -> None:
        review.take(answer)
        if review.found is not None:
            for name in review.tables & self._tables.keys():
                self._tables[name].keep_review(review.id, review.found)

    # Lines.

    def open(self, line: str, table: str) -> None:
        """Somebody wants to look at a table."""
        self._lines[line] = table

    def hang_up(self, line: str) -> None:
        """A line has ended."""
        found = self._lines.pop(line, None)
        if isinstance(found, tuple):
            table, viewer = found
            table.leave(viewer)

    def hear(self, line: str, text: str) -> None:
        """A message has come over a line."""
        found = self._lines.get(line)
        if found is None:
            return
        try:
            if len(text) > MESSAGE_BYTES:
                raise msgspec.ValidationError(f"the message is longer than {MESSAGE_BYTES} letters")
            message = protocol.decode(text)
        except (msgspec.MsgspecError, UnicodeError) as error:
            self._malformed(line, error)
            return
        if isinstance(found, str):
            self._enter(line, found, message)
        elif isinstance(message, protocol.Ping):
            self._send(line, protocol.encode(protocol.PongMessage(n=message.n, now=self.now())))
        else:
            table, viewer = found
            try:
                self._do(table, viewer, message)
            except PreauError as error:
                viewer.push(messages.refused(error, message, table.live))

    def _malformed(self, line: str, error: Exception) -> None:
        if isinstance(self._lines[line], str):
            self._bye(line, "protocol")
        else:
            why = protocol.RefusedMessage(error="Malformed", message=str(error)[:200], key="malformed")
            self._send(line, protocol.encode(why))

    def _enter(self, line: str, name: str, message: protocol.ClientMessage) -> None:
        if not isinstance(message, protocol.Join):
            self._bye(line, "protocol")
            return
        try:
            table = self.find(name)
            holder = table.holder_of(message.token)
            table.must_be_known()
        except RecordError:
            self._bye(line, "rules")
        except Forbidden:
            self._bye(line, "token")
        except Unknown:
            self._bye(line, "unknown")
        else:
            if len(table.viewers) >= MOST_LINES:
                self._bye(line, "full", again=True)
                return
            viewer = Viewer(line, self._send, holder, first_viewpoint(table.table, holder, message.seat))
            self._lines[line] = table, viewer
            table.enter(viewer, message)

    def _do(self, table: LocalTable, viewer: Viewer, message: protocol.ClientMessage) -> None:
        match message:
            case protocol.AskHint():
                seat, view = table.hint_view(viewer, message)
                if seat in table.hinting:
                    raise too_many("hints", 1, of="at once")
                table.hinting.add(seat)
                self._hints.append(Hinting(table, viewer, message, seat, view))
            case protocol.Follow() | protocol.Lead():
                table.must_be_over()
                raise needs_server()
            case protocol.Join():
                raise Refusal("you are in already", key="protocol")
            case _:
                table.do(viewer, message)

    def _bye(self, line: str, reason: Any, *, again: bool = False) -> None:
        self._send(line, protocol.encode(protocol.ByeMessage(reason=reason, again=again)))
        self._out.closed.append(line)
        self.hang_up(line)

    def disconnect(self, table: LocalTable, holder: str, reason: str) -> None:
        """Close the connections of a holder whose token has ended."""
        for viewer in [viewer for viewer in table.viewers if viewer.holder == holder]:
            self._bye(viewer.line, reason)

    # What answers to requests need.

    def add(self, about: About) -> LocalTable:
        """Add a new table."""
        table = self._tables[about.table.id] = LocalTable(about, self.rules, self.now)
        return table

    def forget(self, name: str) -> None:
        """Delete a table, here and where it is stored."""
        self.lost(name)
        self._out.gone.append(name)

    def find(self, name: str) -> LocalTable:
        """Return a table; raise `Unknown` if there is none of that name."""
        if name not in self._tables:
            self._on_missing(name)
            raise Unknown("there is no such table", field="table", key="no_table")
        return self._tables[name]

    def today(self) -> str:
        """Return the date in UTC, as 2026-11-17."""
        return datetime.fromtimestamp(self.now() / 1_000, UTC).date().isoformat()


def needs_server() -> Refusal:
    """Return the refusal of what concerns other devices."""
    return Unknown("this takes a server", key="needs_server", hint="Move the game to a server first.")
