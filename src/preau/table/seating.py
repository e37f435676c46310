"""Who may do what about seats. Each function makes the next table out of one, or refuses and says why.

`holder` is whoever asks, known by a token; `levels` are the bots there are. Nobody decides for somebody else at once:
a bot sits in for another only after a time, and a hand is shown to somebody new only if all people agree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from ..core.errors import SetupError
from ..core.registry import find_game
from ..core.state import Result
from . import protocol
from .fork import Start
from .refusals import Forbidden, TooLate, Unknown
from .series import carried
from .table import UNIT_MS, Json, Seat, Table, TablePolicy
from .text_cleaning import clean

MOST_DAYS = 30
MOST_LETTERS = 16_000
"""Length of the options of a table as JSON: four times the largest board or deck that ships. They are kept with the
table and sent to everybody who looks at it.
"""


# Who is asking.


def must_sit(holder: str | None) -> str:
    """Refuse spectators."""
    if holder is None:
        raise Forbidden("only people at the table may do this", key="seat_needed", hint="Take a seat first.")
    return holder


def must_host(table: Table, holder: str | None) -> str:
    """Refuse all but the host."""
    holder = must_sit(holder)
    if not table.is_host(holder):
        raise Forbidden("only the host may do this", key="host_only")
    return holder


# Making and filling.


def new_table(
    wish: protocol.NewTable,
    levels: Collection[str],
    *,
    id: str,
    code: str,
    host: str,
    now: int,
    maker: str = "",
    checked: bool = False,
    challenge: str = "",
    start: Start | None = None,
) -> Table:
    """A table as somebody wishes it; that person is its host and holds the seats that are to be `me`. `checked` says
    that the game can begin so: data of one's own may take long to look at. `challenge` is the day whose challenge is
    played there, `start` the position that is played on from.
    """
    game = find_game(wish.game)
    options = dict(start.options if start is not None else wish.options)
    if len(json.dumps(options)) > MOST_LETTERS:
        raise SetupError(f"they are longer than {MOST_LETTERS} letters", field="options", key="size")
    if start is not None:
        checked = True  # it is a position of the game
    elif any(option.name == "first" for option in game.options):
        options.setdefault("first", "random")  # the seats are not alike: a live table draws who begins
    if not checked:
        game.start(len(wish.seats), options)  # refuses wrong seats and options, in the game's own words
    for seat in wish.seats:
        if seat.kind == "bot":
            check_level(seat.level, levels)
    if wish.start and any(seat.kind == "open" for seat in wish.seats):
        raise SetupError("a seat is still open", field="start", hint="Give it to a bot, or start later.")
    if wish.timer.kind == "days" and wish.timer.amount > MOST_DAYS:
        raise SetupError(f"a move may take {MOST_DAYS} days at most", field="timer.amount")
    return Table(
        id=id,
        code=code,
        game=game.id,
        rules=game.rules_version,
        wish=options,
        options=options,
        visibility=wish.visibility,
        timer=wish.timer.kind,
        timer_ms=UNIT_MS[wish.timer.kind] * wish.timer.amount,
        status="waiting",
        host=host,
        created=now,
        maker=maker,
        newcomers=wish.newcomers,
        hints=wish.hints,
        challenge=challenge,
        start=start.position if start is not None else "",
        origin=start.origin if start is not None else None,
        seats=tuple(_new_seat(seat, host) for seat in wish.seats),
    )


def _new_seat(wish: protocol.SeatWish, host: str) -> Seat:
    if wish.kind == "me":
        return Seat("person", name=clean(wish.name, protocol.NAME), holder=host)
    return Seat("bot", level=wish.level) if wish.kind == "bot" else Seat("open")


def check_level(level: str, levels: Collection[str]) -> None:
    """Only bots that ship may be asked for: other names can mean programs to be run."""
    if level not in levels:
        raise SetupError(f"there is no bot {level!r}", field="bot", hint="There are " + ", ".join(levels) + ".")


def join(table: Table, wish: protocol.TakeSeat, holder: str, proof: str = "") -> Table:
    """Take an open seat, the one asked for or the first; in a game under way only one that all people agree about.
    Whoever left comes back to what they left, by a `proof` of who they are, and nobody need agree: they know it.
    """
    if table.status == "over":
        raise TooLate("the game is over", key="over")
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if wish.seat is not None:
        free = [wish.seat] if wish.seat in free else []
    if not free:
        raise TooLate("no such seat is free", field="seat", key="no_seat", hint="Watch, or ask the host.")
    if own := left_by(table, free, proof):
        for number in own:
            table = _with_seat(table, number, Seat("person", name=table.seats[number].name, holder=holder))
        return table
    check_newcomers(table)
    agreed = [number for number in free if not unwilling(table, number)]
    if not agreed:
        raise Forbidden(
            "not all people at the table have agreed that somebody takes this seat",
            field="seat",
            key="not_agreed",
            params={"seats": unwilling(table, free[0])},
            hint="Whoever takes it sees its secrets. Watch, and ask them.",
        )
    return _with_seat(table, agreed[0], Seat("person", name=clean(wish.name, protocol.NAME), holder=holder))


def left_by(table: Table, seats: Collection[int], proof: str) -> list[int]:
    """Those of some seats that whoever has this proof has left, and nobody has taken since."""
    former = [number for number in seats if table.status == "playing" and table.seats[number].kind == "open"]
    return [number for number in former if proof and table.seats[number].former == proof]


def check_newcomers(table: Table) -> None:
    """Refuse somebody new in a game under way, if the table's maker wanted it so."""
    if table.status != "waiting" and not table.newcomers:
        raise Forbidden(
            "at this table nobody new takes a seat that was left",
            field="seat",
            key="no_newcomers",
            hint="Whoever left may come back.",
        )


