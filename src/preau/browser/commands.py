"""Commands of the page to the host in its worker (`worker_entry.HostWorker`): tagged messages, sent as JSON.

`web/src/offline/commands.ts` has the same commands as TypeScript; a test compares the two.
"""

from __future__ import annotations

import msgspec

from ..host.questions import Answer, Question
from .effects import StoreEffect


class Command(msgspec.Struct, tag_field="do", kw_only=True):
    """The base of all commands. `absent` names tables that were needed before and are not stored either."""

    absent: list[str] = []


class Call(Command, tag="call"):
    """Answer a request; `address` is what comes after /api, `body` JSON."""

    method: str
    address: str
    token: str | None = None
    body: str = ""


class Open(Command, tag="open"):
    """Open a connection to a table."""

    line: str
    table: str


class Hear(Command, tag="hear"):
    """Take in a message from a connection."""

    line: str
    text: str
    pause: int | None = None
    """How long bots take at least from now on, in milliseconds."""


class HangUp(Command, tag="hang_up"):
    """Close a connection."""

    line: str


class Restore(Command, tag="restore"):
    """Load a table as it is stored."""

    stored: StoreEffect


class Lost(Command, tag="lost"):
    """Forget a table that another window has deleted."""

    table: str


class Think(Command, tag="think"):
    """Answer a question of the host in this worker."""

    number: int
    question: Question


class Answered(Command, tag="answered"):
    """Take in the answer of the worker that thinks to a question of the host."""

    number: int
    answer: Answer


class Sweep(Command, tag="sweep"):
    """Do what is due by the clock."""


AnyCommand = Call | Open | Hear | HangUp | Restore | Lost | Think | Answered | Sweep
