"""A match with bots: it keeps the true position to itself and shows each bot only what its seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.match import Match
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import Action, Event
from .base import Bot, Budget
from .registry import make_bot
from .seated import SeatedBot


class BotMatch:
    """A match with bots in some or all seats.

    Bots that join a match under way are told first what their seat has seen of it so far.

    >>> import preau
    >>> table = BotMatch(preau.new("recess", seats=3, seed=7), {1: make_bot("greedy"), 2: make_bot("random")}, seed=7)
    >>> while table.match.to_act == (0,):  # a person's turn: here, whatever comes first
    ...     events = table.apply(0, table.match.legal(0)[0])
    >>> table.waiting_bot()
    1
    >>> events = table.step()
    """

    def __init__(
        self, match: Match, bots: Mapping[int, Bot], seed: int | None = None, budget: Budget | None = None
    ) -> None:
        self.match = match
        for bot in bots.values():
            bot.check(match.game, match.state.seats, match.state.options)
        self.seated = {seat: SeatedBot(bot, seat, seed, budget) for seat, bot in bots.items()}
        if any(seated.listens for seated in self.seated.values()):
            self._tell(_so_far(match.record) if match.record.entries else match.opening)

    def waiting_bot(self) -> int | None:
        """A seat with a bot that owes a decision."""
        for seat in self.match.to_act:
            if seat in self.seated:
                return seat
        return None

    def choose(self, seat: int) -> Action:
        """What the bot in this seat wants to do; the match does not change."""
        return self.seated[seat].choose(self.match.state)

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

    def play(self) -> int:
        """Let bots in all seats play to the end; returns how many decisions that took."""
        decisions = 0
        while not self.match.over:
            self.step()
            decisions += 1
        return decisions

    def close(self) -> None:
        """Let the bots go."""
        for seated in self.seated.values():
            seated.bot.close()

    def _tell(self, events: Sequence[Event]) -> None:
        for seated in self.seated.values():
            seated.tell(events)


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
    try:
        BotMatch(match, dict(enumerate(seats)), seed).play()
    finally:
        for bot, made in zip(seats, bots, strict=True):
            if isinstance(made, str):
                bot.close()
    return match
