"""Sentences in the reader's language, made from keys and parameters.

Each game keeps `texts/en.json` and `texts/fr.json`: flat maps from a key to a message. A message is plain text with
placeholders, a small part of the ICU message syntax:

- `{cell}` the parameter as it is
- `{seat, seat}` the name of the player in that seat, `{all, seats}` the names of several
- `{child, child}` the text with the key `child.<value>`; any other word in second place works the same way
- `{n, plural, one {# coin} other {# coins}}` by number, `=0 {...}` for an exact one, `#` is the number; of a list, how
  many things are in it
- `{kind, select, boy {he} other {she}}` by value
- `{seat, person, you {you walk} other {{seat, seat} walks}}` by whether it is the reader's own seat

In French, "de" and "que" lose their e before a placeholder that is filled in with a vowel first: "d'Oscar".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .errors import DataError
from .json_file import read_json

LANGUAGES = ("en", "fr")
_SENTENCES = ("event", "prompt", "wait", "why", "rule")
"""First words of keys whose messages are whole sentences and start with a capital."""
_ALONE = ("chapter", "column", "ending", "option", "rule", "tie_break")
"""First words of keys whose messages get no parameters."""
_GIVEN: Mapping[str, Mapping[str, Any]] = {"title": {}, "about": {}, "challenge.about": {}, "seat": {"number": 0}}
"""What other messages get that are said before a game begins."""
_BRACE = re.compile(r"[{}]")
_ELIDED = re.compile(r"\b(d|qu)e $", re.IGNORECASE)
_VOWEL = re.compile(r"[aàâäæeéèêëhiîïoôöœuùûü]|y(?![aeiou])", re.IGNORECASE)


class _Told(NamedTuple):
    """Whom a message is about, and to whom it speaks."""

    names: Sequence[str]
    reader: int | None


class Texts:
    """The messages of one game in one language.

    >>> texts = Texts("en", {"coin": "{seat, seat} takes {n, plural, one {a coin} other {# coins}}"})
    >>> texts.say("coin", {"seat": 0, "n": 2}, names=["Ann"])
    'Ann takes 2 coins'
    >>> texts = Texts("en", {"coin": "{seat, person, you {you take} other {{seat, seat} takes}} a coin"})
    >>> texts.say("coin", {"seat": 0}, names=["Ann"], reader=0)
    'you take a coin'
    """

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self.messages = dict(messages)

    @classmethod
    def read(cls, folder: Path, language: str) -> Texts:
        """Read the messages in `folder/<language>.json`. Raises `DataError`, which names the file."""
        if language not in LANGUAGES:
            raise DataError(f"there are no texts in {language!r}", field="language", hint="Try en or fr.")
        field = f"{folder.name}/{language}.json"
        try:
            messages = read_json(folder / f"{language}.json")
        except OSError as error:
            raise DataError(f"it cannot be read: {error.strerror}", field=field) from None
        except ValueError as error:
            raise DataError(f"it is no JSON: {error}", field=field) from None
        if not isinstance(messages, dict) or not all(isinstance(text, str) for text in messages.values()):
            raise DataError("it is an object with a text for each key", field=field)
        return cls(language, messages)

    def __contains__(self, key: str) -> bool:
        return key in self.messages

    def say(
        self,
        key: str,
        params: Mapping[str, Any] | None = None,
        names: Sequence[str] = (),
        reader: int | None = None,
    ) -> str:
        """The message `key` with its parameters filled in. An unknown key is an error, never an empty line.

        `reader` is the seat that is spoken to as "you".
        """
        if key not in self.messages:
            raise DataError(f"no text {key!r} in {self.language!r}", field="texts")
        said = self._fill(self.messages[key], params or {}, _Told(names, reader), None)
        return said[:1].upper() + said[1:] if key.partition(".")[0] in _SENTENCES else said

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield each message that cannot be read, or not be said with the parameters it gets: its key, and why.

        Only messages whose parameters do not depend on a position are said.

        >>> list(Texts("en", {"about": "On the {line", "rule.R1": "{steps} steps"}).faults())[0]
        ('about', "a brace is never closed in the text 'On the {line'")
        """
        for key, message in self.messages.items():
            first, *rest = key.split(".")
            try:
                _check(message)
                if key in _GIVEN or first in _ALONE or (first == "puzzle" and len(rest) == 1):
                    self.say(key, _GIVEN.get(key))
            except DataError as error:
                yield key, error.message

    def _fill(self, message: str, params: Mapping[str, Any], told: _Told, count: object | None) -> str:
        out = ""
        at = 0
        while at < len(message):
            char = message[at]
            if char == "{":
                end = closing_brace(message, at)
                said = self._placeholder(message[at + 1 : end], params, told)
                if self.language == "fr" and _ELIDED.search(out) and _VOWEL.match(said):
                    out = f"{out[:-2]}'"
                out += said
                at = end + 1
            else:
                out += str(count) if char == "#" and count is not None else char
                at += 1
        return out

    def _placeholder(self, inside: str, params: Mapping[str, Any], told: _Told) -> str:
        name, _, rest = inside.partition(",")
        name = name.strip()
        if name not in params:
            raise DataError(f"the text wants a parameter {name!r} that it was not given", field="texts")
        value = params[name]
        kind, _, branches = rest.strip().partition(",")
        kind = kind.strip()
        if not kind:
            return str(value)
        if kind == "seat":
            return self._seat(value, told.names)
        if kind == "seats":
            return self._list([self._seat(one, told.names) for one in value])
        if kind in ("plural", "select", "person"):
            cases = split_cases(branches)
            if kind == "plural" and isinstance(value, (list, tuple)):
                value = len(value)
            for case in self._cases(kind, value, told.reader):
                if case in cases:
                    return self._fill(cases[case], params, told, value if kind == "plural" else None)
            raise DataError(f"the text has no case for {name} = {value!r}", field="texts")
        if isinstance(value, (list, tuple)):
            return self._list([self.say(f"{kind}.{one}", params, told.names, told.reader) for one in value])
        return self.say(f"{kind}.{value}", params, told.names, told.reader)

    def _list(self, words: Sequence[str]) -> str:
        *before, last = words or [""]
        link = " et " if self.language == "fr" else " and "
        return f"{', '.join(before)}{link}{last}" if before else last

    def _seat(self, seat: int, names: Sequence[str]) -> str:
        if 0 <= seat < len(names):
            return names[seat]
        return self.say("seat", {"number": seat}) if "seat" in self.messages else f"seat {seat}"

    def _cases(self, kind: str, value: Any, reader: int | None) -> tuple[str, ...]:
        if kind == "person":
            return ("you",) if value == reader and reader is not None else ("other",)
        if kind == "select":
            return (str(value), "other")
        one = value in (0, 1) if self.language == "fr" else value == 1
        return (f"={value}", "one", "other") if one else (f"={value}", "other")