def unwilling(table: Table, number: int) -> list[int]:
    """The seats of the people who do not agree (yet) that a seat left in a game under way is taken again. A bot that
    sits in for somebody agrees to nothing.
    """
    if table.status == "waiting":
        return []
    agreeing = table.seats[number].agreeing()
    return [seat for seat in table.holders if seat not in agreeing]


def leave(table: Table, holder: str, policy: TablePolicy, proof: str = "") -> Table:
    """Give up one's seats for good; in a game under way a bot plays on until somebody comes, and whoever brings the
    same `proof` may come back. The first of those who are left becomes the host, if the host leaves.
    """
    others = ~_bits(table, holder)  # who comes to these seats later has not agreed to anything yet
    seats = tuple(
        _left(table, seat, policy, proof) if seat.holder == holder else replace(seat, agreed=seat.agreed & others)
        for seat in table.seats
    )
    heir = next((seat.holder for seat in seats if seat.holder), None)
    host = heir if heir is not None and table.host == holder else table.host
    return replace(table, seats=seats, host=host)


def _left(table: Table, seat: Seat, policy: TablePolicy, proof: str) -> Seat:
    """A seat after its person has left: once the game has begun it keeps the name, which stands in the log."""
    if table.status == "waiting":
        return Seat("open")
    return Seat("open", name=seat.name, level=seat.stand_in or policy.stand_in, former=proof)


class Around(NamedTuple):
    """Who is at a table while somebody asks for something."""

    here: Collection[int]
    """The seats whose people are connected."""
    away: Mapping[int, int]
    """The seats that owe a decision while others wait and their people are not connected, for how many milliseconds."""


def set_seat(
    table: Table,
    number: int,
    wish: protocol.SetSeat,
    holder: str,
    around: Around | None,
    policy: TablePolicy,
    levels: Collection[str],
) -> Table:
    """Before the start the host gives a seat to a bot or opens it. Later, people let a bot play for themselves or come
    back, for somebody who has been away for long enough a bot is let in, and all agree about seats that were left.

    Nobody knows who is here if `around` is None.
    """
    if number >= len(table.seats):
        raise Unknown("there is no such seat", field="seat")
    if wish.kind == "bot":
        check_level(wish.level, levels)
    if table.status == "waiting":
        must_host(table, holder)
        if wish.kind == "back":
            raise TooLate("the game has not begun", key="not_begun")
        return _with_seat(table, number, Seat("bot", level=wish.level) if wish.kind == "bot" else Seat("open"))
    mine = table.seats_of(holder)
    must_sit(holder if mine else None)
    if wish.kind == "back":
        if number not in mine:
            raise Forbidden("that is somebody else's seat", field="seat", key="not_yours")
        return stand_in(table, number, None)
    if number in mine and wish.kind == "bot":
        check_challenge(table)
        return stand_in(table, number, wish.level)
    if table.status == "over":
        raise TooLate("the game is over", key="over")
    if table.seats[number].kind == "open":
        check_newcomers(table)
        return _agree(table, number, _bits(table, holder), yes=wish.kind == "open")
    if wish.kind == "open":
        raise TooLate("the game has begun", key="begun", hint="A person leaves by leaving the table.")
    check_away(table, number, holder, around, policy)
    return stand_in(table, number, wish.level)


def check_challenge(table: Table) -> None:
    """Refuse to let a bot play somebody's challenge."""
    if table.challenge:
        raise Forbidden(
            "in a challenge no bot plays for you", field="seat", key="challenge_seat", hint="There is no hurry."
        )


