"""Chance at a live table: the system's own randomness, and races, where measured delays take its place."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping

from ..core.state import Action, State
from . import tie_break

BOT_MS = {
    "random": (1_600, 3_200),
    "easy": (1_600, 3_200),
    "greedy": (1_000, 2_200),
    "normal": (1_000, 2_200),
    "hard": (700, 1_500),
    "expert": (500, 1_100),
}
"""The stated reaction times of bots in a race, by level, drawn evenly from a range. Somebody grown up who knows the
signs needs some 600 to 1,000 ms to see one, choose and tap, a child of eight about twice that: `easy` leaves the child
time, `expert` wins against whoever hesitates, and no bot is faster than a person can be.
"""


class Chance(secrets.SystemRandom):
    """The system's own randomness, fetched by the page instead of seven bytes at a time. No byte is used twice."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = b""
        self._at = 0

    def random(self) -> float:
        """A number from 0 to 1, all 53 bits of it from the system."""
        if self._at + 7 > len(self._bytes):
            self._bytes, self._at = os.urandom(3_584), 0
        drawn = int.from_bytes(self._bytes[self._at : self._at + 7], "big")
        self._at += 7
        return (drawn >> 3) * 2.0**-53


rng = Chance()
"""Where everything at live tables is drawn from."""


def draw(state: State, delays: Mapping[int, int]) -> Action:
    """What chance does: the fastest seat where a race was measured, else a fresh draw from the system's generator."""
    fastest = state.fastest(delays, rng) if delays else None
    return fastest if fastest is not None else state.draw(rng)


def reaction(level: str) -> tuple[int, int]:
    """How many milliseconds a bot of a level takes to answer in a race, from and to; one of one's own is normal."""
    return BOT_MS.get(level, BOT_MS["normal"])


def bot_delay(level: str) -> int:
    """How long a bot of a level takes to answer in a race, in milliseconds."""
    return rng.randint(*reaction(level))


def bot_taps(level: str) -> int:
    """How often a bot of a level taps in a round of arm wrestling."""
    return tie_break.taps(level, rng)
