"""A table of bots: it keeps the true position to itself and shows each bot only what its seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ..core.match import Match
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import Action, Event, Json
from .base import Bot, Budget, Seen, plain
from .making import BOTS, make_bot

__all__ = ["BOTS", "Table", "make_bot", "play"]


class Table:
    """A match with bots in some or all seats.

    Bots that join a match under way are told first what their seat has seen of it so far.
    """

    def __init__(
        self, match: Match, bots: Mapping[int, Bot], seed: int | None = None, budget: Budget | None = None
    ) -> None:
        self.match = match
        self.bots = dict(bots)
        self.budget = budget
        self._rng = {seat: Random(f"{seed} {seat}" if seed is not None else None) for seat in self.bots}
        self._told = dict.fromkeys(self.bots, 0)
        """How much of its history each bot knew at its last decision."""
        self._history: dict[int, list[Json]] = {
            seat: [] for seat, bot in self.bots.items() if bot.wants_view and bot.wants_events
        }
        if self._history:
            self._tell(_so_far(match.record) if match.record.entries else match.opening)

    def waiting_bot(self) -> int | None:
        """A seat with a bot that owes a decision."""
        for seat in self.match.to_act:
            if seat in self.bots:
                return seat
        return None

    def choose(self, seat: int) -> Action:
        """What the bot in this seat wants to do; the match does not change."""
        bot = self.bots[seat]
        state = self.match.state
        view = plain(state.view(seat)) if bot.wants_view else None
        history = tuple(self._history.get(seat, ()))
        news = history[self._told[seat] :]
        self._told[seat] = len(history)
        return bot.choose(
            Seen(self.match.game, seat, view, state.legal(seat), news, self._rng[seat], history, self.budget)
        )

    def step(self) -> list[Event]:
        """Let one waiting bot act; returns what happened."""
        seat = self.waiting_bot()
        assert seat is not None, "no bot is to act"
        return self.apply(seat, self.choose(seat))

    def apply(self, actor: int, action: Action | str) -> list[Event]:
        """Carry out an action of a person, a bot or the referee."""
        events = self.match.apply(actor, action)
        self._tell(events)
        return events

    def close(self) -> None:
        """Let the bots go."""
        for bot in self.bots.values():
            bot.close()

    def _tell(self, events: Sequence[Event]) -> None:
        for seat, history in self._history.items():
            history += [plain(seen) for event in events if (seen := event.seen_by(seat)) is not None]


def _so_far(record: Record) -> list[Event]:
    """Everything that happened in a match up to now."""
    state = record.start_state()
    return [event for entry in record.entries for event in state.apply(entry.actor, entry.text)]


def play(
    game: str,
    bots: Sequence[str | Bot],
    *,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> Match:
    """Play a whole game between bots, one per seat, and return the finished match.

    >>> match = play("recess", ["greedy", "random", "random"], seed=1)
    >>> match.over, sum(match.result().scores)
    (True, 30)
    """
    seats = [make_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    match = Match.new(find_game(game), len(seats), dict(options or {}), seed)
    table = Table(match, dict(enumerate(seats)), seed)
    try:
        while not match.over:
            table.step()
    finally:
        for bot, made in zip(seats, bots, strict=True):
            if isinstance(made, str):
                bot.close()
    return match
