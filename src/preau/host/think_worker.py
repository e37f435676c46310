"""Answers the questions of `questions`: a bot's decision, a hint, a piece of a review. It runs in another process of
the server, or in another worker of a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from ..bots.base import Budget
from ..bots.levels import LEVELS, strength
from ..bots.registry import BOTS
from ..review import ReviewedGame, hint
from .bot_cache import BotCache
from .questions import (
    Answer,
    AssemblyQuestion,
    BotQuestion,
    FailedAnswer,
    HintAnswer,
    HintQuestion,
    Question,
    ReviewAnswer,
    ReviewQuestion,
    decode_question,
    encode,
)

MOST_REVIEWS = 2
"""Games under review that a worker keeps: the one at hand, and the one before it."""


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
    """Answers questions, one after the other. It keeps the bots of its tables and the games under review."""

    def __init__(self, files: Mapping[str, str] | None = None, *, pace: Pace = "full") -> None:
        """`files` are those of levels that do not ship."""
        self._bots = BotCache(files=files)
        self._pace = pace
        self._game = lru_cache(maxsize=MOST_REVIEWS)(ReviewedGame.loads)

    def answer_json(self, question: bytes | str) -> bytes:
        """Return the answer to a question; both are JSON (`questions.encode`)."""
        try:
            asked = decode_question(question)
        except msgspec.MsgspecError as error:
            return encode(_failed(error))
        return encode(self.answer(asked))

    def answer(self, question: Question) -> Answer:
        """Return the answer, or what went wrong with it."""
        match question:
            case BotQuestion():
                return self._bots.answer(self._paced(question))
            case HintQuestion():
                return give_hint(question, self._pace)
            case ReviewQuestion() | AssemblyQuestion():
                return self._review(question)

    def _paced(self, question: BotQuestion) -> BotQuestion:
        if self._pace == "full":
            return question
        return msgspec.structs.replace(question, level=paced(question.game, question.level, self._pace))

    def _review(self, question: ReviewQuestion | AssemblyQuestion) -> ReviewAnswer | FailedAnswer:
        """Return a part of a review. The record of a game is parsed for its first part only."""
        try:
            game = self._game(question.record)
            if isinstance(question, ReviewQuestion):
                return ReviewAnswer(game.analyse(question.piece, question.strength))
            return ReviewAnswer(game.assemble(question.found, question.strength))
        except Exception as error:  # another part may succeed
            return _failed(error)


def give_hint(question: HintQuestion, pace: Pace) -> HintAnswer | FailedAnswer:
    """Return a hint from a seat's view, or what went wrong with it."""
    try:
        budget = Budget(simulations(question.view["game"], LEVELS[-1], pace))
        return HintAnswer(dict(hint(question.view, budget=budget, rank=question.rank)))
    except Exception as error:  # the bots of many tables live in this process too
        return _failed(error)


def _failed(error: Exception) -> FailedAnswer:
    return FailedAnswer(f"{type(error).__name__}: {error}")
