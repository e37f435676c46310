"""What is written down of every decision while a game is played: plain numbers, to be sent between processes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

from ..bots import Bot
from ..core.slate import Slate
from ..core.state import Action, Event, State


@dataclass
class Decisions:
    """The decisions of one game, column by column."""

    options: dict[str, Any]
    """The options in force, with what was drawn by lot."""
    steps: array[int] = field(default_factory=lambda: array("i"))
    seats: array[int] = field(default_factory=lambda: array("B"))
    actions: array[int] = field(default_factory=lambda: array("i"))
    observations: bytearray = field(default_factory=bytearray)
    legal: array[int] = field(default_factory=lambda: array("i"))
    """The numbers of legal actions, those of one decision after those of another."""
    many: array[int] = field(default_factory=lambda: array("i"))
    """How many there were at each decision."""
    thought: array[int] = field(default_factory=lambda: array("B"))
    """At which decisions the bot said what it thought."""
    values: array[float] = field(default_factory=lambda: array("f"))
    """What it thought of every legal action there; and how often it looked at it."""
    visits: array[int] = field(default_factory=lambda: array("i"))


class Clerk:
    """A witness that writes down every decision."""

    def __init__(self, state: State, *, values: bool) -> None:
        self._slate = Slate(1, state.game.layout(state).size)
        self._values = values
        self._found = Decisions(dict(state.options))

    def told(self, events: Sequence[Event]) -> None:
        """What happens can be had from the record."""

    def chosen(self, state: State, step: int, seat: int, bot: Bot, action: Action) -> None:
        """Write a decision down, with what its seat saw and might have done."""
        found = self._found
        found.steps.append(step)
        found.seats.append(seat)
        found.actions.append(action.number)
        self._slate.turn_to(0)
        state.write(seat, self._slate)
        found.observations += self._slate.numbers
        legal = state.legal(seat)
        found.many.append(len(legal))
        found.legal.extend(one.number for one in legal)
        if self._values:
            self._think(legal, bot)

    def _think(self, legal: Sequence[Action], bot: Bot) -> None:
        found = self._found
        opinions = {one.action.number: one for one in bot.opinions}
        found.thought.append(bool(opinions))
        if opinions:
            for action in legal:
                one = opinions.get(action.number)
                found.values.append(nan if one is None else one.value)
                found.visits.append(0 if one is None else one.visits)

    def says(self, state: State) -> Decisions:
        """All of them."""
        return self._found


@dataclass(frozen=True)
class Clerks:
    """Sends a clerk to every game."""

    values: bool

    def __call__(self, state: State) -> Clerk:
        return Clerk(state, values=self.values)
