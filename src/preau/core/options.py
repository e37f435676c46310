"""Options of a game: what may be set, what it means, and what happens to a wrong value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Generic, Literal, TypeVar

from .errors import LONGEST, DataError, SetupError, said, short

OptionType = Literal["switch", "choice", "number", "seat", "data", "text"]
T = TypeVar("T")

MOST_SETUPS = 256
"""How many tables are kept before all are forgotten."""


class Option:
    """One house rule or setting: its name, default, allowed values, and a sentence in each language.

    `choices` lists the values allowed; `low` and `high` bound a whole number instead; `check` reads any other
    kind of value and returns it in its stored form or raises a `SetupError`. A value of `random` among the
    choices is replaced by `draw` when a game is created, so that records need no seed.

    `type` says what kind of value it takes: `switch`, `choice`, `number`, or, where `check` reads it, `kind`: `text`,
    `seat` or `data` (the name of a set that ships, or the contents of a file). `named` are the values with a name of
    their own among those that `check` takes.
    """

    def __init__(
        self,
        name: str,
        default: Any,
        *,
        en: str,
        fr: str,
        rule: str = "",
        choices: Sequence[Any] = (),
        low: int | None = None,
        high: int | None = None,
        check: Callable[[Any], Any] | None = None,
        form: str = "",
        kind: OptionType = "text",
        named: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.default = default
        self.en = en
        self.fr = fr
        self.rule = rule
        self.choices = tuple(choices)
        self.named = tuple(named)
        self.low = low
        self.high = high
        self._check = check
        self._form = form
        self.type: OptionType = kind
        if check is None:
            switch = all(isinstance(choice, bool) for choice in choices)
            self.type = "number" if not choices else "switch" if switch else "choice"

    @property
    def allowed(self) -> str:
        """The values it takes, in words.

        >>> Option("turns", 30, en="", fr="", low=1, high=99).allowed
        'a whole number from 1 to 99'
        """
        if self._form:
            return self._form
        if self.choices:
            return "one of " + ", ".join(_shown(choice) for choice in self.choices)
        if self.high is None:
            return f"a whole number from {self.low}"
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: Any) -> Any:
        """The value in its stored form; text is understood where it can only mean one thing.

        >>> Option("shove", 8, en="", fr="", choices=(8, 4)).read("4")
        4
        """
        if self._check is not None:
            return self._check(value)
        if self.choices:
            for choice in self.choices:
                if type(value) is type(choice) and value == choice:
                    return choice
            if isinstance(value, str):
                for choice in self.choices:
                    if value.strip().lower() in _spellings(choice):
                        return choice
            raise self.refuse(value)
        number = whole_number(value)
        if isinstance(number, bool) or not isinstance(number, int):
            raise self.refuse(value)
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise self.refuse(value)
        return number

    def refuse(self, value: Any, why: str = "") -> SetupError:
        """The error for a value this option does not take."""
        return SetupError(
            why or f"{_shown(value)} is not a value of this option",
            field=f"option {self.name}",
            rule=self.rule,
            hint=f"It takes {self.allowed}; the default is {_shown(self.default)}.",
        )

    def to_json(self) -> dict[str, Any]:
        """The option as data, for a page that offers it."""
        return {
            "name": self.name,
            "type": self.type,
            "default": self.default,
            "rule": self.rule,
            "choices": list(self.choices),
            "named": list(self.named),
            "low": self.low,
            "high": self.high,
            "allowed": self.allowed,
            "en": self.en,
            "fr": self.fr,
        }


def read_options(options: Sequence[Option], given: Mapping[str, Any] | None, game: str) -> dict[str, Any]:
    """All options with the given values read and the defaults filled in; unknown names are refused."""
    known = {option.name: option for option in options}
    for name in given or {}:
        if name not in known:
            raise SetupError(
                f"{game} has no option {said(name)}",
                field="options",
                hint="It has " + (", ".join(known) or "none") + ".",
            )
    values = dict(given or {})
    return {option.name: option.read(values.get(option.name, option.default)) for option in options}


class Setups(Generic[T]):
    """What was built for tables, by their seats and the values of all options: to read these takes time, and searches
    read them for every view.

    Only what leaves nothing to be filled in, understood or drawn is found, so that it is what reading would lead to.
    """

    def __init__(self, options: Sequence[Option]) -> None:
        self._names = tuple(option.name for option in options)
        self._built: dict[tuple[object, ...], T] = {}

    def find(self, seats: object, values: Mapping[str, Any] | None) -> T | None:
        """What was built for this table, if anything was."""
        if values is None or len(values) != len(self._names):
            return None
        try:
            return self._built.get(self._key(seats, values))
        except (KeyError, TypeError):  # another option, or a value such as the contents of a file
            return None

    def keep(self, seats: int, values: Mapping[str, Any], built: T) -> T:
        """Keep what was built for these seats and the values that were read; it is given back."""
        if len(self._built) >= MOST_SETUPS:
            self._built.clear()
        with suppress(TypeError):
            self._built[self._key(seats, values)] = built
        return built

    def _key(self, seats: object, values: Mapping[str, Any]) -> tuple[object, ...]:
        key = [type(seats), seats]
        for name in self._names:
            value = values[name]
            key += (type(value), value)  # 1 and True are one key, but not one value
        return tuple(key)


def read_seats(seats: object, allowed: Sequence[int], game: str, rule: str) -> int:
    """The number of seats, or a `SetupError`."""
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in allowed:
        raise SetupError(
            f"{game} cannot be played with {_shown(seats)} seats",
            field="seats",
            rule=rule,
            hint=f"It takes {min(allowed)} to {max(allowed)}.",
        )
    return seats


def first_seat(rule: str) -> Option:
    """The option every game has: which seat begins."""

    def read(value: Any) -> Any:
        value = whole_number(value)
        if value == "random" or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value
        raise option.refuse(value)

    option = Option(
        "first",
        0,
        en="The seat that begins, from 0, or random.",
        fr="Le siège qui commence, à partir de 0, ou random pour un tirage.",
        rule=rule,
        check=read,
        form="a seat number from 0, or random",
        kind="seat",
    )
    return option


def data_option(
    name: str, sets: Sequence[str], read: Callable[[Any], object], *, en: str, fr: str, rule: str, what: str, file: str
) -> Option:
    """An option that takes the name of a set that ships, or the contents of a file, which `read` looks at.

    Files are never opened here. `what` and `file` are what a set and a file of one's own are called in refusals.
    """

    def check(value: Any) -> Any:
        if isinstance(value, str):
            if value.strip().lower() in sets:
                return value.strip().lower()
            raise SetupError(
                f"{said(value)} is no {what}",
                field=f"option {name}",
                rule=rule,
                hint=f"It takes {form} (on the command line: @file.json).",
            )
        try:
            read(value)
        except DataError as error:
            raise data_refused(error, name) from None
        except (TypeError, ValueError, RecursionError):
            raise SetupError(f"a {file} holds JSON data", field=f"option {name}", rule=rule) from None
        return value

    form = f"{', '.join(sets)}, or the contents of a {file}"
    return Option(name, sets[0], en=en, fr=fr, rule=rule, check=check, form=form, kind="data", named=sets)


def data_refused(error: DataError, option: str) -> SetupError:
    """What is wrong with a file, as a refusal of the option that was to have its contents."""
    return SetupError(error.message, field=f"option {option}: {error.field}", rule=error.rule, hint=error.hint)


def settle_first(values: dict[str, Any], seats: int, chance: Random | int | None, option: Option) -> None:
    """Draw a seat for `first: random`, from a generator or a seed, and refuse a seat that is not at the table."""
    if values["first"] == "random":
        values["first"] = (chance if isinstance(chance, Random) else Random(chance)).randrange(seats)
    elif values["first"] >= seats:
        raise option.refuse(values["first"], f"there is no seat {said(values['first'])} at a table of {seats}")


def whole_number(value: Any) -> Any:
    """The number that a text of plain digits stands for; anything else as it is.

    >>> whole_number(" 12 "), whole_number("²")
    (12, '²')
    """
    if isinstance(value, str) and len(value) <= LONGEST and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", value):
        return int(value)
    return value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return short(value) if isinstance(value, str) and value.strip() else said(value)


def _spellings(choice: Any) -> tuple[str, ...]:
    if choice is True:
        return ("true", "on", "yes", "1")
    if choice is False:
        return ("false", "off", "no", "0")
    return (str(choice).lower(),)
