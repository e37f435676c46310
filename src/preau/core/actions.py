"""The table of a game's actions: each made once, numbered in a fixed order, and found by its text form."""

from __future__ import annotations

from abc import abstractmethod

from .errors import MalformedAction
from .mypyc_shims import mypyc_attr
from .state import Action


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionTable:
    """All actions of a game, or those with one set of its cards. A game's `actions.py` has one, called `Actions`."""

    def __init__(self) -> None:
        self.all: list[Action] = []
        """In their numbering: `all[action.number] is action`."""
        self.by_text: dict[str, Action] = {}

    def add(self, action: Action) -> None:
        """Put the next action into the table; its number is its place."""
        assert action.number == len(self.all), action.text
        self.all.append(action)
        self.by_text[action.text.lower()] = action

    def parse(self, text: str) -> Action:
        """The action with this text form; case and spacing do not matter. Raises `MalformedAction`."""
        plain = " ".join(text.lower().split())
        found = self.by_text.get(plain)
        if found is None:
            raise self.malformed(text, plain.split())
        return found

    @abstractmethod
    def malformed(self, text: str, words: list[str]) -> MalformedAction:
        """The error for a text that is no action; `words` are its words in small letters."""
