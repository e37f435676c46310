"""Many games of one kind, a decision of each at a time: the loop behind `vector.py`, compiled where that is possible.

Chance in a row is played with its own generator, seeded as that of a match is: the first game of a row is the one that
`preau.new` deals with the same seed, and all that come after follow from it, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from ..core.errors import SetupError
from ..core.mypyc_shims import i64
from ..core.slate import Slate
from ..core.state import NATURE, Action, State

TRIES: Final = 100
"""How many games in a row may end before the learner was asked anything."""

Choose = Callable[[int, State, int], Action]
"""What somebody else does: in a row, in a position, for a seat."""


class End:
    """A game that ended in a row: its last position, and how it ended if not by its rules."""

    def __init__(
        self, row: int, state: State, learner: int, decisions: int, truncated: bool, lost: bool = False
    ) -> None:
        self.row = row
        self.state = state
        self.learner = learner
        """The seat that learned; -1 where all do."""
        self.decisions = decisions
        self.truncated = truncated
        """Whether it was broken off."""
        self.lost = lost
        """Whether an illegal action ended it."""


class Stepper:
    """Rows of games. `looks` gets what the seat that is to act sees, `masks` what it may do, `turns`, in its
    only row, which seat it is.

    Where a row has a learner, all other seats are played by `others` (None: at random), and only the learner is asked.
    """

    def __init__(
        self,
        first: State,
        fresh: Callable[[int], State] | None,
        actions: list[Action],
        looks: Slate,
        masks: Slate,
        turns: Slate,
        limit: int,
    ) -> None:
        self.first = first
        """The position that all games begin with, if `fresh` does not make one for each."""
        self.fresh = fresh
        self.actions = actions
        self.looks = looks
        self.masks = masks
        self.turns = turns
        self.limit = limit
        """After so many decisions a game is broken off; 0: never."""
        rows = looks.rows
        self.rows = rows
        self.states: list[State] = [first] * rows
        self.seats: list[int] = [0] * rows
        self.counts: list[int] = [0] * rows
        self.learners: list[int] = [-1] * rows
        self.rotate = False
        """Whether the learner of a row moves on by a seat from game to game."""
        self.others: Choose | None = None
        self.chances: list[Random] = [Random(0)] * rows
        self.choices: list[Random] = [Random(0)] * rows
        """For seats that are played at random."""
        self.ends: list[End] = []

    def reset(self, row: int, seed: int | None, learner: int) -> None:
        """Begin a row anew. Without a seed its chance goes on as it is."""
        if seed is not None:
            self.chances[row] = Random(seed)
            self.choices[row] = Random(f"{seed} others")
        self.learners[row] = learner
        self._begin(row)

    def legal(self, actions: list[int]) -> bool:
        """Whether all of these are numbers of actions that are legal in their rows, as the masks have it."""
        masks = self.masks
        most: i64 = len(self.actions)
        row: i64
        for row in range(self.rows):
            number: i64 = actions[row]
            if number < 0 or number >= most or masks.read(row, number) == 0:
                return False
        return True

    def step(self, actions: list[int]) -> list[End]:
        """One decision in every row, by the number of an action that is legal there; -1 gives the game up.

        The answer is the games that ended with it. Their rows have begun anew.
        """
        self.ends = []
        table = self.actions
        row: i64
        for row in range(self.rows):
            state = self.states[row]
            number: i64 = actions[row]
            self.counts[row] = self.counts[row] + 1
            if number < 0:
                self.ends.append(End(row, state, self.learners[row], self.counts[row], False, True))
                self._begin(row)
                continue
            state.advance(self.seats[row], table[number])
            if not self._go_on(row, state):
                self._begin(row)
        return self.ends

    def _begin(self, row: int) -> None:
        """A new game in a row. A game in which the learner is asked nothing does not count, and the next one begins."""
        for _ in range(TRIES):
            if self.counts[row] and self.rotate:
                self.learners[row] = (self.learners[row] + 1) % self.first.seats
            self.counts[row] = 0
            number: int = self.chances[row].getrandbits(62)
            fresh = self.fresh
            state = self.first.copy() if fresh is None else fresh(number)
            if self.others is None:
                state.forget()
            self.states[row] = state
            if self._go_on(row, state):
                return
            self.ends.pop()
        raise SetupError(
            f"seat {self.learners[row]} was asked nothing in {TRIES} games",
            field="seat",
            hint="Take another, or a longer game.",
        )

    def _go_on(self, row: int, state: State) -> bool:
        """Let chance and others act until a seat is to be asked, and write down what it sees; False at the end."""
        learner = self.learners[row]
        while True:
            actors = state.to_act
            if not actors:
                self.ends.append(End(row, state, learner, self.counts[row], False))
                return False
            seat = actors[0]
            if seat == NATURE:
                state.advance(seat, state.draw(self.chances[row]))
                continue
            if self.limit and self.counts[row] >= self.limit:
                self.ends.append(End(row, state, learner, self.counts[row], True))
                return False
            if learner < 0 or seat == learner:
                break
            if learner in actors:
                seat = learner
                break
            state.advance(seat, self._other(row, state, seat))
        self.seats[row] = seat
        self.turns.set(row, seat)
        self.looks.turn_to(row)
        state.write(seat, self.looks)
        self.masks.turn_to(row)
        state.mark(seat, self.masks)
        return True

    def _other(self, row: int, state: State, seat: int) -> Action:
        """What somebody else does."""
        others = self.others
        if others is not None:
            return others(row, state, seat)
        legal = state.legal(seat)
        return legal[int(self.choices[row].random() * len(legal))]


# One game, for who drives it from Python: what would take several calls there is one here.


def see(state: State, seat: int, looks: Slate) -> None:
    """Write what a seat sees on the first row."""
    looks.turn_to(0)
    state.write(seat, looks)


def see_and_mark(state: State, seat: int, looks: Slate, masks: Slate) -> None:
    """The same, and what it may do."""
    see(state, seat, looks)
    masks.turn_to(0)
    state.mark(seat, masks)


def take(state: State, actor: int, action: Action, chance: Random, taken: list[tuple[int, Action]]) -> tuple[int, ...]:
    """Carry out an action that is legal, then whatever nature does, and note it all; who is to act next."""
    state.advance(actor, action)
    taken.append((actor, action))
    return play_nature(state, chance, taken)


def play_nature(state: State, chance: Random, taken: list[tuple[int, Action]]) -> tuple[int, ...]:
    """Whatever nature does now; who is to act next."""
    actors = state.to_act
    while actors and actors[0] == NATURE:
        action = state.draw(chance)
        state.advance(NATURE, action)
        taken.append((NATURE, action))
        actors = state.to_act
    return actors
