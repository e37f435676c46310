"""The terminal as a place to talk: lines out, lines in, and a curtain between two people's eyes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from .common import console, print_indented, print_picture

if TYPE_CHECKING:
    from rich.text import Text


class Screen:
    """Prints to the terminal and reads from it; works just as well through pipes."""

    def __init__(self) -> None:
        self.out = console()
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        self._editor: ModuleType | None = None
        if self.live:
            with suppress(ImportError):  # line editing and history for input(), where the system has it
                self._editor = import_module("readline")

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.out.width

    def say(self, text: str = "", style: str = "", *, label: str = "", indent: int = 0) -> None:
        """Print a paragraph, wrapped to the width, set in by `indent` with a label in front."""
        print_indented(self.out, text, indent, label, style)

    def picture(self, text: str) -> None:
        """Print a diagram."""
        print_picture(self.out, text)

    def line(self, text: Text) -> None:
        """Print a line with its colours, already as wide as it may be."""
        self.out.print(text, soft_wrap=True)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """While something takes its time, a line that says so and leaves no trace."""
        if self.live:
            print(text, end="", flush=True)
        try:
            yield
        finally:
            if self.live:
                print("\r\x1b[K", end="", flush=True)

    def ask(self, prompt: str) -> str:
        """Read a line; `EOFError` at the end of the input."""
        if self.live:
            try:
                return input(prompt).strip()
            except EOFError:
                print()
                raise
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        print(line.strip())  # so that a scripted game reads like a played one
        return line.strip()

    def curtain(self, message: str) -> None:
        """Hide all that was shown, wait for the next person, then hide the message too."""
        self._wipe()
        self.ask(message + " ")
        self._wipe()

    def _wipe(self) -> None:
        if self.live:
            if self._editor is not None:
                self._editor.clear_history()  # what somebody typed is theirs too
            print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)  # the scroll-back too
        else:
            print("\n" + "-" * min(40, self.width))
