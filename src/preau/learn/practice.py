"""Walking through an exercise or a puzzle: the learner's decisions so far in, how things stand out.

Nothing is kept between two calls. Whoever learns keeps the list of actions; to take one back is to walk with fewer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..core.errors import DataError, NotYourTurn
from ..core.game import Game
from ..core.lessons import Exercise, happens
from ..core.state import NATURE, Action, Event, Json, State

Verdict = Literal["going", "done", "astray"]

PATIENCE = 200
"""Actions of the others in a row, at most: then the learner is never asked again, and the data are wrong."""


class Moment(NamedTuple):
    """How things stood after somebody's action and what chance did after it, as the learner saw them."""

    number: int
    actor: int
    events: list[Json]
    view: Json
    prompt: Json
    to_act: tuple[int, ...]


class Walked(NamedTuple):
    """How an exercise or a puzzle stands: what happened since the learner's last action (since the beginning, if there
    is none), what may be done now, and whether it is done.
    """

    moments: list[Moment]
    legal: tuple[str, ...]
    verdict: Verdict
    said: str
    """What is said of a try that went astray: a text of the exercise; nothing, if it has none for it."""
    show: str
    """The next action on the way; nothing once the learner has gone another."""
    result: Json | None


def walk(game: Game, exercise: Exercise, actions: Sequence[str]) -> Walked:
    """Carry out the learner's actions, and what the others do in between. An action that is not legal, or that comes
    after the exercise has ended, raises an `ActionError` that says why.
    """
    found = _Walk(game, exercise)
    found.go_on()
    for action in actions:
        found.take(action)
    on_the_way = exercise.way[: len(actions)] == tuple(found.taken)
    left = found.verdict == "going" and on_the_way and len(actions) < len(exercise.way)
    return found.walked(found.said, exercise.way[len(actions)] if left else "")


class Walk(ABC):
    """A way through somebody's decisions: how things stand on it, and what was seen since the last of them."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.taken: list[str] = []
        self.verdict: Verdict = "going"
        self.moments: list[Moment] = []
        self._number = 0
        self.see(NATURE, [])

    def take(self, text: str) -> None:
        """An action of the learner, and what comes of it."""
        if self.verdict != "going":
            raise NotYourTurn("The exercise has ended", key="exercise_over", hint="Take a step back, or go on.")
        action = self.state.check(self.seat, text)
        self.taken.append(action.text)
        self.moments = []
        self.carry_out(action)

    @abstractmethod
    def carry_out(self, action: Action) -> None:
        """Do what the learner has chosen, see it and judge it."""

    def see(self, actor: int, events: Sequence[Event]) -> None:
        """Keep how things stand now, as the learner sees them."""
        state, seat = self.state, self.seat
        self._number += 1
        self.moments.append(
            Moment(
                self._number,
                actor,
                [event.seen_by(seat) for event in events],
                state.view(seat),
                state.prompt(seat),
                state.to_act,
            )
        )

    def walked(self, said: str = "", show: str = "") -> Walked:
        """How things stand."""
        state = self.state
        return Walked(
            moments=self.moments,
            legal=tuple(action.text for action in state.legal(self.seat)) if self.verdict == "going" else (),
            verdict=self.verdict,
            said=said,
            show=show,
            result=state.result().to_json() if state.over else None,
        )


class _Walk(Walk):
    """An exercise under way."""

    def __init__(self, game: Game, exercise: Exercise) -> None:
        state = game.load(exercise.position)
        if exercise.seat >= state.seats:
            raise DataError(f"there is no seat {exercise.seat}", field=f"{exercise.name}.seat")
        super().__init__(state, exercise.seat)
        self.exercise = exercise
        self.said = ""
        self._next = dict.fromkeys(exercise.others, 0)
        self._missing = list(exercise.done)

    def carry_out(self, action: Action) -> None:
        """What the learner does, and what the others do then."""
        self._step(self.seat, action)
        self.go_on()
        if self.verdict == "going" and (self.state.over or len(self.taken) >= self.exercise.most):
            self.verdict = "astray"

    def go_on(self) -> None:
        """Let the others act until the learner is asked, or there is nothing left to do."""
        for _ in range(PATIENCE):
            if self.verdict != "going" or self.state.over or self.seat in self.state.to_act:
                return
            actor = self.state.to_act[0]
            self._step(actor, self._choice(actor))
        raise DataError(f"seat {self.seat} is never asked", field=self.exercise.name)

    def _choice(self, actor: int) -> Action:
        """What somebody else does: the next thing in the script if it is legal here, else nothing special."""
        script, at = self.exercise.others.get(actor, ()), self._next.get(actor, 0)
        if at < len(script):
            action = self.state.action(script[at])
            if self.state.allows(actor, action):
                self._next[actor] = at + 1
                return action
        return self.state.legal(NATURE)[0] if actor == NATURE else self.state.zombie(actor)

    def _step(self, actor: int, action: Action) -> None:
        """An action, and what chance does after it."""
        events = self.state.apply(actor, action)
        self._judge(action.text if actor == self.seat else "", events)
        while self.verdict == "going" and self.state.to_act == (NATURE,):
            more = self.state.apply(NATURE, self._choice(NATURE))
            self._judge("", more)
            events += more
        self.see(actor, events)

    def _judge(self, action: str, events: Sequence[Event]) -> None:
        """Whether that was it: what was to be done comes before what is wrong."""
        seen = [event.seen_by(self.seat) for event in events]
        self._missing = [thing for thing in self._missing if not happens(thing, action, seen)]
        if not self._missing:
            self.verdict = "done"
            return
        for wrong in self.exercise.wrong:
            if happens(wrong.when, action, seen):
                self.verdict, self.said = "astray", wrong.said
                return
