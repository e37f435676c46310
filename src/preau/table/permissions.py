"""Who acts for which seat, through whose eyes somebody looks, and whether a question is still being asked."""

from __future__ import annotations

from .live_game import LiveGame
from .refusals import Forbidden, TooLate
from .table import Table


def must_own(table: Table, holder: str | None, seat: int | None, viewpoint: int | None) -> int:
    """The seat somebody means: one of their own, by default the one they look from."""
    wanted = viewpoint if seat is None else seat
    if holder and wanted is not None and 0 <= wanted < len(table.seats) and table.seats[wanted].holder == holder:
        return wanted  # nearly always
    mine = table.seats_of(holder)
    if wanted is None and len(mine) == 1:
        wanted = mine[0]
    if wanted is None or wanted not in mine:
        raise Forbidden("that is not your seat", field="seat", key="not_yours", params={"seats": mine})
    return wanted


def first_viewpoint(table: Table, holder: str | None, seat: int | None) -> int | None:
    """Through whose eyes somebody looks who comes in: the seat asked for or the first, of one's own; else nobody's."""
    mine = table.seats_of(holder)
    return seat if seat in mine else (mine[0] if mine else None)


def same_viewpoint(table: Table, holder: str | None, viewpoint: int | None) -> int | None:
    """Through whose eyes somebody looks who is here already: the same as before, unless seats have changed."""
    return None if viewpoint is None and _shares(table, holder) else first_viewpoint(table, holder, viewpoint)


def other_viewpoint(table: Table, holder: str | None, seat: int | None) -> int | None:
    """Through whose eyes somebody looks who asks for another seat.

    None is what everybody may see: for those without a seat, and while a device goes from hand to hand.
    """
    if seat is not None:
        return must_own(table, holder, seat, None)
    if table.seats_of(holder) and not _shares(table, holder):
        raise Forbidden("whoever plays looks from a seat", field="seat", key="not_yours")
    return None


def _shares(table: Table, holder: str | None) -> bool:
    """Whether several people share the device of a holder."""
    return len(table.seats_of(holder)) > 1


def check_question(live: LiveGame, seat: int, at: int | None) -> None:
    """Refuse an answer to a question that is no longer asked; `at` is the last number its sender has seen."""
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
