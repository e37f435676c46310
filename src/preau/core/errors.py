"""What can go wrong, said so that a person can put it right.

Every refusal in Préau is one of these. Each says what was wrong, where (a rule id or a field), and what would
have been right. Nothing changes when one is raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 60
"""Letters of somebody's text that a refusal repeats."""
HUGE = 10**15


def short(text: str) -> str:
    """A text as a refusal repeats it: a long one is cut."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def said(value: Any) -> str:
    """A value out of JSON data, in the words of a refusal, which stays short whatever it is.

    >>> said("mine"), said(None), said([1, 2]), said(10**40)
    ("'mine'", 'nothing', 'this data', 'a huge number')
    """
    if isinstance(value, str):
        return repr(short(value))
    if isinstance(value, (int, float)):
        return "a huge number" if abs(value) >= HUGE else str(value)
    return "nothing" if value is None else "this data"


class PreauError(ValueError):
    """A refused input: `message`, and where known the `rule` broken, the `field` at fault and a `hint`.

    `key` and `params` let a page or a terminal say the same thing in the reader's language.

    >>> print(PreauError("7 seats are too many", rule="R1", hint="Recess! takes 3 to 5."))
    7 seats are too many [R1]. Recess! takes 3 to 5.
    """

    def __init__(
        self,
        message: str,
        *,
        rule: str = "",
        field: str = "",
        hint: str = "",
        key: str = "",
        params: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message.rstrip(".")
        self.rule = rule
        self.field = field
        self.hint = hint
        self.key = key
        self.params: dict[str, object] = dict(params or {})

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        rule = f" [{self.rule}]" if self.rule else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{where}{self.message}{rule}.{hint}"

    def to_json(self) -> dict[str, object]:
        """The error as plain data, for the wire."""
        return {
            "error": type(self).__name__,
            "message": str(self),
            "rule": self.rule,
            "field": self.field,
            "hint": self.hint,
            "key": self.key,
            "params": self.params,
        }


class UnknownGame(PreauError):
    """No game has this id."""


class SetupError(PreauError):
    """A wrong number of seats, an unknown option or a value an option does not take."""


class DataError(PreauError):
    """A board or card data file that breaks its schema. Nothing of it is loaded."""


class PositionError(PreauError):
    """A JSON position that cannot occur in the game."""


class ViewError(PositionError):
    """A view nobody at the table could have."""


class ActionError(PreauError):
    """An action that cannot be taken."""


class MalformedAction(ActionError):
    """A text that is no action of this game at all."""


class IllegalAction(ActionError):
    """A well-formed action that the rules do not allow here."""


class NotYourTurn(IllegalAction):
    """An action by someone who owes no decision now."""


class RecordError(PreauError):
    """A record that cannot be read, replayed or believed; `line` is the line of the file, from 1."""

    def __init__(
        self,
        message: str,
        *,
        line: int = 0,
        number: int = 0,
        legal: Sequence[str] = (),
        rule: str = "",
        field: str = "",
        hint: str = "",
        key: str = "",
        params: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, rule=rule, field=field, hint=hint, key=key, params=params)
        self.line = line
        self.number = number
        self.legal = tuple(legal)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return where + super().__str__()
