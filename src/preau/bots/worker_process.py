"""A process that answers questions, one after the other, for whoever started it.

It ends with the one who started it, whatever ended that, and Ctrl-C is not for it. All such processes order sets alike,
so that a bot that goes by such an order plays alike in each of them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

Answer = Callable[[Any], Any]

_starting = threading.Lock()


class WorkerProcess:
    """A process and the line to it. In it `make(*arguments)` is called once; what that returns answers questions."""

    def __init__(self, make: Callable[..., Answer], *arguments: object) -> None:
        context = get_context("spawn")  # not a copy of this process, which may have threads
        self.line, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, make, arguments), daemon=True)
        with _same_hashes_everywhere():
            self._process.start()
        other.close()

    def ask(self, question: Any) -> None:
        """Send a question. If the process is dead already, that is noticed when the answer is read."""
        with suppress(OSError):
            self.line.send(question)

    def answer(self) -> Any:
        """The answer to the first question that has none yet. Raises `EOFError` if the process has died."""
        try:
            return self.line.recv()
        except OSError:
            raise EOFError from None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it lives."""
        return self._process.exitcode

    def kill(self) -> None:
        """End it at once, without waiting until it has ended."""
        self._process.kill()

    def stop(self) -> None:
        """End it, and the line to it; it holds nothing worth waiting for."""
        self._process.terminate()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.line.close()


@contextmanager
def _same_hashes_everywhere() -> Iterator[None]:
    """Start a process with a fixed order of sets."""
    with _starting:
        before = os.environ.get("PYTHONHASHSEED")
        os.environ["PYTHONHASHSEED"] = "0"
        try:
            yield
        finally:
            if before is None:
                del os.environ["PYTHONHASHSEED"]
            else:
                os.environ["PYTHONHASHSEED"] = before


# In the other process.


def _work(line: Connection[Any, Any], make: Callable[..., Answer], arguments: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answer = make(*arguments)
    while True:
        try:
            question = line.recv()
        except (EOFError, OSError):  # nobody asks any more
            return
        reply = answer(question)
        try:
            line.send(reply)
        except OSError:  # nobody wants to know any more
            return


def _end_with_parent() -> None:
    """A parent that was killed cannot say so."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
