"""Solving a puzzle: the solver's decisions so far in; how it stands, a hint from here, the solution with reasons out.

All of it is worked out on a position that agrees with what the seat sees, never on the true one: two positions that
look the same give the same answers. What a goal asks for is reached by the seat's own actions, and a choice is judged
by what it is worth; so nobody else acts here, and the walk ends with what the last action brought about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..core.state import Action, Json, State
from ..review.reasons import Told, against_it, for_it, told
from .grading import Attempt, Figures, attempt_at
from .practice import Verdict, Walk, Walked
from .puzzles import Puzzle
from .puzzles import Verdict as Judged

Wish = Literal["", "hint", "solution"]
"""What is wanted besides how it stands."""

_VERDICTS: dict[Judged, Verdict] = {"open": "going", "reached": "done", "lost": "astray"}


class Idea(NamedTuple):
    """An action, what it is called (None where nobody has words for it), and reasons: keys of the game's texts with
    their parameters. `but` says that the last of them speaks against it.
    """

    action: str
    do: Json | None
    reasons: list[Json]
    but: bool
    weight: float = 0.0
    """How much its best reason weighs."""


class Solving(NamedTuple):
    """How a puzzle stands. `line` is what was wanted: the next action for a hint, the rest of a solution, which goes on
    after the first `since` actions; and of whatever has solved it, all of it. `against` is the action that was not
    right, with what speaks against it. `right` says how many of the actions that are legal now lead to a solution, if a
    hint was wanted. `figures` are there once it has ended, or the solution is shown.
    """

    walked: Walked
    line: list[Idea]
    since: int
    against: Idea | None
    right: int
    figures: Figures | None


def solve(puzzle: Puzzle, actions: Sequence[str], wish: Wish = "") -> Solving:
    """Carry out the solver's actions. An action that is not legal, or that comes after the puzzle has ended, raises an
    `ActionError` that says why.

    >>> from preau.learn.puzzles import puzzles
    >>> puzzle = puzzles("recess")[0]
    >>> solve(puzzle, puzzle.line).walked.verdict
    'done'
    """
    walk = _walk(puzzle, actions)
    attempt, taken, walked = walk.attempt, list(walk.taken), walk.walked()
    figures = attempt.figures() if walk.verdict != "going" or wish == "solution" else None
    against = walk.against() if walk.verdict == "astray" else None
    line: list[Idea] = []
    since = right = 0
    if walk.verdict == "done":
        line = walk.ideas()
    elif wish == "solution":
        since = len(taken) - (walk.verdict == "astray")
        on = _walk(puzzle, taken[:since]) if walk.verdict == "astray" else walk
        line = on.to_the_end()[since:]
    elif wish == "hint" and walk.verdict == "going":
        since = len(taken)
        right = len(attempt.right(walk.state))
        line = walk.to_the_end()[since : since + 1]
    return Solving(walked, line, since, against, right, figures)


def _walk(puzzle: Puzzle, actions: Sequence[str]) -> _Walk:
    walk = _Walk(attempt_at(puzzle))
    for action in actions:
        walk.take(action)
    return walk


class _Walk(Walk):
    """An attempt under way."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt.start.copy(), attempt.seat)
        self.attempt = attempt

    def carry_out(self, action: Action) -> None:
        """What the solver does, and what comes of it at once."""
        events = self.state.apply(self.seat, action)
        self.attempt.take(action, self.state)
        self.verdict = _VERDICTS[self.attempt.verdict]
        self.see(self.seat, events)

    def to_the_end(self) -> list[Idea]:
        """Go on to a solution; what is worth saying about all of it."""
        while self.verdict == "going":
            self.take(self.attempt.right(self.state)[0].text)
        return self.ideas()

    def ideas(self) -> list[Idea]:
        """What is worth saying about each action from the beginning on."""
        found = []
        state = self.attempt.start.copy()
        for at, text in enumerate(self.taken):
            about = self._told(state, self.taken[at:])
            weight = max((reason.weight for reason in about.reasons), default=0.0)
            found.append(Idea(text, about.do, *for_it(about.reasons), weight))
            state.advance(self.seat, state.action(text))
        return found

    def against(self) -> Idea:
        """What is worth saying about the last action, which was not right: only what speaks against it."""
        state = self.attempt.start.copy()
        for text in self.taken[:-1]:
            state.advance(self.seat, state.action(text))
        about = self._told(state, self.taken[-1:])
        said, but = against_it(about.reasons, ())
        return Idea(self.taken[-1], about.do, said if but else [], but)

    def _told(self, state: State, line: Sequence[str]) -> Told:
        game = state.game
        return told(game, game.sampler(state.view(self.seat)), self.seat, [(self.seat, text) for text in line])
