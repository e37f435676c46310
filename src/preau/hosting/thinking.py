"""Thinking for others: a bot's decision, a hint, a piece of a review. Questions and answers are plain data, so that
this may be done in another process, or in another worker of a browser.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..bots.base import Budget
from ..bots.levels import LEVELS, strength
from ..bots.registry import BOTS
from ..core.record import Record
from ..core.state import Json
from ..review import assemble, hint, piece
from ..review.strength import USUAL
from .kept_bots import KeptBots


def searches(level: str) -> bool:
    """Whether the bots of a level think, or may do so: some that ship answer in a moment."""
    return level in LEVELS or level not in BOTS


def light_simulations(game: str, level: str) -> int:
    """How many positions a bot looks at for a decision where the rules are not compiled and somebody waits."""
    if level not in LEVELS:
        return 0
    found = strength(game, level)
    return found.light or found.simulations


def light_bot(game: str, level: str) -> str:
    """A bot of a level as it plays there."""
    return f"{level}@{light_simulations(game, level)}" if level in LEVELS and strength(game, level).light else level


class Thinker:
    """Answers questions, one after the other: bots live here, and whoever is asked for a hint or a review."""

    def __init__(self, files: Mapping[str, str] | None = None, *, light: bool = False) -> None:
        """`files` are those of levels that do not ship. Whoever is `light` looks at fewer positions."""
        self._bots = KeptBots(files=files)
        self._light = light

    def answer(self, question: Json) -> Json:
        """The answer, or what went wrong with it."""
        if "view" in question:
            return give_hint(question, light=self._light)
        if "review" in question:
            return look(question)
        if self._light:
            question = {**question, "level": light_bot(question["seen"]["game"], question["level"])}
        return self._bots.answer(question)


def give_hint(question: Json, *, light: bool = False) -> Json:
    """A hint from a seat's view, or what went wrong with it."""
    try:
        budget = Budget(light_simulations(question["view"]["game"], LEVELS[-1])) if light else None
        return {"hint": hint(question["view"], budget=budget, rank=question["rank"])}
    except Exception as error:  # the bots of many tables live here too
        return {"error": f"{type(error).__name__}: {error}"}


def look(question: Json) -> Json:
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
