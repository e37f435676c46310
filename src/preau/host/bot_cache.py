"""The bots that live in one worker process, each in its seat from one of its decisions to the next.

They are kept so that they go on from what they thought before, as they do at any other table. There is room for so
many seats and so much thought; whoever was not asked for longest makes room. A bot that is not there any more, or whose
table went another way than it was told, starts anew from what its seat sees.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from ..bots import SeatedBot, Seen, make_bot
from ..core.state import Json

MOST_SEATS = 1_000
MOST_THOUGHT = 10_000
"""Positions and events kept in mind by all bots together; a position takes up to 10 kB."""

_UNUSED_CHANCE = Random(0)
"""In the place of a bot's chance, which stays in its seat."""


class CachedBot(NamedTuple):
    """A bot in its seat, and who it was asked for."""

    level: str
    seed: int
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

    def answer(self, question: Json) -> Json:
        """The text of the action the bot chooses, or what went wrong with it."""
        try:
            return {"action": self.choose(question)}
        except Exception as error:  # whatever a bot does wrong, the others live here too
            self._drop((question["table"], question["seen"]["seat"]))
            return {"error": f"{type(error).__name__}: {error}"}

    def choose(self, question: Json) -> str:
        """A bot's choice among the legal actions, from what its seat sees."""
        seen = Seen.from_json(question["seen"], _UNUSED_CHANCE)
        chosen = self._seated(question, seen).answer(seen).text
        while len(self._kept) > self._most_seats or self.thought() > self._most_thought:
            self._drop(next(iter(self._kept)))
        return chosen

    def thought(self) -> int:
        """How much all of them keep in mind."""
        return sum(kept.seated.keeps() for kept in self._kept.values())

    def _seated(self, question: Json, seen: Seen) -> SeatedBot:
        """The bot that was asked before, if it can go on from there, or a new one."""
        key, level, seed = (question["table"], seen.seat), question["level"], question["seed"]
        kept = self._kept.get(key)
        if kept is None or (kept.level, kept.seed) != (level, seed) or not kept.seated.follows(seen.history):
            self._drop(key)
            kept = self._kept[key] = CachedBot(
                level, seed, SeatedBot(make_bot(self._files.get(level, level)), seen.seat, seed)
            )
        self._kept.move_to_end(key)
        return kept.seated

    def _drop(self, key: tuple[str, int]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            kept.seated.bot.close()
