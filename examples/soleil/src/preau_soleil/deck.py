"""The cards and the caller's words. A card's number is how many steps it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .shapes import CallersWord, Card

CARDS: Final[tuple[Card, ...]] = ("still", "tiptoe", "walk", "run")
COUNTS: Final = (4, 8, 7, 5)
"""How many there are of each (S2)."""
HAND: Final = 3

WORDS: Final[tuple[CallersWord, ...]] = ("un", "deux", "trois", "soleil")
"""A word's number is how many steps can be taken before it (S4)."""
