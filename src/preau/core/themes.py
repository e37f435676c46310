"""What a game declares about puzzles (`themes.py` of its folder): what a position can ask, and how that is proven.

    THEMES = (Kiss(), Coins(), ...)
    TABLES = (Table(3), Table(4, {"layout": "random"}))

A theme is of one of three kinds. A `Goal` is to be reached within the seat's own turn, and all its ways through the
turn are searched. With a `Count` every position that agrees with what the seat knows is looked at, and the best choice
is best on average over all of them. A `Chance` is about winning the game, which can only be estimated: positions are
drawn, each choice is played out in them, and the best one is best beyond doubt.

What a theme is shown is never the true position but one that agrees with the seat's view, so that it cannot tell what
the seat does not know. Its texts stand in the game's: `puzzle.<name>` is its title, `puzzle.<name>.task` what is asked,
with the parameters of the task; in a parameter called `seat` or `owner` there is a seat. `puzzle.<name>.more` may
explain it. Of a `Count`, `puzzle.<name>.worth` says what a choice is worth: `{worth}`, which is `{minus}` times -1 and
`{percent}` %, each written as the reader writes numbers, and the number `{n}` for plurals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from .state import Action, Json, State

Cases = list[tuple[State, int]]
"""Positions, each as likely as its number says."""


class Unclear(Exception):
    """A position that cannot serve: there is too much to search, or it does not show what a turn has led to."""


class Table(NamedTuple):
    """A table at which bots play the games that puzzles are found in."""

    seats: int
    options: Mapping[str, Any] = {}
    bot: str = "normal"


class Theme(ABC):
    """Something that positions can ask of a seat."""

    name: str

    @abstractmethod
    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """What the position may ask of the seat that is to act: the parameters of each task, the hardest first. This is
        asked of every position of many games, so it rules out by a glance what can be ruled out so.
        """


class Goal(Theme):
    """Reach something within the turn, whatever chance and the others do."""

    at_once = False
    """Whether the goal counts as soon as it is met, rather than when the turn is over."""

    @abstractmethod
    def reached(self, start: State, state: State, seat: int, task: Json) -> bool:
        """Whether the goal is met in `state`, which came from `start` by actions of this seat alone."""

    def hopeless(self, start: State, state: State, seat: int, task: Json) -> bool:
        """Whether the goal certainly cannot be met any more in this turn, so that the search need not go on."""
        return False


class Count(Theme):
    """Choose what is best on average over all positions that agree with what the seat knows."""

    least = Fraction(1, 2)
    """How much better than the second best the best choice must be."""

    @abstractmethod
    def cases(self, view: Json) -> Cases | None:
        """All positions that agree with the view, or one for all those that make no difference here; None if there are
        too many.
        """

    def goes_on(self, state: State, seat: int) -> bool:
        """Whether the next decision of the seat belongs to the same choice; nothing hidden is shown before it."""
        return False

    @abstractmethod
    def worth(self, before: State, after: State, seat: int, task: Json, action: Action) -> Fraction:
        """What the choice brings if `before` is the position: `after` came of it by the seat's actions, of which
        `action` was the last; what nature does next counts with its probability.
        """


class Chance(Theme):
    """Choose what wins the game most often."""
