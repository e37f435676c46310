"""What a host refuses besides what a table does (`preau.table.refusals`), and the HTTP status of each refusal."""

from __future__ import annotations

from ..core.errors import ActionError, PreauError
from ..table.refusals import Forbidden, Refusal, TooLate, Unknown


class TooMuch(Refusal):
    """Too many or too large requests."""


class TooLarge(Refusal):
    """A message or body beyond the limit."""


class Busy(Refusal):
    """What is needed cannot be reached just now, or all places are taken; the same request may be sent again."""


_STATUS: dict[type[PreauError], int] = {
    Forbidden: 403,
    Unknown: 404,
    TooLate: 409,
    ActionError: 409,
    TooLarge: 413,
    TooMuch: 429,
    Busy: 503,
}


def status_of(error: PreauError) -> int:
    """The HTTP status for a refusal."""
    return next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
