"""What a table refuses. Refused rules come from `preau.core.errors`."""

from __future__ import annotations

from ..core.errors import PreauError


class Refusal(PreauError):
    """Something that is not done; nothing has changed."""


class Unknown(Refusal):
    """There is no such thing, or none that this caller may know of."""


class Forbidden(Refusal):
    """The caller is not who may do this."""


class TooLate(Refusal):
    """The table is no longer (or not yet) in a state where this can be done."""
