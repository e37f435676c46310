"""Changes of a table that this process has taken in and its viewers have not been shown yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...core.state import Event
from ...table.log import Row


class StepTaken(NamedTuple):
    """Another process added a step to the log."""

    rows: Sequence[Row]
    events: Sequence[Event]


class StepsUndone(NamedTuple):
    """Another process took steps back; `rows` is the whole log."""

    rows: Sequence[Row]


class TableReread(NamedTuple):
    """The table was read from the database again."""

    began: bool
    """Whether the game has begun since the last reading."""
    holders: bool
    """Whether seats have changed hands since then."""


class TableDeleted(NamedTuple):
    """Another process deleted the table."""


Change = StepTaken | StepsUndone | TableReread | TableDeleted


def noted(unsent: list[Change], change: Change) -> list[Change]:
    """Add a change to those that wait to be shown, in order. A view shows the newest position, so an undo replaces the
    steps before it, and one message is enough for two readings of a table in a row.

    >>> noted([StepTaken([], []), TableReread(True, False)], TableReread(False, True))[1:]
    [TableReread(began=True, holders=True)]
    """
    last = unsent[-1] if unsent else None
    if isinstance(change, StepsUndone):
        return [*without_steps(unsent), change]
    if isinstance(change, TableReread) and isinstance(last, TableReread):
        return [*unsent[:-1], TableReread(last.began or change.began, last.holders or change.holders)]
    if isinstance(change, TableDeleted) and isinstance(last, TableDeleted):
        return unsent
    return [*unsent, change]


def without_steps(unsent: Sequence[Change]) -> list[Change]:
    """The changes of the table alone: what is left to show to viewers who were sent the whole game."""
    return [change for change in unsent if not isinstance(change, StepTaken | StepsUndone)]
