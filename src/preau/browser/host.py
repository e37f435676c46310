"""A house of tables on one's own device. It answers what the server answers (docs/protocol.md), as far as that makes
sense with nobody else on the line: the same addresses, messages, refusals.

Whoever runs it calls `call`, `open`, `hear`, `hang_up`, `answered` and `look`, and after each of them does what
`effects` says. A table that is not in memory is handed in by `restore` before it is asked for.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from ..bots import BOTS, play
from ..core.errors import PreauError, RecordError
from ..core.registry import find_game
from ..core.state import NATURE
from ..host import catalogue, learning, queries
from ..host.body_limits import MESSAGE_BYTES, MOST_BYTES, is_flat, too_deep
from ..host.bot_round import BotRound, chosen
from ..host.identifiers import LOCAL, hash_secret, new_code, new_id, new_token
from ..host.queries import PositionQuery, StartPosition
from ..host.questions import Answer, BotAnswer, BotQuestion, HintAnswer, HintQuestion, Question
from ..host.refusals import TooLarge, status_of, too_many
from ..host.think_worker import simulations
from ..table import fork, hints, messages, protocol, seating
from ..table.permissions import first_viewpoint
from ..table.refusals import Forbidden, Refusal, Unknown
from ..table.table import Json
from ..table.table import TablePolicy as Rules
from .effects import About, Ask, Effects, StoreEffect
from .local_table import LocalTable, Viewer
from .reviews import Review, ReviewJobs

T = TypeVar("T")

MOST_TABLES = 60
"""Tables that are kept. A new one makes the one go that was not touched for longest."""
MOST_LINES = 12
"""Lines that one table has."""
PAUSE_MS = 700
"""A bot takes at least so long, so that people can follow."""
AT_ONCE = 16
"""A bot that looks at no more positions than this for a decision does so between two messages; others, hints and
reviews are `heavy`: somebody else thinks for them."""


class Reply(NamedTuple):
    """The answer to a request: its status, and JSON."""

    status: int
    body: bytes


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
        self._reviews = ReviewJobs()
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
            self._reviews.restore(stored.about.review, found.id, stored.review)
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
        review = self._reviews.waiting()
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
            table = self._find(name)
            holder = _holder(table, message.token)
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
                raise _needs_server()
            case protocol.Join():
                raise Refusal("you are in already", key="protocol")
            case _:
                table.do(viewer, message)

    def _bye(self, line: str, reason: Any, *, again: bool = False) -> None:
        self._send(line, protocol.encode(protocol.ByeMessage(reason=reason, again=again)))
        self._out.closed.append(line)
        self.hang_up(line)

    def _part(self, table: LocalTable, holder: str, reason: str) -> None:
        """Close the lines of somebody whose token has ended."""
        for viewer in [viewer for viewer in table.viewers if viewer.holder == holder]:
            self._bye(viewer.line, reason)

    # Requests.

    def call(self, method: str, address: str, token: str | None = None, body: str = "") -> Reply:
        """Answer a request; `address` is what comes after /api, `body` JSON."""
        path, query = urlsplit(address).path, parse_qs(urlsplit(address).query)
        parts = [unquote(part) for part in path.split("/")[1:]]
        try:
            if len(body.encode()) > MOST_BYTES:
                raise TooLarge("the request is too large", key="size", hint=f"At most {MOST_BYTES} bytes.")
            for (verb, *pattern), status, answer in _ROUTES:
                if verb == method and len(pattern) == len(parts):
                    names = {one[1:-1]: part for one, part in zip(pattern, parts, strict=True) if one[0] == "{"}
                    if all(one[0] == "{" or one == part for one, part in zip(pattern, parts, strict=True)):
                        asked = Asked(names, token, body, {name: values[-1] for name, values in query.items()})
                        found = answer(self, asked)
                        return Reply(status, found if isinstance(found, bytes) else protocol.encode(found))
            return Reply(404, protocol.encode(protocol.Problem(error="NotFound", message="Not Found")))
        except PreauError as error:
            return Reply(status_of(error), msgspec.json.encode(error.to_json()))
        except (msgspec.MsgspecError, RecursionError) as error:
            details = [{"message": str(error), "source": "body"}]
            said = f"Validation failed for {method} /api{path}"
            problem = protocol.Problem(error="Validation", message=said, params={"details": details})
            return Reply(400, protocol.encode(problem))

    def _find(self, name: str) -> LocalTable:
        if name not in self._tables:
            self._on_missing(name)
            raise Unknown("there is no such table", field="table", key="no_table")
        return self._tables[name]

    def _today(self) -> str:
        return datetime.fromtimestamp(self.now() / 1_000, UTC).date().isoformat()

    # Games and learning.

    def games(self, asked: Asked) -> object:
        """What is on offer."""
        return catalogue.catalogue()

    def rules_of(self, asked: Asked) -> object:
        """The rules of a game by id."""
        return catalogue.rules_of(asked.names["game"], asked.names["language"])

    def texts(self, asked: Asked) -> object:
        """All messages of a game."""
        return catalogue.texts_of(asked.names["game"], asked.names["language"])

    def book(self, asked: Asked) -> object:
        """The pictures of a game's rule book."""
        return queries.BookQuery(find_game(asked.names["game"]).id).answer()

    def gallery(self, asked: Asked) -> object:
        """Everything in a game's box."""
        found = catalogue.gallery_of(find_game(asked.names["game"]))
        if found is None:
            raise Unknown("this game shows no gallery", field="game", hint="GET /api/games says which do.")
        return found

    def practice(self, asked: Asked) -> object:
        """How an exercise stands."""
        wish = asked.data(protocol.Practice)
        return learning.exercised(wish.game, wish.exercise, wish.actions)

    def puzzles(self, asked: Asked) -> object:
        """The puzzles of a game."""
        return learning.listed(find_game(asked.names["game"]).id)

    def puzzle(self, asked: Asked) -> object:
        """How a puzzle stands."""
        wish = asked.data(protocol.Puzzling)
        return queries.PuzzleQuery(wish.game, wish.id, wish.actions, wish.wish).answer()

    # Tables.

    def create(self, asked: Asked) -> object:
        """Make a table and take one's seats at it."""
        wish = asked.data(protocol.NewTable)
        start = self._start(wish) if wish.origin is not None else None
        token, host, name = new_token(), new_id(), f"{LOCAL}{new_id()}"
        made = seating.new_table(wish, BOTS, id=name, code=new_code(), host=host, now=self.now(), start=start)
        table = self._tables[name] = LocalTable(
            About(table=made, people={hash_secret(token): host}), self.rules, self.now
        )
        if wish.start:
            table.start()
        return messages.seated(table.table, token, host)

    def _start(self, wish: protocol.NewTable) -> fork.Start:
        """What somebody wants to play on from."""
        origin = fork.check_wish(wish)
        record: str | Json | None = origin.record
        if origin.table is not None:
            record = self._find(origin.table).record().dumps()
        found = self._position(queries.fork_query(wish, origin, record))
        return fork.Start(found.position, found.options, fork.origin_of(origin, found.eyes))

    def _position(self, query: PositionQuery) -> StartPosition:
        query = msgspec.structs.replace(query, seed=secrets.randbits(62), today=self._today())
        return msgspec.json.decode(query.answer(), type=StartPosition)

    def show(self, asked: Asked) -> object:
        """A table as everybody sees it."""
        return self._find(asked.names["table"]).info()

    def join(self, asked: Asked) -> object:
        """Take an open seat, or come back to one's own."""
        table, wish = self._find(asked.names["table"]), asked.data(protocol.TakeSeat)
        proof = hash_secret(asked.token) if asked.token else ""
        before, people = table.table, table.about.people
        left = seating.left_by(before, range(len(before.seats)), proof)
        known = people.get(proof) if left else _holder(table, asked.token)
        token = asked.token or new_token()
        holder = known or new_id()
        after = seating.join(before, wish, holder, proof)
        people[hash_secret(token)] = holder
        table.change(after)
        table.tell_arrivals(before, proof)
        return messages.seated(table.table, token, holder)

    def leave(self, asked: Asked) -> object:
        """Give up one's seats."""
        table = self._find(asked.names["table"])
        holder = seating.must_sit(_holder(table, asked.token))
        before, people = table.table, table.about.people
        proof = next(hash for hash, one in people.items() if one == holder)
        del people[proof]
        self._part(table, holder, "token")
        table.forget_votes(before.seats_of(holder))
        table.change(seating.leave(before, holder, self.rules, proof))
        table.tell_arrivals(before)
        return b""

    def set_seat(self, asked: Asked) -> object:
        """Give a seat to a bot, open it, or take it back from a bot."""
        table, wish = self._find(asked.names["table"]), asked.data(protocol.SetSeat)
        holder = seating.must_sit(_holder(table, asked.token))
        before = table.table
        after = seating.set_seat(before, asked.number("seat"), wish, holder, table.around, self.rules, BOTS)
        gone = seating.removed(before, after)
        if gone is not None:
            table.about.people = {hash: one for hash, one in table.about.people.items() if one != gone}
        table.change(after)
        if gone is not None:
            self._part(table, gone, "removed")
        return table.table.info()

    def swap(self, asked: Asked) -> object:
        """Exchange two seats before the start."""
        table, wish = self._find(asked.names["table"]), asked.data(protocol.Swap)
        seating.must_host(table.table, _holder(table, asked.token))
        table.change(seating.swap(table.table, wish))
        return table.table.info()

    def start(self, asked: Asked) -> object:
        """Begin the game."""
        table = self._find(asked.names["table"])
        seating.must_host(table.table, _holder(table, asked.token))
        table.start()
        return table.table.info()

    def rematch(self, asked: Asked) -> object:
        """The same once more; everybody's token works at the new table."""
        table = self._find(asked.names["table"])
        seating.must_sit(_holder(table, asked.token))
        seating.check_rematch(table.table)
        if not table.table.rematch:
            again = self._again(table)
            if not any(seat.kind == "open" for seat in again.table.seats):
                again.start()
        return protocol.Found(id=table.table.rematch or "")

    def _again(self, table: LocalTable) -> LocalTable:
        before = table.table
        made = seating.rematch(
            before,
            table.must_be_over().state.result(),
            id=f"{LOCAL}{new_id()}",
            code=new_code(),
            now=self.now(),
            new_holder=new_id,
            start=self._once_more(table),
        )
        people = {hash: made.renamed[one] for hash, one in table.about.people.items() if one in made.renamed}
        again = self._tables[made.new.id] = LocalTable(About(table=made.new, people=people), self.rules, self.now)
        table.change(made.old)
        return again

    def _once_more(self, table: LocalTable) -> str | None:
        """What a rematch is played on from, if that is not the same: what was drawn anew is drawn once more."""
        origin = table.table.origin
        if origin is None or origin.eyes is None:
            return None
        game, seats, position = table.table.game, len(table.table.seats), json.loads(table.table.start)
        return self._position(PositionQuery(game=game, seats=seats, position=position, eyes=origin.eyes)).position

    def away(self, asked: Asked) -> object:
        """The wish for a table at a server on which the game here is played on: `POST /api/tables` there. It knows all
        secrets of the game, and so is for whoever has a seat at it.
        """
        table = self._find(asked.names["table"])
        seating.must_sit(_holder(table, asked.token))
        found, record = table.table, table.so_far()
        seats = [
            protocol.SeatWish(kind="bot", level=seat.level)
            if seat.kind == "bot"
            else protocol.SeatWish(kind="me", name=seat.name)
            if seat.holder
            else protocol.SeatWish(kind="open")
            for seat in found.seats
        ]
        step = sum(entry.actor != NATURE for entry in record.entries)
        origin = protocol.PlayOn(record=record.to_json(), step=step)
        return protocol.NewTable(
            game=found.game,
            seats=seats,
            timer=found.info().timer,
            origin=origin,
            newcomers=found.newcomers,
            hints=found.hints,
        )

    def forget(self, asked: Asked) -> object:
        """Forget a table and its game; for whoever has a seat there."""
        table = self._find(asked.names["table"])
        seating.must_sit(_holder(table, asked.token))
        self.lost(table.id)
        self._out.gone.append(table.id)
        return b""

    def elsewhere(self, asked: Asked) -> object:
        """What takes others, on other devices."""
        self._find(asked.names["table"])
        raise _needs_server()

    # Afterwards.

    def record(self, asked: Asked) -> object:
        """The record of a finished game."""
        return self._find(asked.names["table"]).record().dumps().encode()

    def replay(self, asked: Asked) -> object:
        """Steps of a finished game."""
        record = self._find(asked.names["table"]).record().dumps()
        wish = asked.query(AskSteps)
        return queries.ReplayQuery(record, wish.seat, wish.first, wish.count).answer()

    def replay_file(self, asked: Asked) -> object:
        """The same of a record that is handed in."""
        wish = asked.data(protocol.AskReplay)
        return queries.ReplayFileQuery(wish.record, wish.seat, wish.first, wish.count, self._today()).answer()

    def ask_review(self, asked: Asked) -> object:
        """Have a finished game reviewed."""
        table = self._find(asked.names["table"])
        review = self._reviews.ask(table.record().dumps(), self._today(), table.id)
        if table.about.review != review.id:
            table.about.review = review.id
            table.keep()
        return review.info()

    def review(self, asked: Asked) -> object:
        """How the review of a table's game stands."""
        return self._reviews.find(self._find(asked.names["table"]).about.review).info()

    def ask_file_review(self, asked: Asked) -> object:
        """Have a record reviewed."""
        return self._reviews.ask(asked.data(protocol.AskReview).record, self._today()).info()

    def file_review(self, asked: Asked) -> object:
        """How a review stands."""
        return self._reviews.find(asked.names["review"]).info()

    def match(self, asked: Asked) -> object:
        """The record of a match between bots by a seed: the same wherever this program runs, which can be checked."""
        wish = asked.data(AskMatch)
        return play(wish.game, wish.bots, options=wish.options, seed=wish.seed).record.dumps().encode()


