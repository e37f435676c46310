"""What there is to say about decisions: which action is best, and why. No input or output, and no game by name.

A search says what it thinks of actions (`bots`), and a game what is worth telling of what comes of them (its
`reasons.py`); here both become reasons that hold for all a seat knows. Nothing here ever meets a true position: all of
it is made from a seat's view.
"""

from __future__ import annotations

from .hint import Hint, Idea, hint
from .saying import say

__all__ = ["Hint", "Idea", "hint", "say"]
