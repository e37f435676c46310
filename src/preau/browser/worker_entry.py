"""What a worker of the page calls: one class for the host, one for the worker that thinks. Arguments and results are
JSON as text, which is the fastest way between the two languages.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from .._build import is_compiled
from ..core.state import State
from ..host.identifiers import LOCAL
from ..host.think_worker import Pace, Thinker
from ..table import protocol
from .commands import Answered, AnyCommand, Call, HangUp, Hear, Lost, Open, Restore, Sweep, Think
from .effects import Effects
from .host import Host
from .router import Reply, call

COMPILED = is_compiled(State)
"""Whether the rules are compiled here."""
PACE: Pace = "brisk" if COMPILED else "light"


class Done(msgspec.Struct, omit_defaults=True):
    """What came of a command: the answer to a request, and the effects that the page carries out.

    If it `needs` tables, nothing was done: the page loads those that are stored and repeats the command, with the names
    of the others in `absent`.
    """

    effects: Effects
    status: int = 0
    body: str = ""
    needs: list[str] = []


class TableNeeded(Exception):
    """A command concerns a table that is not in memory and may be stored."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class HostWorker:
    """The host in a worker; `kept` are the tables that are stored, each with the time of its last change, as JSON."""

    def __init__(self, kept: str = "[]", now: Callable[[], int] = lambda: int(time.time() * 1_000)) -> None:
        self.host = Host(now, msgspec.json.decode(kept, type=list[tuple[str, int]]), on_missing=self._need)
        self._thinker = Thinker(pace=PACE)
        self._absent: frozenset[str] = frozenset()

    def do(self, what: str) -> str:
        """Carry out a command (`commands`), which is JSON; return what came of it (`Done`) as JSON."""
        command: AnyCommand = _commands.decode(what)
        self._absent = frozenset(command.absent)
        try:
            status, body = self._carry_out(command)
        except TableNeeded as error:
            return _encoded(Done(Effects(), needs=[error.table]))
        return _encoded(Done(self.host.effects(), status, body.decode()))

    def _carry_out(self, command: AnyCommand) -> Reply:
        host = self.host
        match command:
            case Call():
                return call(host, command.method, command.address, command.token, command.body)
            case Open():
                host.open(command.line, command.table)
            case Hear():
                host.pause = host.pause if command.pause is None else command.pause
                host.hear(command.line, command.text)
            case HangUp():
                host.hang_up(command.line)
            case Restore():
                host.restore(command.stored)
            case Lost():
                host.lost(command.table)
            case Think():
                host.answered(command.number, self._thinker.answer(command.question))
            case Answered():
                host.answered(command.number, command.answer)
            case Sweep():
                host.sweep()
        return Reply(0, b"")

    def _need(self, table: str) -> None:
        """Stop a command that concerns a table which may be stored. The host looks tables up before it changes any."""
        if table.startswith(LOCAL) and table not in self._absent:
            raise TableNeeded(table)


class ThinkWorker:
    """Answers questions for the host, in a worker of its own."""

    def __init__(self) -> None:
        self._thinker = Thinker(pace=PACE)

    def think(self, question: str) -> str:
        """Return the answer to a question; both are JSON (`preau.host.questions`)."""
        return self._thinker.answer_json(question).decode()


_commands = msgspec.json.Decoder(AnyCommand)


def _encoded(done: Done) -> str:
    return protocol.encode(done).decode()
