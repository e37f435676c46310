"""A match: a game being played, with nature played by a seeded generator and a record kept."""

from __future__ import annotations

from random import Random
from typing import Self

from .game import Game
from .record import Record
from .state import NATURE, Action, Event, Json, Result, State


class Match:
    """A game in play. It plays nature itself, writes the record, and can take actions back.

    The generator lives here, never in the position: copying `match.state` gives away nothing of what is to come.

    >>> import preau
    >>> match = preau.new("recess", seats=3, seed=7)
    >>> [event.key for event in match.apply(0, "b1 a3")]
    ['walk']
    >>> match.undo()
    >>> match
    <match of recess, 0 actions>
    """

    def __init__(self, game: Game, state: State, rng: Random, record: Record) -> None:
        self.game = game
        self.state = state
        self.record = record
        self._rng = rng
        self.opening: list[Event] = self._nature()

    @classmethod
    def new(cls, game: Game, seats: int | None = None, options: Json | None = None, seed: int | None = None) -> Self:
        """A new match. The same seed gives the same deal; without one, every match differs."""
        rng = Random(seed)
        state = game.start(seats, options, seed=rng.getrandbits(62))
        return cls(game, state, rng, Record.begin(state))

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision; never nature."""
        return self.state.to_act

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.over

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What `seat` may do now."""
        return self.state.legal(seat)

    def apply(self, actor: int, action: Action | str) -> list[Event]:
        """Carry out an action, then whatever nature does next; returns all that happened."""
        chosen = self.state.check(actor, action)
        happened = self.state.apply(actor, chosen)
        self.record.add(actor, chosen.text)
        happened += self._nature()
        if self.state.over:
            self.record.close(self.state.result())
        return happened

    def undo(self, actions: int = 1) -> None:
        """Take back the last `actions` decisions of seats, and what nature did after them."""
        record = self.record
        decisions = [number for number, entry in enumerate(record.entries) if entry.actor != NATURE]
        if not decisions or actions < 1:
            return
        record.cut(decisions[max(0, len(decisions) - actions)])
        self.state = record.replay()

    def chance(self) -> Action:
        """What nature does at the chance node at hand; a subclass may draw in another way."""
        return self.state.draw(self._rng)

    def _nature(self) -> list[Event]:
        happened: list[Event] = []
        while self.state.to_act == (NATURE,):
            action = self.chance()
            happened += self.state.apply(NATURE, action)
            self.record.add(NATURE, action.text)
        if self.state.over:
            self.record.close(self.state.result())
        return happened

    def result(self) -> Result:
        """How it ended, or how it stands."""
        return self.state.result()

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from best to worst, ties together."""
        return self.state.ranking()

    def __repr__(self) -> str:
        return f"<match of {self.game.id}, {len(self.record.entries)} actions>"
