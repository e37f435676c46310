"""Who may do what about seats. Each function makes the next table out of one, or refuses and says why.

`holder` is whoever asks, known by a token; `levels` are the bots there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from msgspec.structs import replace

from ..core.errors import SetupError
from ..core.registry import find_game
from . import wire
from .chat import clean
from .refusals import Forbidden, TooLate, Unknown
from .table import UNIT_MS, Json, Seat, Table

MOST_DAYS = 30


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


def new_table(wish: wire.NewTable, levels: Collection[str], *, id: str, code: str, host: str, now: int) -> Table:
    """A table as somebody wishes it; that person is its host and holds the seats that are to be `me`."""
    game = find_game(wish.game)
    options = dict(wish.options)
    if any(option.name == "first" for option in game.options):
        options.setdefault("first", "random")  # the seats are not alike: a live table draws who begins
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
        seats=tuple(_new_seat(seat, host) for seat in wish.seats),
    )


def _new_seat(wish: wire.SeatWish, host: str) -> Seat:
    if wish.kind == "me":
        return Seat("person", name=clean(wish.name), holder=host)
    return Seat("bot", level=wish.level) if wish.kind == "bot" else Seat("open")


def check_level(level: str, levels: Collection[str]) -> None:
    """Only bots that ship may be asked for: other names can mean programs to be run."""
    if level not in levels:
        raise SetupError(f"there is no bot {level!r}", field="bot", hint="There are " + ", ".join(levels) + ".")


def join(table: Table, wish: wire.TakeSeat, holder: str) -> Table:
    """Take an open seat, also in a game under way: the one asked for, or the first."""
    if table.status == "over":
        raise TooLate("the game is over", key="over")
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if wish.seat is not None:
        free = [wish.seat] if wish.seat in free else []
    if not free:
        raise TooLate("no such seat is free", field="seat", key="no_seat", hint="Watch, or ask the host.")
    return _with_seat(table, free[0], Seat("person", name=clean(wish.name), holder=holder))


def leave(table: Table, holder: str) -> Table:
    """Give up one's seats for good; in a game under way a bot plays on until somebody comes. The first of those who
    are left becomes the host, if the host leaves.
    """
    seats = tuple(Seat("open", level=seat.level) if seat.holder == holder else seat for seat in table.seats)
    heir = next((seat.holder for seat in seats if seat.holder), None)
    host = heir if heir is not None and table.host == holder else table.host
    return replace(table, seats=seats, host=host)


def set_seat(
    table: Table, number: int, wish: wire.SetSeat, holder: str, here: Collection[int], levels: Collection[str]
) -> Table:
    """Before the start the host gives a seat to a bot or opens it; later, a bot sits in for oneself or for somebody who
    is not `here` (the seats whose people are connected), and people take their own seats back.
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
    if wish.kind == "bot":
        if number not in mine and (number in here or table.seats[number].kind != "person"):
            raise Forbidden("somebody plays that seat", field="seat", key="not_yours")
        return stand_in(table, number, wish.level)
    raise TooLate("the game has begun", key="begun", hint="A person leaves by leaving the table.")


def stand_in(table: Table, number: int, level: str | None) -> Table:
    """A bot sits in for somebody who is away, or (None) the person is back."""
    return _with_seat(table, number, replace(table.seats[number], stand_in=level))


def swap(table: Table, wish: wire.Swap) -> Table:
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
    """Refuse while the game is under way."""
    if table.status != "over":
        raise TooLate("the game is not over", key="not_over")


def rematch(table: Table, *, id: str, code: str, now: int, new_holder: Callable[[], str]) -> Rematch:
    """A table like this one, waiting to begin, and this one pointing at it."""
    check_rematch(table)
    renamed: dict[str, str] = {}
    seats = []
    for seat in table.seats:
        holder = seat.holder and (renamed.get(seat.holder) or renamed.setdefault(seat.holder, new_holder()))
        seats.append(replace(seat, holder=holder, stand_in=None))
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
        seats=tuple(seats),
    )
    return Rematch(replace(table, rematch=id), new, renamed)
