"""Requests and answers about lessons, puzzles, daily challenges and studies."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .common import ActionText, Answer, Json, Message, Name
from .moments import Moment, Told


class StudyLine(Answer):
    """One figure of a study: what it is, what is said of it for each set of rules and of how these differ, and for a
    share its value with both ends of its interval.
    """

    label: str
    said: list[str]
    gap: str = ""
    shares: list[list[float] | None] = []
    wins: bool = False
    """Whether it is a part of the games that somebody wins, to be held against what would be fair."""
    thing: bool = False
    """Whether it is about something that a seat had, and not about whole games."""


class StudyInfo(Answer):
    """A published study in the reader's language. `rules` names the one or two sets of rules; `fair` is what each seat
    would win if all were alike.
    """

    id: str
    game: str
    title: str
    about: str
    command: str
    games: int
    rules: list[str]
    fair: float
    lines: list[StudyLine]


class Practice(Message):
    """POST /api/practice: an exercise and what the learner has done in it so far. Nothing is kept: to take something
    back is to send less.
    """

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    exercise: Annotated[str, Meta(min_length=1, max_length=40)]
    actions: Annotated[list[ActionText], Meta(max_length=24)] = []


class PuzzleInfo(Answer):
    """A puzzle of a game, without its solution. What it asks is in the game's texts, `puzzle.<theme>.task`, with the
    parameters of the `task` and the `seat`.
    """

    id: str
    theme: str
    difficulty: int
    """1, 2 or 3."""
    seat: int
    task: Json = {}


class Puzzling(Message):
    """POST /api/puzzle: a puzzle and what the solver has done so far, as with `Practice`. With the wish for a `hint` or
    the `solution`, the answer has that, too.
    """

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    id: Annotated[str, Meta(min_length=1, max_length=24)]
    actions: Annotated[list[ActionText], Meta(max_length=24)] = []
    wish: Literal["", "hint", "solution"] = ""


class TryChallenge(Message):
    """POST /api/challenges/{game}/{day}: sit down to try it. Answered by `Seated`."""

    name: Name = ""


class Challenges(Answer):
    """GET /api/challenges: which day it is for challenges, in UTC; the first there was; when the next begins, and what
    time it is now, in milliseconds since the epoch; the games that have one.
    """

    today: str
    first: str
    next: int
    now: int
    games: list[str]


class Challenge(Answer):
    """GET /api/challenges/{game}/{day}. `kind` says what chance follows from: the date and a secret of the `server`, or
    the `date` alone. Once the day is over, `key` is what it all followed from, for whoever wants to check records.
    """

    game: str
    day: str
    today: str
    kind: Literal["server", "date"]
    key: str = ""


class Practised(Answer, kw_only=True):
    """How an exercise or a puzzle stands: the `moments` since the learner's last action, or since the beginning if
    there is none, the first of those being how it began. It is `going`, `done`, or `astray`: then `said` is what is to
    be said of it, a word of the game's texts (`lesson.<exercise>.<said>`), or nothing. `show` is the next action of a
    way to do an exercise, as long as the learner is on that way.
    """

    seat: int
    moments: list[Moment]
    legal: list[str]
    verdict: Literal["going", "done", "astray"]
    said: str
    show: str
    result: Json | None = None
    solution: SolutionInfo | None = None
    """Of a puzzle, once it has ended or if something was wished for."""


class FiguresInfo(Answer, kw_only=True):
    """What the proof of a puzzle says. Of a `turn`: `good` of its `many` ways reach the goal. Of a `count` over `many`
    positions, and of a `chance` estimated in `many` games: what the `best` choice is worth, the `next` best, and
    `yours` if it was another one; chances count from 0 to 1.
    """

    kind: Literal["turn", "count", "chance"]
    many: int
    good: int = 0
    best: float = 0.0
    next: float = 0.0
    yours: float | None = None


class SolutionInfo(Answer, kw_only=True):
    """What there is to say about a puzzle. `line` is what was wished for: the next action for a hint, or the rest of a
    solution, which goes on after the first `since` actions; of whatever has solved it, all of it. `right` is how many
    of the legal actions lead to a solution, with a hint. `against` is the action that was not right, with what speaks
    against it.
    """

    line: list[Told] = []
    point: int = 0
    """The place in the line of what matters most."""
    since: int = 0
    right: int = 0
    against: Told | None = None
    figures: FiguresInfo | None = None
