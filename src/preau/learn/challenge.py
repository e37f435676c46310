"""A challenge a day: the same table, the same chance and the same bots for everybody who plays it.

All of it follows from a key. A server derives the key of each game and day from a secret of its own (`server`), so that
nobody can look ahead, and publishes it once the day is over; where there is no server the key follows from the date
alone (`date`), and everybody could. A record says which of the two it was.

What chance does for the nth time follows from the key and n, what a bot decides from the key and how many actions there
were before: who does the same gets the same, and who decides otherwise meets the same chance in the same order. The
person answers before the bots do, wherever several are asked at once, so that the order depends on no clock. So a
record tells whether it is a try at the challenge of its day (`verify`): every draw and every decision of a bot is
worked out anew.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, date, datetime
from random import Random
from typing import Literal, NamedTuple

from ..bots import BotMatch, make_bot
from ..core.challenges import Plan
from ..core.errors import RecordError, SetupError
from ..core.game import Game
from ..core.match import Match
from ..core.record import Entry, Record
from ..core.registry import find_game, on_offer
from ..core.state import Action, Json, State

Kind = Literal["server", "date"]

FIRST = date(2026, 11, 1)
"""The first day there is a challenge of."""
TRIES = 3
"""So many tries count; the best of them is the result."""
KEY = 32
"""Bytes of a key."""


class Day(NamedTuple):
    """The challenge of a game on a day, with all that will happen by chance."""

    game: str
    day: date
    kind: Kind
    key: bytes

    @property
    def plan(self) -> Plan:
        """The table."""
        return plan_of(find_game(self.game))

    @property
    def meta(self) -> Json:
        """What a record says of it."""
        return {"day": self.day.isoformat(), "kind": self.kind}

    def seed(self, what: str) -> int:
        """The seed of one piece of chance; it tells nothing of the others."""
        return int.from_bytes(hmac.digest(self.key, what.encode(), "sha256"), "big")

    def start(self) -> State:
        """The first position: what is random in the options is drawn."""
        plan = self.plan
        return find_game(self.game).start(plan.seats, plan.options, seed=self.seed("start"))

    def chance(self, number: int) -> Random:
        """What chance draws from for the time with this number, from 0."""
        return Random(self.seed(f"chance {number}"))

    def bot_seed(self, number: int) -> int:
        """The seed of a bot that decides after so many actions of all, chance included."""
        return self.seed(f"bot {number}")

    def begin(self) -> Match:
        """A try at it: a match in which chance follows the day."""
        return _DayMatch(self)


def plan_of(game: Game) -> Plan:
    """The table of a game's challenge, or a refusal."""
    if game.challenge is None:
        known = ", ".join(one.id for one in on_offer() if one.challenge is not None)
        raise SetupError(f"{game.id} has no challenge of the day", field="game", hint=f"There are those of {known}.")
    return game.challenge


# Days and keys.


def today(now_ms: float) -> date:
    """The day it is, in UTC, at a time in milliseconds since the epoch."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).date()


def read_day(text: str, now: date) -> date:
    """The day meant by `2026-11-17`; refuses what is no day, was before the first or has not come.

    >>> read_day("2026-11-17", date(2026, 11, 18))
    datetime.date(2026, 11, 17)
    """
    hint = f"Days go from {FIRST} to {now}, in UTC."
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = date.min
    if found.isoformat() != text:  # there are other ways to write a day, but one name for each is enough
        raise SetupError(f"{text!r} is no day", field="day", hint=f"Write it as 2026-11-17. {hint}")
    if found < FIRST:
        raise SetupError(f"there was no challenge on {found}", field="day", hint=hint)
    if found > now:
        raise SetupError(f"{found} has not come", field="day", hint=hint)
    return found


def by_date(game: str, day: date) -> Day:
    """The challenge of a day where there is no server: it follows from the date alone.

    >>> day = by_date("cour", date(2026, 11, 2))
    >>> day.meta, day.begin().state == day.begin().state
    ({'day': '2026-11-02', 'kind': 'date'}, True)
    """
    plan_of(find_game(game))
    return Day(game, day, "date", hashlib.sha256(_name(game, day)).digest())


def by_secret(game: str, day: date, secret: bytes) -> Day:
    """The challenge of a day at a server with this secret. The key of one day tells nothing of another's."""
    plan_of(find_game(game))
    return Day(game, day, "server", hmac.digest(secret, _name(game, day), "sha256"))


def by_key(game: str, day: date, key: str) -> Day:
    """The challenge of a day at a server that has published its key."""
    try:
        found = bytes.fromhex(key.strip())
    except ValueError:
        found = b""
    if len(found) != KEY:
        raise SetupError("this is no key", field="key", hint=f"A key is {2 * KEY} hexadecimal digits.")
    return Day(game, day, "server", found)


def _name(game: str, day: date) -> bytes:
    return f"preau challenge {game} {day.isoformat()}".encode()


# Playing.


class _DayMatch(Match):
    """A match in which chance follows the day."""

    def __init__(self, day: Day) -> None:
        self._day = day
        self._drawn = 0
        state = day.start()
        super().__init__(state.game, state, Random(0), Record.begin(state))

    def chance(self) -> Action:
        """The next of what the day has in store."""
        self._drawn += 1
        return self.state.draw(self._day.chance(self._drawn - 1))