class AskSteps(msgspec.Struct):
    """What is asked of a replay, in the address."""

    seat: protocol.Seat | None = None
    first: protocol.StepNumber = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=50)] = 20


class AskMatch(msgspec.Struct, forbid_unknown_fields=True):
    """POST /match: bots by name, one for each seat."""

    game: str
    bots: list[protocol.Level]
    seed: int
    options: Json = {}


class Asked(NamedTuple):
    """A request: what stands in its address, whose it is, its body."""

    names: dict[str, str]
    token: str | None
    body: str
    asks: dict[str, str]

    def data(self, kind: type[T]) -> T:
        """The body as a message."""
        if not is_flat(msgspec.json.decode(self.body)):
            raise too_deep()
        return msgspec.json.decode(self.body, type=kind)

    def query(self, kind: type[T]) -> T:
        """What is asked behind the question mark."""
        return msgspec.convert(self.asks, kind, strict=False)

    def number(self, name: str) -> int:
        """A number in the address."""
        return msgspec.convert(self.names[name], protocol.Seat, strict=False)


def _holder(table: LocalTable, token: str | None) -> str | None:
    """Whose token this is at a table; None without one. A wrong one is refused."""
    if token is None:
        return None
    found = table.about.people.get(hash_secret(token))
    if found is None:
        raise Forbidden("this token opens no seat here", field="token", key="token")
    return found


