"""Taking back: freely what told nobody anything, by the consent of all whom it concerns what did."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from . import protocol
from .live_game import LiveGame
from .log import Row, effective, steps
from .refusals import Forbidden, TooLate
from .table import Table

TAKEN_BACK = 1_000
"""Rows of a log that no longer count before nothing more is taken back: some hundred steps, and games have hundreds of
rows. What is taken back stays in the log, so somebody could act and undo until the disk is full.
"""


def check_undo(table: Table, live: LiveGame, at: int) -> None:
    """Refuse to take anything back in a challenge, when the game is over or something has happened since `at`."""
    if table.challenge:
        raise Forbidden("in a challenge nothing is taken back", key="challenge_undo", hint="There are three tries.")
    if live.state.over:
        raise TooLate("the game is over", key="over")
    if at != live.head:
        raise something_since(live)


def check_room(rows: Sequence[Row]) -> None:
    """Refuse to take back more when very much was taken back already."""
    if len(rows) - len(effective(rows)) >= TAKEN_BACK:
        raise TooLate("too much was taken back in this game", key="undone_enough", hint="Play on from here.")


def something_since(live: LiveGame) -> TooLate:
    """The refusal for whoever did not see what happened last."""
    return TooLate("something has happened since", key="stale", params={"number": live.head})


def last_decision(rows: Sequence[Row], seat: int) -> int:
    """The number to go back to so that the seat's last decision, and all since, is undone."""
    number = 0
    found: int | None = None
    for step in steps(effective(rows)):
        if step[0].actor == seat:
            found = number
        number = step[-1].number
    if found is None:
        raise TooLate("there is nothing to take back", key="nothing")
    return found


def is_free(live: LiveGame, seat: int) -> bool:
    """Whether a seat may take its last decision back without asking: nothing has happened since, no chance had a part
    in it, and it told nobody anything.
    """
    return live.free == seat


def back(live: LiveGame, seat: int, back_to: int, now: int) -> Row:
    """The row that takes back everything after a number."""
    return Row(live.head + 1, seat, "undo", str(back_to), max(now, live.time))


# Asking. Who agrees is a tuple of seats: the one that asks, then the others in their order.


def agree(agreed: Sequence[int], seat: int, *, first: bool) -> tuple[int, ...]:
    """Who agrees once this seat does too; with `first` it asks, and does not agree to what another asks for."""
    if not agreed:
        if not first:
            raise TooLate("nobody asks for anything", key="nothing")
        return (seat,)
    if first and seat != agreed[0]:
        raise TooLate("somebody else asks to take something back", key="asked", hint="Answer that first.")
    return (agreed[0], *sorted({*agreed[1:], seat} - {agreed[0]}))


def asking(table: Table, rows: Sequence[Row], at: int, agreed: Sequence[int]) -> protocol.Asking | None:
    """What is asked of the people at a table, if anything: whether to take back what `agreed[0]` did last. Who has to
    agree follows from the table and the log (`rows`) as they are now.
    """
    if not agreed:
        return None
    known = [row for row in rows if row.number <= at]
    needed = concerned(table, known, last_decision(known, agreed[0]))
    return protocol.Asking(at=at, by=agreed[0], agreed=list(agreed), needed=needed)


def concerned(table: Table, rows: Sequence[Row], back_to: int) -> list[int]:
    """Whose consent it takes to go back to a number: that of all who play themselves, and of everybody else with a
    seat whose own decisions would be undone. A bot that sits in for somebody consents to nothing.
    """
    own = {row.actor for row in effective(rows) if row.kind == "act" and row.number > back_to}
    return [number for number in table.holders if not table.seats[number].stand_in or number in own]


def check_asking(table: Table, question: protocol.Asking) -> None:
    """Refuse to ask what somebody would have to answer for whom a bot sits in."""
    away = [seat for seat in question.needed if table.seats[seat].stand_in and seat not in question.agreed]
    if away:
        names = ", ".join(table.seats[seat].name or f"seat {seat + 1}" for seat in away)
        raise TooLate(
            f"a bot sits in for {names}, whose own decisions this would take back",
            key="stood_in",
            params={"seats": away},
            hint="Ask again when they are back.",
        )


def is_settled(question: protocol.Asking) -> bool:
    """Whether all whose consent it takes agree."""
    return set(question.needed) <= set(question.agreed)


def without(agreed: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """Who still agrees when the people of these seats have left; nobody asks any more if the one that asked has."""
    return () if agreed and agreed[0] in seats else tuple(seat for seat in agreed if seat not in seats)
