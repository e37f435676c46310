"""Judging what somebody tries at a puzzle, one action after the other, from what the seat knows and nothing else.

Every way that reaches the goal is right, not only the one that is kept with the puzzle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from ..core.game import Game
from ..core.registry import find_game
from ..core.state import Action, Json, State
from ..core.themes import Count, Goal
from .counts import Choice, after, begin, choices, goes_on
from .puzzles import Kind, Puzzle, Verdict
from .turn_search import MOST_POSITIONS, TurnSearch


class Figures(NamedTuple):
    """What the proof of a puzzle says, in numbers: of how `many` ways through the turn, positions or games it speaks.

    Of a turn `good` ways reach the goal. Else it is about what a choice is worth: the `best` one, the `next` best, and
    `yours`, which is None as long as it is the best. Chances count from 0 to 1.
    """

    kind: Kind
    many: int
    good: int = 0
    best: float = 0.0
    next: float = 0.0
    yours: float | None = None


class Attempt(ABC):
    """What somebody tries at a puzzle. `start` is a position that agrees with what the seat sees."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.seat = puzzle.seat
        self.start = known(find_game(puzzle.game), puzzle.state().view(puzzle.seat))
        self.verdict: Verdict = "open"

    @abstractmethod
    def take(self, action: Action, state: State) -> None:
        """Judge an action of the seat, which has led to `state`."""

    @abstractmethod
    def right(self, state: State) -> list[Action]:
        """The actions that lead on to a solution from here, the one to be shown first."""

    @abstractmethod
    def figures(self) -> Figures:
        """What the proof says, and what it says of the last action if that was not right."""


def attempt_at(puzzle: Puzzle) -> Attempt:
    """An attempt in which nothing was done yet."""
    theme = puzzle.about()
    if isinstance(theme, Goal):
        return _Turn(puzzle, theme)
    return _Counted(puzzle, theme) if isinstance(theme, Count) else _Estimated(puzzle)


def judge(puzzle: Puzzle, actions: Sequence[str]) -> Verdict:
    """Whether the actions so far have solved the puzzle, can still lead to a solution, or have lost it. An action that
    is not legal raises an `ActionError`.
    """
    attempt = attempt_at(puzzle)
    state = attempt.start.copy()
    for text in actions:
        if attempt.verdict != "open":
            break
        action = state.check(attempt.seat, text)
        state.advance(attempt.seat, action)
        attempt.take(action, state)
    return attempt.verdict


def known(game: Game, view: Json) -> State:
    """A position that agrees with a view: the true one where nothing is hidden, else one of many."""
    return game.sampler(view).draw(Random(0))


class _Turn(Attempt):
    """A goal to be reached within the turn: every way there is right."""

    def __init__(self, puzzle: Puzzle, theme: Goal) -> None:
        super().__init__(puzzle)
        self._search = TurnSearch(theme, self.start, puzzle.seat, dict(puzzle.task), MOST_POSITIONS)

    def take(self, action: Action, state: State) -> None:
        outlook = self._search.outlook(state)
        self.verdict = "lost" if not outlook.winning else "open" if outlook.length else "reached"

    def right(self, state: State) -> list[Action]:
        found = [(one.length, action) for action, one in self._search.first_actions(state) if one.winning]
        return [action for _, action in sorted(found, key=lambda one: one[0])]

    def figures(self) -> Figures:
        return Figures("turn", self.puzzle.proof["ways"], good=self.puzzle.proof["winning"])


class _Counted(Attempt):
    """A choice that is best on average over all positions that agree with what the seat knows."""

    def __init__(self, puzzle: Puzzle, theme: Count) -> None:
        super().__init__(puzzle)
        self._theme = theme
        self._worlds = begin(theme.cases(self.start.view(puzzle.seat)) or [])
        self._cases = len(self._worlds)
        self._found = self._first = self._choices()
        self._yours: Choice | None = None

    def take(self, action: Action, state: State) -> None:
        self._yours = next(one for one in self._found if one.action.text == action.text)
        if self._yours.worth < _most(self._found):
            self.verdict = "lost"
            return
        self._worlds = after(self._worlds, self.seat, action)
        if goes_on(self._theme, self._worlds, self.seat):
            self._found = self._choices()
        else:
            self.verdict = "reached"

    def right(self, state: State) -> list[Action]:
        return [one.action for one in self._found if one.worth == _most(self._found)]

    def figures(self) -> Figures:
        yours = self._yours if self.verdict == "lost" else None
        found = self._found if yours else self._first
        most = _most(found)
        second = max((one.worth for one in found if one.worth < most), default=most)
        worth = float(yours.worth) if yours else None
        return Figures("count", self._cases, best=float(most), next=float(second), yours=worth)

    def _choices(self) -> list[Choice]:
        return choices(self._theme, self._worlds, self.seat, dict(self.puzzle.task))


def _most(found: Sequence[Choice]) -> Fraction:
    return max(one.worth for one in found)


class _Estimated(Attempt):
    """A single choice, whose chances were estimated when the puzzle was made."""

    _yours = ""

    def take(self, action: Action, state: State) -> None:
        self._yours = action.text
        self.verdict = "reached" if action.text in self.puzzle.best else "lost"

    def right(self, state: State) -> list[Action]:
        return [state.action(text) for text in self.puzzle.best]

    def figures(self) -> Figures:
        proof = self.puzzle.proof
        shares = {text: share for text, (share, *_) in proof["chances"].items()}
        second = max(share for text, share in shares.items() if text not in self.puzzle.best)
        yours = shares[self._yours] if self.verdict == "lost" else None
        return Figures("chance", proof["games"], best=shares[self.puzzle.best[0]], next=second, yours=yours)