def _check(message: str) -> None:
    """Read a message and all its branches without saying it. Raises `DataError`."""
    at = message.find("{")
    while at >= 0:
        end = closing_brace(message, at)
        name, _, rest = message[at + 1 : end].partition(",")
        kind, _, branches = rest.strip().partition(",")
        if not name.strip().replace("_", "0").isalnum():
            raise DataError(f"{name.strip()!r} is no name of a parameter in the text {message!r}", field="texts")
        if kind.strip() in ("plural", "select", "person"):
            cases = split_cases(branches)
            if not cases:
                raise DataError(f"{kind.strip()} has no cases in the text {message!r}", field="texts")
            for case in cases.values():
                _check(case)
        at = message.find("{", end)


def closing_brace(message: str, start: int) -> int:
    """Return where the brace at `start` is closed. Raises `DataError` if it never is."""
    depth = 0
    for brace in _BRACE.finditer(message, start):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    raise DataError(f"a brace is never closed in the text {message!r}", field="texts")


def split_cases(text: str) -> dict[str, str]:
    """Return the texts of the cases of a `plural`, `select` or `person` by their names.

    >>> split_cases("one {a coin} other {# coins}")
    {'one': 'a coin', 'other': '# coins'}
    """
    cases: dict[str, str] = {}
    at = 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            break
        end = closing_brace(text, start)
        cases[text[at:start].strip()] = text[start + 1 : end]
        at = end + 1
    return cases