def _needs_server() -> Refusal:
    return Unknown("this takes a server", key="needs_server", hint="Move the game to a server first.")


_ROUTES: list[tuple[tuple[str, ...], int, Callable[[Host, Asked], object]]] = [
    (tuple(line.replace(" /", "/").split("/")), status, answer)
    for line, status, answer in (
        ("GET /games", 200, Host.games),
        ("GET /games/{game}/rules/{language}", 200, Host.rules_of),
        ("GET /games/{game}/texts/{language}", 200, Host.texts),
        ("GET /games/{game}/book", 200, Host.book),
        ("GET /games/{game}/gallery", 200, Host.gallery),
        ("GET /games/{game}/puzzles", 200, Host.puzzles),
        ("POST /practice", 200, Host.practice),
        ("POST /puzzle", 200, Host.puzzle),
        ("POST /tables", 201, Host.create),
        ("GET /tables/{table}", 200, Host.show),
        ("DELETE /tables/{table}", 204, Host.forget),
        ("POST /tables/{table}/join", 201, Host.join),
        ("POST /tables/{table}/leave", 204, Host.leave),
        ("PUT /tables/{table}/seats/{seat}", 200, Host.set_seat),
        ("POST /tables/{table}/swap", 200, Host.swap),
        ("POST /tables/{table}/start", 200, Host.start),
        ("POST /tables/{table}/rematch", 200, Host.rematch),
        ("GET /tables/{table}/away", 200, Host.away),
        ("GET /tables/{table}/invitation", 200, Host.elsewhere),
        ("POST /tables/{table}/move", 200, Host.elsewhere),
        ("POST /tables/{table}/together", 200, Host.elsewhere),
        ("GET /tables/{table}/record", 200, Host.record),
        ("GET /tables/{table}/replay", 200, Host.replay),
        ("POST /replay", 200, Host.replay_file),
        ("POST /tables/{table}/review", 200, Host.ask_review),
        ("GET /tables/{table}/review", 200, Host.review),
        ("POST /reviews", 200, Host.ask_file_review),
        ("GET /reviews/{review}", 200, Host.file_review),
        ("POST /match", 200, Host.match),
    )
]
"""Every request that is answered: its method and address, the status of its answer, what answers."""
