"""Records: a game as the list of what everybody did, nature included. Replaying one needs no seed.

A record file is a JSON document with one action a line, so that an error can name the line; many games go into one
JSON Lines file, a game a line. Records written by any version are read by every later one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from .errors import ActionError, PreauError, RecordError, said, short
from .state import Action, Json, Result, State

FORMAT = "preau-record/1"
LONGEST_ACTION = 80
"""Letters of an action, as a server takes them, too."""

_FIELDS = {
    "format",
    "game",
    "rules",
    "seats",
    "options",
    "start",
    "meta",
    "actions",
    "times",
    "check",
    "result",
}


class Entry(NamedTuple):
    """One action of a record: who, what, and when (milliseconds since the epoch) if a server noted it."""

    actor: int
    text: str
    time: int | None = None


class Record:
    """The record of one game, finished or not.

    `save` and `load` keep it in a file, `replay` gives the position after any number of actions, `verify` plays it
    through and refuses it if anything in it cannot have happened.

    >>> import preau
    >>> record = preau.play("recess", bots=["random"] * 3, seed=1).record
    >>> again = Record.loads(record.dumps())
    >>> again.replay(at=0).progress(), again.verify().over
    (0.0, True)
    >>> again.add(0, "pass")
    >>> again.verify()
    Traceback (most recent call last):
    preau.core.errors.RecordError: ...
    """

    def __init__(
        self,
        game: str,
        rules: str,
        seats: int,
        options: Json,
        *,
        start: Json | None = None,
        entries: Sequence[Entry] = (),
        result: Json | None = None,
        meta: Json | None = None,
        check: str | None = None,
        line: int = 0,
        lines: Sequence[int] = (),
    ) -> None:
        self.game = game
        self.rules = rules
        self.seats = seats
        self.options = options
        self.start = start
        self.entries = list(entries)
        self.result = result
        self.meta: Json = meta or {}
        self._check = check
        self._line = line
        self._lines = list(lines)

    @property
    def hints(self) -> int:
        """How often somebody asked for a hint: with any, it was a practice game. Replaying does not need to know."""
        asked = self.meta.get("hints")
        return asked if isinstance(asked, int) and not isinstance(asked, bool) and asked > 0 else 0

    @property
    def challenge(self) -> tuple[str, str] | None:
        """The day of the challenge this is a try of, and where its chance is from (`learn.challenge`); None of any
        other game. Replaying does not need to know.
        """
        said = self.meta.get("challenge")
        if not isinstance(said, dict) or not isinstance(said.get("day"), str):
            return None
        return said["day"], str(said.get("kind"))

    # Writing.

    @classmethod
    def begin(cls, state: State, *, from_position: bool = False) -> Record:
        """An empty record of a game that starts with `state`."""
        return cls(
            state.game.id,
            state.game.rules_version,
            state.seats,
            dict(state.options),
            start=state.to_json() if from_position else None,
        )

    def add(self, actor: int, text: str, time: int | None = None) -> None:
        """Write down the next action."""
        self.entries.append(Entry(actor, text, time))
        self._check = None

    def cut(self, length: int) -> None:
        """Forget all but the first `length` actions, and the result."""
        del self.entries[length:]
        self.result = None
        self._check = None

    def close(self, result: Result) -> None:
        """Write down how it ended."""
        self.result = result.to_json()

    def to_json(self) -> Json:
        """The record as JSON data."""
        data: Json = {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "options": self.options,
        }
        if self.start is not None:
            data["start"] = self.start
        if self.meta:
            data["meta"] = self.meta
        data["actions"] = [[entry.actor, entry.text] for entry in self.entries]
        if any(entry.time is not None for entry in self.entries):
            data["times"] = [entry.time for entry in self.entries]
        data["check"] = _marks(self.entries)
        if self.result is not None:
            data["result"] = self.result
        return data

    def dumps(self) -> str:
        """The record as a JSON document with one action a line."""
        data = self.to_json()
        parts = []
        for name, value in data.items():
            if name == "actions" and value:
                rows = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in value)
                parts.append(f'  "actions": [\n{rows}\n  ]')
            else:
                parts.append(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def dump_line(self) -> str:
        """The record as one line, for a JSON Lines file."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the record to a file; a file that is already there is replaced only once all is written."""
        target = Path(path)
        draft = target.with_name(target.name + ".part")
        draft.write_text(self.dumps(), encoding="utf-8")
        draft.replace(target)

    # Reading.

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """The record in a file that holds one game."""
        records = list(read_records(path))
        if len(records) != 1:
            raise RecordError(f"{Path(path).name} holds {len(records)} games, not one")
        return records[0]

    @classmethod
    def loads(cls, text: str, first_line: int = 1) -> Record:
        """The record in a JSON document, which starts on line `first_line` of its file."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise RecordError(
                f"the record breaks off or is no JSON ({error.msg}, column {error.colno})",
                line=first_line + error.lineno - 1,
                hint="Nothing of it was used.",
            ) from None
        except (ValueError, RecursionError):
            raise RecordError("a number is too long, or lists are nested too deeply", line=first_line) from None
        return cls.from_json(data, line=first_line, lines=_action_lines(text, first_line))

    @classmethod
    def from_json(cls, data: Any, *, line: int = 0, lines: Sequence[int] = ()) -> Record:
        """A record from JSON data; its form is checked here, its truth by `verify`."""

        def refuse(message: str, field: str, hint: str = "", key: str = "record_form") -> RecordError:
            return RecordError(message, line=line, field=field, hint=hint, key=key, params={"field": short(field)})

        if not isinstance(data, dict):
            raise refuse("a record is a JSON object", "record", key="record_format")
        if data.get("format") != FORMAT:
            known = f"This version reads {FORMAT}."
            raise refuse(f"unknown format {said(data.get('format'))}", "format", known, "record_format")
        for field in data:
            if field not in _FIELDS:
                raise refuse("a record has no such field", str(field), "It has " + ", ".join(sorted(_FIELDS)) + ".")
        kinds: list[tuple[str, type]] = [("game", str), ("rules", str), ("seats", int), ("options", dict)]
        for field, kind in [*kinds, ("actions", list)]:
            if not isinstance(data.get(field), kind) or isinstance(data.get(field), bool):
                raise refuse("missing or of the wrong kind", field, f"It must be a JSON {_NAMES[kind]}.")
        for field, kind in [
            ("start", dict),
            ("meta", dict),
            ("times", list),
            ("check", str),
            ("result", dict),
        ]:
            if field in data and not isinstance(data[field], kind):
                raise refuse("of the wrong kind", field, f"It must be a JSON {_NAMES[kind]}.")
        times = data.get("times") or [None] * len(data["actions"])
        if len(times) != len(data["actions"]):
            raise refuse(f"{len(times)} times for {len(data['actions'])} actions", "times")
        entries = []
        for number, (row, time) in enumerate(zip(data["actions"], times, strict=True), 1):
            if not (
                isinstance(row, list)
                and len(row) == 2
                and isinstance(row[0], int)
                and not isinstance(row[0], bool)
                and isinstance(row[1], str)
                and len(row[1]) <= LONGEST_ACTION
                and (time is None or (isinstance(time, int) and not isinstance(time, bool)))
            ):
                raise RecordError(
                    f"action {number} is not of the form [actor, text]",
                    line=lines[number - 1] if number <= len(lines) else line,
                    number=number,
                    field="actions",
                    hint=f"Its text has at most {LONGEST_ACTION} letters.",
                    key="record_form",
                    params={"field": "actions"},
                )
            entries.append(Entry(row[0], row[1], time))
        return cls(
            data["game"],
            data["rules"],
            data["seats"],
            data["options"],
            start=data.get("start"),
            entries=entries,
            result=data.get("result"),
            meta=data.get("meta"),
            check=data.get("check"),
            line=line,
            lines=lines,
        )

    # Replaying.

    def start_state(self) -> State:
        """The position the record starts from."""
        game = _game(self.game, self._line)
        if self.rules != game.rules_version and self.rules not in getattr(game, "reads_rules", ()):
            raise RecordError(
                f"rules version {said(self.rules)} of {self.game} is not known",
                line=self._line,
                field="rules",
                hint=f"This program plays version {game.rules_version}.",
                key="record_rules",
                params={"rules": short(self.rules), "known": game.rules_version},
            )
        try:
            if self.start is not None:
                state: State = game.load(self.start)
            else:
                state = game.start(self.seats, self.options)
        except PreauError as error:
            raise RecordError(
                error.message,
                line=self._line,
                rule=error.rule,
                field=error.field or "options",
                hint=error.hint,
                key="record_start",
            ) from error
        if self.start is None and dict(state.options) != {**dict(state.options), **self.options}:
            raise RecordError(
                "an option is still to be drawn",
                line=self._line,
                field="options",
                hint="A record names its values.",
                key="record_start",
            )
        if state.seats != self.seats:
            raise RecordError(f"the start has {state.seats} seats", line=self._line, field="seats", key="record_start")
        return state

    def replay(self, at: int | None = None) -> State:
        """The position after the first `at` actions (all of them by default)."""
        length = len(self.entries) if at is None else at
        if not 0 <= length <= len(self.entries):
            raise RecordError(
                f"there is no action {length}",
                field="at",
                hint=f"The record has {len(self.entries)} actions.",
            )
        state = self.start_state()
        for number, entry in enumerate(self.entries[:length], 1):
            state.advance(entry.actor, self._legal(state, number, entry))
        return state

    def verify(self) -> State:
        """Play the record through; returns the last position, or raises a `RecordError` naming the line."""
        if self._check is not None:
            self._verify_marks(self._check)
        state = self.replay()
        if self.result is not None:
            if not state.over:
                raise RecordError(
                    f"it names a result, but the game is not over after its {len(self.entries)} actions",
                    line=self._line_of(len(self.entries)),
                    number=len(self.entries),
                    legal=_legal_texts(state),
                    field="result",
                    hint=f"Actions are missing at the end. {_shown(_legal_texts(state))}",
                    key="record_cut",
                    params={"n": len(self.entries)},
                )
            found = json.loads(json.dumps(state.result().to_json()))
            if found != self.result:
                raise RecordError(
                    "the result is not the one these actions lead to",
                    line=self._line,
                    field="result",
                    hint=f"They lead to {json.dumps(found)}.",
                    key="record_result",
                )
        elif state.over:
            raise RecordError(
                "the game is over but the result is missing", line=self._line, field="result", key="record_no_result"
            )
        return state

    def _verify_marks(self, check: str) -> None:
        marks = _marks(self.entries)
        for number in range(1, len(self.entries) + 1):
            at = 4 * (number - 1)
            if check[at : at + 4] != marks[at : at + 4]:
                raise RecordError(
                    f"action {number}, {said(self.entries[number - 1].text)}, is not the one that was written here",
                    line=self._line_of(number),
                    number=number,
                    field="check",
                    hint="The record was altered after it was saved.",
                    key="record_altered",
                    params={"n": number},
                )
        if len(check) != len(marks):
            raise RecordError(
                f"{len(check) // 4} actions were written, {len(self.entries)} are left",
                line=self._line_of(len(self.entries)),
                field="check",
                key="record_cut",
                params={"n": len(self.entries)},
            )

    def _legal(self, state: State, number: int, entry: Entry) -> Action:
        try:
            return state.check(entry.actor, entry.text)
        except ActionError as error:
            legal = [action.text for action in state.legal(entry.actor)] or _legal_texts(state)
            raise RecordError(
                f"action {number}, {said(entry.text)} by {entry.actor}: {error.message}",
                line=self._line_of(number),
                number=number,
                legal=legal,
                rule=error.rule,
                field="actions",
                hint=_shown(legal),
                key="record_action",
                params={"n": number},
            ) from error

    def _line_of(self, number: int) -> int:
        if 1 <= number <= len(self._lines):
            return self._lines[number - 1]
        return self._line


_MOST_SHOWN = 12
"""How many legal actions an error spells out."""
_NAMES = {str: "string", int: "whole number", dict: "object", list: "list"}


def read_records(path: str | Path) -> Iterator[Record]:
    """The records in a file, one after another: a JSON document, or JSON Lines with a game a line."""
    name = Path(path)
    try:
        text = name.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RecordError(f"{name} cannot be read: {reason}", field="file") from None
    if name.suffix == ".jsonl":
        for number, row in enumerate(text.split("\n"), 1):
            if row.strip():
                yield Record.loads(row, number)
    else:
        yield Record.loads(text)


def _legal_texts(state: State) -> list[str]:
    """What all those may do who owe a decision."""
    return [action.text for actor in state.to_act for action in state.legal(actor)]


def _shown(legal: Sequence[str]) -> str:
    """What was legal, in words, as far as it is not too long."""
    if not legal:
        return "The game was over."
    more = f" and {len(legal) - _MOST_SHOWN} more" if len(legal) > _MOST_SHOWN else ""
    return f"Legal there: {', '.join(legal[:_MOST_SHOWN])}{more}."


def _marks(entries: Sequence[Entry]) -> str:
    """Four hex digits an action, each depending on all before it: they tell where a record was altered."""
    chain = 0
    marks = []
    for entry in entries:
        chain = crc32(f"{entry.actor} {entry.text}\n".encode(), chain)
        marks.append(f"{chain & 0xFFFF:04x}")
    return "".join(marks)


def _action_lines(text: str, first_line: int) -> list[int]:
    """The line each action stands on, if the document has one action a line."""
    rows = text.split("\n")
    lines: list[int] = []
    inside = False
    for number, row in enumerate(rows, first_line):
        stripped = row.strip()
        if inside:
            if not stripped.startswith("["):
                break
            lines.append(number)
        elif stripped.startswith('"actions": [') and not stripped.rstrip(",").endswith("]"):
            inside = True
    return lines


def _game(name: str, line: int) -> Any:
    from .registry import find_game

    try:
        return find_game(name)
    except PreauError as error:
        raise RecordError(
            error.message,
            line=line,
            field="game",
            hint=error.hint,
            key="record_game",
            params={"game": short(name)},
        ) from None
