"""Bots from files, each in a process of its own that is sent JSON and nothing else.

Whatever such a bot does in its process (reading attributes, walking up frames, asking the garbage collector), the true
position is not there to be found. The other end is `file_bot_process.py`.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from ..core.errors import SetupError
from ..core.state import Action, Json
from .base import Bot, BotError, Seen

PATIENCE = 60.0
"""Seconds a bot may take over starting, or over one decision, before it is given up."""
GRACE = 5.0
"""Seconds on top of a budget in seconds."""


class FileBot(Bot):
    """The bot `MyBot` of `path/to/mybot.py:MyBot`, at arm's length."""

    def __init__(self, spec: str, patience: float = PATIENCE) -> None:
        self.spec = spec
        self.patience = patience
        path, _, name = spec.rpartition(":")
        if not Path(path).is_file():
            raise SetupError(
                f"there is no file {path}", field="bot", hint="A bot of your own is path/to/mybot.py:MyBot."
            )
        if not name.isidentifier():
            raise SetupError(
                f"{spec!r} names no class", field="bot", hint="The class stands behind the colon: mybot.py:MyBot."
            )
        self._process = _start(Path(path).resolve(), name)
        self._answers: Queue[str] = Queue()
        Thread(target=_listen, args=(self._process, self._answers), daemon=True).start()
        self._finish = weakref.finalize(self, _stop, self._process)
        self._known = 0
        """How many events the other process has been told."""
        hello = self._hear(patience)
        if "error" in hello:
            self.close()
            raise SetupError(hello["error"], field="bot", hint=hello.get("hint", ""))
        self.wants_view = bool(hello["wants_view"])
        self.wants_events = bool(hello["wants_events"])

    def choose(self, seen: Seen) -> Action:
        """What the bot in the other process answers."""
        question = {"seen": seen.to_json(self._known), "seed": str(seen.rng.getrandbits(128))}
        self._known = len(seen.history)
        wait = seen.budget.seconds + GRACE if seen.budget and seen.budget.seconds else self.patience
        answer = self._ask(question, wait)
        if "error" in answer:
            raise BotError(f"{self.spec}: {answer['error']}", field="bot", hint=answer.get("hint", ""))
        for action in seen.legal:
            if action.text == answer["action"]:
                return action
        raise BotError(
            f"{self.spec} chose {answer['action']!r}, which is not legal here",
            field="bot",
            hint="A bot returns one of seen.legal.",
        )

    def close(self) -> None:
        """End the process."""
        self._finish()

    def _ask(self, question: Json, wait: float) -> Json:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise BotError(f"{self.spec} is gone", field="bot", hint="Its process has ended.") from None
        return self._hear(wait)

    def _hear(self, wait: float) -> Json:
        try:
            line = self._answers.get(timeout=wait)
        except Empty:
            self.close()
            raise BotError(
                f"{self.spec} did not answer within {wait:g} seconds", field="bot", hint="It was stopped."
            ) from None
        if not line:
            self.close()
            raise BotError(f"{self.spec} ended without an answer", field="bot", hint="Its process broke off.")
        answer: Json = json.loads(line)
        return answer


def _start(path: Path, name: str) -> subprocess.Popen[str]:
    """The other process. It inherits no open file and not the command line, which may hold a seed."""
    package = Path(__file__).resolve().parents[2]
    known = {
        word: os.environ[word] for word in ("PATH", "SYSTEMROOT", "LANG", "HOME", "PREAU_PLAIN") if word in os.environ
    }
    known["PYTHONPATH"] = os.pathsep.join([str(package), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-m", "preau.bots.file_bot_process", str(path), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=known,
        text=True,
        encoding="utf-8",
    )


def _listen(process: subprocess.Popen[str], answers: Queue[str]) -> None:
    assert process.stdout is not None
    with contextlib.suppress(ValueError):  # the bot was let go between two lines
        for line in process.stdout:
            answers.put(line)
    answers.put("")


def _stop(process: subprocess.Popen[Any]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
