"""What there is to say about decisions: which action is best, and why. No input or output, and no game by name.

A search says what it thinks of actions (`bots`), and a game what is worth telling of what comes of them (its
`reasons.py`); here both become reasons that hold for all a seat knows. Hints never meet a true position: all of them is
made from a seat's view. So is what a review says of a decision, once the game is over (`looking.py`); only what chance
gave and who stood how well is told from the true positions.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from .chunks import ReviewedGame, assemble, piece, plan, review
from .hint import Hint, Idea, hint
from .shapes import Review
from .wording import say

__all__ = ["Hint", "Idea", "Review", "ReviewedGame", "assemble", "hint", "piece", "plan", "review", "say"]


class _Callable(ModuleType):
    """This package can be called: `preau.review(record)` is `preau.review.review(record)` (decision 9)."""

    def __call__(self, *args: Any, **kwargs: Any) -> Review:
        return review(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
