"""A bot in a seat: its chance, what it was told, its budget, and the bot itself with whatever it thought before.

There is one such place, so that a bot plays alike wherever it sits: in a match, in the arena, and in the processes in
which a server's bots live.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from ..core.game import Game
from ..core.plain import plain
from ..core.state import Action, Event, Json, State
from .base import Bot, Budget, Seen


class SeatedBot:
    """A bot in one seat of one game. The same seed, the same questions and the same bot make the same choices."""

    def __init__(self, bot: Bot, seat: int, seed: int | None = None, budget: Budget | None = None) -> None:
        self.bot = bot
        self.seat = seat
        self.budget = budget
        self.listens = listens(bot)
        self._rng = Random(f"{seed} {seat}" if seed is not None else None)
        self._history: list[Json] = []
        self._told = 0
        """How much of its history the bot knew at its last decision."""

    def tell(self, events: Iterable[Event]) -> None:
        """Something happened at the table."""
        if self.listens:
            self._history += told(events, self.seat)

    def choose(self, state: State) -> Action:
        """What the bot wants to do in this position, of which it is shown what its seat sees."""
        return self.decide(state.game, shown(state, self.seat, self.bot), state.legal(self.seat))

    def answer(self, game: Game, view: Json | None, legal: Sequence[Action], history: Sequence[Json]) -> Action:
        """Return what the bot chooses for a question from another process, which brings all the seat has seen."""
        if self.listens:
            self._history = list(history)
        return self.decide(game, view, legal)

    def decide(self, game: Game, view: Json | None, legal: Sequence[Action]) -> Action:
        """What the bot wants to do, of what it may."""
        if not self.listens:
            return self.bot.choose(Seen(game, self.seat, view, legal, (), self._rng, (), self.budget))
        history = tuple(self._history)
        news = history[self._told :]
        self._told = len(history)
        return self.bot.choose(Seen(game, self.seat, view, legal, news, self._rng, history, self.budget))

    def follows(self, history: Sequence[Json]) -> bool:
        """Whether a history goes on from what the bot was told; it does not where something was taken back."""
        return list(history[: len(self._history)]) == self._history

    def keeps(self) -> int:
        """How much is kept in this seat between decisions: positions and events."""
        return self.bot.keeps() + len(self._history)


def listens(bot: Bot) -> bool:
    """Whether a bot is told what happens."""
    return bot.wants_view and bot.wants_events


def shown(state: State, seat: int, bot: Bot) -> Json | None:
    """What a bot is shown of a position: the view of its seat, if it wants one."""
    return plain(state.view(seat)) if bot.wants_view else None


def told(events: Iterable[Event], seat: int) -> list[Json]:
    """What a seat is told of what happened."""
    return [plain(event.seen_by(seat)) for event in events]
