"""Taking back: freely what told nobody anything, by everybody's consent what did."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from . import wire
from .eyes import tells_nothing
from .live import Live
from .log import Row, effective, steps
from .refusals import TooLate
from .table import Table


def check_undo(live: Live, at: int) -> None:
    """Refuse to take anything back when the game is over or something has happened since `at`."""
    if live.state.over:
        raise TooLate("the game is over", key="over")
    if at != live.head:
        raise something_since(live)


def something_since(live: Live) -> TooLate:
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


def is_free(table: Table, live: Live, rows: Sequence[Row], seat: int) -> bool:
    """Whether a seat may take its last decision back without asking: nothing has happened since, no chance had a part
    in it, and it told nobody anything. The last takes a while to find out.
    """
    if live.free != seat:
        return False
    *earlier, last = steps(effective(rows))
    before = Live.rebuild(table, [row for step in earlier for row in step]).state
    return tells_nothing(before, last[0].actor, last[0].text, Random(len(rows)))


def back(live: Live, seat: int, back_to: int, now: int) -> Row:
    """The row that takes back everything after a number."""
    return Row(live.head + 1, seat, "undo", str(back_to), now)


# Asking. Who agrees is a tuple of seats: the one that asks, then the others in their order.


def agree(agreed: Sequence[int], seat: int, *, first: bool) -> tuple[int, ...]:
    """Who agrees once this seat does too; only with `first` may it be the one that asks."""
    if not agreed:
        if not first:
            raise TooLate("nobody asks for anything", key="nothing")
        return (seat,)
    return (agreed[0], *sorted({*agreed[1:], seat} - {agreed[0]}))


def asking(table: Table, at: int, agreed: Sequence[int]) -> wire.Asking | None:
    """What is asked of the people at a table, if anything: whether to take back what `agreed[0]` did last."""
    if not agreed:
        return None
    return wire.Asking(at=at, by=agreed[0], agreed=list(agreed), needed=table.people())


def is_settled(question: wire.Asking) -> bool:
    """Whether all people at the table agree."""
    return set(question.needed) <= set(question.agreed)
