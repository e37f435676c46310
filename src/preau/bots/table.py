"""A table of bots: it keeps the true position to itself and shows each bot only what its seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from ..core.errors import SetupError
from ..core.match import Match
from ..core.registry import find_game
from ..core.state import Action, Event, Json
from .base import Bot, Seen
from .simple import GreedyBot, RandomBot

BOTS: Mapping[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""The bots that ship, by name."""


def make_bot(name: str) -> Bot:
    """A new bot of this name."""
    if name not in BOTS:
        raise SetupError(f"there is no bot {name!r}", field="bot", hint="There are " + ", ".join(BOTS) + ".")
    return BOTS[name]()


class Table:
    """A match with bots in some or all seats."""

    def __init__(self, match: Match, bots: Mapping[int, Bot], seed: int | None = None) -> None:
        self.match = match
        self.bots = dict(bots)
        self._rng = {seat: Random(f"{seed} {seat}" if seed is not None else None) for seat in self.bots}
        self._news: dict[int, list[Json]] = {seat: [] for seat in self.bots}
        self._tell(match.opening)

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
        view = state.view(seat) if bot.wants_view else None
        legal = state.legal(seat)
        action = bot.choose(Seen(self.match.game, seat, view, legal, tuple(self._news[seat]), self._rng[seat]))
        self._news[seat] = []
        return action

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

    def _tell(self, events: Sequence[Event]) -> None:
        for seat, news in self._news.items():
            if self.bots[seat].wants_view:
                news += [seen for event in events if (seen := event.seen_by(seat)) is not None]


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
    while not match.over:
        table.step()
    return match
