"""The bots that live in one worker process, each in its seat from one of its decisions to the next.

They are kept so that they go on from what they thought before, as they do at any other table. There is room for so
many seats and so much thought; whoever was not asked for longest makes room. A bot that is not there any more, or whose
table went another way than it was told, starts anew from what its seat sees.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from ..bots import SeatedBot, make_bot
from ..bots.base import read_actions
from ..core.registry import find_game
from .questions import BotAnswer, BotQuestion, FailedAnswer

MOST_SEATS = 1_000
MOST_THOUGHT = 10_000
"""Positions and events kept in mind by all bots together; a position takes up to 10 kB."""


class CachedBot(NamedTuple):
    """A bot in its seat, and who it was asked for."""

    level: str
    seed: int | None
    seated: SeatedBot


class BotCache:
    """Bots by table and seat."""

    def __init__(
        self, seats: int = MOST_SEATS, thought: int = MOST_THOUGHT, files: Mapping[str, str] | None = None
    ) -> None:
        self._files = files or {}
        """The files of levels that do not ship."""
        self._most_seats = seats
        self._most_thought = thought
        self._kept: OrderedDict[tuple[str, int], CachedBot] = OrderedDict()

    def answer(self, question: BotQuestion) -> BotAnswer | FailedAnswer:
        """Return the action that the bot chooses, or what went wrong with it."""
        try:
            return BotAnswer(self.choose(question))
        except Exception as error:  # the bots of other tables live in this process too
            self._drop((question.table, question.seat))
            return FailedAnswer(f"{type(error).__name__}: {error}")

    def choose(self, question: BotQuestion) -> str:
        """Return the text of the action that the bot chooses, from what its seat sees."""
        game = find_game(question.game)
        legal = read_actions(game, question.view, question.legal)
        seated = self._seated(question)
        chosen = seated.answer(game, question.view, legal, question.history).text
        while len(self._kept) > self._most_seats or self.thought() > self._most_thought:
            self._drop(next(iter(self._kept)))
        return chosen

    def thought(self) -> int:
        """How much all of them keep in mind."""
        return sum(kept.seated.keeps() for kept in self._kept.values())

    def _seated(self, question: BotQuestion) -> SeatedBot:
        """Return the bot that was asked before, if it can go on from there, or a new one."""
        key, level, seed = (question.table, question.seat), question.level, question.seed
        kept = self._kept.get(key)
        if kept is None or (kept.level, kept.seed) != (level, seed) or not kept.seated.follows(question.history):
            self._drop(key)
            kept = self._kept[key] = CachedBot(
                level, seed, SeatedBot(make_bot(self._files.get(level, level)), question.seat, seed)
            )
        self._kept.move_to_end(key)
        return kept.seated

    def _drop(self, key: tuple[str, int]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            kept.seated.bot.close()
