"""Thinking for others: a bot's decision, a hint, a piece of a review. Questions and answers are plain data, so that
this may be done in another process, or in another worker of a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..bots.base import Budget
from ..bots.levels import LEVELS, strength
from ..bots.registry import BOTS
from ..core.record import Record
from ..core.state import Json
from ..review import assemble, hint, piece
from ..review.strength import USUAL
from .bot_cache import BotCache


def searches(level: str) -> bool:
    """Whether the bots of a level think, or may do so: some that ship answer in a moment."""
    return level in LEVELS or level not in BOTS


Pace = Literal["full", "brisk", "light"]
"""How much is thought: as a level says, or less in a browser, where the rules are compiled or are not."""


def simulations(game: str, level: str, pace: Pace) -> int:
    """How many positions a bot looks at for a decision."""
    if level not in LEVELS:
        return 0
    found = strength(game, level)
    fewer = {"full": 0, "brisk": found.brisk, "light": found.light}[pace]
    return fewer or found.simulations


def paced(game: str, level: str, pace: Pace) -> str:
    """The name of a bot of a level that looks at so many."""
    found = simulations(game, level, pace)
    return level if found == simulations(game, level, "full") else f"{level}@{found}"


class Thinker:
    """Answers questions, one after the other: bots live here, and whoever is asked for a hint or a review."""

    def __init__(self, files: Mapping[str, str] | None = None, *, pace: Pace = "full") -> None:
        """`files` are those of levels that do not ship."""
        self._bots = BotCache(files=files)
        self._pace = pace

    def answer(self, question: Json) -> Json:
        """The answer, or what went wrong with it."""
        if "view" in question:
            return give_hint(question, self._pace)
        if "review" in question:
            return analyse_chunk(question)
        if self._pace != "full":
            question = {**question, "level": paced(question["seen"]["game"], question["level"], self._pace)}
        return self._bots.answer(question)


def give_hint(question: Json, pace: Pace) -> Json:
    """A hint from a seat's view, or what went wrong with it."""
    try:
        budget = Budget(simulations(question["view"]["game"], LEVELS[-1], pace))
        return {"hint": hint(question["view"], budget=budget, rank=question["rank"])}
    except Exception as error:  # the bots of many tables live here too
        return {"error": f"{type(error).__name__}: {error}"}


def analyse_chunk(question: Json) -> Json:
    """What was found out for a review, or what went wrong with it."""
    asked = question["review"]
    strength = asked.get("strength", USUAL)
    try:
        record = Record.loads(asked["record"])
        if asked["do"] == "piece":
            return {"found": piece(record, asked["which"], strength)}
        return {"found": assemble(record, asked["found"], strength)}
    except Exception as error:  # another piece may do better
        return {"error": f"{type(error).__name__}: {error}"}