class DayTable(BotMatch):
    """A try at a challenge with its bots. The person answers first wherever several are asked at once."""

    def __init__(self, match: Match, day: Day) -> None:
        super().__init__(match, {})
        self._day = day

    def waiting_bot(self) -> int | None:
        """The seat of a bot that is to decide now."""
        to_act = self.match.to_act
        return to_act[0] if to_act and self._day.plan.seat not in to_act else None

    def choose(self, seat: int) -> Action:
        """What the bot in this seat does: it begins anew with every decision, so that only the game counts."""
        return decision(self.match, self._day, seat)


def decision(match: Match, day: Day, seat: int) -> Action:
    """What the bot in a seat decides at this moment of a try."""
    bot = make_bot(day.plan.levels[seat])
    try:
        seed = day.bot_seed(len(match.record.entries))
        return BotMatch(match, {seat: bot}, seed).choose(seat)
    finally:
        bot.close()


# Checking.


class Verdict(NamedTuple):
    """What a try at a challenge came to."""

    game: str
    day: date
    kind: Kind
    measure: int
    """The score of the person's seat: more is better."""
    place: int
    late: bool
    """Whether it ended when the day was over. A server has published the key by then."""


def verify(record: Record, key: str | None = None) -> Verdict:
    """What a try came to; raises a `RecordError` that says why the record is none, or not that of its day.

    `key` is the one that the server published, for a try made at a server.
    """
    said = record.challenge
    if said is None:
        raise RecordError("this is no try at a challenge", field="meta", hint="Its record would name the day.")
    day = _day_of(record, *said, key)
    last = record.verify()
    if not last.over:
        raise RecordError("the game is not over", field="actions", hint="Only what was played to the end counts.")
    _check_table(record, day)
    _check_actions(record, day)
    seat = day.plan.seat
    return Verdict(day.game, day.day, day.kind, last.scores()[seat], place_of(last, seat), _is_late(record, day.day))


def _day_of(record: Record, day: str, kind: str, key: str | None) -> Day:
    try:
        when = read_day(day, date.max)
        if kind == "date":
            return by_date(record.game, when)
        if kind != "server":
            raise SetupError(f"there is no challenge of the kind {kind!r}", field="kind")
        plan_of(find_game(record.game))
        if not key:
            hint = f"The server has it at /api/challenges/{record.game}/{when} once the day is over."
            raise SetupError("the key of that day is needed", field="key", hint=hint)
        return by_key(record.game, when, key)
    except SetupError as error:
        raise RecordError(error.message, field=f"challenge: {error.field}", hint=error.hint) from error


def _check_table(record: Record, day: Day) -> None:
    """Refuse another table than the challenge's, and help that it does not have."""
    plan = day.plan
    if record.hints:
        raise RecordError("somebody asked for hints", field="meta", hint="A challenge has none.")
    others = record.meta.get("challenge", {}).get("others")
    if others:
        raise RecordError(f"{others} decisions were made by others than those at the table", field="meta")
    levels = {str(seat): level for seat, level in enumerate(plan.levels) if level}
    if record.meta.get("bots") != levels:
        raise RecordError("these are not the bots of the challenge", field="meta: bots", hint=f"They are {levels}.")
    if record.start is not None or record.seats != plan.seats:
        raise RecordError("this is not how the challenge begins", field="seats", hint=f"It has {plan.seats} seats.")
    options = json.loads(json.dumps(dict(day.start().options)))
    if record.options != options:
        raise RecordError("these are not the options of that day", field="options", hint=f"They are {options}.")


def _check_actions(record: Record, day: Day) -> None:
    """Refuse what chance or a bot would have done otherwise, and answers out of order."""
    match = day.begin()
    known = _compare(record, match.record, 0)
    while not match.over:
        found = record.entries[known]
        if day.plan.seat in match.to_act:
            if found.actor != day.plan.seat:
                raise _not_so(known, found, None, "an answer of the person, who is asked first")
        else:
            wanted = Entry(match.to_act[0], decision(match, day, match.to_act[0]).text)
            if (found.actor, found.text) != (wanted.actor, wanted.text):
                raise _not_so(known, found, wanted, "what the bot does there")
        match.apply(found.actor, found.text)
        known = _compare(record, match.record, known)


def _compare(record: Record, wanted: Record, known: int) -> int:
    """Refuse draws of chance that are not as they should be; returns how many actions are known to be right."""
    for at in range(known, len(wanted.entries)):
        found, right = record.entries[at], wanted.entries[at]
        if (found.actor, found.text) != (right.actor, right.text):
            raise _not_so(at, found, right, "what chance did that day")
    return len(wanted.entries)


def _not_so(at: int, found: Entry, wanted: Entry | None, what: str) -> RecordError:
    return RecordError(
        f"action {at + 1}, {found.text!r} by {found.actor}, is not {what}",
        number=at + 1,
        field="actions",
        hint=f"That would be {wanted.text!r} by {wanted.actor}." if wanted is not None else "",
    )


def place_of(last: State, seat: int) -> int:
    """The place of a seat: 1 more than those before it."""
    place = 1
    for group in last.ranking():
        if seat in group:
            break
        place += len(group)
    return place


def _is_late(record: Record, day: date) -> bool:
    """Whether the last action came when the day was over, as far as the record says when that was."""
    times = [entry.time for entry in record.entries if entry.time is not None]
    return bool(times) and today(times[-1]) > day