def check_away(table: Table, number: int, holder: str, around: Around | None, policy: TablePolicy) -> None:
    """Refuse to let a bot sit in for somebody else, unless the others have waited for that person for a while, and the
    host wants it (or, if the host is not here either, anybody who is).
    """
    seat = table.seats[number]
    if seat.kind != "person" or seat.stand_in or (around is not None and number in around.here):
        raise Forbidden("somebody plays that seat", field="seat", key="not_yours")
    if table.timer == "days":
        raise Forbidden(
            "with days for a move nobody has to be here", field="seat", key="days", hint="Wait until the days are up."
        )
    if around is None:
        raise TooLate("it is not known who is here just now", field="seat", key="presence", hint="Try again later.")
    if not table.is_host(holder) and any(seat in around.here for seat in table.seats_of(table.host)):
        raise Forbidden("the host is here and decides this", field="seat", key="host_only")
    if not any(seat in around.here for seat in table.seats_of(holder)):
        raise Forbidden("only somebody who is at the table may do this", key="not_here", hint="Open the table first.")
    if number not in around.away:
        raise TooLate("nobody waits for that seat", field="seat", key="not_waiting")
    left = policy.away_ms - around.away[number]
    if left > 0:
        seconds = -(-left // 1_000)
        raise TooLate(
            "that person may still come back",
            field="seat",
            key="not_yet",
            params={"seconds": seconds},
            hint=f"A bot may sit in after {seconds} more seconds.",
        )


def _bits(table: Table, holder: str) -> int:
    """The seats of one holder, a bit for each."""
    return sum(1 << number for number in table.seats_of(holder))


def _agree(table: Table, number: int, bits: int, *, yes: bool) -> Table:
    """Somebody agrees that a left seat is taken again, or does not any more."""
    seat = table.seats[number]
    return _with_seat(table, number, replace(seat, agreed=seat.agreed | bits if yes else seat.agreed & ~bits))


def removed(before: Table, after: Table) -> str | None:
    """Whom the host has sent away, if anybody: whoever has no seat any more. The host stays the host without one."""
    gone = set(before.holders.values()) - set(after.holders.values()) - {after.host}
    return next(iter(gone), None)


def stand_in(table: Table, number: int, level: str | None) -> Table:
    """A bot sits in for somebody who is away, or (None) the person is back."""
    return _with_seat(table, number, replace(table.seats[number], stand_in=level))


def swap(table: Table, wish: protocol.Swap) -> Table:
    """Exchange two seats before the start."""
    if table.status != "waiting":
        raise TooLate("the game has begun", key="begun")
    if max(wish.one, wish.other) >= len(table.seats):
        raise Unknown("there is no such seat", field="seat")
    one, other = table.seats[wish.one], table.seats[wish.other]
    return _with_seat(_with_seat(table, wish.one, other), wish.other, one)


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


# Starting and starting over.


def check_start(table: Table) -> None:
    """Refuse to begin a game that has begun, or with a seat still open."""
    if table.status != "waiting":
        raise TooLate("the game has begun already", key="begun")
    if any(seat.kind == "open" for seat in table.seats):
        raise TooLate("a seat is still open", key="open_seat", hint="Wait, or give it to a bot.")


def start(table: Table, options: Json, now: int) -> Table:
    """The game begins, with these options in force (`live.begin` draws them)."""
    check_start(table)
    return replace(table, status="playing", started=now, options=options)


class Rematch(NamedTuple):
    """The same people, bots and options once more."""

    old: Table
    new: Table
    renamed: dict[str, str]
    """Those who hold seats at the old table, and who they are at the new one."""


def check_rematch(table: Table) -> None:
    """Refuse while the game is under way. A challenge is tried again at a table of its own."""
    if table.status != "over":
        raise TooLate("the game is not over", key="not_over")
    if table.challenge:
        raise Forbidden("a challenge has no rematch", key="challenge_again", hint="Try it once more instead.")


def rematch(
    table: Table,
    result: Result | None,
    *,
    id: str,
    code: str,
    now: int,
    new_holder: Callable[[], str],
    start: str | None = None,
) -> Rematch:
    """A table like this one, waiting to begin, and this one pointing at it. It carries along what was played before,
    this game with its `result` too, unless nobody can tell that any more. What was played on from a position is so
    again, from the same one, or from `start` if that was drawn anew.
    """
    check_rematch(table)
    renamed: dict[str, str] = {}
    seats = []
    for seat in table.seats:
        holder = seat.holder and (renamed.get(seat.holder) or renamed.setdefault(seat.holder, new_holder()))
        again = replace(seat, holder=holder, stand_in=None)
        seats.append(Seat("open") if seat.kind == "open" else again)
    new = replace(
        table,
        id=id,
        code=code,
        rules=find_game(table.game).rules_version,
        options=table.wish,
        status="waiting",
        host=renamed.get(table.host) or next(iter(renamed.values()), table.host),
        created=now,
        started=None,
        over=None,
        rematch=None,
        contest=None,
        hinted=0,
        start=table.start if start is None else start,
        series=carried(table, result, renamed),
        seats=tuple(seats),
    )
    return Rematch(replace(table, rematch=id), new, renamed)
