"""What a host refuses besides what a table does (`preau.table.refusals`), and the HTTP status of each refusal."""

from __future__ import annotations

import math

from ..core.errors import ActionError, PreauError
from ..table.refusals import Forbidden, Refusal, TooLate, Unknown


class TooMuch(Refusal):
    """Too many or too large requests."""


class TooLarge(Refusal):
    """A message or body beyond the limit."""


class Busy(Refusal):
    """What is needed cannot be reached just now, or all places are taken; the same request may be sent again."""


TOO_MANY = {
    "requests": "Too many requests",
    "downloads": "Too many downloads",
    "connections": "Too many connections",
    "tables": "Too many new tables",
    "guesses": "Too many wrong codes",
    "messages": "Too many messages",
    "chat": "Too many chat messages",
    "undo": "Too many steps taken back",
    "hints": "Too many hints",
    "replays": "Too many files, replays and puzzles",
    "reviews": "Too many reviews",
    "shared": "Too many shared replays",
    "calls": "Too many notifications",
}
"""The limits that pass with time, by the name that a refusal gives as `what`."""
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
BUSY_SECONDS = 5
"""When to try again what the server is too busy for, unless more is known."""


def too_many(
    what: str, seconds: float, *, of: str = "from this address", key: str = "rate", **params: object
) -> TooMuch:
    """Return the refusal of a request beyond a limit that passes with time.

    >>> str(too_many("tables", 11.2))
    'Too many new tables from this address. Try again in 12 seconds.'
    """
    return TooMuch(
        f"{TOO_MANY[what]} {of}".rstrip(),
        key=key,
        params={"what": what, "seconds": whole_seconds(seconds), **params},
        hint=try_again(seconds),
    )


def busy(message: str, seconds: float = BUSY_SECONDS) -> Busy:
    """Return the refusal of a request that may succeed if it is sent again.

    >>> str(busy("the server is full"))
    'the server is full. Try again in 5 seconds.'
    """
    return Busy(message, key="busy", params={"seconds": whole_seconds(seconds)}, hint=try_again(seconds))


def whole_seconds(seconds: float) -> int:
    """Return a time in whole seconds, at least one, as `Retry-After` has it."""
    return max(1, math.ceil(seconds))


def try_again(seconds: float) -> str:
    """Return the sentence that says when to try again, rounded up.

    >>> try_again(100_000)
    'Try again in 28 hours.'
    """
    whole = whole_seconds(seconds)
    size, unit = next((size, name) for size, name in _UNITS if whole >= 2 * size or size == 1)
    number = math.ceil(whole / size)
    return f"Try again in {number} {unit}{'s' if number > 1 else ''}."


def retry_after(error: PreauError) -> int | None:
    """Return the seconds after which the same request may succeed, where they are known."""
    seconds = error.params.get("seconds")
    return seconds if isinstance(error, (TooMuch, Busy)) and isinstance(seconds, int) else None


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
