"""What the server refuses, with the HTTP status that says so. Refused rules come from `preau.core.errors`."""

from __future__ import annotations

from ..core.errors import ActionError, PreauError


class Refusal(PreauError):
    """Something the server does not do; nothing has changed."""

    status = 400


class Unknown(Refusal):
    """There is no such thing, or none that this caller may know of."""

    status = 404


class Forbidden(Refusal):
    """The caller is not who may do this."""

    status = 403


class TooLate(Refusal):
    """The table is no longer (or not yet) in a state where this can be done."""

    status = 409


class TooMuch(Refusal):
    """Too many or too large requests."""

    status = 429


class TooLarge(Refusal):
    """A message or body beyond the limit."""

    status = 413


class Busy(Refusal):
    """The database cannot be reached just now; the same request may be sent again."""

    status = 503


def status_of(error: PreauError) -> int:
    """The HTTP status for a refusal."""
    if isinstance(error, Refusal):
        return error.status
    return 409 if isinstance(error, ActionError) else 400
