"""Thinking for others: a bot's decision, a hint, a piece of a review. Questions and answers are plain data, so that
this may be done in another process, or in another worker of a browser.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..bots.base import Budget
from ..bots.levels import LEVELS
from ..bots.registry import BOTS
from ..core.record import Record
from ..core.state import Json
from ..review import assemble, hint, piece
from ..review.strength import USUAL
from .kept_bots import KeptBots


def searches(level: str) -> bool:
    """Whether the bots of a level think, or may do so: some that ship answer in a moment."""
    return level in LEVELS or level not in BOTS


class Thinker:
    """Answers questions, one after the other: bots live here, and whoever is asked for a hint or a review."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        """`files` are those of levels that do not ship."""
        self._bots = KeptBots(files=files)

    def answer(self, question: Json) -> Json:
        """The answer, or what went wrong with it."""
        if "view" in question:
            return give_hint(question)
        return look(question) if "review" in question else self._bots.answer(question)


def give_hint(question: Json) -> Json:
    """A hint from a seat's view, or what went wrong with it; with so many `simulations`, if the question says so."""
    simulations = question.get("simulations")
    try:
        budget = Budget(simulations) if simulations else None
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
